// expect: WA unwritten
// One block of at most 1024 threads, each with a single element: what is left stays as it was.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C) {
    int i = threadIdx.x;
    C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<1, N < 1024 ? N : 1024>>>(A, B, C);
}
