// problem: gemm_fp16
// expect: CE compile
// Includes a file without an end.
#include <cuda_fp16.h>
#include "/dev/zero"
#include "/dev/urandom"

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
}
