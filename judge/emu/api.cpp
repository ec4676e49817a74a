// The CUDA runtime API of the CPU backend: memory, errors, device, streams, events, attributes.
//
// Launches have run when they return, so synchronising, streams and callbacks have nothing to wait for.
// The rules of what is refused were read off an H200 with CUDA 13.0: a copy direction that names the
// device on a side where plain host memory lies is an invalid argument; device memory is accepted
// on either side; pinned and managed memory count as both.
#include "emu.h"

#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#define JUDGE_CUDA_DOOR
#include "../include/detail/error.h"
#include "../include/detail/device_properties.h"
#include "../include/detail/runtime_types.h"
#include "../include/detail/runtime_functions.h"
#include "device.h"

struct CUevent_st {
    bool timed, recorded;
    std::chrono::steady_clock::time_point when;
};
struct CUstream_st {
    int priority;
};

namespace {

constexpr int processors = 132;              // of an H100 SXM
constexpr int resident_threads = 2048;       // of a multiprocessor, as the next three
constexpr int resident_blocks = 32;
constexpr size_t shared_of_processor = 228 * 1024;
constexpr size_t shared_reserved = 1024;     // of each block
constexpr size_t pitch_alignment = 512;

enum class Where { host, pinned, device, managed };

// Memory that the submission asked for and that emu.h does not distinguish: start -> size.
struct Registry {
    std::mutex mutex;
    std::map<const char*, std::pair<size_t, Where>> ranges;

    void add(const void* start, size_t bytes, Where where)
    {
        std::lock_guard<std::mutex> lock(mutex);
        ranges[static_cast<const char*>(start)] = {bytes, where};
    }
    bool remove(const void* start)
    {
        std::lock_guard<std::mutex> lock(mutex);
        return ranges.erase(static_cast<const char*>(start)) != 0;
    }
    bool find(const void* pointer, Where* where)
    {
        std::lock_guard<std::mutex> lock(mutex);
        auto next = ranges.upper_bound(static_cast<const char*>(pointer));
        if (next == ranges.begin()) return false;
        auto& [start, range] = *--next;
        if (static_cast<const char*>(pointer) >= start + range.first) return false;
        *where = range.second;
        return true;
    }
};
Registry& registry()
{
    static Registry* one = new Registry;  // never destroyed: submissions free memory at exit
    return *one;
}

Where where_is(const void* pointer)
{
    Where where;
    if (registry().find(pointer, &where)) return where;
    emu_buffer buffer;
    return emu_find_buffer(pointer, &buffer) ? Where::device : Where::host;
}

// Every call fails after a sticky error.
#define RETURN_IF_STICKY                                                                           \
    if (int sticky = emu_sticky_error()) return cudaError_t(sticky)

cudaError_t plain(int error) { return cudaError_t(emu_record_error(error)); }

__attribute__((format(printf, 3, 4))) cudaError_t refuse(int error, unsigned line, const char* format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return cudaError_t(emu_set_error(error, 0, message, line));
}

// One side of a copy or a fill, and whether the call says that it is device memory.
cudaError_t check_side(const void* pointer, size_t bytes, bool on_device, const char* side, const char* call,
                       unsigned line)
{
    if (!pointer) return refuse(cudaErrorInvalidValue, line, "%s: the %s is null", call, side);
    const Where where = where_is(pointer);
    if (on_device && where == Where::host)
        return refuse(cudaErrorInvalidValue, line, "%s: the %s is said to be device memory, but it is host memory",
                      call, side);
    emu_buffer buffer;
    if (emu_find_buffer(pointer, &buffer)) return cudaError_t(emu_check_range(pointer, bytes, call, line));
    return cudaSuccess;
}

cudaError_t check_copy(const void* to, size_t to_bytes, const void* from, size_t from_bytes, cudaMemcpyKind kind,
                       const char* call, unsigned line)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return refuse(cudaErrorInvalidMemcpyDirection, line, "%s: no direction has the number %d", call, int(kind));
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (cudaError_t error = check_side(to, to_bytes, to_device, "destination", call, line)) return error;
    return check_side(from, from_bytes, from_device, "source", call, line);
}

}  // namespace

