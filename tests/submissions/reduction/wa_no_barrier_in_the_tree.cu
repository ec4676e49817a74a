// expect: WA mismatch|precision
// expect gpu: luck
// Threads add what others have not written yet: there is one barrier before the tree and none in it.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void total(const float* input, float* output, int N) {
    __shared__ float part[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    part[threadIdx.x] = i < N ? input[i] : 0.0f;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2)
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    if (threadIdx.x == 0) atomicAdd(output, part[0]);
}

extern "C" void solve(const float* input, float* output, int N) {
    total<<<(N + THREADS - 1) / THREADS, THREADS>>>(input, output, N);
}
