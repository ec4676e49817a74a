// Launches in every spelling nvcc takes: each becomes a call, and no line moves.
#include <cstddef>

template <class T, int N> struct Pair { static constexpr int value = N; };
template <class T, int N = 4> __global__ void fill(T *p, T v) { p[threadIdx.x] = v + N; }
template <int BM, int BN> __global__ void __launch_bounds__(BM *BN, (BM > 8 ? 1 : 2)) tile(float *p) {
    p[threadIdx.x] = BM * BN;
}
template <class T, class... Rest> __global__ void many(T *p, Rest... rest) { p[0] = sizeof...(rest); }
__global__ void plain(float *p, int n) { p[0] = n; }
__global__ void defaulted(float *p, int n = 3) { p[0] = n; }
__global__ void twice(float *p) { p[0] = 1; }
__global__ void twice(int *p) { p[0] = 1; }
extern "C" __global__ void with_c_linkage(float *p) { p[0] = 1; }
namespace outer {
namespace inner {
__global__ void named(float *p) { p[0] = 1; }
} // namespace inner
} // namespace outer
struct Table {
    void (*kernel)(float *, int);
};

void launch(float *p, int *q, int n, cudaStream_t stream, bool first) {
    dim3 grid(1, 2), block = dim3(8, 8);
    plain<<<grid, block>>>(p, n);
    plain<<<1, n << 2, sizeof(float) * (n >> 1), stream>>>(p, n);
    plain<<<(n > 3 ? 2 : 1), 32>>>(p, 1 << 3);
    plain<<<
        grid,  // blocks
        block, /* <<<threads>>> */
        0>>>(
        p, n);
    plain << <grid, block >> > (p, n);
    tile<8, 16><<<1, 128>>>(p);
    tile<(8 > 4 ? 8 : 4), Pair<int, 2>::value><<<Pair<Pair<int, 1>, 3>::value, 16>>>(p);
    plain<<<1, Pair<Pair<Pair<int, 1>, 2>, 3>::value>>>(p, n);
    fill<<<1, 4>>>(p, 1.0f);
    fill<float><<<1, 4>>>(p, 1.0f);
    fill<float, 8><<<1, 4>>>(p, 1.0f);
    many<float><<<1, 1>>>(p, 1, 2.0);
    defaulted<<<1, 1>>>(p);
    twice<<<1, 1>>>(p), twice<<<1, 1>>>(q);
    with_c_linkage<<<1, 1>>>(p);
    outer::inner::named<<<1, 1>>>(p);
    ::outer::inner::named<<<1, 1>>>(p);
    void (*pointer)(float *, int) = plain;
    (*pointer)<<<1, 1>>>(p, n);
    pointer<<<1, 1>>>(p, n);
    Table table[1] = {{plain}}, *other = table;
    table[0].kernel<<<1, 1>>>(p, n);
    other->kernel<<<1, 1>>>(p, n);
    if (first) plain<<<1, 1>>>(p, n);
    else plain<<<1, 2>>>(p, n);
    first ? plain<<<1, 1>>>(p, n) : defaulted<<<1, 1>>>(p, n);
    auto deferred = [=] { plain<<<1, 1>>>(p, n); };
    deferred();
    const char *text = "plain<<<1, 1>>>(p, n)", *raw = R"(plain<<<1, 1>>>(p, "n"))";
    char mark = '<', quote = '\'';
    n <<= 2, n >>= 1, n = n << 1 >> 1;
    void *arguments[] = {&p, &n};
    cudaLaunchKernel((const void *)plain, grid, block, arguments, 0, stream);
    (void)text, (void)raw, (void)mark, (void)quote; // plain<<<1, 1>>>(p, n);
}
