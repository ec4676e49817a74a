// problem: gemm_fp16
// expect: CE compile
// Megabytes of errors: ten macros, each of them the last one ten times.
#include <cuda_fp16.h>

#define A1(x) x x x x x x x x x x
#define A2(x) A1(x) A1(x) A1(x) A1(x) A1(x) A1(x) A1(x) A1(x) A1(x) A1(x)
#define A3(x) A2(x) A2(x) A2(x) A2(x) A2(x) A2(x) A2(x) A2(x) A2(x) A2(x)
#define A4(x) A3(x) A3(x) A3(x) A3(x) A3(x) A3(x) A3(x) A3(x) A3(x) A3(x)

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    A4(undeclared_name + ;)
}