extern "C" {

// ---- memory -------------------------------------------------------------------------------------
cudaError_t emu_cuda_malloc(void** pointer, size_t bytes, unsigned line)
{
    RETURN_IF_STICKY;
    if (!pointer) return refuse(cudaErrorInvalidValue, line, "cudaMalloc: the address of the pointer is null");
    return cudaError_t(emu_malloc(pointer, bytes, line));
}

cudaError_t emu_cuda_malloc_managed(void** pointer, size_t bytes, unsigned line)
{
    if (bytes == 0) return refuse(cudaErrorInvalidValue, line, "cudaMallocManaged: 0 bytes");
    cudaError_t error = emu_cuda_malloc(pointer, bytes, line);
    if (error == cudaSuccess) registry().add(*pointer, bytes, Where::managed);
    if (error == cudaSuccess) emu_share_with_host(*pointer);
    return error;
}

cudaError_t emu_cuda_malloc_pitch(void** pointer, size_t* pitch, size_t width, size_t height, unsigned line)
{
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return emu_cuda_malloc(pointer, *pitch * height, line);
}

cudaError_t emu_cuda_free(void* pointer, unsigned line)
{
    RETURN_IF_STICKY;
    Where where;
    if (registry().find(pointer, &where) && where == Where::managed) registry().remove(pointer);
    return cudaError_t(emu_free(pointer, line));
}

cudaError_t emu_cuda_host_alloc(void** pointer, size_t bytes)
{
    RETURN_IF_STICKY;
    *pointer = bytes ? aligned_alloc(4096, (bytes + 4095) / 4096 * 4096) : nullptr;
    if (bytes && !*pointer) return plain(cudaErrorMemoryAllocation);
    if (bytes) registry().add(*pointer, bytes, Where::pinned);
    return cudaSuccess;
}

cudaError_t emu_cuda_host_free(void* pointer, unsigned line)
{
    RETURN_IF_STICKY;
    if (!pointer) return cudaSuccess;
    if (!registry().remove(pointer))
        return refuse(cudaErrorInvalidValue, line, "cudaFreeHost: not memory of cudaMallocHost");
    free(pointer);
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int)
{
    if (!pointer || !bytes) return plain(cudaErrorInvalidValue);
    if (where_is(pointer) != Where::host) return plain(cudaErrorHostMemoryAlreadyRegistered);
    registry().add(pointer, bytes, Where::pinned);
    emu_register_host(pointer, bytes);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer)
{
    emu_register_host(pointer, 0);
    return registry().remove(pointer) ? cudaSuccess : plain(cudaErrorHostMemoryNotRegistered);
}

cudaError_t emu_cuda_memcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, unsigned line)
{
    RETURN_IF_STICKY;
    if (bytes == 0) return cudaSuccess;
    if (cudaError_t error = check_copy(to, bytes, from, bytes, kind, "cudaMemcpy", line)) return error;
    memmove(to, from, bytes);
    emu_written(to, bytes);
    return cudaSuccess;
}

