#include <cuda_runtime.h>

// Scratch between kernels, counters by atomics, constants and copies of them: all in order.
__device__ float scratch[4096];
__device__ int counter, last;
__device__ double sums[2][3];
__constant__ float weights[4];
__managed__ int shown;
template <class T> __device__ T of_template[2];
__device__ float twice(float x) { return x + x; }
__device__ float (*function)(float) = twice;

__global__ void first(const float* A, int N) {
    static __device__ int calls;
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= N) return;
    scratch[i] = A[i] * weights[i % 4] + sums[i % 2][i % 3];
    atomicAdd(&counter, 1);
    atomicAdd(&calls, 1);
}
__global__ void second(float* B, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < N) B[i] = function(scratch[N - 1 - (N - 1 - i)]) / 2 + of_template<float>[i % 2];
    if (i == 0) last = counter, shown = counter, counter = 0;
}
extern "C" void solve(const float* A, float* B, int N) {
    static int calls = 0;  // of the host, though a variable of the device has its name
    calls++;
    float ones[4] = {1, 1, 1, 1};
    int seen = 0, *address;
    cudaMemcpyToSymbol(weights, ones, sizeof ones);
    first<<<(N + 127) / 128, 128>>>(A, N);
    second<<<(N + 127) / 128, 128>>>(B, N);
    cudaMemcpyFromSymbol(&seen, last, sizeof seen);
    cudaGetSymbolAddress((void**)&address, last);
    cudaMemset(address, 0, sizeof *address);
    if (shown != seen) cudaMemset(B, 0, N);
}
