// Launches inside macros: named as the macro is used, and no line of a macro moves.
#define CHECK(call)                  \
    do {                             \
        cudaError_t error = (call);  \
        if (error != cudaSuccess) {  \
            return; /* it's "bad" */ \
        }                            \
    } while (0)
#define LAUNCH(kernel, n, ...)                      \
    do {                                            \
        ::emu::launch(#kernel "<" #n ">", __LINE__, kernel<n>, ::emu::config(dim3(1, 2), 256))(__VA_ARGS__); \
        CHECK(cudaGetLastError());                  \
    } while (0)
#define MAKE(name, T)                                             \
    __global__ void name##_kernel(T *p) { p[0] = 1; } /* one  */  \
    void run_##name(T *p) { ::emu::launch_deduced(#name "_kernel", __LINE__, [&](auto... emu_arguments) { name##_kernel(emu_arguments...); }, ::emu::config(1, 1))(p); }
#define GRID 1, 1
#define ONCE ::emu::launch("single", __LINE__, single, ::emu::config(GRID))
#define OPEN {
#define CLOSE }

template <int N> __global__ void counted(float *p) { p[0] = N; }
__global__ void single(float *p) { p[0] = 1; }
MAKE(real, float)
MAKE(whole, int)

void launch(float *p, int *q) {
    LAUNCH(counted, 8, p);
    ONCE(p);
    if (p) OPEN run_real(p); CLOSE
    run_whole(q);
#if 0
    don't <<< look here
#elif defined(NOT_HERE)
    if (p) {
#else
    if (q) {
#endif
        ::emu::launch("single", __LINE__, single, ::emu::config(1, 1))(p);
    }
}
