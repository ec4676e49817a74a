// expect: WA mismatch|precision|nonfinite
// Sums of blocks are relative to the largest element of each, but are added as if it were the same.
#include <cmath>
#include <cuda_runtime.h>

constexpr int THREADS = 256;

// One block is one part: its largest element, and its sum relative to that.
__global__ void parts(const float* input, float* most, float* sum, int N) {
    __shared__ float part[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    part[t] = i < N ? input[i] : -INFINITY;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
    }
    const float largest = part[0];
    __syncthreads();
    part[t] = i < N ? expf(input[i] - largest) : 0.0f;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) {
        most[blockIdx.x] = largest;
        sum[blockIdx.x] = part[0];
    }
}

__global__ void combine(float* most, float* sum, int blocks) {
    float largest = most[0], all = sum[0];
    for (int b = 1; b < blocks; b++) {
        largest = fmaxf(largest, most[b]);
        all += sum[b];
    }
    most[0] = largest;
    sum[0] = all;
}

__global__ void divide(const float* input, float* output, const float* most, const float* sum, int N) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N) output[i] = expf(input[i] - most[0]) / sum[0];
}

extern "C" void solve(const float* input, float* output, int N) {
    const int blocks = (N + THREADS - 1) / THREADS;
    float* both;
    cudaMalloc(&both, 2 * blocks * sizeof(float));
    parts<<<blocks, THREADS>>>(input, both, both + blocks, N);
    combine<<<1, 1>>>(both, both + blocks, blocks);
    divide<<<blocks, THREADS>>>(input, output, both, both + blocks, N);
    cudaFree(both);
}
