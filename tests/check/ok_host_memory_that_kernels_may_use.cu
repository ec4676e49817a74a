#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>

// Pinned and registered memory, and what a kernel allocates itself, beside blocks of the host.
__global__ void k(const float* A, float* B, const float* pinned, const float* known, const int* limit, int N) {
    int i = blockIdx.x * 128 + threadIdx.x;
    float* mine = new float[2];
    float* raw = (float*)malloc(sizeof(float));
    mine[0] = mine[1] = i < N ? A[i] : 0;
    *raw = mine[1];
    if (i < *limit) B[i] = *raw * pinned[i % 4] * known[i % 4];
    delete[] mine;
    free(raw);
}
extern "C" void solve(const float* A, float* B, int N) {
    float *pinned, *known = (float*)calloc(4, sizeof(float));
    int limit = N;
    cudaMallocHost(&pinned, 4 * sizeof(float));
    cudaHostRegister(known, 4 * sizeof(float), cudaHostRegisterDefault);
    cudaHostRegister(&limit, sizeof limit, cudaHostRegisterDefault);
    for (int i = 0; i < 4; i++) pinned[i] = known[i] = 1;
    for (int round = 0; round < 3; round++) {
        std::vector<int> freed_before(7 * round + 1, 3);
        int* gone = new int[5];
        gone[0] = freed_before[0];
        delete[] gone;
        k<<<(N + 127) / 128, 128>>>(A, B, pinned, known, &limit, N);
    }
    cudaDeviceSynchronize();
    cudaHostUnregister(&limit);
    cudaHostUnregister(known);
    cudaFreeHost(pinned);
    free(known);
}
