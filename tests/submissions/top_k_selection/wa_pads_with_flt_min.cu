// expect: WA mismatch|precision
// Pads with FLT_MIN, which is the least positive float, not the least.
#include <cuda_runtime.h>
#include <float.h>

__global__ void pad(const float* input, float* data, int N, int padded) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < padded) data[i] = i < N ? input[i] : FLT_MIN;
}

__global__ void exchange(float* data, int padded, int size, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ step;
    if (i >= padded || other <= i) return;
    float a = data[i], b = data[other];
    if (((i & size) == 0) == (a < b)) data[i] = b, data[other] = a;
}

__global__ void take(const float* data, float* output, int N, int k, int padded) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < k) output[i] = data[i];
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    int padded = 1;
    while (padded < N) padded *= 2;
    float* data;
    cudaMalloc(&data, padded * sizeof(float));
    int blocks = (padded + 255) / 256;
    pad<<<blocks, 256>>>(input, data, N, padded);
    for (int size = 2; size <= padded; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) exchange<<<blocks, 256>>>(data, padded, size, step);
    take<<<(k + 255) / 256, 256>>>(data, output, N, k, padded);
    cudaFree(data);
}
