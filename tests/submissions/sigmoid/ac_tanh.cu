// expect: AC accepted
// Control: by the hyperbolic tangent, in the style of other platforms.
#include "solve.h"
#include <cuda_runtime.h>
#include <math.h>

__global__ void sigmoid_kernel(const float* X, float* Y, int N) {
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < N) Y[idx] = 0.5f * tanhf(0.5f * X[idx]) + 0.5f;
}

void solve(const float* X, float* Y, int N) {
    int threadsPerBlock = 256;
    int blocksPerGrid = (N + threadsPerBlock - 1) / threadsPerBlock;
    sigmoid_kernel<<<blocksPerGrid, threadsPerBlock>>>(X, Y, N);
    cudaDeviceSynchronize();
}
