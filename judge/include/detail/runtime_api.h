// The CUDA runtime API in the user's spelling: overloads, default arguments, typed pointers.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/runtime_api.h is internal: include <cuda_runtime.h>"
#endif

#include "runtime_types.h"

#include "runtime_functions.h"

#define EMU_LINE unsigned line = __builtin_LINE()

// ---- memory -------------------------------------------------------------------------------------
template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes, EMU_LINE)
{
    return emu_cuda_malloc((void**)pointer, bytes, line);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t, EMU_LINE)
{
    return emu_cuda_malloc((void**)pointer, bytes, line);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int = cudaMemAttachGlobal, EMU_LINE)
{
    return emu_cuda_malloc_managed((void**)pointer, bytes, line);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height, EMU_LINE)
{
    return emu_cuda_malloc_pitch((void**)pointer, pitch, width, height, line);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int = 0)
{
    return emu_cuda_host_alloc((void**)pointer, bytes);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int)
{
    return emu_cuda_host_alloc((void**)pointer, bytes);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int)
{
    *device = (T*)host;
    return cudaSuccess;
}
inline cudaError_t cudaFree(void* pointer, EMU_LINE) { return emu_cuda_free(pointer, line); }
inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t, EMU_LINE) { return emu_cuda_free(pointer, line); }
inline cudaError_t cudaFreeHost(void* pointer, EMU_LINE) { return emu_cuda_host_free(pointer, line); }

inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, EMU_LINE)
{
    return emu_cuda_memcpy(to, from, bytes, kind, line);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr, EMU_LINE)
{
    return emu_cuda_memcpy(to, from, bytes, kind, line);
}
inline cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes, EMU_LINE)
{
    return emu_cuda_memcpy(to, from, bytes, cudaMemcpyDeviceToDevice, line);
}
inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                size_t height, cudaMemcpyKind kind, EMU_LINE)
{
    return emu_cuda_memcpy_2d(to, to_pitch, from, from_pitch, width, height, kind, line);
}
inline cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t = nullptr, EMU_LINE)
{
    return emu_cuda_memcpy_2d(to, to_pitch, from, from_pitch, width, height, kind, line);
}
inline cudaError_t cudaMemset(void* to, int value, size_t bytes, EMU_LINE)
{
    return emu_cuda_memset(to, value, bytes, line);
}
inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = nullptr, EMU_LINE)
{
    return emu_cuda_memset(to, value, bytes, line);
}
inline cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height, EMU_LINE)
{
    return emu_cuda_memset_2d(to, pitch, value, width, height, line);
}
inline cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t = nullptr, EMU_LINE)
{
    return emu_cuda_memset_2d(to, pitch, value, width, height, line);
}
// With the number of a device as before CUDA 13, and with a location.
inline cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }

// ---- __device__ and __constant__ variables -----------------------------------------------------------
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice, EMU_LINE)
{
    return emu_cuda_memcpy_symbol((void*)&symbol, sizeof(T), (void*)from, bytes, offset, kind, 1, line);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t = nullptr, EMU_LINE)
{
    return emu_cuda_memcpy_symbol((void*)&symbol, sizeof(T), (void*)from, bytes, offset, kind, 1, line);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost, EMU_LINE)
{
    return emu_cuda_memcpy_symbol((void*)&symbol, sizeof(T), to, bytes, offset, kind, 0, line);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind, cudaStream_t = nullptr, EMU_LINE)
{
    return emu_cuda_memcpy_symbol((void*)&symbol, sizeof(T), to, bytes, offset, kind, 0, line);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol)
{
    return emu_cuda_symbol_address(pointer, &symbol, sizeof(T));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T&)
{
    *bytes = sizeof(T);
    return cudaSuccess;
}

// ---- streams and events ---------------------------------------------------------------------------
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int = 0)
{
    return emu_cuda_stream_wait(stream, event);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags = cudaEventDefault)
{
    return emu_cuda_event_create(event, flags);
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags)
{
    return emu_cuda_event_create(event, flags);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr)
{
    return emu_cuda_event_record(event, stream);
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned int = 0)
{
    return emu_cuda_event_record(event, stream);
}

