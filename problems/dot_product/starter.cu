// Dot product: result[0] = the sum of A[i] * B[i]; all arrays lie in device memory, and result holds zero.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void total(const float* A, const float* B, float* result, int N) {
    // Threads sum up a part each, blocks put the parts together and add to result[0].
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
    int blocks = (N + 255) / 256;
    total<<<blocks < 1024 ? blocks : 1024, 256>>>(A, B, result, N);
}
