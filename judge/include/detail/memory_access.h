// Loads and stores with a cache hint, address-space queries, clocks. The hints change nothing here.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/memory_access.h is internal: include <cuda_runtime.h>"
#endif

#define EMU_LOAD(name) \
    template <class T> inline T name(const T* pointer) { return *pointer; }
EMU_LOAD(__ldg)
EMU_LOAD(__ldcg)
EMU_LOAD(__ldca)
EMU_LOAD(__ldcs)
EMU_LOAD(__ldlu)
EMU_LOAD(__ldcv)
#undef EMU_LOAD

// The value converts to the pointer's type, as an argument of a plain function would.
#define EMU_STORE(name) \
    template <class T> inline void name(T* pointer, std::common_type_t<T> value) { *pointer = value; }
EMU_STORE(__stwb)
EMU_STORE(__stcg)
EMU_STORE(__stcs)
EMU_STORE(__stwt)
#undef EMU_STORE

// Addresses are flat: a pointer is its own address in every space. The promises of alignment and
// the hints to the compiler are dropped, since a wrong promise would be undefined here.
inline size_t __cvta_generic_to_shared(const void* pointer) { return size_t(pointer); }
inline size_t __cvta_generic_to_global(const void* pointer) { return size_t(pointer); }
inline void* __cvta_shared_to_generic(size_t address) { return (void*)address; }
inline void* __cvta_global_to_generic(size_t address) { return (void*)address; }
#define __builtin_assume(condition) ((void)0)
#define __assume(condition) ((void)0)

// Nanoseconds of the host: they grow, and that is all that waiting loops need.
inline long long clock64()
{
    emu::spin_hint(emu::lock_attempt);
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

// Ends the kernel with an error, as the device does.
inline void __trap()
{
    emu_kernel_error(719, "__trap() was called", 0);
    __builtin_trap();
}
inline void __brkpt() {}
inline void __prof_trigger(int) {}
