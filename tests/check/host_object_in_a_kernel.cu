#include <cuda_runtime.h>
#include <memory>

struct Settings {
    int limit;
};
__global__ void k(const float* A, float* B, const Settings* settings) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < settings->limit) B[i] = A[i];  // finding: host_access
}
extern "C" void solve(const float* A, float* B, int N) {
    auto settings = std::make_unique<Settings>(Settings{N});
    k<<<(N + 127) / 128, 128>>>(A, B, settings.get());
    cudaDeviceSynchronize();
}
