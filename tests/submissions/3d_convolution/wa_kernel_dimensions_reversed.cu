// expect: WA mismatch
// Walks through the kernel as if its first index ran fastest.
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int D, int H, int W, int kd, int kh,
                         int kw) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int od = D - kd + 1, oh = H - kh + 1, ow = W - kw + 1;
    if (x >= ow || y >= oh || z >= od) return;
    float sum = 0.0f;
    for (int i = 0; i < kd; ++i)
        for (int j = 0; j < kh; ++j)
            for (int k = 0; k < kw; ++k)
                sum += input[((z + i) * H + y + j) * W + x + k] * kernel[(k * kh + j) * kd + i];
    output[(z * oh + y) * ow + x] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_depth, int input_rows,
                      int input_cols, int kernel_depth, int kernel_rows, int kernel_cols) {
    dim3 block(8, 8, 4);
    dim3 grid((input_cols + 7) / 8, (input_rows + 7) / 8, (input_depth + 3) / 4);
    convolve<<<grid, block>>>(input, kernel, output, input_depth, input_rows, input_cols, kernel_depth, kernel_rows,
                              kernel_cols);
}
