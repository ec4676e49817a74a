// cuda::barrier and cuda::memcpy_async. A scope changes nothing here.
//
// A copy lands when its thread arrives at the barrier, so that a wait that is missing shows.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cuda_barrier.h is internal: include <cuda/barrier>"
#endif
#include "async_copy.h"
#include "cuda_atomic.h"

namespace emu {

struct nothing_to_complete {
    void operator()() const {}
};

}  // namespace emu

namespace cuda {

// A number of bytes, and what both addresses are multiples of.
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    constexpr operator size_t() const { return value; }
};

template <thread_scope Scope, class Completion = emu::nothing_to_complete> class barrier {
    static_assert(std::is_empty_v<Completion>, "unsupported: the completion function of a cuda::barrier with a state of "
                  "its own: the CPU backend does not have it; use BACKEND=gpu");
    unsigned expected_, awaited_, phase_;

    unsigned phase() const
    {
        emu::spin_hint(emu::lock_attempt);
        return __atomic_load_n(&phase_, __ATOMIC_SEQ_CST);
    }

public:
    class arrival_token {
        friend class barrier;
        unsigned phase_;
        explicit arrival_token(unsigned phase) : phase_(phase) {}
    };

    barrier() = default; // leaves __shared__ memory as it is
    barrier(ptrdiff_t expected, Completion = Completion()) { start(expected); }
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;
    friend void init(barrier* b, ptrdiff_t expected, Completion = Completion()) { b->start(expected); }
    static constexpr ptrdiff_t max() { return (1 << 20) - 1; }

    arrival_token arrive(ptrdiff_t count = 1)
    {
        emu_async_commit();
        emu::wait_for_copies(0);
        return emu_arrive(count);
    }
    arrival_token emu_arrive(ptrdiff_t count = 1) // copies that go on do not matter
    {
        const unsigned phase = this->phase(), by = unsigned(count);
        if (__atomic_fetch_sub(&awaited_, by, __ATOMIC_SEQ_CST) == by) {
            Completion()();
            __atomic_store_n(&awaited_, __atomic_load_n(&expected_, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
            __atomic_fetch_add(&phase_, 1u, __ATOMIC_SEQ_CST);
        }
        return arrival_token(phase);
    }
    void wait(const arrival_token& token) const
    {
        while (!try_wait(token)) emu_yield();
    }
    bool try_wait(const arrival_token& token) const { return phase() != token.phase_; }
    template <class... Time> bool try_wait_for(const arrival_token& token, const Time&...) const { return try_wait(token); }
    // Parity: of the phase that is to be over; the first is even.
    bool try_wait_parity(bool parity) const { return (phase() & 1) != unsigned(parity); }
    void wait_parity(bool parity) const
    {
        while (!try_wait_parity(parity)) emu_yield();
    }
    void arrive_and_wait() { wait(arrive()); }
    void arrive_and_drop()
    {
        __atomic_fetch_sub(&expected_, 1u, __ATOMIC_SEQ_CST);
        (void)arrive();
    }

private:
    void start(ptrdiff_t expected)
    {
        __atomic_store_n(&expected_, unsigned(expected), __ATOMIC_SEQ_CST);
        __atomic_store_n(&awaited_, unsigned(expected), __ATOMIC_SEQ_CST);
        __atomic_store_n(&phase_, 0u, __ATOMIC_SEQ_CST);
    }
};

// By a group together, or by one thread; they are over in the phase in which the copying threads arrive.
template <class Group, thread_scope Scope, class Completion>
inline void memcpy_async(const Group& group, void* to, const void* from, size_t bytes, barrier<Scope, Completion>&,
                         unsigned line = __builtin_LINE())
{
    emu::start_copies(unsigned(group.thread_rank()), unsigned(group.size()), to, from, bytes, line);
}
template <thread_scope Scope, class Completion>
inline void memcpy_async(void* to, const void* from, size_t bytes, barrier<Scope, Completion>&, unsigned line = __builtin_LINE())
{
    emu::start_copies(0, 1, to, from, bytes, line);
}

namespace std {
template <class Completion = emu::nothing_to_complete> using barrier = cuda::barrier<thread_scope_system, Completion>;
}

}  // namespace cuda
