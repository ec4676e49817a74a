// expect: RE exited
// Ends the process with status 0 before anything is computed.
#include <cuda_fp16.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    _exit(0);
}
