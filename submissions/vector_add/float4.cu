// Vector addition: C = A + B.
//
// Idea:   one instruction moves four floats (16 bytes), so a thread has fewer loads to wait for.
// Launch: blocks of 256 threads, one thread for each four elements.
// Tails:  one more thread takes the last N % 4 elements one by one.
//
// rung: 2
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void add(const float* A, const float* B, float* C, int N) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int whole = N / 4;
    if (i < whole) {
        const float4 a = reinterpret_cast<const float4*>(A)[i];
        const float4 b = reinterpret_cast<const float4*>(B)[i];
        reinterpret_cast<float4*>(C)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    } else if (i == whole) {
        for (int k = whole * 4; k < N; ++k) C[k] = A[k] + B[k];
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<N / 4 / THREADS + 1, THREADS>>>(A, B, C, N);
}
