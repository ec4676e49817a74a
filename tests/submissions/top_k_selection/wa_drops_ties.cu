// expect: WA unwritten|mismatch
// Puts each element at the place that the number of larger ones says: equal ones share a place.
#include <cuda_runtime.h>

__global__ void rank(const float* input, float* output, int N, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    int larger = 0;
    for (int j = 0; j < N && larger < k; ++j) larger += input[j] > input[i];
    if (larger < k) output[larger] = input[i];
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    rank<<<(N + 255) / 256, 256>>>(input, output, N, k);
}
