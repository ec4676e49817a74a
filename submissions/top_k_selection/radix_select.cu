// Top-k selection: the k largest of the N elements of input, the largest first.
//
// Idea:   floats become integers in the same order. Four passes over the input find the k-th
//         largest, one byte a pass from the highest on: count how many elements that agree with
//         what is known so far have each value of the next byte, and walk down the counts. A last
//         pass collects what is larger; the rest of the k are copies of the k-th. One block then
//         sorts the k.
// Launch: at most 512 blocks of 256 threads for the passes, one block for counts and for sorting.
// Tails:  the sort pads to a power of two with 0, which is below the integer of any number.
//
// rung: 1
#include <cuda_runtime.h>

constexpr int THREADS = 256, MOST_BLOCKS = 512, BINS = 256, MOST = 1024;

struct State {
    unsigned known;       // the bytes of the k-th largest found so far, the others 0
    int left;             // its place among the elements that agree with them, from 1
    int collected;        // how many larger ones have been collected
    int count[BINS];
    unsigned keys[MOST];
};

__device__ unsigned key_of(float x) {
    const unsigned bits = __float_as_uint(x);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ float number_of(unsigned key) {
    return __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

__global__ void begin(State* state, int k) {
    state->count[threadIdx.x] = 0;
    if (threadIdx.x == 0) state->known = 0, state->left = k, state->collected = 0;
}

__global__ void count(const float* input, int N, State* state, int shift) {
    __shared__ int mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    const unsigned above = shift == 24 ? 0 : 0xffffffffu << (shift + 8);  // the bytes that are known
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        const unsigned key = key_of(input[i]);
        if ((key & above) == state->known) atomicAdd(&mine[key >> shift & 0xff], 1);
    }
    __syncthreads();
    if (mine[threadIdx.x]) atomicAdd(&state->count[threadIdx.x], mine[threadIdx.x]);
}

__global__ void walk_down(State* state, int shift) {
    if (threadIdx.x == 0) {
        int bin = BINS - 1;
        while (state->left > state->count[bin]) state->left -= state->count[bin--];
        state->known |= unsigned(bin) << shift;
    }
    __syncthreads();
    state->count[threadIdx.x] = 0;
}

__global__ void collect(const float* input, int N, State* state) {
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        const unsigned key = key_of(input[i]);
        if (key > state->known) state->keys[atomicAdd(&state->collected, 1)] = key;
    }
}

__global__ void sort(const State* state, float* output, int k) {
    __shared__ unsigned keys[MOST];
    const int i = threadIdx.x, padded = blockDim.x;
    keys[i] = i < state->collected ? state->keys[i] : i < k ? state->known : 0;
    __syncthreads();
    for (int size = 2; size <= padded; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            const int other = i ^ step;
            const unsigned a = keys[i], b = keys[min(other, padded - 1)];
            __syncthreads();  // everyone has read before anyone writes
            const bool larger_first = (i & size) == 0, is_first = i < other;
            keys[i] = larger_first == is_first ? max(a, b) : min(a, b);
            __syncthreads();
        }
    }
    if (i < k) output[i] = number_of(keys[i]);
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    State* state = nullptr;
    cudaMalloc(&state, sizeof(State));
    const int blocks = min((N + THREADS - 1) / THREADS, MOST_BLOCKS);
    begin<<<1, BINS>>>(state, k);
    for (int shift = 24; shift >= 0; shift -= 8) {
        count<<<blocks, THREADS>>>(input, N, state, shift);
        walk_down<<<1, BINS>>>(state, shift);
    }
    collect<<<blocks, THREADS>>>(input, N, state);
    int padded = 1;
    while (padded < k) padded *= 2;
    sort<<<1, padded>>>(state, output, k);
    cudaFree(state);
}
