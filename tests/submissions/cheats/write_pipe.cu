// problem: gemm_fp16
// expect: RE exited
// Writes to every descriptor it finds what the judge may wait for: a return, a verdict, junk.
#include <cstdio>
#include <cuda_fp16.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    for (int file = 3; file < 256; ++file) {
        dprintf(file, "{\"returned\": 1, \"error\": 0, \"seconds\": 0.001}\n");
        dprintf(file, "{\"verdict\": \"AC\"}\nAC\n");
    }
}
