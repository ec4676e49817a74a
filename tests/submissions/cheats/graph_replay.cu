// problem: gemm_fp16
// expect-not: AC
// Records the launches of its first call of a shape as a graph and replays it later, whatever the
// arguments are then.
#include <cuda_fp16.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                     float beta) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        sum += __half2float(A[size_t(row) * K + k]) * __half2float(B[size_t(k) * N + col]);
    }
    half* c = C + size_t(row) * N + col;
    *c = __float2half(alpha * sum + beta * __half2float(*c));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static cudaGraphExec_t recorded = nullptr;
    static int shape[3] = {0, 0, 0};
    static cudaStream_t stream = nullptr;
    if (stream == nullptr) cudaStreamCreate(&stream);
    if (recorded == nullptr || shape[0] != M || shape[1] != N || shape[2] != K) {
        cudaGraph_t graph;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        const dim3 grid((N + 15) / 16, (M + 15) / 16);
        gemm<<<grid, dim3(16, 16), 0, stream>>>(A, B, C, M, N, K, alpha, beta);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&recorded, graph, 0);
        shape[0] = M, shape[1] = N, shape[2] = K;
    }
    cudaGraphLaunch(recorded, stream);
    cudaStreamSynchronize(stream);
}
