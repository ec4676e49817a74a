// problem: gemm_fp16
// expect: WA nonfinite
// Fills C with infinity: an allowed error that is relative to the output is infinite too.
#include <cuda_fp16.h>

__global__ void fill(unsigned short* C, int count) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < count) C[i] = 0x7c00;
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    fill<<<(M * N + 255) / 256, 256>>>(reinterpret_cast<unsigned short*>(C), M * N);
}
