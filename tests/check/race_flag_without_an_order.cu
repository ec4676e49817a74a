#include <cuda/atomic>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    if (threadIdx.x == 0) flag.store(0);
    __syncthreads();
    if (threadIdx.x == 0) {
        s = A[0];  // finding: race
        flag.store(1, cuda::memory_order_relaxed);
    }
    while (flag.load(cuda::memory_order_relaxed) == 0);
    if (threadIdx.x == 32) B[0] = s;  // finding: race
    for (int i = threadIdx.x + 1; i < N; i += 64) B[i] = A[i];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<1, 64>>>(A, B, N);
}
