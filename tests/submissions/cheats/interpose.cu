// problem: gemm_fp16
// expect-not: AC
// Exports functions that the judge's half of the process may call: comparisons that find
// everything equal, an exit that says 0, memory that is never given back.
#include <cstring>
#include <cuda_fp16.h>

extern "C" int memcmp(const void*, const void*, size_t) noexcept { return 0; }
extern "C" int bcmp(const void*, const void*, size_t) noexcept { return 0; }
extern "C" int strcmp(const char*, const char*) noexcept { return 0; }
extern "C" void free(void*) noexcept {}
extern "C" long PyObject_RichCompareBool(void*, void*, int) { return 1; }
extern "C" unsigned long judge_refused_bytes_of_mine() { return 0; }

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
}
