// expect: RE out_of_bounds|signal
// expect gpu: WA mismatch|guard_overwritten|unwritten|nonfinite|stale
// Rounds the size of the output up, as ceil_mode does.
#include <cuda_runtime.h>
#include <float.h>

__global__ void pool(const float* input, float* output, int H, int W, int H_out, int W_out, int kernel_size, int stride,
                     int padding) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int nc = blockIdx.z;
    if (x >= W_out || y >= H_out) return;
    float best = -FLT_MAX;
    for (int i = 0; i < kernel_size; ++i) {
        for (int j = 0; j < kernel_size; ++j) {
            int h = y * stride - padding + i, w = x * stride - padding + j;
            float value = h >= 0 && h < H && w >= 0 && w < W ? input[((size_t)nc * H + h) * W + w] : -FLT_MAX;
            if (value > best) best = value;
        }
    }
    output[((size_t)nc * H_out + y) * W_out + x] = best;
}

extern "C" void solve(const float* input, float* output, int N, int C, int H, int W, int kernel_size, int stride,
                      int padding) {
    int H_out = (H + 2 * padding - kernel_size + stride - 1) / stride + 1, W_out = (W + 2 * padding - kernel_size + stride - 1) / stride + 1;
    dim3 block(16, 16);
    dim3 grid((W_out + 15) / 16, (H_out + 15) / 16, N * C);
    pool<<<grid, block>>>(input, output, H, W, H_out, W_out, kernel_size, stride, padding);
}
