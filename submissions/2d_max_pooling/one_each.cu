// 2D max pooling: each output is the largest element of a window of its channel.
//
// Idea:   one thread an output. The window is cut to the image before the loops, so that nothing
//         inside them asks for edges, and the maximum begins at -infinity.
// Launch: blocks of 256 threads over all outputs in the order they are stored.
// Tails:  threads beyond the outputs do nothing.
//
// rung: 1
#include <cuda_runtime.h>
#include <math.h>

constexpr int THREADS = 256;

__global__ void pool(const float* input, float* output, long long outputs, int H, int W, int H_out,
                     int W_out, int kernel_size, int stride, int padding) {
    const long long i = 1LL * blockIdx.x * THREADS + threadIdx.x;
    if (i >= outputs) return;
    const int x = i % W_out, y = i / W_out % H_out;
    const float* channel = input + i / W_out / H_out * H * W;
    const int top = y * stride - padding, left = x * stride - padding;

    float largest = -INFINITY;
    for (int row = max(top, 0); row < min(top + kernel_size, H); ++row)
        for (int col = max(left, 0); col < min(left + kernel_size, W); ++col)
            largest = fmaxf(largest, channel[size_t(row) * W + col]);
    output[i] = largest;
}

extern "C" void solve(const float* input, float* output, int N, int C, int H, int W,
                      int kernel_size, int stride, int padding) {
    const int H_out = (H + 2 * padding - kernel_size) / stride + 1;
    const int W_out = (W + 2 * padding - kernel_size) / stride + 1;
    const long long outputs = 1LL * N * C * H_out * W_out;
    pool<<<(outputs + THREADS - 1) / THREADS, THREADS>>>(input, output, outputs, H, W, H_out, W_out,
                                                         kernel_size, stride, padding);
}
