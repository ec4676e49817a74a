// Arithmetic on the two halves or four bytes of a 32-bit word: __vadd2, __vmaxs4 and their like.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/simd_in_word.h is internal: include <cuda_runtime.h>"
#endif

namespace emu {

// Apply to each part of the word, read as Part and computed in int; the result's low bits are kept.
template <class Part, class Change> inline unsigned int by_parts(unsigned int a, unsigned int b, Change change)
{
    constexpr int width = 8 * int(sizeof(Part)), count = 32 / width;
    constexpr unsigned int mask = (1u << width) - 1;
    unsigned int result = 0;
    for (int i = 0; i < count; i++) {
        const int x = Part(a >> width * i), y = Part(b >> width * i);
        result |= (unsigned(change(x, y)) & mask) << width * i;
    }
    return result;
}
template <class Part> inline int within(int value)
{
    constexpr int low = std::is_signed_v<Part> ? -(1 << (8 * sizeof(Part) - 1)) : 0;
    constexpr int high = int((1u << (8 * sizeof(Part) - std::is_signed_v<Part>)) - 1);
    return value < low ? low : value > high ? high : value;
}
inline int distance(int x, int y) { return x < y ? y - x : x - y; }

}  // namespace emu

// name: the function without its 2 or 4; x, y: the parts of the two words.
#define EMU_PARTS(name, half, byte, result)                                                        \
    inline unsigned int name##2(unsigned int a, unsigned int b)                                    \
    {                                                                                              \
        using Part [[maybe_unused]] = half;                                                        \
        return emu::by_parts<half>(a, b, [](int x, int y) { return result; });                     \
    }                                                                                              \
    inline unsigned int name##4(unsigned int a, unsigned int b)                                    \
    {                                                                                              \
        using Part [[maybe_unused]] = byte;                                                        \
        return emu::by_parts<byte>(a, b, [](int x, int y) { return result; });                     \
    }
#define EMU_SIGNED(name, result) EMU_PARTS(name, short, signed char, result)
#define EMU_UNSIGNED(name, result) EMU_PARTS(name, unsigned short, unsigned char, result)

EMU_SIGNED(__vadd, x + y)
EMU_SIGNED(__vsub, x - y)
EMU_SIGNED(__vaddss, emu::within<Part>(x + y))
EMU_SIGNED(__vsubss, emu::within<Part>(x - y))
EMU_UNSIGNED(__vaddus, emu::within<Part>(x + y))
EMU_UNSIGNED(__vsubus, emu::within<Part>(x - y))
EMU_SIGNED(__vabsdiffs, emu::distance(x, y))
EMU_UNSIGNED(__vabsdiffu, emu::distance(x, y))
EMU_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)  // rounded away from zero
EMU_UNSIGNED(__vavgu, (x + y + 1) >> 1)
EMU_UNSIGNED(__vhaddu, (x + y) >> 1)
EMU_SIGNED(__vmaxs, x < y ? y : x)
EMU_UNSIGNED(__vmaxu, x < y ? y : x)
EMU_SIGNED(__vmins, y < x ? y : x)
EMU_UNSIGNED(__vminu, y < x ? y : x)
// A mask of ones where the comparison holds, or the number 1.
#define EMU_COMPARE(name, operator_)                                                               \
    EMU_SIGNED(__vcmp##name##s, x operator_ y ? -1 : 0)                                            \
    EMU_UNSIGNED(__vcmp##name##u, x operator_ y ? -1 : 0)                                          \
    EMU_SIGNED(__vset##name##s, x operator_ y ? 1 : 0)                                             \
    EMU_UNSIGNED(__vset##name##u, x operator_ y ? 1 : 0)
EMU_COMPARE(ge, >=)
EMU_COMPARE(gt, >)
EMU_COMPARE(le, <=)
EMU_COMPARE(lt, <)
#undef EMU_COMPARE
EMU_SIGNED(__vcmpeq, x == y ? -1 : 0)
EMU_SIGNED(__vcmpne, x != y ? -1 : 0)
EMU_SIGNED(__vseteq, x == y ? 1 : 0)
EMU_SIGNED(__vsetne, x != y ? 1 : 0)
#undef EMU_SIGNED
#undef EMU_UNSIGNED
#undef EMU_PARTS

inline unsigned int __vabs2(unsigned int a) { return __vabsdiffs2(a, 0); }
inline unsigned int __vabs4(unsigned int a) { return __vabsdiffs4(a, 0); }
inline unsigned int __vneg2(unsigned int a) { return __vsub2(0, a); }
inline unsigned int __vneg4(unsigned int a) { return __vsub4(0, a); }
inline unsigned int __vnegss2(unsigned int a) { return __vsubss2(0, a); }
inline unsigned int __vnegss4(unsigned int a) { return __vsubss4(0, a); }
inline unsigned int __vabsss2(unsigned int a) { return __vmaxs2(a, __vnegss2(a)); }
inline unsigned int __vabsss4(unsigned int a) { return __vmaxs4(a, __vnegss4(a)); }

// The sum of the parts' distances.
inline unsigned int __vsadu4(unsigned int a, unsigned int b)
{
    const unsigned int d = __vabsdiffu4(a, b);
    return (d & 0xFF) + (d >> 8 & 0xFF) + (d >> 16 & 0xFF) + (d >> 24);
}
inline unsigned int __vsads4(unsigned int a, unsigned int b)
{
    const unsigned int d = __vabsdiffs4(a, b);
    return (d & 0xFF) + (d >> 8 & 0xFF) + (d >> 16 & 0xFF) + (d >> 24);
}
inline unsigned int __vsadu2(unsigned int a, unsigned int b)
{
    const unsigned int d = __vabsdiffu2(a, b);
    return (d & 0xFFFF) + (d >> 16);
}
inline unsigned int __vsads2(unsigned int a, unsigned int b)
{
    const unsigned int d = __vabsdiffs2(a, b);
    return (d & 0xFFFF) + (d >> 16);
}
