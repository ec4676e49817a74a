// expect: WA mismatch|precision
// Adds to the half itself by atomic additions, each of which rounds.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void dot(const half* A, const half* B, half* result, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(result, __hmul(A[i], B[i]));
}

extern "C" void solve(const half* A, const half* B, half* result, int N) {
    dot<<<(N + 255) / 256, 256>>>(A, B, result, N);
}
