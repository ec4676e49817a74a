// libcu++: cuda::std, cuda::atomic, cuda::barrier, cuda::pipeline.
#include "claims.cuh"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace cg = cooperative_groups;

constexpr int THREADS = 128, STAGES = 2, TILE = 64, TILES = 5;
__device__ cuda::atomic<int, cuda::thread_scope_device> ticket{0};
__device__ cuda::atomic<float> total{1.0f};

__global__ void library(float* claims)
{
    int next = 0;
    claim(claims, next, cuda::std::numeric_limits<float>::max() > 3e38f);
    claim(claims, next, cuda::std::numeric_limits<cuda::std::int16_t>::min() == -32768);
    cuda::std::array<int, 3> three{1, 2, 3};
    claim(claims, next, three.size() == 3 && three[2] == 3);
    auto [one, two] = cuda::std::make_pair(1, 2.5f);
    claim(claims, next, one == 1 && two == 2.5f);
    cuda::std::tuple<int, float> both(7, 0.5f);
    claim(claims, next, cuda::std::get<0>(both) == 7 && cuda::std::get<1>(both) == 0.5f);
    claim(claims, next, cuda::std::is_same_v<cuda::std::remove_const_t<const int>, int>);
    claim(claims, next, cuda::std::plus<int>()(2, 3) == 5);
    const cuda::std::complex<float> i(0, 1);
    claim(claims, next, (i * i).real() == -1.0f);

    // One for each lane: nvcc goes wrong over atomics in local memory.
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> of_lanes[32];
    __shared__ float plain_of_lanes[32];
    cuda::atomic<unsigned, cuda::thread_scope_block>& mine = of_lanes[threadIdx.x];
    mine.store(5);
    claim(claims, next, mine.fetch_add(3) == 5 && mine.load() == 8);
    claim(claims, next, mine.fetch_sub(1, cuda::memory_order_relaxed) == 8 && mine == 7u);
    claim(claims, next, mine.fetch_and(6u) == 7 && mine.fetch_or(8u) == 6 && mine.fetch_xor(1u) == 14 && mine.load() == 15);
    claim(claims, next, mine.fetch_max(40u) == 15 && mine.fetch_min(20u) == 40 && mine.load() == 20);
    claim(claims, next, mine.exchange(3, cuda::memory_order_acq_rel) == 20);
    unsigned expected = 4;
    claim(claims, next, !mine.compare_exchange_strong(expected, 9) && expected == 3);
    claim(claims, next, mine.compare_exchange_strong(expected, 9, cuda::memory_order_acquire, cuda::memory_order_relaxed));
    claim(claims, next, ++mine == 10u && mine++ == 10u && --mine == 10u && (mine += 5) == 15u && (mine = 2) == 2u);
    mine.store(6, cuda::memory_order_release);
    claim(claims, next, mine.load(cuda::memory_order_acquire) == 6);
    float& plain = plain_of_lanes[threadIdx.x];
    plain = 1.5f;
    cuda::atomic_ref<float, cuda::thread_scope_thread> place(plain);
    claim(claims, next, place.fetch_add(2.0f) == 1.5f && plain == 3.5f);
    claim(claims, next, cuda::std::atomic<int>(3).load() == 3);
}

// What other threads wrote before they arrived is seen after the wait, phase after phase.
__global__ void meet(int* failed)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int values[THREADS];
    __shared__ cuda::atomic<int, cuda::thread_scope_block> arrived;
    auto block = cg::this_thread_block();
    const int me = threadIdx.x;
    if (me == 0) {
        init(&bar, THREADS);
        arrived.store(0, cuda::memory_order_relaxed);
    }
    block.sync();
    bool right = true;
    for (int round = 1; round <= 3; round++) {
        values[me] = round * 1000 + me;
        bar.arrive_and_wait();
        right &= values[(me + 37) % THREADS] == round * 1000 + (me + 37) % THREADS;
        arrived.fetch_add(1, cuda::memory_order_relaxed);
        auto token = bar.arrive();
        bar.wait(std::move(token));
        right &= arrived.load(cuda::memory_order_relaxed) == round * THREADS;
        bar.arrive_and_wait();
    }
    // One warp only arrives; the others are not held up by it.
    if (me < 32) (void)bar.arrive();
    else bar.arrive_and_wait();
    block.sync();
    if (me >= 64) bar.arrive_and_drop();
    else bar.arrive_and_wait();
    if (me < 64) bar.arrive_and_wait(); // 64 are expected now
    if (!right) *failed = 1;
}

