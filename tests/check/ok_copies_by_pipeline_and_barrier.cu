#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cooperative_groups::this_thread_block();
    int t = threadIdx.x, step = gridDim.x * 128, first = blockIdx.x * 128;
    if (t == 0) init(&bar, 128);
    auto pipe = cuda::make_pipeline(block, &state);
    for (int i = first, ahead = first, stage = 0; i < N; i += step, stage ^= 1) {
        for (; ahead < N && ahead < i + 2 * step; ahead += step) {
            pipe.producer_acquire();
            if (ahead + t < N)
                cuda::memcpy_async(&s[(ahead - first) / step % 2][t], A + ahead + t, sizeof(float), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        int other = i + 127 - t;
        if (other < N) B[other] = s[stage][127 - t];
        pipe.consumer_release();
    }
    bar.arrive_and_wait();
    if (first + t < N) cuda::memcpy_async(&s[0][t], A + first + t, sizeof(float), bar);
    bar.arrive_and_wait();
    int other = first + 127 - t;
    if (other < N) B[other] = s[0][127 - t];
}
extern "C" void solve(const float* A, float* B, int N) {
    k<<<3, 128>>>(A, B, N);
}
