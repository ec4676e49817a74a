// expect: AC accepted
// Control: the products of all threads meet in a float by atomic additions.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void dot(const half* A, const half* B, float* sum, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(sum, __half2float(A[i]) * __half2float(B[i]));
}

__global__ void finish(const float* sum, half* result) { *result = __float2half(*sum); }

extern "C" void solve(const half* A, const half* B, half* result, int N) {
    float* sum;
    cudaMalloc(&sum, sizeof(float));
    cudaMemset(sum, 0, sizeof(float));
    dot<<<(N + 255) / 256, 256>>>(A, B, sum, N);
    finish<<<1, 1>>>(sum, result);
    cudaFree(sum);
}
