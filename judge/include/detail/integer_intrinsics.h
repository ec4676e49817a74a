// Integer intrinsics: bit counts, high products, byte permutation, dot products of bytes.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/integer_intrinsics.h is internal: include <cuda_runtime.h>"
#endif

// Bit counting. A zero argument is defined on the device: clz gives the width, ffs gives 0.
inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned int __brev(unsigned int x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}

// The position of the offset-th set bit of mask, counted from bit `base` upwards (offset > 0) or
// downwards (offset < 0); offset 0 asks whether bit `base` itself is set; ~0 if there is none.
inline unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    if (base > 31) return ~0u;
    if (offset == 0) return (mask >> base & 1) ? base : ~0u;
    int step = offset > 0 ? 1 : -1;
    int wanted = offset > 0 ? offset : -offset;
    for (int bit = int(base); bit >= 0 && bit < 32; bit += step)
        if ((mask >> bit & 1) && --wanted == 0) return (unsigned int)bit;
    return ~0u;
}

// Products.
inline int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
inline unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((unsigned long long)x * y >> 32);
}
__extension__ inline long long __mul64hi(long long x, long long y)
{
    return (long long)((__int128)x * y >> 64);
}
__extension__ inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
inline int mulhi(int x, int y) { return __mulhi(x, y); }
inline unsigned int umulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
inline long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
inline unsigned long long umul64hi(unsigned long long x, unsigned long long y)
{
    return __umul64hi(x, y);
}

// The low 32 bits of the product of the low 24 bits, sign-extended or not.
inline int __mul24(int x, int y)
{
    int x24 = int((unsigned int)x << 8) >> 8, y24 = int((unsigned int)y << 8) >> 8;
    return int((unsigned int)x24 * (unsigned int)y24);
}
inline unsigned int __umul24(unsigned int x, unsigned int y)
{
    return (x & 0xFFFFFFu) * (y & 0xFFFFFFu);
}
inline int mul24(int x, int y) { return __mul24(x, y); }
inline unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }

// Averages without overflow, and sums of absolute differences.
inline int __hadd(int x, int y) { return int(((long long)x + y) >> 1); }
inline int __rhadd(int x, int y) { return int(((long long)x + y + 1) >> 1); }
inline unsigned int __uhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
inline unsigned int __sad(int x, int y, unsigned int z)
{
    return z + (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x);
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return z + (x > y ? x - y : y - x);
}

// Four bytes picked from the eight of {y, x} by the low three bits of each selector nibble. (The
// instruction's fourth bit, which spreads the sign, is not offered by this function.)
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned int nibble = selector >> 4 * i & 7;
        result |= ((unsigned int)(bytes >> 8 * nibble) & 0xFF) << 8 * i;
    }
    return result;
}

// Shifts of the 64 bits {high, low}: by shift modulo 32, or clamped to 32 (the _lc and _rc forms).
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    shift &= 31;
    return (unsigned int)(((unsigned long long)high << 32 | low) << shift >> 32);
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    shift &= 31;
    return (unsigned int)(((unsigned long long)high << 32 | low) >> shift);
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

namespace emu {

// Sum of products of `count` bytes of b, from byte `first`, with the elements of a.
template <class Element, class Byte, class Word>
inline Word dot_product(Word a, Word b, Word sum, int count, int first)
{
    for (int i = 0; i < count; i++) {
        Word x = Word(Element((unsigned int)a >> 8 * int(sizeof(Element)) * i));
        Word y = Word(Byte((unsigned int)b >> 8 * (first + i)));
        sum = Word((unsigned int)sum + (unsigned int)x * (unsigned int)y);
    }
    return sum;
}

}  // namespace emu

// dp4a: four bytes by four bytes. dp2a: two 16-bit values by the low or the high two bytes.
inline int __dp4a(int a, int b, int c)
{
    return emu::dot_product<signed char, signed char>(a, b, c, 4, 0);
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    return emu::dot_product<unsigned char, unsigned char>(a, b, c, 4, 0);
}
inline int __dp2a_lo(int a, int b, int c)
{
    return emu::dot_product<short, signed char>(a, b, c, 2, 0);
}
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c)
{
    return emu::dot_product<unsigned short, unsigned char>(a, b, c, 2, 0);
}
inline int __dp2a_hi(int a, int b, int c)
{
    return emu::dot_product<short, signed char>(a, b, c, 2, 2);
}
inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c)
{
    return emu::dot_product<unsigned short, unsigned char>(a, b, c, 2, 2);
}
inline int __dp4a(char4 a, char4 b, int c)
{
    return __dp4a(emu::bit_cast<int>(a), emu::bit_cast<int>(b), c);
}
inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
    return __dp4a(emu::bit_cast<unsigned int>(a), emu::bit_cast<unsigned int>(b), c);
}
inline int __dp2a_lo(short2 a, char4 b, int c)
{
    return __dp2a_lo(emu::bit_cast<int>(a), emu::bit_cast<int>(b), c);
}
inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c)
{
    return __dp2a_lo(emu::bit_cast<unsigned int>(a), emu::bit_cast<unsigned int>(b), c);
}
inline int __dp2a_hi(short2 a, char4 b, int c)
{
    return __dp2a_hi(emu::bit_cast<int>(a), emu::bit_cast<int>(b), c);
}
inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c)
{
    return __dp2a_hi(emu::bit_cast<unsigned int>(a), emu::bit_cast<unsigned int>(b), c);
}
