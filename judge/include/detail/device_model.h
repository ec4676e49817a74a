// The CUDA kernel model as a submission sees it on the CPU backend: qualifiers, built-in variables,
// launches, barriers and warp operations. Plain C++17 for g++ and clang++.
//
// A launch `k<<<g, b, s, st>>>(args)` arrives here, rewritten, as
//     ::emu::launch("k", __LINE__, k, ::emu::config(g, b, s, st))(args)
// or, where the kernel's template arguments or default arguments depend on the call, as
//     ::emu::launch_deduced("k", __LINE__, [&](auto... a) { k(a...); }, ::emu::config(...))(args)
// Operations that wait take their source line as a default argument: it names them in messages and is
// a barrier's identity (a return address is not one: compilers duplicate calls).
#pragma once
#include "../../emu/emu.h"
#include <cstring>
#include <tuple>
#include <type_traits>

// ---- qualifiers -----------------------------------------------------------------------------------
// A kernel stays out of line so that its address names it and its __shared__ arrays carry its symbol.
#define __global__ __attribute__((noinline))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
// One block at a time runs on an OS thread, so the thread's own storage is the block's shared memory.
// 16 bytes: what nvcc gives arrays in practice, and what a float4 access needs.
// used: an array that is never written would be folded to the zeros it begins with.
#define __shared__ static __thread __attribute__((aligned(16), used))

// ---- built-in types and variables -----------------------------------------------------------------
struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

// __thread, not thread_local: an extern thread_local is reached through a wrapper call.
// const: the compiler may keep them in registers over a barrier; the runtime alone writes them.
extern __thread const uint3 threadIdx, blockIdx;
extern __thread const dim3 blockDim, gridDim;
static constexpr int warpSize = 32;

extern "C" {
extern __thread char *const emu_dynamic_shared; // start of the block's dynamic shared memory
extern __thread int emu_spin_budget;            // what is left before spin_hint yields
}

namespace emu {

// ---- dynamic shared memory ------------------------------------------------------------------------
inline void *dynamic_shared() { return emu_dynamic_shared; }

// Stands for `extern __shared__ T name[];` at file scope, where no pointer can be initialised.
template <class T> struct dynamic_shared_array {
    operator T *() const { return static_cast<T *>(dynamic_shared()); }
    template <class I> T &operator[](I i) const { return static_cast<T *>(dynamic_shared())[i]; }
    T &operator*() const { return *static_cast<T *>(dynamic_shared()); }
};

// ---- launches -------------------------------------------------------------------------------------
inline emu_config config(dim3 grid, dim3 block, size_t dynamic_bytes = 0, const void *stream = nullptr) {
    return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, dynamic_bytes, stream};
}

// A launch of a kernel whose parameter types are known: arguments convert as in a function call.
template <class... P> struct typed_launch {
    const char *name;
    unsigned line;
    void (*kernel)(P...);
    emu_config where;

    struct closure {
        void (*kernel)(P...);
        std::tuple<P...> arguments;
    };
    static void invoke(const void *p) {
        auto *c = static_cast<const closure *>(p);
        std::apply(c->kernel, c->arguments); // each thread gets its own copy of the parameters
    }
    int run(const closure &c) const {
        emu_kernel k{name, line, reinterpret_cast<const void *>(kernel), &invoke, &c, sizeof c};
        return emu_launch(&where, &k);
    }
    void operator()(P... p) const { run(closure{kernel, std::tuple<P...>(p...)}); }
};

template <class... P>
inline typed_launch<P...> launch(const char *name, unsigned line, void (*kernel)(P...), emu_config c) {
    return {name, line, kernel, c};
}

// cudaLaunchKernel(kernel, grid, block, void** arguments, ...): arguments[i] points at argument i.
template <class... P, size_t... I>
inline int launch_pointers_(const typed_launch<P...> &l, void **arguments, std::index_sequence<I...>) {
    return l.run({l.kernel, std::tuple<P...>(*static_cast<std::remove_reference_t<P> *>(arguments[I])...)});
}
template <class... P>
inline int launch_pointers(const char *name, unsigned line, void (*kernel)(P...), emu_config c,
                           void **arguments) {
    return launch_pointers_(typed_launch<P...>{name, line, kernel, c}, arguments,
                            std::index_sequence_for<P...>());
}

