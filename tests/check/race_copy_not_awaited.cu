#include <cuda_runtime.h>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i < N)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                     ::"r"((unsigned)__cvta_generic_to_shared(s + t)), "l"(A + i));
    asm volatile("cp.async.commit_group;");
    __syncthreads();
    asm volatile("cp.async.wait_group 0;");  // finding: race
    int other = i / 128 * 128 + (t ^ 1);
    if (i < N && other < N) B[other] = s[t ^ 1];  // finding: race, uninitialised
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<(N + 127) / 128, 128>>>(A, B, N);
}
