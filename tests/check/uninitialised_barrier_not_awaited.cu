#include <cuda/barrier>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) init(&bar, 128);
    __syncthreads();
    if (i < N) cuda::memcpy_async(&s[t], A + i, sizeof(float), bar);
    if (i < N) B[i] = s[t];  // finding: uninitialised
    bar.arrive_and_wait();
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