// A launch through a generic lambda: the call inside it deduces template arguments.
template <class Call> struct deduced_launch {
    const char *name;
    unsigned line;
    Call call;
    emu_config where;

    template <class... A> void operator()(A... a) const {
        struct closure {
            const Call *call;
            std::tuple<A...> arguments;
        } c{&call, std::tuple<A...>(a...)};
        emu_kernel k{name, line, nullptr,
                     [](const void *p) {
                         auto *q = static_cast<const closure *>(p);
                         std::apply(*q->call, q->arguments);
                     },
                     &c, sizeof c};
        emu_launch(&where, &k);
    }
};

template <class Call>
inline deduced_launch<Call> launch_deduced(const char *name, unsigned line, Call call, emu_config c) {
    return {name, line, call, c};
}

// ---- spinning -------------------------------------------------------------------------------------
// Called by every atomic operation: a thread that does nothing but atomics is likely to wait for
// another one, which can only run if this one gives way. weight: 1, more for what a spin loop does
// (a failed compare-and-swap, an exchange). The budget is refilled whenever a thread gets its turn.
inline void spin_hint(int weight = 1) {
    if (__builtin_expect((emu_spin_budget -= weight) < 0, 0)) emu_yield();
}

// Values travel through warp operations as 8 bytes.
template <class T> inline uint64_t to_bits(T v) {
    static_assert(sizeof(T) <= 8, "a warp operation moves at most 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof v);
    return bits;
}
template <class T> inline T from_bits(uint64_t bits) {
    T v;
    std::memcpy(&v, &bits, sizeof v);
    return v;
}

} // namespace emu

// ---- block barriers -------------------------------------------------------------------------------
inline void __syncthreads(unsigned line = __builtin_LINE()) { emu_barrier(line); }
inline int __syncthreads_count(int p, unsigned line = __builtin_LINE()) {
    return emu_barrier_reduce(p, EMU_COUNT, line);
}
inline int __syncthreads_and(int p, unsigned line = __builtin_LINE()) {
    return emu_barrier_reduce(p, EMU_AND, line);
}
inline int __syncthreads_or(int p, unsigned line = __builtin_LINE()) {
    return emu_barrier_reduce(p, EMU_OR, line);
}

// ---- warp operations ------------------------------------------------------------------------------
inline void __syncwarp(unsigned mask = 0xffffffffu, unsigned line = __builtin_LINE()) {
    emu_warp_sync(mask, line);
}
inline unsigned __activemask(unsigned line = __builtin_LINE()) { return emu_active_mask(line); }

#define EMU_SHUFFLE(name, mode, source_type)                                                            \
    template <class T>                                                                                  \
    inline T name(unsigned mask, T v, source_type source, int width = 32,                               \
                  unsigned line = __builtin_LINE()) {                                                   \
        return ::emu::from_bits<T>(                                                                     \
            emu_shuffle(mask, ::emu::to_bits(v), static_cast<int>(source), width, mode, line));         \
    }
EMU_SHUFFLE(__shfl_sync, EMU_SHUFFLE_INDEX, int)
EMU_SHUFFLE(__shfl_up_sync, EMU_SHUFFLE_UP, unsigned)
EMU_SHUFFLE(__shfl_down_sync, EMU_SHUFFLE_DOWN, unsigned)
EMU_SHUFFLE(__shfl_xor_sync, EMU_SHUFFLE_XOR, int)
#undef EMU_SHUFFLE

inline unsigned __ballot_sync(unsigned mask, int p, unsigned line = __builtin_LINE()) {
    return emu_ballot(mask, p, line);
}
inline int __any_sync(unsigned mask, int p, unsigned line = __builtin_LINE()) {
    return emu_ballot(mask, p, line) != 0;
}
inline int __all_sync(unsigned mask, int p, unsigned line = __builtin_LINE()) {
    return emu_ballot(mask, !p, line) == 0;
}

