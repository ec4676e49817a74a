// Count an element of a matrix: output[0] = how many elements of input equal K; all arrays lie in device memory, and
// output holds zero.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* output, int total, int K) {
    // Each thread looks at one element; those that find K count up output[0].
}

extern "C" void solve(const int* input, int* output, int N, int M, int K) {
    int total = N * M;
    count<<<(total + 255) / 256, 256>>>(input, output, total, K);
}
