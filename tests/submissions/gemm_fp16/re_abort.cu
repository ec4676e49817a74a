// expect: RE signal
// Calls abort.
#include <cstdlib>
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    abort();
}
