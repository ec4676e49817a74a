// What this backend cannot offer and what a submission may still name: each use is a compile error that
// begins with "unsupported:" and says what to do.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/unsupported.h is internal: include <cuda_runtime.h>"
#endif

namespace emu {
template <class...> constexpr bool offered = false;
}

#define EMU_UNSUPPORTED(name, feature)                                                             \
    template <class... Arguments>                                                                  \
    inline cudaError_t name(Arguments&&...)                                                        \
    {                                                                                              \
        static_assert(emu::offered<Arguments...>, "unsupported: " feature                          \
                      ": the CPU backend does not have it; use BACKEND=gpu");                      \
        return cudaErrorNotSupported;                                                              \
    }

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2,
};
EMU_UNSUPPORTED(cudaStreamBeginCapture, "CUDA graphs (cudaStreamBeginCapture)")
EMU_UNSUPPORTED(cudaStreamEndCapture, "CUDA graphs (cudaStreamEndCapture)")
EMU_UNSUPPORTED(cudaGraphCreate, "CUDA graphs (cudaGraphCreate)")
EMU_UNSUPPORTED(cudaGraphInstantiate, "CUDA graphs (cudaGraphInstantiate)")
EMU_UNSUPPORTED(cudaGraphLaunch, "CUDA graphs (cudaGraphLaunch)")
EMU_UNSUPPORTED(cudaGraphDestroy, "CUDA graphs (cudaGraphDestroy)")
EMU_UNSUPPORTED(cudaGraphExecDestroy, "CUDA graphs (cudaGraphExecDestroy)")

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
EMU_UNSUPPORTED(cudaCreateTextureObject, "textures (cudaCreateTextureObject)")
EMU_UNSUPPORTED(cudaDestroyTextureObject, "textures (cudaDestroyTextureObject)")
EMU_UNSUPPORTED(cudaCreateSurfaceObject, "surfaces (cudaCreateSurfaceObject)")
EMU_UNSUPPORTED(cudaMallocArray, "textures (cudaMallocArray)")
EMU_UNSUPPORTED(cudaMalloc3D, "three-dimensional allocations (cudaMalloc3D)")
EMU_UNSUPPORTED(cudaMemcpy3D, "three-dimensional copies (cudaMemcpy3D)")

// Fetches and stores of textures and surfaces, in kernels.
#define EMU_NO_FETCH(name, feature)                                                                \
    template <class T = float, class... Arguments>                                                 \
    inline T name(Arguments&&...)                                                                  \
    {                                                                                              \
        static_assert(emu::offered<T>, "unsupported: " feature                                     \
                      ": the CPU backend does not have it; use BACKEND=gpu");                      \
        return T();                                                                                \
    }
EMU_NO_FETCH(tex1Dfetch, "textures (tex1Dfetch)")
EMU_NO_FETCH(tex1D, "textures (tex1D)")
EMU_NO_FETCH(tex2D, "textures (tex2D)")
EMU_NO_FETCH(tex3D, "textures (tex3D)")
EMU_NO_FETCH(surf1Dread, "surfaces (surf1Dread)")
EMU_NO_FETCH(surf2Dread, "surfaces (surf2Dread)")
EMU_NO_FETCH(surf1Dwrite, "surfaces (surf1Dwrite)")
EMU_NO_FETCH(surf2Dwrite, "surfaces (surf2Dwrite)")
#undef EMU_NO_FETCH

// A cast to void* has forgotten the kernel's parameters, and the runtime must know what to pass.
#define EMU_NEEDS_TYPE(name)                                                                       \
    template <class Kernel, class = std::enable_if_t<std::is_void_v<Kernel>>>                 \
    inline cudaError_t name(Kernel*, dim3, dim3, void**, size_t = 0, cudaStream_t = nullptr)       \
    {                                                                                              \
        static_assert(emu::offered<Kernel>, "unsupported: " #name " of a void*: pass the kernel "  \
                      "without the cast, or use BACKEND=gpu");                                     \
        return cudaErrorNotSupported;                                                              \
    }
EMU_NEEDS_TYPE(cudaLaunchKernel)
EMU_NEEDS_TYPE(cudaLaunchCooperativeKernel)
#undef EMU_NEEDS_TYPE
#undef EMU_UNSUPPORTED
