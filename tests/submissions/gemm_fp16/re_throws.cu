// expect: RE signal
// Lets a C++ exception leave solve.
#include <cuda_fp16.h>
#include <stdexcept>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    if (M > 0 && N > 0 && K > 0) throw std::runtime_error("no kernel for this shape");
}
