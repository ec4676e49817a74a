// problem: gemm_fp16
// expect: CE compile
// A template that asks for two of itself, 30 deep: a thousand million instances.
#include <cuda_fp16.h>

template <int N, int Side> struct Bomb {
    static constexpr long value = Bomb<N - 1, 2 * Side>::value + Bomb<N - 1, 2 * Side + 1>::value;
};
template <int Side> struct Bomb<0, Side> {
    static constexpr long value = Side;
};

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    static_assert(Bomb<30, 0>::value != 0, "");
}