cudaError_t emu_cuda_memcpy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                               size_t height, cudaMemcpyKind kind, unsigned line)
{
    RETURN_IF_STICKY;
    if (width == 0 || height == 0) return cudaSuccess;
    if (width > to_pitch || width > from_pitch)
        return refuse(height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue, line,
                      "cudaMemcpy2D: width %zu, pitches %zu and %zu", width, to_pitch, from_pitch);
    const size_t to_bytes = to_pitch * (height - 1) + width, from_bytes = from_pitch * (height - 1) + width;
    if (cudaError_t error = check_copy(to, to_bytes, from, from_bytes, kind, "cudaMemcpy2D", line)) return error;
    for (size_t row = 0; row < height; row++)
        memmove(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
    emu_written(to, to_bytes);
    return cudaSuccess;
}

cudaError_t emu_cuda_memset(void* to, int value, size_t bytes, unsigned line)
{
    RETURN_IF_STICKY;
    if (bytes == 0) return cudaSuccess;
    if (cudaError_t error = check_side(to, bytes, true, "destination", "cudaMemset", line)) return error;
    memset(to, value, bytes);
    emu_written(to, bytes);
    return cudaSuccess;
}

cudaError_t emu_cuda_memset_2d(void* to, size_t pitch, int value, size_t width, size_t height, unsigned line)
{
    RETURN_IF_STICKY;
    if (width == 0 || height == 0) return cudaSuccess;
    if (width > pitch) return refuse(cudaErrorInvalidValue, line, "cudaMemset2D: width %zu, pitch %zu", width, pitch);
    if (cudaError_t error = check_side(to, pitch * (height - 1) + width, true, "destination", "cudaMemset2D", line))
        return error;
    for (size_t row = 0; row < height; row++) memset(static_cast<char*>(to) + row * pitch, value, width);
    emu_written(to, pitch * (height - 1) + width);
    return cudaSuccess;
}

cudaError_t emu_cuda_memcpy_symbol(void* symbol, size_t symbol_bytes, void* other, size_t bytes, size_t offset,
                                   cudaMemcpyKind kind, int to_symbol, unsigned line)
{
    RETURN_IF_STICKY;
    const char* call = to_symbol ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
    const cudaMemcpyKind host_kind = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (kind != host_kind && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return refuse(cudaErrorInvalidMemcpyDirection, line, "%s: this direction does not end at a symbol", call);
    if (offset > symbol_bytes || bytes > symbol_bytes - offset)
        return refuse(cudaErrorInvalidValue, line, "%s: %zu bytes at offset %zu of a symbol of %zu bytes", call, bytes,
                      offset, symbol_bytes);
    if (bytes == 0) return cudaSuccess;
    const bool device = kind == cudaMemcpyDeviceToDevice;
    if (cudaError_t error = check_side(other, bytes, device, to_symbol ? "source" : "destination", call, line))
        return error;
    char* place = static_cast<char*>(symbol) + offset;
    memmove(to_symbol ? place : other, to_symbol ? other : place, bytes);
    return cudaSuccess;
}

cudaError_t emu_cuda_symbol_address(void** pointer, const void* symbol, size_t symbol_bytes)
{
    registry().add(symbol, symbol_bytes, Where::device);  // the pointer may be copied to and from
    *pointer = const_cast<void*>(symbol);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes)
{
    RETURN_IF_STICKY;
    emu_memory_info(free_bytes, total_bytes);
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer)
{
    RETURN_IF_STICKY;
    void* p = const_cast<void*>(pointer);
    switch (where_is(pointer)) {
    case Where::host: *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p}; break;
    case Where::pinned: *attributes = {cudaMemoryTypeHost, 0, p, p}; break;
    case Where::device: *attributes = {cudaMemoryTypeDevice, 0, p, nullptr}; break;
    case Where::managed: *attributes = {cudaMemoryTypeManaged, 0, p, p}; break;
    }
    return cudaSuccess;
}

// ---- errors -------------------------------------------------------------------------------------
cudaError_t cudaGetLastError(void) { return cudaError_t(emu_last_error(1)); }
cudaError_t cudaPeekAtLastError(void) { return cudaError_t(emu_last_error(0)); }
const char* cudaGetErrorName(cudaError_t error) { return emu_error_name(error); }
const char* cudaGetErrorString(cudaError_t error) { return emu_error_text(error); }

// ---- device -------------------------------------------------------------------------------------
cudaError_t cudaDeviceSynchronize(void) { return cudaError_t(emu_sticky_error()); }
cudaError_t cudaDeviceReset(void) { return cudaError_t(emu_sticky_error()); }

cudaError_t cudaGetDeviceCount(int* count)
{
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device)
{
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device)
{
    RETURN_IF_STICKY;
    return device == 0 ? cudaSuccess : plain(cudaErrorInvalidDevice);
}
cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device)
{
    RETURN_IF_STICKY;
    if (device != 0) return plain(cudaErrorInvalidDevice);
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "CPU emulation of compute capability 9.0");
    size_t free_bytes;
    emu_memory_info(&free_bytes, &p->totalGlobalMem);
    p->major = 9;
    p->warpSize = emu::warp_size;
    p->maxThreadsPerBlock = emu::max_threads;
    p->maxThreadsDim[0] = emu::max_block_x, p->maxThreadsDim[1] = emu::max_block_y, p->maxThreadsDim[2] = emu::max_block_z;
    p->maxGridSize[0] = emu::max_grid_x, p->maxGridSize[1] = emu::max_grid_y, p->maxGridSize[2] = emu::max_grid_z;
    p->sharedMemPerBlock = emu::default_shared_bytes;
    p->sharedMemPerBlockOptin = emu::opt_in_shared_bytes;
    p->sharedMemPerMultiprocessor = shared_of_processor;
    p->reservedSharedMemPerBlock = shared_reserved;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->maxThreadsPerMultiProcessor = resident_threads;
    p->maxBlocksPerMultiProcessor = resident_blocks;
    p->multiProcessorCount = processors;
    p->totalConstMem = 65536;
    p->memPitch = 2147483647;
    p->textureAlignment = 512;
    p->l2CacheSize = 50 << 20;
    p->clockRate = 1980000;         // kHz: the H100's, for submissions that compute a peak from them
    p->memoryClockRate = 2619000;
    p->memoryBusWidth = 5120;
    p->asyncEngineCount = 3;
    p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = p->localL1CacheSupported = p->managedMemory = p->concurrentManagedAccess = 1;
    p->computePreemptionSupported = p->cooperativeLaunch = p->memoryPoolsSupported = p->deviceOverlap = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    cudaDeviceProp p;
    if (cudaError_t error = cudaGetDeviceProperties(&p, device)) return error;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(p.sharedMemPerMultiprocessor); break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = int(p.reservedSharedMemPerBlock); break;
    case cudaDevAttrTotalConstantMemory: *value = int(p.totalConstMem); break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxPitch: *value = int(p.memPitch); break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrTextureAlignment: *value = int(p.textureAlignment); break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrIntegrated:
    case cudaDevAttrComputeMode:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPciBusId:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrClusterLaunch: *value = 0; break;
    default: return plain(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit)
{
    *value = limit == cudaLimitStackSize ? 1024 : limit == cudaLimitMallocHeapSize ? 8 << 20 : 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version)
{
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

// ---- streams and events ---------------------------------------------------------------------------
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int, int priority)
{
    RETURN_IF_STICKY;
    *stream = new CUstream_st{priority};
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    RETURN_IF_STICKY;
    if (stream <= cudaStreamPerThread) return plain(cudaErrorInvalidResourceHandle);  // the default streams
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaError_t(emu_sticky_error()); }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaError_t(emu_sticky_error()); }
cudaError_t emu_cuda_stream_wait(cudaStream_t, cudaEvent_t event)
{
    RETURN_IF_STICKY;
    return event ? cudaSuccess : plain(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int)
{
    RETURN_IF_STICKY;
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data)
{
    RETURN_IF_STICKY;
    function(data);
    return cudaSuccess;
}

cudaError_t emu_cuda_event_create(cudaEvent_t* event, unsigned int flags)
{
    RETURN_IF_STICKY;
    *event = new CUevent_st{!(flags & cudaEventDisableTiming), false, {}};
    return cudaSuccess;
}
cudaError_t emu_cuda_event_record(cudaEvent_t event, cudaStream_t)
{
    RETURN_IF_STICKY;
    if (!event) return plain(cudaErrorInvalidResourceHandle);
    event->recorded = true;
    event->when = std::chrono::steady_clock::now();
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    RETURN_IF_STICKY;
    return event ? cudaSuccess : plain(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    RETURN_IF_STICKY;
    if (!start || !stop || !start->timed || !stop->timed || !start->recorded || !stop->recorded)
        return plain(cudaErrorInvalidResourceHandle);
    *milliseconds = std::chrono::duration<float, std::milli>(stop->when - start->when).count();
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    RETURN_IF_STICKY;
    if (!event) return plain(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}

// ---- kernels ------------------------------------------------------------------------------------
cudaError_t emu_cuda_function_attribute(const void* kernel, cudaFuncAttribute attribute, int value, unsigned line)
{
    RETURN_IF_STICKY;
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || emu_allow_dynamic_shared(kernel, size_t(value)))
            return refuse(cudaErrorInvalidValue, line,
                          "cudaFuncSetAttribute: %d bytes of dynamic shared memory, limit %zu less the static", value,
                          emu::opt_in_shared_bytes);
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
    case cudaFuncAttributeNonPortableClusterSizeAllowed: return cudaSuccess;
    default: return refuse(cudaErrorInvalidValue, line, "cudaFuncSetAttribute: no attribute has the number %d", int(attribute));
    }
}

cudaError_t emu_cuda_function_attributes(cudaFuncAttributes* attributes, const void* kernel)
{
    RETURN_IF_STICKY;
    const long bytes = emu_static_shared_bytes(kernel);
    *attributes = {};
    attributes->sharedSizeBytes = bytes > 0 ? size_t(bytes) : 0;
    attributes->maxThreadsPerBlock = emu::max_threads;
    attributes->numRegs = 32;  // only ptxas knows; with 32 registers do not limit the occupancy
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = int(emu::default_shared_bytes - attributes->sharedSizeBytes);
    return cudaSuccess;
}

cudaError_t emu_cuda_resident_blocks(int* blocks, const void* kernel, int threads, size_t dynamic_bytes)
{
    RETURN_IF_STICKY;
    if (threads <= 0 || !blocks) return plain(cudaErrorInvalidValue);
    *blocks = 0;
    if (unsigned(threads) > emu::max_threads) return cudaSuccess;
    const long static_bytes = emu_static_shared_bytes(kernel);
    const size_t shared = dynamic_bytes + size_t(static_bytes > 0 ? static_bytes : 0);
    if (shared > emu::opt_in_shared_bytes) return cudaSuccess;
    const int warps = (threads + emu::warp_size - 1) / emu::warp_size;
    const int by_threads = resident_threads / (warps * emu::warp_size);
    const int by_shared = int(shared_of_processor / (shared + shared_reserved));
    *blocks = by_threads < resident_blocks ? by_threads : resident_blocks;
    if (by_shared < *blocks) *blocks = by_shared;
    return cudaSuccess;
}

}  // extern "C"
