// 3D convolution: output[z, y, x] = sum of input[z + i, y + j, x + k] * kernel[i, j, k].
//
// Idea:   one thread an output. The kernel, at most 125 numbers, lies in constant memory, made for
//         all threads of a warp reading the same element; what neighbours share of the input is in
//         the caches.
// Launch: 32 x 4 x 2 threads a block, x along the columns of the output.
// Tails:  threads beyond the output do nothing.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int LARGEST = 5;

__constant__ float weights[LARGEST * LARGEST * LARGEST];

__global__ void convolve(const float* input, float* output, dim3 out, dim3 box) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= out.x || y >= out.y || z >= out.z) return;
    const size_t row = out.x + box.x - 1, layer = (out.y + box.y - 1) * row;

    float sum = 0.0f;
    const float* weight = weights;
    for (int i = 0; i < box.z; ++i) {
        for (int j = 0; j < box.y; ++j) {
            const float* line = input + (z + i) * layer + (y + j) * row + x;
            for (int k = 0; k < box.x; ++k) sum += line[k] * *weight++;
        }
    }
    output[(size_t(z) * out.y + y) * out.x + x] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_depth,
                      int input_rows, int input_cols, int kernel_depth, int kernel_rows,
                      int kernel_cols) {
    const dim3 box(kernel_cols, kernel_rows, kernel_depth);
    const dim3 out(input_cols - box.x + 1, input_rows - box.y + 1, input_depth - box.z + 1);
    const size_t bytes = sizeof(float) * box.x * box.y * box.z;
    cudaMemcpyToSymbol(weights, kernel, bytes, 0, cudaMemcpyDeviceToDevice);
    const dim3 block(32, 4, 2);
    const dim3 grid((out.x + 31) / 32, (out.y + 3) / 4, (out.z + 1) / 2);
    convolve<<<grid, block>>>(input, output, out, box);
}
