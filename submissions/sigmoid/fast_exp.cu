// Sigmoid: Y = 1 / (1 + exp(-X)).
//
// Idea:   __expf and __fdividef are a few instructions each, at the price of some last bits that
//         the tolerance leaves room for; four floats a thread keep the memory busy.
// Launch: blocks of 256 threads, one thread for each four elements.
// Tails:  one more thread takes the last N % 4 elements one by one.
//
// rung: 2
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__device__ float logistic(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

__global__ void sigmoid(const float* X, float* Y, int N) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int whole = N / 4;
    if (i < whole) {
        const float4 x = reinterpret_cast<const float4*>(X)[i];
        reinterpret_cast<float4*>(Y)[i] =
            make_float4(logistic(x.x), logistic(x.y), logistic(x.z), logistic(x.w));
    } else if (i == whole) {
        for (int k = whole * 4; k < N; ++k) Y[k] = logistic(X[k]);
    }
}

extern "C" void solve(const float* X, float* Y, int N) {
    sigmoid<<<N / 4 / THREADS + 1, THREADS>>>(X, Y, N);
}
