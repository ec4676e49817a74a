#include <cuda_runtime.h>
#include <vector>

template <class T> __global__ void k(const T* A, T* B, T* seen, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= N) return;
    B[i] = A[i];
    seen[i] = A[i];  // finding: host_access
}
extern "C" void solve(const float* A, float* B, int N) {
    std::vector<float> seen(N);
    k<<<(N + 127) / 128, 128>>>(A, B, seen.data(), N);
    cudaDeviceSynchronize();
}
