#include <cuda_runtime.h>

extern "C" void solve(const float* A, float* B, int N) {
    int* w;
    cudaMalloc(&w, 4);
    w[0] = N;  // finding: host_access
    cudaFree(w);
}
