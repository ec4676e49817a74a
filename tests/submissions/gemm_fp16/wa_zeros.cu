// expect: WA mismatch
// Fills C with zeros.
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    cudaMemset(C, 0, sizeof(half) * M * N);
}
