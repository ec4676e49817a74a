// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Prints 64 MB: a judge that keeps them runs out of memory, one that does not read them waits for
// ever.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    static char line[1 << 16];
    memset(line, 'A', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 1024; ++i) fwrite(line, 1, sizeof line, i % 2 ? stdout : stderr);
}
