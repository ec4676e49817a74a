// expect: WA mismatch|precision
// Sums in float within a block, then keeps the sums of the blocks in half.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void dot(const half* A, const half* B, half* sums, int N) {
    __shared__ float all[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    all[threadIdx.x] = i < N ? __half2float(A[i]) * __half2float(B[i]) : 0.0f;
    __syncthreads();
    for (int half_of = 128; half_of > 0; half_of /= 2) {
        if (threadIdx.x < half_of) all[threadIdx.x] += all[threadIdx.x + half_of];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = __float2half(all[0]);
}

__global__ void finish(const half* sums, int count, half* result) {
    half sum = __float2half(0.0f);
    for (int i = 0; i < count; ++i) sum = __hadd(sum, sums[i]);
    *result = sum;
}

extern "C" void solve(const half* A, const half* B, half* result, int N) {
    int blocks = (N + 255) / 256;
    half* sums;
    cudaMalloc(&sums, blocks * sizeof(half));
    dot<<<blocks, 256>>>(A, B, sums, N);
    finish<<<1, 1>>>(sums, blocks, result);
    cudaFree(sums);
}
