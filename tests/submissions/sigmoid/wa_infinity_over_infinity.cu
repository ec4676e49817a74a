// expect: WA nonfinite
// e / (1 + e) with e = exp(x): the same number, until e is infinite and the quotient NaN.
#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float e = expf(X[i]);
    Y[i] = e / (1.0f + e);
}

extern "C" void solve(const float* X, float* Y, int N) {
    sigmoid<<<(N + 255) / 256, 256>>>(X, Y, N);
}
