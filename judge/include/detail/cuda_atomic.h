// cuda::atomic and cuda::atomic_ref. A scope changes nothing here: threads and memory are the host's.
//
// Whatever is not relaxed is sequentially consistent, by which a check build knows that it orders threads.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cuda_atomic.h is internal: include <cuda/atomic>"
#endif
#include "cuda_std.h"
#include <atomic>

namespace cuda {

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 3,
};
using memory_order = ::std::memory_order;
inline constexpr memory_order memory_order_relaxed = ::std::memory_order_relaxed;
inline constexpr memory_order memory_order_consume = ::std::memory_order_consume;
inline constexpr memory_order memory_order_acquire = ::std::memory_order_acquire;
inline constexpr memory_order memory_order_release = ::std::memory_order_release;
inline constexpr memory_order memory_order_acq_rel = ::std::memory_order_acq_rel;
inline constexpr memory_order memory_order_seq_cst = ::std::memory_order_seq_cst;

inline void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) { __threadfence(); }

}  // namespace cuda

namespace emu {

// The operations of atomic and atomic_ref; Place::place() is the address of the value.
template <class T, class Place> class atomic_operations {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                  "unsupported: cuda::atomic of more than 8 bytes: the CPU backend does not have it; use BACKEND=gpu");
    using order = cuda::memory_order;
    using difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;
    static constexpr order strongest = cuda::memory_order_seq_cst;

    T* at() const { return static_cast<const Place*>(this)->place(); }
    // A loop that waits goes through these: another thread must get its turn.
    template <class Change> T update(Change change, bool relaxed) const
    {
        T old, fresh;
        __atomic_load(at(), &old, __ATOMIC_RELAXED);
        do fresh = change(old);
        while (relaxed ? !__atomic_compare_exchange(at(), &old, &fresh, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
                       : !__atomic_compare_exchange(at(), &old, &fresh, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
        spin_hint();
        return old;
    }

public:
    using value_type = T;

    T load(order o = strongest) const
    {
        spin_hint(lock_attempt);
        T value;
        if (o == cuda::memory_order_relaxed) __atomic_load(at(), &value, __ATOMIC_RELAXED);
        else __atomic_load(at(), &value, __ATOMIC_SEQ_CST);
        return value;
    }
    void store(T value, order o = strongest) const
    {
        if (o == cuda::memory_order_relaxed) __atomic_store(at(), &value, __ATOMIC_RELAXED);
        else __atomic_store(at(), &value, __ATOMIC_SEQ_CST);
    }
    T exchange(T value, order o = strongest) const
    {
        spin_hint(lock_attempt);
        T old;
        if (o == cuda::memory_order_relaxed) __atomic_exchange(at(), &value, &old, __ATOMIC_RELAXED);
        else __atomic_exchange(at(), &value, &old, __ATOMIC_SEQ_CST);
        return old;
    }
    bool compare_exchange_strong(T& expected, T value, order o = strongest) const
    {
        const bool done = o == cuda::memory_order_relaxed
            ? __atomic_compare_exchange(at(), &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
            : __atomic_compare_exchange(at(), &expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        if (!done) spin_hint(lock_attempt);
        return done;
    }
    bool compare_exchange_strong(T& expected, T value, order success, order) const
    {
        return compare_exchange_strong(expected, value, success);
    }
    template <class... Orders> bool compare_exchange_weak(T& expected, T value, Orders... orders) const
    {
        return compare_exchange_strong(expected, value, orders...);
    }
    operator T() const { return load(); }

#define EMU_FETCH(name, changed)                                                                   \
    T name(difference value, order o = strongest) const                                            \
    {                                                                                              \
        return update([&](T old) -> T { return changed; }, o == cuda::memory_order_relaxed);       \
    }
    EMU_FETCH(fetch_add, T(old + value))
    EMU_FETCH(fetch_sub, T(old - value))
    EMU_FETCH(fetch_and, T(old & value))
    EMU_FETCH(fetch_or, T(old | value))
    EMU_FETCH(fetch_xor, T(old ^ value))
    EMU_FETCH(fetch_min, value < old ? T(value) : old)
    EMU_FETCH(fetch_max, old < value ? T(value) : old)
#undef EMU_FETCH
    template <class U> T operator+=(const U& value) const { return T(fetch_add(value) + value); }
    template <class U> T operator-=(const U& value) const { return T(fetch_sub(value) - value); }
    template <class U> T operator&=(const U& value) const { return T(fetch_and(value) & value); }
    template <class U> T operator|=(const U& value) const { return T(fetch_or(value) | value); }
    template <class U> T operator^=(const U& value) const { return T(fetch_xor(value) ^ value); }
    T operator++() const { return T(fetch_add(1) + 1); }
    T operator++(int) const { return fetch_add(1); }
    T operator--() const { return T(fetch_sub(1) - 1); }
    T operator--(int) const { return fetch_sub(1); }

    // Until the value is another one; nobody needs to be woken.
    void wait(T old, order o = strongest) const
    {
        for (T now = load(o); !std::memcmp(&now, &old, sizeof now); now = load(o)) emu_yield();
    }
    void notify_one() const {}
    void notify_all() const {}
    bool is_lock_free() const { return true; }
    static constexpr bool is_always_lock_free = true;
};

}  // namespace emu

namespace cuda {

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public emu::atomic_operations<T, atomic<T, Scope>> {
    alignas(sizeof(T)) mutable T value_;

public:
    atomic() = default; // leaves __shared__ memory as it is
    constexpr atomic(T value) : value_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    T operator=(T value)
    {
        this->store(value);
        return value;
    }
    T* place() const { return const_cast<T*>(&value_); }
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public emu::atomic_operations<T, atomic_ref<T, Scope>> {
    T* at_;

public:
    static constexpr size_t required_alignment = sizeof(T);
    explicit atomic_ref(T& place) : at_(&place) {}
    atomic_ref(const atomic_ref&) = default;
    atomic_ref& operator=(const atomic_ref&) = delete;
    T operator=(T value) const
    {
        this->store(value);
        return value;
    }
    T* place() const { return at_; }
};

namespace std { // not the host's own, whose loops would never let another CUDA thread run
template <class T> using atomic = cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned int>;
using atomic_bool = atomic<bool>;
using cuda::memory_order;
inline void atomic_thread_fence(memory_order) { __threadfence(); }
}  // namespace std

}  // namespace cuda
