// Rainbow table: FNV-1a of each number, R times; both vectors lie in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void table(const int* input, unsigned* output, int N, int R) {
    // Each thread finds its number and hashes it R times, if there is one.
}

extern "C" void solve(const int* input, unsigned int* output, int N, int R) {
    table<<<(N + 255) / 256, 256>>>(input, output, N, R);
}
