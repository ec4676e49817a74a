// problem: gemm_fp16
// expect: WA mismatch|nonfinite|unwritten
// Takes fresh device memory for the answer, in the hope that somebody computed it there before.
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const size_t bytes = size_t(M) * N * sizeof(half);
    half* found = nullptr;
    cudaMalloc(&found, bytes);
    cudaMemcpy(C, found, bytes, cudaMemcpyDeviceToDevice);
    cudaFree(found);
}
