// expect: WA nonfinite|unwritten
// cudaMemcpy wants bytes and gets elements: three quarters are never copied.
#include <cuda_runtime.h>

extern "C" void solve(const float* A, float* B, int N) {
    cudaMemcpy(B, A, N * N, cudaMemcpyDeviceToDevice);
}
