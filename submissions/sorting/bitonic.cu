// Sorting: data in increasing order, in place.
//
// Idea:   a bitonic sort whose merges begin with mirror images, so that all exchanges go the same way
//         and any N will do: what would lie behind the end counts as the largest and stays there.
// Launch: a kernel a step, a thread a pair, 256 a block.
// Tails:  a pair that ends beyond N is left alone.
//
// rung: 1
#include <cuda_runtime.h>

// One step: elements of a run of `size` are compared with their mirror image, those of shorter runs
// with the one half a run away.
__global__ void exchange(float* data, int N, int run, int size) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, half = run / 2;
    int low = t / half * run + t % half;
    int high = run == size ? t / half * run + run - 1 - t % half : low + half;
    if (high >= N) return;
    float a = data[low], b = data[high];
    if (a > b) {
        data[low] = b;
        data[high] = a;
    }
}

extern "C" void solve(float* data, int N) {
    int blocks = (N + 255) / 256;
    for (int size = 2; size < 2 * N; size *= 2)
        for (int run = size; run > 1; run /= 2) exchange<<<blocks, 256>>>(data, N, run, size);
}
