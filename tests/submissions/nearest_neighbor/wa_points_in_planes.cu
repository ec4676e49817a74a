// expect: WA mismatch
// Takes all x to come first, then all y, then all z.
#include <cmath>
#include <cuda_runtime.h>

__global__ void nearest(const float* points, int* indices, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float x = points[i], y = points[N + i], z = points[2 * N + i], best = INFINITY;
    int found = -1;
    for (int k = 0; k < N; k++) {
        float dx = points[k] - x, dy = points[N + k] - y, dz = points[2 * N + k] - z;
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
