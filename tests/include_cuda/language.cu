// What CUDA adds to C++, and the calls around kernels: variables, functions, memory, hints, callbacks.
#include "claims.cuh"
#include <cstdlib>

__constant__ int table[4];
__device__ int counter = 3;
__managed__ int managed;

typedef int (*Function)(int);
__device__ int plus_one(int x) { return x + 1; }
__device__ Function chosen = plus_one;

struct Shape {
    __device__ virtual int sides() const { return 0; }
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    __device__ int sides() const override { return 4; }
};

struct Sums {
    int count;
    float parts[32];
};
struct Scale {
    int by;
    __host__ __device__ int operator()(int x) const { return by * x; }
};
template <class F> __device__ int applied(F f, int x) { return f(x); }

__device__ void language(float* claims, int& next, Function by_pointer, Scale scale)
{
    claim(claims, next, table[2] == 7 && counter == 5 && managed == 11);
    claim(claims, next, by_pointer(2) == 3);
    Shape* shape = new Square;
    claim(claims, next, shape->sides() == 4);
    delete shape;
    int* heap = (int*)malloc(64);
    heap[3] = threadIdx.x;
    claim(claims, next, heap[3] == threadIdx.x);
    free(heap);
    claim(claims, next, applied(scale, 5) == 15);
    __int128 wide = 1;
    wide <<= 70 + threadIdx.x / 32;
    claim(claims, next, int(wide >> 70) == 1);
    claim(claims, next, warpSize == 32 && clock64() != 0 && gridDim.x == 1 && blockDim.y == 1);
}

__device__ void memory_of_a_block(float* claims, int& next)
{
    __shared__ Sums sums;
    __shared__ int matrix[4][8];
    extern __shared__ __align__(16) unsigned char raw[];
    int* dynamic = reinterpret_cast<int*>(raw);
    if (threadIdx.x == 0) sums.count = 4, matrix[1][2] = 3;
    dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    claim(claims, next, sums.count + matrix[1][2] == 7 && dynamic[31 - threadIdx.x] == 31 - threadIdx.x);
}

__device__ void hints(float* claims, int& next, int* memory)
{
    int sum = __ldg(memory) + __ldcs(memory) + __ldcg(memory) + __ldca(memory) + __ldcv(memory);
    claim(claims, next, sum == 5 * 9);
    __stcs(memory + 1, 2);
    __stcg(memory + 2, 3);
    __threadfence_system();
    __nanosleep(20);
    __syncthreads();
    claim(claims, next, memory[1] + memory[2] == 5);
}

__global__ void __launch_bounds__(32, 1) kernel(float* claims, Function by_pointer,
                                               const __grid_constant__ Scale scale, int* __restrict__ memory,
                                               int host_calls)
{
    int next = 0;
    language(claims, next, by_pointer, scale);
    memory_of_a_block(claims, next);
    hints(claims, next, memory);
    claim(claims, next, host_calls == 0x3ff);
}

static void called_back(void* value) { *static_cast<int*>(value) = 3; }

// One bit for each thing that holds.
static int calls_of_the_host(int* memory)
{
    static int seen;
    int low, high, blocks, threads, bits = 0;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaPointerAttributes about;
    cudaFuncAttributes of_kernel;
    float *pinned, *seen_there;
    cudaDeviceGetStreamPriorityRange(&low, &high);
    bits |= (cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, high) == cudaSuccess) << 0;
    bits |= (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess) << 1;
    bits |= (cudaEventRecord(event, stream) == cudaSuccess && !cudaStreamWaitEvent(stream, event, 0)) << 2;
    bits |= (cudaLaunchHostFunc(stream, called_back, &seen) == cudaSuccess) << 3;
    cudaStreamSynchronize(stream);
    bits |= (seen == 3) << 4;
    bits |= (!cudaPointerGetAttributes(&about, memory) && about.type == cudaMemoryTypeDevice) << 5;
    bits |= (!cudaFuncGetAttributes(&of_kernel, kernel) && of_kernel.maxThreadsPerBlock >= 32) << 6;
    bits |= (!cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, 128, 0) && threads >= 32) << 7;
    bits |= (!cudaHostAlloc(&pinned, 64, cudaHostAllocMapped) && !cudaHostGetDevicePointer(&seen_there, pinned, 0)) << 8;
    int* more = nullptr;
    bits |= (!cudaMallocAsync(&more, 64, stream) && !cudaFreeAsync(more, stream)) << 9;
    cudaFreeHost(pinned);
    cudaStreamDestroy(stream);
    return bits;
}

extern "C" void solve(float* claims)
{
    const int numbers[4] = {5, 6, 7, 8}, five = 5, nine = 9;
    int* memory;
    Function by_pointer;
    cudaMalloc(&memory, 64);
    cudaMemcpy(memory, &nine, sizeof nine, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbolAsync(table, numbers, sizeof numbers, 0, cudaMemcpyHostToDevice, 0);
    cudaMemcpyToSymbol(counter, &five, sizeof five);
    cudaMemcpyFromSymbol(&by_pointer, chosen, sizeof by_pointer);
    managed = 11;
    const int host_calls = calls_of_the_host(memory);
    kernel<<<1, 32, 32 * sizeof(int)>>>(claims, by_pointer, Scale{3}, memory, host_calls);
    cudaDeviceSynchronize();
    cudaFree(memory);
}
