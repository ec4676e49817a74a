// Mean squared error: mse[0] = the sum of (predictions[i] - targets[i])^2, divided by N; all arrays lie in device
// memory, and mse holds zero.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void total(const float* predictions, const float* targets, float* mse, int N) {
    // Threads sum up a part each, blocks put the parts together and add to mse[0].
}

extern "C" void solve(const float* predictions, const float* targets, float* mse, int N) {
    int blocks = (N + 255) / 256;
    total<<<blocks < 1024 ? blocks : 1024, 256>>>(predictions, targets, mse, N);
}