// A flag between blocks; the last block of the grid sees what all others wrote.
__global__ void between_blocks(int* data, int* failed)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        data[blockIdx.x] = blockIdx.x + 1;
        last = ticket.fetch_add(1, cuda::memory_order_acq_rel) == int(gridDim.x) - 1;
        total.fetch_add(0.5f);
    }
    __syncthreads();
    if (!last || threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < int(gridDim.x); i++) sum += data[i];
    const int blocks = gridDim.x;
    if (sum != blocks * (blocks + 1) / 2) *failed = 1;
}

__global__ void copied_by_barrier(const int* from, int* failed)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ alignas(16) int tile[TILE];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    for (int t = 0; t < TILES; t++) {
        cuda::memcpy_async(block, tile, from + t * TILE, cuda::aligned_size_t<16>(sizeof(tile)), bar);
        bar.arrive_and_wait();
        if (threadIdx.x < TILE && tile[TILE - 1 - threadIdx.x] != (t + 1) * TILE - 1 - int(threadIdx.x)) *failed = 1;
        block.sync();
    }
}

// roles: 0 all threads do both, 1 the first warp copies, 2 the last warp says that it does.
template <int roles> __global__ void pipelined(const int* from, int* failed)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ alignas(16) int tiles[STAGES][TILE];
    auto block = cg::this_thread_block();
    auto role = block.thread_rank() >= THREADS - 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = [&] {
        if constexpr (roles == 0) return cuda::make_pipeline(block, &state);
        else if constexpr (roles == 1) return cuda::make_pipeline(block, &state, 32);
        else return cuda::make_pipeline(block, &state, role);
    }();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const bool copies = roles == 0 || (roles == 1 ? warp == 0 : warp == THREADS / 32 - 1);
    const bool uses = roles == 0 || !copies;
    const auto fetch = [&](int t) {
        pipe.producer_acquire();
        if (roles == 0) cuda::memcpy_async(block, tiles[t % STAGES], from + t * TILE, sizeof(int) * TILE, pipe);
        else
            for (int i = lane; i < TILE; i += 32)
                cuda::memcpy_async(&tiles[t % STAGES][i], from + t * TILE + i, sizeof(int), pipe);
        pipe.producer_commit();
    };
    const auto use = [&](int t) {
        pipe.consumer_wait();
        for (int i = threadIdx.x; i < TILE; i += THREADS)
            if (tiles[t % STAGES][TILE - 1 - i] != (t + 1) * TILE - 1 - i) *failed = 1;
        pipe.consumer_release();
    };
    if (roles == 0) {
        for (int t = 0, ahead = 0; t < TILES; t++) {
            for (; ahead < TILES && ahead < t + STAGES; ahead++) fetch(ahead);
            use(t);
        }
    } else {
        for (int t = 0; t < TILES; t++) {
            if (copies) fetch(t);
            if (uses) use(t);
        }
    }
}

__global__ void pipeline_of_a_thread(const int* from, int* failed)
{
    __shared__ int own[2][THREADS];
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&own[i][threadIdx.x], from + i * THREADS + threadIdx.x, sizeof(int), pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    if (own[0][threadIdx.x] != int(threadIdx.x)) *failed = 1;
    pipe.consumer_release();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    if (own[1][threadIdx.x] != THREADS + int(threadIdx.x)) *failed = 1;
    pipe.consumer_release();
}

__global__ void hold(float* claims, int next, const int* failed, int count)
{
    for (int i = 0; i < count; i++) claim(claims, next, failed[i] == 0);
    claim(claims, next, total.load() == 1.0f + 0.5f * 40);
    if (threadIdx.x == 0) ticket.store(0), total.store(1.0f);
}

extern "C" void solve(float* claims)
{
    int *failed, *data, host[TILE * TILES];
    for (int i = 0; i < TILE * TILES; i++) host[i] = i;
    cudaMalloc(&failed, 7 * sizeof(int));
    cudaMemset(failed, 0, 7 * sizeof(int));
    cudaMalloc(&data, sizeof host);
    library<<<1, 32>>>(claims);
    between_blocks<<<40, 64>>>(data, failed);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    meet<<<3, THREADS>>>(failed + 1);
    copied_by_barrier<<<2, THREADS>>>(data, failed + 2);
    pipelined<0><<<2, THREADS>>>(data, failed + 3);
    pipelined<1><<<2, THREADS>>>(data, failed + 4);
    pipelined<2><<<2, THREADS>>>(data, failed + 5);
    pipeline_of_a_thread<<<1, THREADS>>>(data, failed + 6);
    float made = 0;
    cudaMemcpy(&made, claims, sizeof made, cudaMemcpyDeviceToHost);
    hold<<<1, 32>>>(claims, int(made), failed, 7);
    cudaFree(failed);
    cudaFree(data);
}
