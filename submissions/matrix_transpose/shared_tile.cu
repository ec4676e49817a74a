// Matrix transposition: output[j, i] = input[i, j], row-major.
//
// Idea:   a block brings a 32 x 32 tile into shared memory row by row and takes it out column by
//         column, so that reads and writes of global memory both run along rows. Rows of the tile
//         are 33 floats apart: its columns then lie in 32 different banks.
// Launch: 32 x 8 threads a block; each thread moves four elements of the tile.
// Tails:  reads stop at the input's edge, writes at the output's; nobody leaves before the barrier.
//
// rung: 2
#include <cuda_runtime.h>

constexpr int TILE = 32, STEP = 8;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;  // corner of the tile in the input

    for (int k = threadIdx.y; k < TILE; k += STEP) {
        const int row = row0 + k, col = col0 + threadIdx.x;
        if (row < rows && col < cols) tile[k][threadIdx.x] = input[size_t(row) * cols + col];
    }
    __syncthreads();  // the tile is whole
    for (int k = threadIdx.y; k < TILE; k += STEP) {
        const int row = row0 + threadIdx.x, col = col0 + k;
        if (row < rows && col < cols) output[size_t(col) * rows + row] = tile[threadIdx.x][k];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose<<<grid, dim3(TILE, STEP)>>>(input, output, rows, cols);
}
