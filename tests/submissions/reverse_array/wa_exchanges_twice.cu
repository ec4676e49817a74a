// expect: WA mismatch|unwritten
// A thread for each element, not for each pair: every pair is exchanged, and exchanged back.
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float front = input[i];
    input[i] = input[N - 1 - i];
    input[N - 1 - i] = front;
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N + 255) / 256, 256>>>(input, N);
}
