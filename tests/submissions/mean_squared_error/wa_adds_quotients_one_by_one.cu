// expect: WA precision
// Every thread adds its own quotient: the sum is soon so large that each addition is rounded in its last digits.
#include <cuda_runtime.h>

__global__ void total(const float* predictions, const float* targets, float* mse, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float apart = predictions[i] - targets[i];
    atomicAdd(mse, apart * apart / N);
}

extern "C" void solve(const float* predictions, const float* targets, float* mse, int N) {
    total<<<(N + 255) / 256, 256>>>(predictions, targets, mse, N);
}
