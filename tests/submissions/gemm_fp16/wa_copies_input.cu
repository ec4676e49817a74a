// expect: WA mismatch
// Copies as much of A into C as fits.
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const size_t elements = size_t(M) * (K < N ? K : N);
    cudaMemcpy(C, A, elements * sizeof(half), cudaMemcpyDeviceToDevice);
}