// ---- kernels: attributes, occupancy, launches through pointers ---------------------------------------
template <class Kernel>
inline cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value, EMU_LINE)
{
    return emu_cuda_function_attribute((const void*)kernel, attribute, value, line);
}
template <class Kernel>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel)
{
    return emu_cuda_function_attributes(attributes, (const void*)kernel);
}
template <class Kernel>
inline cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache)
{
    return cudaSuccess;
}
template <class Kernel>
inline cudaError_t cudaFuncSetSharedMemConfig(Kernel*, cudaSharedMemConfig)
{
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }

template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int threads,
                                                                 size_t dynamic_bytes)
{
    return emu_cuda_resident_blocks(blocks, (const void*)kernel, threads, dynamic_bytes);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel* kernel,
                                                                          int threads, size_t dynamic_bytes,
                                                                          unsigned int)
{
    return emu_cuda_resident_blocks(blocks, (const void*)kernel, threads, dynamic_bytes);
}
// The largest block that keeps the most threads resident, and the grid that fills the device with it.
template <class Kernel, class BytesOfBlock>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Kernel* kernel,
                                                                  BytesOfBlock bytes_of_block, int limit = 0)
{
    int processors = 0, best_threads = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    *grid = *block = 0;
    for (int threads = limit > 0 && limit < 1024 ? limit : 1024; threads >= 32; threads -= 32) {
        int blocks = 0;
        cudaError_t error = emu_cuda_resident_blocks(&blocks, (const void*)kernel, threads, bytes_of_block(threads));
        if (error != cudaSuccess) return error;
        if (blocks * threads > best_threads) {
            best_threads = blocks * threads;
            *block = threads;
            *grid = blocks * processors;
        }
    }
    return cudaSuccess;
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel* kernel,
                                                      size_t dynamic_bytes = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [=](int) { return dynamic_bytes; }, limit);
}

// arguments[i] points at argument i. The kernel comes with its type: a void* has forgotten what to pass.
template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                    size_t dynamic_bytes = 0, cudaStream_t stream = nullptr, EMU_LINE)
{
    return cudaError_t(emu::launch_pointers("cudaLaunchKernel", line, kernel,
                                            emu::config(grid, block, dynamic_bytes, stream), arguments));
}
template <class... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                               size_t dynamic_bytes = 0, cudaStream_t stream = nullptr, EMU_LINE)
{
    int resident = 0, processors = 0;
    emu_cuda_resident_blocks(&resident, (const void*)kernel, int(block.x * block.y * block.z), dynamic_bytes);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    if ((unsigned long long)grid.x * grid.y * grid.z > (unsigned long long)resident * processors)
        return cudaError_t(emu_set_error(cudaErrorCooperativeLaunchTooLarge, 0,
                                         "a cooperative grid must be resident as a whole", line));
    return cudaError_t(emu::launch_pointers("cudaLaunchCooperativeKernel", line, kernel,
                                            emu::config(grid, block, dynamic_bytes, stream), arguments));
}

// The attributes of a launch say how, not what, but for the two that ask for more than a launch.
enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8,
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative, priority, programmaticStreamSerializationAllowed;
    struct { unsigned int x, y, z; } clusterDim;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute* attrs = nullptr;
    unsigned int numAttrs = 0;
};

template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... given)
{
    std::tuple<P...> values(static_cast<A&&>(given)...);
    void* pointers[sizeof...(P) + 1] = {};
    int i = 0;
    std::apply([&](auto&... value) { ((pointers[i++] = (void*)&value), ...); }, values);
    for (unsigned int k = 0; k < config->numAttrs; k++) {
        const cudaLaunchAttribute& attribute = config->attrs[k];
        const auto& cluster = attribute.val.clusterDim;
        if (attribute.id == cudaLaunchAttributeClusterDimension && cluster.x * cluster.y * cluster.z > 1)
            return cudaError_t(emu_set_error(cudaErrorNotSupported, 0, "clusters of blocks (cluster dimension of cudaLaunchKernelEx)", 0));
        if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative)
            return cudaLaunchCooperativeKernel(kernel, config->gridDim, config->blockDim, pointers,
                                               config->dynamicSmemBytes, config->stream);
    }
    return cudaLaunchKernel(kernel, config->gridDim, config->blockDim, pointers, config->dynamicSmemBytes,
                            config->stream);
}

// Every launch waits for the one before it, so there is nothing left to wait for and nobody to tell.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

#undef EMU_LINE
