// expect: RE stack_overflow|signal
// Host code that recurses without an end.
#include <cuda_fp16.h>

static volatile int depth = 0;

int descend(int level) {
    volatile char frame[4096];
    frame[0] = char(level);
    depth = level;
    return descend(level + 1) + frame[0];
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    descend(0);
}
