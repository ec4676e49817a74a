// Arithmetic on the two halves or four bytes of a 32-bit word: __vadd2, __vmaxs4 and their like.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/simd_in_word.h is internal: include <cuda_runtime.h>"
#endif

namespace emu {

using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;

inline int within(int value, int low, int high) { return value < low ? low : value > high ? high : value; }
inline int distance(int x, int y) { return x < y ? y - x : x - y; }

}  // namespace emu

// name: the function without its 2 or 4; x, y: the parts of the two words, computed with in int; low, high: the
// least and greatest part.  No templates: those that a header asks for are instantiated anew in each build.
#define EMU_PARTS(name, count, part, result)                                                       \
    inline unsigned int name##count(unsigned int a, unsigned int b)                                \
    {                                                                                              \
        constexpr int width = 32 / count;                                                          \
        constexpr bool is_signed = part(-1) < part(0);                                             \
        [[maybe_unused]] constexpr int low = is_signed ? -(1 << (width - 1)) : 0;                  \
        [[maybe_unused]] constexpr int high = (1 << (width - is_signed)) - 1;                      \
        unsigned int word = 0;                                                                     \
        for (int i = 0; i < 32; i += width) {                                                      \
            const int x = part(a >> i), y = part(b >> i);                                          \
            word |= (unsigned(result) & ((1u << width) - 1)) << i;                                 \
        }                                                                                          \
        return word;                                                                               \
    }
#define EMU_SIGNED(name, result) EMU_PARTS(name, 2, short, result) EMU_PARTS(name, 4, emu::schar, result)
#define EMU_UNSIGNED(name, result) EMU_PARTS(name, 2, emu::ushort, result) EMU_PARTS(name, 4, emu::uchar, result)

EMU_SIGNED(__vadd, x + y)
EMU_SIGNED(__vsub, x - y)
EMU_SIGNED(__vaddss, emu::within(x + y, low, high))
EMU_SIGNED(__vsubss, emu::within(x - y, low, high))
EMU_UNSIGNED(__vaddus, emu::within(x + y, low, high))
EMU_UNSIGNED(__vsubus, emu::within(x - y, low, high))
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
