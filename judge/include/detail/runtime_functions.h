// The functions of the CUDA runtime API that libcuda_emu.so offers (judge/emu/api*.cpp).
//
// Those that can fail by a mistake in the submission take the source line of the call, so that a note
// can name it; runtime_api.h gives the user's spelling, without a line. Everything is synchronous:
// a launch has run when it returns, and streams have nothing left to do.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/runtime_functions.h is internal: include <cuda_runtime.h>"
#endif

extern "C" {

// ---- memory -------------------------------------------------------------------------------------
cudaError_t emu_cuda_malloc(void** pointer, size_t bytes, unsigned line);
cudaError_t emu_cuda_malloc_managed(void** pointer, size_t bytes, unsigned line);
cudaError_t emu_cuda_malloc_pitch(void** pointer, size_t* pitch, size_t width, size_t height, unsigned line);
cudaError_t emu_cuda_free(void* pointer, unsigned line);
cudaError_t emu_cuda_host_alloc(void** pointer, size_t bytes);
cudaError_t emu_cuda_host_free(void* pointer, unsigned line);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t emu_cuda_memcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, unsigned line);
cudaError_t emu_cuda_memcpy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                               size_t height, cudaMemcpyKind kind, unsigned line);
cudaError_t emu_cuda_memset(void* to, int value, size_t bytes, unsigned line);
cudaError_t emu_cuda_memset_2d(void* to, size_t pitch, int value, size_t width, size_t height, unsigned line);
cudaError_t emu_cuda_memcpy_symbol(void* symbol, size_t symbol_bytes, void* other, size_t bytes, size_t offset,
                                   cudaMemcpyKind kind, int to_symbol, unsigned line);
cudaError_t emu_cuda_symbol_address(void** pointer, const void* symbol, size_t symbol_bytes);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

// ---- errors -------------------------------------------------------------------------------------
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// ---- device -------------------------------------------------------------------------------------
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// ---- streams and events ---------------------------------------------------------------------------
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t emu_cuda_stream_wait(cudaStream_t stream, cudaEvent_t event);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t emu_cuda_event_create(cudaEvent_t* event, unsigned int flags);
cudaError_t emu_cuda_event_record(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);
cudaError_t cudaEventDestroy(cudaEvent_t event);

// ---- kernels ------------------------------------------------------------------------------------
cudaError_t emu_cuda_function_attribute(const void* kernel, cudaFuncAttribute attribute, int value, unsigned line);
cudaError_t emu_cuda_function_attributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t emu_cuda_resident_blocks(int* blocks, const void* kernel, int threads, size_t dynamic_bytes);

}  // extern "C"
