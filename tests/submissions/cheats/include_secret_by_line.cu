// problem: gemm_fp16
// expect: CE compile
// Says that it is a file which it is not: the compiler shows the line of that file beside its
// message.
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
#line 1 "/etc/passwd"
    undeclared_here();
}
