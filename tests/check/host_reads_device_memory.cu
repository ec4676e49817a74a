#include <cuda_runtime.h>

extern "C" void solve(const float* A, float* B, int N) {
    for (int i = 0; i < N; i++)
        cudaMemset(B + i, A[i] > 0, 4);  // finding: host_access
}
