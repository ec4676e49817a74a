// expect: AC accepted
// Control: no kernel at all: the runtime copies from device to device.
#include <cuda_runtime.h>

extern "C" void solve(const float* A, float* B, int N) {
    cudaMemcpy(B, A, size_t(N) * N * sizeof(float), cudaMemcpyDeviceToDevice);
}
