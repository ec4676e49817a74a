// Atomic operations, with the overloads that nvcc has and no others. Memory order is relaxed, as on
// the device; the _block and _system forms are the same operation here.
//
// Each one tells the runtime that the thread may be spinning: a lock's owner must get its turn.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/atomics.h is internal: include <cuda_runtime.h>"
#endif

namespace emu {

template <int bytes> struct bits_of_size;
template <> struct bits_of_size<2> { using type = uint16_t; };
template <> struct bits_of_size<4> { using type = uint32_t; };
template <> struct bits_of_size<8> { using type = uint64_t; };

// *address = change(*address) in one step; returns the old value.
template <class T, class Change>
inline T atomic_update(T* address, Change change)
{
    using Bits = typename bits_of_size<sizeof(T)>::type;
    Bits* word = reinterpret_cast<Bits*>(address);
    Bits old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, bit_cast<Bits>(change(bit_cast<T>(old))), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    spin_hint();
    return bit_cast<T>(old);
}

// Where every waiting loop goes through: a lock is taken by one of these two.
constexpr int lock_attempt = 16;

template <class T>
inline T atomic_exchange(T* address, T value)
{
    using Bits = typename bits_of_size<sizeof(T)>::type;
    spin_hint(lock_attempt);
    return bit_cast<T>(__atomic_exchange_n(reinterpret_cast<Bits*>(address), bit_cast<Bits>(value),
                                           __ATOMIC_SEQ_CST));
}
template <class T>
inline T atomic_compare_and_swap(T* address, T expected, T value)
{
    if (!__atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        spin_hint(lock_attempt);
    return expected;
}

}  // namespace emu

// One operation in its three scopes.
#define EMU_ATOMIC(name, type, body)                                                               \
    inline type name(type* address, type value) { body }                                           \
    inline type name##_block(type* address, type value) { return name(address, value); }           \
    inline type name##_system(type* address, type value) { return name(address, value); }

#define EMU_FETCH(name, type, builtin)                                                             \
    EMU_ATOMIC(name, type, emu::spin_hint(); return builtin(address, value, __ATOMIC_RELAXED);)
#define EMU_UPDATE(name, type, changed)                                                            \
    EMU_ATOMIC(name, type, return emu::atomic_update(address, [=](type old) -> type { return changed; });)

EMU_FETCH(atomicAdd, int, __atomic_fetch_add)
EMU_FETCH(atomicAdd, unsigned int, __atomic_fetch_add)
EMU_FETCH(atomicAdd, unsigned long long, __atomic_fetch_add)
EMU_UPDATE(atomicAdd, float, old + value)
EMU_UPDATE(atomicAdd, double, old + value)
EMU_FETCH(atomicSub, int, __atomic_fetch_sub)
EMU_FETCH(atomicSub, unsigned int, __atomic_fetch_sub)

#define EMU_BITWISE(type)                                                                          \
    EMU_FETCH(atomicAnd, type, __atomic_fetch_and)                                                 \
    EMU_FETCH(atomicOr, type, __atomic_fetch_or)                                                   \
    EMU_FETCH(atomicXor, type, __atomic_fetch_xor)                                                 \
    EMU_UPDATE(atomicMin, type, value < old ? value : old)                                         \
    EMU_UPDATE(atomicMax, type, value > old ? value : old)

EMU_BITWISE(int)
EMU_BITWISE(unsigned int)
EMU_BITWISE(long long)
EMU_BITWISE(unsigned long long)

// Counters that wrap: up from `value` to 0, down from 0 (or from beyond `value`) to `value`.
EMU_UPDATE(atomicInc, unsigned int, old >= value ? 0 : old + 1)
EMU_UPDATE(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)

#define EMU_EXCHANGE(type) EMU_ATOMIC(atomicExch, type, return emu::atomic_exchange(address, value);)
EMU_EXCHANGE(int)
EMU_EXCHANGE(unsigned int)
EMU_EXCHANGE(unsigned long long)
EMU_EXCHANGE(float)

#define EMU_SWAP(type)                                                                             \
    inline type atomicCAS(type* address, type expected, type value)                                \
    {                                                                                              \
        return emu::atomic_compare_and_swap(address, expected, value);                             \
    }                                                                                              \
    inline type atomicCAS_block(type* address, type expected, type value)                          \
    {                                                                                              \
        return emu::atomic_compare_and_swap(address, expected, value);                             \
    }                                                                                              \
    inline type atomicCAS_system(type* address, type expected, type value)                         \
    {                                                                                              \
        return emu::atomic_compare_and_swap(address, expected, value);                             \
    }
EMU_SWAP(int)
EMU_SWAP(unsigned int)
EMU_SWAP(unsigned long long)
EMU_SWAP(unsigned short)

#undef EMU_ATOMIC
#undef EMU_FETCH
#undef EMU_UPDATE
#undef EMU_BITWISE
#undef EMU_EXCHANGE
#undef EMU_SWAP

// The elements of a vector are added one by one: the device does not promise more.
inline float2 atomicAdd(float2* address, float2 value)
{
    float x = atomicAdd(&address->x, value.x);
    float y = atomicAdd(&address->y, value.y);
    return {x, y};
}
inline float4 atomicAdd(float4* address, float4 value)
{
    float x = atomicAdd(&address->x, value.x), y = atomicAdd(&address->y, value.y);
    float z = atomicAdd(&address->z, value.z), w = atomicAdd(&address->w, value.w);
    return {x, y, z, w};
}
