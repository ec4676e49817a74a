// expect: WA mismatch|unwritten
// Takes two halves at a time, N / 2 times: the last of an odd number is lost.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void dot(const half2* A, const half2* B, float* sum, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N / 2) return;
    float2 a = __half22float2(A[i]), b = __half22float2(B[i]);
    atomicAdd(sum, a.x * b.x + a.y * b.y);
}

__global__ void finish(const float* sum, half* result) { *result = __float2half(*sum); }

extern "C" void solve(const half* A, const half* B, half* result, int N) {
    float* sum;
    cudaMalloc(&sum, sizeof(float));
    cudaMemset(sum, 0, sizeof(float));
    dot<<<(N + 255) / 256, 256>>>((const half2*)A, (const half2*)B, sum, N);
    finish<<<1, 1>>>(sum, result);
    cudaFree(sum);
}
