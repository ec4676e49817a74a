// expect: WA mismatch|guard_overwritten
// The mirror image of element 0 is taken to be element N.
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N / 2) return;
    float front = input[i];
    input[i] = input[N - i];
    input[N - i] = front;
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N + 255) / 256, 256>>>(input, N);
}
