// Nearest neighbour: indices[i] = the point nearest to point i, other than itself.
//
// Idea:   one point a thread, all others in a loop in their order, so that of several equally near
//         ones the first stays. Threads of a warp read the same point at the same time.
// Launch: 128 threads a block.
// Tails:  threads beyond the last point leave.
//
// rung: 1
#include <cmath>
#include <cuda_runtime.h>

__global__ void nearest(const float* points, int* indices, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2], best = INFINITY;
    int found = -1;
    for (int k = 0; k < N; k++) {
        float dx = points[3 * k] - x, dy = points[3 * k + 1] - y, dz = points[3 * k + 2] - z;
        float distance = dx * dx + dy * dy + dz * dz;
        if (k != i && distance < best) {
            best = distance;
            found = k;
        }
    }
    indices[i] = found;
}

extern "C" void solve(const float* points, int* indices, int N) {
    nearest<<<(N + 127) / 128, 128>>>(points, indices, N);
}
