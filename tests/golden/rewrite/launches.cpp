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
    ::emu::launch("plain", __LINE__, plain, ::emu::config(grid, block))(p, n);
    ::emu::launch("plain", __LINE__, plain, ::emu::config(1, n << 2, sizeof(float) * (n >> 1), stream))(p, n);
    ::emu::launch("plain", __LINE__, plain, ::emu::config((n > 3 ? 2 : 1), 32))(p, 1 << 3);
    ::emu::launch("plain", __LINE__, plain, ::emu::config(
        grid,  // blocks
        block, /* <<<threads>>> */
        0))(
        p, n);
    ::emu::launch("plain", __LINE__, plain , ::emu::config( grid, block ))  (p, n);
    ::emu::launch("tile<8, 16>", __LINE__, tile<8, 16>, ::emu::config(1, 128))(p);
    ::emu::launch("tile<(8>4?8:4), Pair<int, 2>::value>", __LINE__, tile<(8 > 4 ? 8 : 4), Pair<int, 2>::value>, ::emu::config(Pair<Pair<int, 1>, 3>::value, 16))(p);
    ::emu::launch("plain", __LINE__, plain, ::emu::config(1, Pair<Pair<Pair<int, 1>, 2>, 3>::value))(p, n);
    ::emu::launch_deduced("fill", __LINE__, [&](auto... emu_arguments) { fill(emu_arguments...); }, ::emu::config(1, 4))(p, 1.0f);
    ::emu::launch_deduced("fill<float>", __LINE__, [&](auto... emu_arguments) { fill<float>(emu_arguments...); }, ::emu::config(1, 4))(p, 1.0f);
    ::emu::launch("fill<float, 8>", __LINE__, fill<float, 8>, ::emu::config(1, 4))(p, 1.0f);
    ::emu::launch_deduced("many<float>", __LINE__, [&](auto... emu_arguments) { many<float>(emu_arguments...); }, ::emu::config(1, 1))(p, 1, 2.0);
    ::emu::launch_deduced("defaulted", __LINE__, [&](auto... emu_arguments) { defaulted(emu_arguments...); }, ::emu::config(1, 1))(p);
    ::emu::launch_deduced("twice", __LINE__, [&](auto... emu_arguments) { twice(emu_arguments...); }, ::emu::config(1, 1))(p), ::emu::launch_deduced("twice", __LINE__, [&](auto... emu_arguments) { twice(emu_arguments...); }, ::emu::config(1, 1))(q);
    ::emu::launch("with_c_linkage", __LINE__, with_c_linkage, ::emu::config(1, 1))(p);
    ::emu::launch("outer::inner::named", __LINE__, outer::inner::named, ::emu::config(1, 1))(p);
    ::emu::launch("::outer::inner::named", __LINE__, ::outer::inner::named, ::emu::config(1, 1))(p);
    void (*pointer)(float *, int) = plain;
    ::emu::launch("(*pointer)", __LINE__, (*pointer), ::emu::config(1, 1))(p, n);
    ::emu::launch("pointer", __LINE__, pointer, ::emu::config(1, 1))(p, n);
    Table table[1] = {{plain}}, *other = table;
    ::emu::launch("table[0].kernel", __LINE__, table[0].kernel, ::emu::config(1, 1))(p, n);
    ::emu::launch("other->kernel", __LINE__, other->kernel, ::emu::config(1, 1))(p, n);
    if (first) ::emu::launch("plain", __LINE__, plain, ::emu::config(1, 1))(p, n);
    else ::emu::launch("plain", __LINE__, plain, ::emu::config(1, 2))(p, n);
    first ? ::emu::launch("plain", __LINE__, plain, ::emu::config(1, 1))(p, n) : ::emu::launch_deduced("defaulted", __LINE__, [&](auto... emu_arguments) { defaulted(emu_arguments...); }, ::emu::config(1, 1))(p, n);
    auto deferred = [=] { ::emu::launch("plain", __LINE__, plain, ::emu::config(1, 1))(p, n); };
    deferred();
    const char *text = "plain<<<1, 1>>>(p, n)", *raw = R"(plain<<<1, 1>>>(p, "n"))";
    char mark = '<', quote = '\'';
    n <<= 2, n >>= 1, n = n << 1 >> 1;
    void *arguments[] = {&p, &n};
    cudaLaunchKernel(  plain, grid, block, arguments, 0, stream);
    (void)text, (void)raw, (void)mark, (void)quote; // plain<<<1, 1>>>(p, n);
}
