// Nearest neighbour: indices[i] = the point nearest to point i, other than itself; all arrays lie in device memory.
// statement.md has the details.
#include <cuda_runtime.h>

__global__ void nearest(const float* points, int* indices, int N) {
    // Each thread compares one point with all others, if there is one.
}

extern "C" void solve(const float* points, int* indices, int N) {
    nearest<<<(N + 127) / 128, 128>>>(points, indices, N);
}
