// What inline PTX becomes on the CPU backend (judge/asm.py translates it): registers are variables of
// any type with the right number of bits, and each instruction is a call of one of these functions.
// Included before a submission that has inline PTX.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/ptx.h is internal: include <cuda_runtime.h>"
#endif
#pragma GCC system_header
#include "../cuda_bf16.h"
#include "async_copy.h"

namespace emu {
namespace ptx {

// ---- registers --------------------------------------------------------------------------------------
// Read a register as T: the same bits, or the low ones, or extended as its own type says.
template <class T, class Register> inline T get(const Register& from)
{
    if constexpr (sizeof(T) == sizeof(Register)) {
        T value;
        __builtin_memcpy(&value, &from, sizeof value);
        return value;
    } else if constexpr (std::is_floating_point_v<T> && std::is_arithmetic_v<Register>) {
        return T(from);  // an immediate
    } else if constexpr (std::is_integral_v<T>) {
        return T(from);
    } else {
        using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
        static_assert(std::is_integral_v<Register> && sizeof(T) == sizeof(Bits), "a register of another size");
        return get<T>(Bits(from));
    }
}

template <class T, class Register> inline void put(Register& to, T value)
{
    if constexpr (sizeof(T) == sizeof(Register)) {
        __builtin_memcpy(&to, &value, sizeof value);
    } else if constexpr (std::is_integral_v<T>) {
        to = Register(value);
    } else {
        using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
        static_assert(std::is_integral_v<Register> && sizeof(T) == sizeof(Bits), "a register of another size");
        to = Register(bit_cast<Bits>(value));
    }
}

// mov.b64 {a, b}, c and back: the low half first.
template <class Whole> using half_of = std::conditional_t<sizeof(Whole) == 8, uint32_t, uint16_t>;
template <class Whole, class From, class Low, class High> inline void unpack(const From& from, Low& low, High& high)
{
    const Whole bits = get<Whole>(from);
    put<half_of<Whole>>(low, half_of<Whole>(bits));
    put<half_of<Whole>>(high, half_of<Whole>(bits >> 8 * sizeof(half_of<Whole>)));
}
template <class Whole, class To, class Low, class High> inline void pack(To& to, const Low& low, const High& high)
{
    using Half = half_of<Whole>;
    put<Whole>(to, Whole(Whole(get<Half>(high)) << 8 * sizeof(Half) | get<Half>(low)));
}

inline uint32_t lane() { return uint32_t(emu_lane()); }
inline uint32_t warp()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
inline uint32_t multiprocessors()
{
    int count = 0;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return uint32_t(count);
}

// ---- arithmetic -------------------------------------------------------------------------------------
inline float magnitude(float a) { return __builtin_fabsf(a); }
inline double magnitude(double a) { return __builtin_fabs(a); }
inline __half magnitude(__half a) { return __habs(a); }
inline __nv_bfloat16 magnitude(__nv_bfloat16 a) { return __habs(a); }
inline __half2 magnitude(__half2 a) { return __habs2(a); }
inline __nv_bfloat162 magnitude(__nv_bfloat162 a) { return __habs2(a); }
template <class T> inline T magnitude(T a) { return a < 0 ? T(-a) : a; }

// A NaN gives way to a number.
inline float minimum(float a, float b) { return ::fminf(a, b); }
inline float maximum(float a, float b) { return ::fmaxf(a, b); }
inline double minimum(double a, double b) { return ::fmin(a, b); }
inline double maximum(double a, double b) { return ::fmax(a, b); }
inline __half minimum(__half a, __half b) { return __hmin(a, b); }
inline __half maximum(__half a, __half b) { return __hmax(a, b); }
inline __nv_bfloat16 minimum(__nv_bfloat16 a, __nv_bfloat16 b) { return __hmin(a, b); }
inline __nv_bfloat16 maximum(__nv_bfloat16 a, __nv_bfloat16 b) { return __hmax(a, b); }
inline __half2 minimum(__half2 a, __half2 b) { return __hmin2(a, b); }
inline __half2 maximum(__half2 a, __half2 b) { return __hmax2(a, b); }
inline __nv_bfloat162 minimum(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmin2(a, b); }
inline __nv_bfloat162 maximum(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmax2(a, b); }
template <class T> inline T minimum(T a, T b) { return b < a ? b : a; }
template <class T> inline T maximum(T a, T b) { return a < b ? b : a; }

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline __half fused(__half a, __half b, __half c) { return __hfma(a, b, c); }
inline __half2 fused(__half2 a, __half2 b, __half2 c) { return __hfma2(a, b, c); }
inline __nv_bfloat16 fused(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __hfma(a, b, c); }
inline __nv_bfloat162 fused(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return __hfma2(a, b, c); }

inline float reciprocal(float a) { return 1.0f / a; }
inline float inverse_root(float a) { return 1.0f / __builtin_sqrtf(a); }

// A shift by the width or more leaves nothing, or the sign.
template <class T> inline T shifted_left(T a, uint32_t by) { return by < 8 * sizeof(T) ? T(a << by) : T(0); }
template <class T> inline T shifted_right(T a, uint32_t by)
{
    constexpr uint32_t most = 8 * sizeof(T) - 1;
    return by <= most ? T(a >> by) : a < 0 ? T(-1) : T(0);
}
template <class T> inline T high(T a, T b)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a product of words");
    if constexpr (sizeof(T) == 4) {
        using Wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
        return T(Wide(a) * b >> 32);
    } else {
        __extension__ typedef std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128> Wide;
        return T(Wide(a) * b >> 64);
    }
}
inline uint32_t reversed(uint32_t a) { return __brev(a); }
inline uint64_t reversed(uint64_t a) { return __brevll(a); }

// Each result bit is the bit of the table that the three bits of a, b and c point at.
inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    for (uint32_t row = 0; row < 8; row++)
        if (table >> row & 1) result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}
