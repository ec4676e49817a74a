#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[2][128];
    int t = threadIdx.x, base = blockIdx.x * 256;
    s[0][t] = base + t < N ? A[base + t] : 0;
    __syncthreads();
    for (int step = 0; step < 2; step++) {
        int next = base + (step + 1) * 128 + t;
        s[0][t] = step == 0 && next < N ? A[next] : 0;  // finding: race
        int i = base + step * 128 + (127 - t);
        if (i < N) B[i] = s[step][127 - t];  // finding: race, uninitialised
        __syncthreads();
    }
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 255) / 256, 128>>>(A, B, N);
}
