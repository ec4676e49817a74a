// FP16 dot product: result[0] = A[0] * B[0] + ... + A[N - 1] * B[N - 1], summed up in float.
// statement.md has the details.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void dot(const half* A, const half* B, half* result, int N) {
    // The threads sum up all products in float, and one of them rounds and writes the result.
}

extern "C" void solve(const half* A, const half* B, half* result, int N) {
    const int threads = 256;
    dot<<<1, threads>>>(A, B, result, N);
}
