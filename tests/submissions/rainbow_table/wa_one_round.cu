// expect: WA mismatch
// Hashes once whatever R is.
#include <cuda_runtime.h>

__device__ unsigned fnv1a(unsigned number) {
    unsigned h = 2166136261u;
    for (int byte = 0; byte < 4; byte++) h = (h ^ (number >> 8 * byte & 0xFF)) * 16777619u;
    return h;
}

__global__ void table(const int* input, unsigned* output, int N, int R) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) output[i] = fnv1a((unsigned)input[i]);
}

extern "C" void solve(const int* input, unsigned int* output, int N, int R) {
    table<<<(N + 255) / 256, 256>>>(input, output, N, R);
}
