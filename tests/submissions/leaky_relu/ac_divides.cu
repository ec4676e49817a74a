// expect: AC accepted
// Control: divides by 100 in double precision, and takes N as size_t.
#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, size_t N) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) output[i] = input[i] > 0 ? input[i] : input[i] / 100.0;
}

extern "C" void solve(const float* input, float* output, size_t N) {
    leaky_relu<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
