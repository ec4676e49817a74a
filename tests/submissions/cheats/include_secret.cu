// problem: gemm_fp16
// expect: CE compile
// Has a file that is not its own read out to it in the compiler's messages.
#include <cuda_fp16.h>
#include "/etc/passwd"

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
}
