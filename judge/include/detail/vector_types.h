// CUDA's vector types (char1 ... double4) and their make_<type> functions; uint3 and dim3 come with
// the kernel model, whose built-in variables have those types.
// Sizes and alignments are nvcc's: tests/include_cuda/vector_layout.cu holds for both compilers.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/vector_types.h is internal: include <cuda_runtime.h>"
#endif

// One family of four types. A pair is aligned to its size, a quadruple to at most 16 bytes,
// a triple to its element.
#define EMU_VECTOR_FAMILY(name, scalar, align_of_2, align_of_4)                                    \
    struct name##1 { scalar x; };                                                                  \
    struct alignas(align_of_2) name##2 { scalar x, y; };                                           \
    struct name##3 { scalar x, y, z; };                                                            \
    struct alignas(align_of_4) name##4 { scalar x, y, z, w; };                                     \
    inline name##1 make_##name##1(scalar x) { return {x}; }                                        \
    inline name##2 make_##name##2(scalar x, scalar y) { return {x, y}; }                           \
    inline name##3 make_##name##3(scalar x, scalar y, scalar z) { return {x, y, z}; }              \
    inline name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { return {x, y, z, w}; }

EMU_VECTOR_FAMILY(char, signed char, 2, 4)
EMU_VECTOR_FAMILY(uchar, unsigned char, 2, 4)
EMU_VECTOR_FAMILY(short, short, 4, 8)
EMU_VECTOR_FAMILY(ushort, unsigned short, 4, 8)
EMU_VECTOR_FAMILY(int, int, 8, 16)
EMU_VECTOR_FAMILY(long, long, 2 * sizeof(long), 16)
EMU_VECTOR_FAMILY(ulong, unsigned long, 2 * sizeof(long), 16)
EMU_VECTOR_FAMILY(longlong, long long, 16, 16)
EMU_VECTOR_FAMILY(ulonglong, unsigned long long, 16, 16)
EMU_VECTOR_FAMILY(float, float, 8, 16)
EMU_VECTOR_FAMILY(double, double, 16, 16)
#undef EMU_VECTOR_FAMILY

struct uint1 { unsigned int x; };
struct alignas(8) uint2 { unsigned int x, y; };
struct alignas(16) uint4 { unsigned int x, y, z, w; };
inline uint1 make_uint1(unsigned int x) { return {x}; }
inline uint2 make_uint2(unsigned int x, unsigned int y) { return {x, y}; }
inline uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return {x, y, z}; }
inline uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w)
{
    return {x, y, z, w};
}

// CUDA 13 names the alignment of the 32-byte quadruples.
#define EMU_ALIGNED_QUADRUPLE(name, scalar, align)                                                 \
    struct alignas(align) name##_##align##a { scalar x, y, z, w; };                                \
    inline name##_##align##a make_##name##_##align##a(scalar x, scalar y, scalar z, scalar w)      \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }

EMU_ALIGNED_QUADRUPLE(long4, long, 16)
EMU_ALIGNED_QUADRUPLE(long4, long, 32)
EMU_ALIGNED_QUADRUPLE(ulong4, unsigned long, 16)
EMU_ALIGNED_QUADRUPLE(ulong4, unsigned long, 32)
EMU_ALIGNED_QUADRUPLE(longlong4, long long, 16)
EMU_ALIGNED_QUADRUPLE(longlong4, long long, 32)
EMU_ALIGNED_QUADRUPLE(ulonglong4, unsigned long long, 16)
EMU_ALIGNED_QUADRUPLE(ulonglong4, unsigned long long, 32)
EMU_ALIGNED_QUADRUPLE(double4, double, 16)
EMU_ALIGNED_QUADRUPLE(double4, double, 32)
#undef EMU_ALIGNED_QUADRUPLE
