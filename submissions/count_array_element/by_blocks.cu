// Count an element: output[0] = how many elements of input equal K.
//
// Idea:   the barrier itself counts in how many threads of a block a condition holds; one atomic
//         addition a block, none where K does not occur.
// Launch: a thread an element, 256 a block.
// Tails:  a thread beyond the end has not found K, but comes to the barrier.
//
// rung: 1
#include <cuda_runtime.h>

__global__ void count(const int* input, int* output, int N, int K) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int found = __syncthreads_count(i < N && input[i] == K);
    if (threadIdx.x == 0 && found > 0) atomicAdd(output, found);
}

extern "C" void solve(const int* input, int* output, int N, int K) {
    count<<<(N + 255) / 256, 256>>>(input, output, N, K);
}
