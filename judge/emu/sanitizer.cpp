// The entry points that the compiler's -fsanitize=thread,bounds calls, in place of its own runtime.
//
// Names and meaning: compiler-rt/lib/tsan/rtl/tsan_interface.h and tsan_interface_atomic.h,
// compiler-rt/lib/ubsan/ubsan_handlers.h. Nothing here is linked with libtsan or libubsan.
#if defined(EMU_CHECK) || defined(EMU_LOCKSTEP)
#include "check.h"
#include <string.h>

using namespace emu;

#define HERE __builtin_return_address(0)
// A volatile access behind a fence is a flag: it may order others.
#define FLAG(address, is_write) check_synchronise(address, is_write, !(is_write), false)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void *call) { check_enter(call); }
void __tsan_func_exit() { check_leave(); }
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}

#define ACCESSES(n)                                                                                     \
    void __tsan_read##n(void *a) { check_access(a, n, false, plain_access, HERE); }                    \
    void __tsan_write##n(void *a) { check_access(a, n, true, plain_access, HERE); }                    \
    void __tsan_unaligned_read##n(void *a) { check_access(a, n, false, plain_access, HERE); }          \
    void __tsan_unaligned_write##n(void *a) { check_access(a, n, true, plain_access, HERE); }          \
    void __tsan_read_write##n(void *a) { check_access(a, n, false, plain_access, HERE); check_access(a, n, true, plain_access, HERE); } \
    void __tsan_unaligned_read_write##n(void *a) { check_access(a, n, false, plain_access, HERE); check_access(a, n, true, plain_access, HERE); } \
    void __tsan_volatile_read##n(void *a)                                                               \
    {                                                                                                   \
        check_access(a, n, false, volatile_access, HERE);                                               \
        FLAG(a, false);                                                                                 \
    }                                                                                                   \
    void __tsan_volatile_write##n(void *a)                                                              \
    {                                                                                                   \
        check_access(a, n, true, volatile_access, HERE);                                                \
        FLAG(a, true);                                                                                  \
    }                                                                                                   \
    void __tsan_unaligned_volatile_read##n(void *a) { check_access(a, n, false, volatile_access, HERE); } \
    void __tsan_unaligned_volatile_write##n(void *a) { check_access(a, n, true, volatile_access, HERE); }
ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)

void __tsan_read_range(void *a, unsigned long n) { if (n) check_access(a, n, false, plain_access, HERE); }
void __tsan_write_range(void *a, unsigned long n) { if (n) check_access(a, n, true, plain_access, HERE); }
void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    if (n) check_access(from, n, false, plain_access, HERE), check_access(to, n, true, plain_access, HERE);
    return memcpy(to, from, n);
}
void *__tsan_memmove(void *to, const void *from, size_t n)
{
    if (n) check_access(from, n, false, plain_access, HERE), check_access(to, n, true, plain_access, HERE);
    return memmove(to, from, n);
}
void *__tsan_memset(void *to, int value, size_t n)
{
    if (n) check_access(to, n, true, plain_access, HERE);
    return memset(to, value, n);
}

void __tsan_atomic_thread_fence(int) { check_fence(); }
void __tsan_atomic_signal_fence(int) {}

// The headers make locks of sequentially consistent operations (atomicExch, atomicCAS, and what of
// cuda::atomic is not relaxed), and counters of relaxed ones. A read-modify-write reads too, but with the write that is one access here.
#define LOCK(order) ((order) == __ATOMIC_SEQ_CST)
#define ATOMIC(T, bits, name, argument, call)                                                           \
    T __tsan_atomic##bits##_##name(volatile T *a, T v, int order)                                       \
    {                                                                                                   \
        check_access(const_cast<T *>(a), sizeof(T), true, atomic_access, HERE);                         \
        T old = call(a, v, __ATOMIC_SEQ_CST);                                                           \
        check_synchronise(const_cast<T *>(a), true, true, LOCK(order));                                 \
        return old;                                                                                     \
    }
#define SWAP(T, bits, name)                                                                             \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile T *a, T *expected, T v, int order, int)  \
    {                                                                                                   \
        check_access(const_cast<T *>(a), sizeof(T), true, atomic_access, HERE);                         \
        int done = __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        check_synchronise(const_cast<T *>(a), done, true, LOCK(order));                                 \
        return done;                                                                                    \
    }
#define ATOMICS(T, bits)                                                                                \
    T __tsan_atomic##bits##_load(const volatile T *a, int order)                                         \
    {                                                                                                   \
        check_access(const_cast<T *>(a), sizeof(T), false, atomic_access, HERE);                        \
        check_synchronise(const_cast<T *>(a), false, true, LOCK(order));                                \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                    \
    }                                                                                                   \
    void __tsan_atomic##bits##_store(volatile T *a, T v, int order)                                      \
    {                                                                                                   \
        check_access(const_cast<T *>(a), sizeof(T), true, atomic_access, HERE);                         \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                       \
        check_synchronise(const_cast<T *>(a), true, false, LOCK(order));                                \
    }                                                                                                   \
    ATOMIC(T, bits, exchange, v, __atomic_exchange_n)                                                   \
    ATOMIC(T, bits, fetch_add, v, __atomic_fetch_add)                                                   \
    ATOMIC(T, bits, fetch_sub, v, __atomic_fetch_sub)                                                   \
    ATOMIC(T, bits, fetch_and, v, __atomic_fetch_and)                                                   \
    ATOMIC(T, bits, fetch_or, v, __atomic_fetch_or)                                                     \
    ATOMIC(T, bits, fetch_xor, v, __atomic_fetch_xor)                                                   \
    ATOMIC(T, bits, fetch_nand, v, __atomic_fetch_nand)                                                 \
    SWAP(T, bits, strong) SWAP(T, bits, weak)                                                           \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *a, T expected, T v, int order, int)        \
    {                                                                                                   \
        check_access(const_cast<T *>(a), sizeof(T), true, atomic_access, HERE);                         \
        int done = __atomic_compare_exchange_n(a, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        check_synchronise(const_cast<T *>(a), done, true, LOCK(order));                                 \
        return expected;                                                                                \
    }
ATOMICS(uint8_t, 8) ATOMICS(uint16_t, 16) ATOMICS(uint32_t, 32) ATOMICS(uint64_t, 64)

struct SourceLocation {
    const char *file;
    uint32_t line, column;
};
struct TypeDescriptor {
    uint16_t kind, info;
    char name[1];
};
struct OutOfBounds {
    SourceLocation location;
    TypeDescriptor *array, *index;
};
void __ubsan_handle_out_of_bounds(OutOfBounds *data, unsigned long index)
{
    check_index(HERE, data->array->name, static_cast<long>(static_cast<int>(index)));
}

} // extern "C"
#endif
