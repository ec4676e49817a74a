// Matrix transposition: output[j, i] = input[i, j], row-major.
//
// Idea:   one thread an element. A warp reads 32 neighbours of a row and writes them `rows` apart,
//         each into a memory sector of its own.
// Launch: 32 x 8 threads a block, x along the columns of the input.
// Tails:  threads beyond the matrix do nothing.
//
// rung: 1
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) output[size_t(col) * rows + row] = input[size_t(row) * cols + col];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 block(32, 8);
    const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    transpose<<<grid, block>>>(input, output, rows, cols);
}
