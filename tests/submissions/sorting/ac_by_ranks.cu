// expect: AC accepted
// Each element counts how many come before it; equal ones in their order.
#include <cuda_runtime.h>

__global__ void place(const float* from, float* to, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float mine = from[i];
    int before = 0;
    for (int k = 0; k < N; k++) before += from[k] < mine || (from[k] == mine && k < i);
    to[before] = mine;
}

extern "C" void solve(float* data, int N) {
    float* copy;
    cudaMalloc(&copy, N * sizeof(float));
    cudaMemcpy(copy, data, N * sizeof(float), cudaMemcpyDeviceToDevice);
    place<<<(N + 127) / 128, 128>>>(copy, data, N);
    cudaFree(copy);
}