// As __byte_perm; a selector's fourth bit spreads the sign of the byte.
inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t selectors)
{
    const uint64_t bytes = uint64_t(b) << 32 | a;
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t selector = selectors >> 4 * i & 15;
        uint32_t byte = uint32_t(bytes >> 8 * (selector & 7)) & 0xFF;
        if (selector & 8) byte = byte & 0x80 ? 0xFF : 0;
        result |= byte << 8 * i;
    }
    return result;
}
inline uint32_t bfe(uint32_t a, uint32_t position, uint32_t length)
{
    position &= 0xFF;
    length &= 0xFF;
    if (position > 31 || length == 0) return 0;
    return a >> position & (length > 31 ? ~0u : (1u << length) - 1);
}
inline int32_t bfe(int32_t a, int32_t position, int32_t length)
{
    const int first = position & 0xFF, count = length & 0xFF;
    if (count == 0) return 0;
    const int last = first + count - 1 < 31 ? first + count - 1 : 31;
    if (first > 31) return a < 0 ? -1 : 0;
    return int32_t(uint32_t(a) << (31 - last)) >> (31 - last + first);
}
inline uint32_t bfi(uint32_t field, uint32_t into, uint32_t position, uint32_t length)
{
    position &= 0xFF;
    length &= 0xFF;
    if (position > 31 || length == 0) return into;
    const uint32_t mask = (length > 31 ? ~0u : (1u << length) - 1) << position;
    return (into & ~mask) | (field << position & mask);
}

// ---- conversions ------------------------------------------------------------------------------------
template <class To, class From> inline To converted(From value)
{
    if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>)
        return saturating_integer<To>(value);
    else if constexpr (std::is_same_v<To, __nv_bfloat16> || std::is_same_v<To, __half>)
        return To(float(value));
    else if constexpr (std::is_same_v<From, __nv_bfloat16> || std::is_same_v<From, __half>)
        return To(float(value));
    else
        return To(value);
}
template <class T> inline T to_whole_rni(T a) { return T(__builtin_rint(double(a))); }
template <class T> inline T to_whole_rzi(T a) { return T(__builtin_trunc(double(a))); }
template <class T> inline T to_whole_rmi(T a) { return T(__builtin_floor(double(a))); }
template <class T> inline T to_whole_rpi(T a) { return T(__builtin_ceil(double(a))); }