namespace emu {

// The lanes' own arguments and results of the operations that emu_warp_collect completes.
struct match_lane {
    uint64_t value;
    unsigned equal;
};
inline void complete_match(void **lanes, unsigned arrived) {
    for (unsigned m = arrived; m; m &= m - 1) {
        auto *mine = static_cast<match_lane *>(lanes[__builtin_ctz(m)]);
        mine->equal = 0;
        for (unsigned o = arrived; o; o &= o - 1)
            if (static_cast<match_lane *>(lanes[__builtin_ctz(o)])->value == mine->value)
                mine->equal |= o & -o;
    }
}

template <class T, class Op> struct reduce_lane {
    T value;
    static void complete(void **lanes, unsigned arrived) {
        T total = static_cast<reduce_lane *>(lanes[__builtin_ctz(arrived)])->value;
        for (unsigned m = arrived & (arrived - 1); m; m &= m - 1)
            total = Op()(total, static_cast<reduce_lane *>(lanes[__builtin_ctz(m)])->value);
        for (unsigned m = arrived; m; m &= m - 1)
            static_cast<reduce_lane *>(lanes[__builtin_ctz(m)])->value = total;
    }
};
template <class Op, class T> inline T reduce_sync(unsigned mask, T v, unsigned line) {
    reduce_lane<T, Op> mine{v};
    emu_warp_collect(mask, &reduce_lane<T, Op>::complete, &mine, line);
    return mine.value;
}
struct op_add { template <class T> T operator()(T a, T b) const { return a + b; } };
struct op_min { template <class T> T operator()(T a, T b) const { return b < a ? b : a; } };
struct op_max { template <class T> T operator()(T a, T b) const { return a < b ? b : a; } };
struct op_and { template <class T> T operator()(T a, T b) const { return a & b; } };
struct op_or { template <class T> T operator()(T a, T b) const { return a | b; } };
struct op_xor { template <class T> T operator()(T a, T b) const { return a ^ b; } };

} // namespace emu

template <class T>
inline unsigned __match_any_sync(unsigned mask, T v, unsigned line = __builtin_LINE()) {
    ::emu::match_lane mine{::emu::to_bits(v), 0};
    emu_warp_collect(mask, &::emu::complete_match, &mine, line);
    return mine.equal;
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T v, int *all, unsigned line = __builtin_LINE()) {
    unsigned equal = __match_any_sync(mask, v, line);
    *all = equal == emu_ballot(mask, 1, line); // the lanes of the mask that have not exited
    return *all ? equal : 0;
}

// Signed addition wraps as on the device: it is done unsigned.
inline unsigned __reduce_add_sync(unsigned m, unsigned v, unsigned line = __builtin_LINE()) {
    return ::emu::reduce_sync<::emu::op_add>(m, v, line);
}
inline int __reduce_add_sync(unsigned m, int v, unsigned line = __builtin_LINE()) {
    return static_cast<int>(::emu::reduce_sync<::emu::op_add>(m, static_cast<unsigned>(v), line));
}
#define EMU_REDUCE(name, op, T)                                                                         \
    inline T name(unsigned m, T v, unsigned line = __builtin_LINE()) {                                  \
        return ::emu::reduce_sync<::emu::op>(m, v, line);                                               \
    }
EMU_REDUCE(__reduce_min_sync, op_min, unsigned)
EMU_REDUCE(__reduce_min_sync, op_min, int)
EMU_REDUCE(__reduce_max_sync, op_max, unsigned)
EMU_REDUCE(__reduce_max_sync, op_max, int)
EMU_REDUCE(__reduce_and_sync, op_and, unsigned)
EMU_REDUCE(__reduce_or_sync, op_or, unsigned)
EMU_REDUCE(__reduce_xor_sync, op_xor, unsigned)
#undef EMU_REDUCE

// ---- fences and waiting ---------------------------------------------------------------------------
// Real fences (blocks run on several OS threads), and a turn for others now and then: a loop that
// waits for a flag has one of these in it.
inline void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    ::emu::spin_hint();
}
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }
inline void __nanosleep(unsigned) { emu_yield(); }
