// expect: MLE memory
// Allocates device memory, 1 GiB at a time, until there is none left, and gives up.
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    void* chunk = nullptr;
    for (int i = 0; i < 1024; ++i) {
        if (cudaMalloc(&chunk, size_t(1) << 30) != cudaSuccess) return;
    }
}
