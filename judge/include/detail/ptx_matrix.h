// ldmatrix, stmatrix and mma.sync: matrices spread over the registers of a warp.
//
// With g = lane / 4, t = lane % 4 and e elements in 32 bits (one where an element has 64): element j of
// register r lies
//     in A at row g + 8 (r % 2) and column e t + j + 4 e (r / 2), if A has 16 rows; of 8 rows all have r % 2 = 0
//     in B at row e t + j + 4 e r and column g
//     in C and D at row g + 8 (i / 2) and column 2 t + i % 2, where i counts elements
// Source: PTX ISA, "Matrix Fragments for mma".
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/ptx_matrix.h is internal: include <cuda_runtime.h>"
#endif

namespace emu {
namespace ptx {

// ---- ldmatrix, stmatrix: 8 x 8 matrices of 16 bits ---------------------------------------------------
// Lane 8 i + r holds the address of row r of matrix i; every lane has two elements of each matrix.
template <int count> struct matrix_rows {
    uint16_t row[8];          // at this lane's address
    uint32_t register_[count];

    template <bool transposed, bool loads> static void complete(void** lanes, unsigned arrived)
    {
        if (arrived != 0xFFFFFFFFu) {
            emu_kernel_error(719, "ldmatrix and stmatrix need all 32 lanes of the warp", 0);
            return;
        }
        const auto of = [&](int lane) { return static_cast<matrix_rows*>(lanes[lane]); };
        for (int lane = 0; lane < 32; lane++)
            for (int i = 0; i < count; i++)
                for (int j = 0; j < 2; j++) {
                    const int row = transposed ? lane % 4 * 2 + j : lane / 4;
                    const int column = transposed ? lane / 4 : lane % 4 * 2 + j;
                    uint16_t& element = of(8 * i + row)->row[column];
                    uint32_t& word = of(lane)->register_[i];
                    if (loads) word = (j ? word : 0) | uint32_t(element) << 16 * j;
                    else element = uint16_t(word >> 16 * j);
                }
    }
};

struct alignas(16) row_of_8 {
    uint16_t at[8];
};

template <bool transposed, class... Register>
inline void ldmatrix(unsigned line, const uint16_t* address, Register&... to)
{
    using Rows = matrix_rows<sizeof...(Register)>;
    Rows mine{};
    emu_warp_sync(0xFFFFFFFFu, line);  // what other lanes stored before is there
    if (lane() < 8 * sizeof...(Register)) {
        const row_of_8 row = *reinterpret_cast<const row_of_8*>(address);
        __builtin_memcpy(mine.row, row.at, sizeof mine.row);
    }
    emu_warp_collect(0xFFFFFFFFu, &Rows::template complete<transposed, true>, &mine, line);
    int i = 0;
    (put<uint32_t>(to, mine.register_[i++]), ...);
}
template <bool transposed, class... Register>
inline void stmatrix(unsigned line, uint16_t* address, const Register&... from)
{
    using Rows = matrix_rows<sizeof...(Register)>;
    Rows mine{{}, {get<uint32_t>(from)...}};
    emu_warp_collect(0xFFFFFFFFu, &Rows::template complete<transposed, false>, &mine, line);
    if (lane() < 8 * sizeof...(Register)) {
        row_of_8 row;
        __builtin_memcpy(row.at, mine.row, sizeof mine.row);
        *reinterpret_cast<row_of_8*>(address) = row;
    }
    emu_warp_sync(0xFFFFFFFFu, line);
}

// ---- mma ----------------------------------------------------------------------------------------------
// Variables by reference, immediates by value.
template <class... Register> inline std::tuple<Register...> registers(Register&&... all) { return {all...}; }

template <class T> struct factor { using stored = T; using sum = float; };
template <> struct factor<tf32> { using stored = float; using sum = float; };
template <> struct factor<int8_t> { using stored = int8_t; using sum = int32_t; };
template <> struct factor<uint8_t> { using stored = uint8_t; using sum = int32_t; };
template <> struct factor<double> { using stored = double; using sum = double; };

// A lane's part of a matrix, by elements.
template <class T, int elements> struct part {
    T at[elements];

    template <class... Register> void read(const std::tuple<Register...>& all)
    {
        static_assert((sizeof(Register) + ...) == elements * sizeof(T), "unsupported: mma with another number of registers");
        char* to = reinterpret_cast<char*>(at);
        std::apply([&](auto&... one) { ((__builtin_memcpy(to, &one, sizeof one), to += sizeof one), ...); }, all);
    }
    template <class... Register> void write(const std::tuple<Register...>& all) const
    {
        static_assert((sizeof(Register) + ...) == elements * sizeof(T), "unsupported: mma with another number of registers");
        const char* from = reinterpret_cast<const char*>(at);
        std::apply([&](auto&... one) { ((__builtin_memcpy(&one, from, sizeof one), from += sizeof one), ...); }, all);
    }
};

template <int m, int n, int k, class D, class A, class B, class C> struct mma_lane {
    using Sum = typename factor<A>::sum;
    using StoredA = typename factor<A>::stored;
    using StoredB = typename factor<B>::stored;
    part<StoredA, m * k / 32> a;
    part<StoredB, k * n / 32> b;
    part<C, m * n / 32> c;
    part<D, m * n / 32> d;

    static Sum value(StoredA x)
    {
        if constexpr (std::is_same_v<A, tf32>) return bit_cast<float>(bit_cast<uint32_t>(x) & ~0x1FFFu);
        else return Sum(x);
    }
    static Sum value_b(StoredB x)
    {
        if constexpr (std::is_same_v<B, tf32>) return bit_cast<float>(bit_cast<uint32_t>(x) & ~0x1FFFu);
        else return Sum(x);
    }

    static void complete(void** lanes, unsigned arrived)
    {
        if (arrived != 0xFFFFFFFFu) {
            emu_kernel_error(719, "mma.sync needs all 32 lanes of the warp", 0);
            return;
        }
        constexpr int e = sizeof(StoredA) >= 4 ? 1 : 4 / int(sizeof(StoredA));
        Sum left[m][k], right[k][n], sum[m][n];
        for (int lane = 0; lane < 32; lane++) {
            const auto& mine = *static_cast<mma_lane*>(lanes[lane]);
            const int g = lane / 4, t = lane % 4;
            for (int i = 0; i < m * k / 32; i++) {
                const int r = i / e, high = m == 16 ? r % 2 : 0, further = m == 16 ? r / 2 : r;
                left[g + 8 * high][e * t + i % e + 4 * e * further] = value(mine.a.at[i]);
            }
            for (int i = 0; i < k * n / 32; i++) right[e * t + i % e + 4 * e * (i / e)][g] = value_b(mine.b.at[i]);
            for (int i = 0; i < m * n / 32; i++) sum[g + 8 * (i / 2)][2 * t + i % 2] = Sum(mine.c.at[i]);
        }
        for (int row = 0; row < m; row++)
            for (int inner = 0; inner < k; inner++)
                for (int column = 0; column < n; column++) {
                    if constexpr (std::is_integral_v<Sum>)
                        sum[row][column] = Sum(uint32_t(sum[row][column]) + uint32_t(left[row][inner] * right[inner][column]));
                    else
                        sum[row][column] += left[row][inner] * right[inner][column];
                }
        for (int lane = 0; lane < 32; lane++) {
            auto& mine = *static_cast<mma_lane*>(lanes[lane]);
            for (int i = 0; i < m * n / 32; i++) mine.d.at[i] = D(sum[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2]);
        }
    }
};

template <int m, int n, int k, class D, class A, class B, class C, class Ds, class As, class Bs, class Cs>
inline void mma(unsigned line, const Ds& d, const As& a, const Bs& b, const Cs& c)
{
    using Lane = mma_lane<m, n, k, D, A, B, C>;
    Lane mine;
    mine.a.read(a);
    mine.b.read(b);
    mine.c.read(c);
    emu_warp_collect(0xFFFFFFFFu, &Lane::complete, &mine, line);
    mine.d.write(d);
}

}  // namespace ptx
}  // namespace emu
