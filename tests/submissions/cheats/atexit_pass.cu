// problem: gemm_fp16
// expect: RE exited
// Ends its process with status 0, by handlers that would run after the judge's own code.
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    atexit([] { puts("AC accepted"), _exit(0); });
    exit(1);
}
