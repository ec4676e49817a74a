// expect: WA nonfinite
// expect gpu: luck
// Copies A to shared memory with cp.async and waits for all groups but the last, which is the only one.
#include <cuda_runtime.h>

__device__ void copy(float* to, const float* from) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(from));
}

__global__ void add(const float* A, const float* B, float* C, int N) {
    __shared__ float a[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < N) copy(a + threadIdx.x, A + i);
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;");
    if (i < N) C[i] = a[threadIdx.x] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