// TF32: 10 fraction bits, a tie away from zero.
struct tf32 {};
inline float to_tf32(float value)
{
    const uint32_t bits = bit_cast<uint32_t>(value);
    return value - value == 0 ? bit_cast<float>((bits + 0x1000) & ~0x1FFFu) : value;
}
template <class Pair> inline Pair packed(float low, float high);
template <> inline __half2 packed<__half2>(float low, float high) { return __floats2half2_rn(low, high); }
template <> inline __nv_bfloat162 packed<__nv_bfloat162>(float low, float high)
{
    return __floats2bfloat162_rn(low, high);
}

// ---- memory -----------------------------------------------------------------------------------------
// An address of shared memory has 32 bits: the low ones of where it lies here.
inline uint64_t to_shared(uint64_t generic) { return uint32_t(generic); }
inline uint64_t from_shared(uint64_t address) { return uint64_t(emu_shared_pointer(address)); }

template <class T, bool shared, class Register> inline T* location(const Register& base, long long offset)
{
    const uint64_t address = get<uint64_t>(base) + uint64_t(offset);
    return shared ? static_cast<T*>(emu_shared_pointer(address)) : reinterpret_cast<T*>(address);
}

template <class T, class... Register> inline void load(const T* from, Register&... to)
{
    const auto value = *reinterpret_cast<const vector_of<sizeof...(Register), T>*>(from);
    int i = 0;
    (put<T>(to, value.at[i++]), ...);
}
template <class T, class... Register> inline void store(T* to, const Register&... from)
{
    *reinterpret_cast<vector_of<sizeof...(Register), T>*>(to) = {{get<T>(from)...}};
}
// Others may write it at any time: a loop that reads it may be waiting.
template <class T, class... Register> inline void load_volatile(const T* from, Register&... to)
{
    spin_hint();
    int i = 0;
    (put<T>(to, T(static_cast<const volatile T*>(from)[i++])), ...);
}
template <class T, class... Register> inline void store_volatile(T* to, const Register&... from)
{
    int i = 0;
    ((static_cast<volatile T*>(to)[i++] = get<T>(from)), ...);
}

// CUDA's atomics know other names for the 64-bit integers.
template <class T> inline T* atomic_place(T* place) { return place; }
inline unsigned long long* atomic_place(uint64_t* place) { return reinterpret_cast<unsigned long long*>(place); }
inline long long* atomic_place(int64_t* place) { return reinterpret_cast<long long*>(place); }
template <class T> inline T atomic_value(T value) { return value; }
inline unsigned long long atomic_value(uint64_t value) { return value; }
inline long long atomic_value(int64_t value) { return value; }

// ---- shuffles: `clamp` holds the width in bits 8 to 12 ------------------------------------------------------
inline int width_of(uint32_t clamp) { return int(32 - (clamp >> 8 & 31)); }
inline uint32_t shuffle_idx(unsigned line, uint32_t value, uint32_t from, uint32_t clamp, uint32_t mask)
{
    return __shfl_sync(mask, value, int(from), width_of(clamp), line);
}
inline uint32_t shuffle_up(unsigned line, uint32_t value, uint32_t delta, uint32_t clamp, uint32_t mask)
{
    return __shfl_up_sync(mask, value, delta, width_of(clamp), line);
}
inline uint32_t shuffle_down(unsigned line, uint32_t value, uint32_t delta, uint32_t clamp, uint32_t mask)
{
    return __shfl_down_sync(mask, value, delta, width_of(clamp), line);
}
inline uint32_t shuffle_xor(unsigned line, uint32_t value, uint32_t bits, uint32_t clamp, uint32_t mask)
{
    return __shfl_xor_sync(mask, value, int(bits), width_of(clamp), line);
}

}  // namespace ptx
}  // namespace emu

#include "ptx_matrix.h"
