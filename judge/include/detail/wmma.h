// nvcuda::wmma on the CPU: a fragment is spread over the 32 lanes of a warp, and mma_sync gathers it.
//
// Element e of a matrix (row-major order) belongs to lane e / per_lane. The device's own layout is
// unspecified and portable code must not depend on it; like there, the fragments of half and bfloat16
// matrices hold every element twice in m16n16k16, so num_elements and .x[] loops agree.
//
// Products of 16-bit numbers are exact in float. They are summed in float, in order of k, and rounded once
// to the accumulator's type; a tensor core adds in an unspecified order and truncates a little.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/wmma.h is internal: include <mma.h>"
#endif

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };

// TF32: a float of which the multiplication sees 10 fraction bits.
namespace precision {
struct tf32 {};
}
inline float __float_to_tf32(float value)
{
    uint32_t bits = emu::bit_cast<uint32_t>(value);
    if (value - value == 0) bits = (bits + 0x1000) & ~0x1FFFu;
    return emu::bit_cast<float>(bits);
}

}  // namespace wmma
}  // namespace nvcuda

namespace emu {

// The shapes and types of the device, by element type of the factors.
template <class T, int m, int n, int k>
constexpr bool wmma_factor_shape =
    (std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> || std::is_same_v<T, signed char> ||
     std::is_same_v<T, unsigned char>)
        ? k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32))
    : std::is_same_v<T, nvcuda::wmma::precision::tf32> ? m == 16 && n == 16 && k == 8
    : std::is_same_v<T, double>                        ? m == 8 && n == 8 && k == 4
                                                       : false;

template <class T> struct wmma_storage { using type = T; };
template <> struct wmma_storage<nvcuda::wmma::precision::tf32> { using type = float; };

// What products of this factor type are summed in.
template <class T> struct wmma_sum { using type = float; };
template <> struct wmma_sum<signed char> { using type = int; };
template <> struct wmma_sum<unsigned char> { using type = int; };
template <> struct wmma_sum<double> { using type = double; };

template <class Use, int m, int n, int k> struct wmma_extent;
template <int m, int n, int k> struct wmma_extent<nvcuda::wmma::matrix_a, m, n, k> {
    static constexpr int rows = m, columns = k;
};
template <int m, int n, int k> struct wmma_extent<nvcuda::wmma::matrix_b, m, n, k> {
    static constexpr int rows = k, columns = n;
};
template <int m, int n, int k> struct wmma_extent<nvcuda::wmma::accumulator, m, n, k> {
    static constexpr int rows = m, columns = n;
};

}  // namespace emu

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
    static constexpr bool is_accumulator = std::is_same_v<Use, accumulator>;
    static_assert(is_accumulator || emu::wmma_factor_shape<T, m, n, k>,
                  "unsupported: wmma of this shape and type: the CPU backend does not have it; use BACKEND=gpu");
    static constexpr int rows = emu::wmma_extent<Use, m, n, k>::rows;
    static constexpr int columns = emu::wmma_extent<Use, m, n, k>::columns;
    static constexpr int per_lane = rows * columns / 32;
    static constexpr bool held_twice = !is_accumulator && sizeof(T) == 2 && m == 16;

    using element_type = T;
    using storage_element_type = typename emu::wmma_storage<T>::type;
    static constexpr int num_elements = held_twice ? 2 * per_lane : per_lane;
    static constexpr int num_storage_elements = num_elements;
    storage_element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value)
{
    for (auto& element : f.x) element = typename fragment<Use, m, n, k, T, Layout>::storage_element_type(value);
}

}  // namespace wmma
}  // namespace nvcuda

namespace emu {

// Visit this lane's elements: visit(storage index, position in memory).
template <class Fragment, class Visit>
inline void for_each_of_lane(bool by_columns, unsigned leading, Visit visit)
{
    const int lane = emu_lane();
    for (int i = 0; i < Fragment::per_lane; i++) {
        const int element = lane * Fragment::per_lane + i;
        const size_t row = size_t(element / Fragment::columns), column = size_t(element % Fragment::columns);
        visit(i, by_columns ? column * leading + row : row * leading + column);
    }
}

// Fragments of all lanes together as one matrix, and back.
template <class Fragment, class Element>
inline void gather(const Fragment& of_lane, int lane, Element* matrix)
{
    for (int i = 0; i < Fragment::per_lane; i++) matrix[lane * Fragment::per_lane + i] = Element(of_lane.x[i]);
}

template <class D, class A, class B, class C>
struct mma_arguments {
    D* d;
    const A* a;
    const B* b;
    const C* c;

    // Run once for the warp by its last lane.
    static void complete(void** lanes, unsigned arrived)
    {
        if (arrived != 0xFFFFFFFFu) {
            emu_kernel_error(719, "mma_sync needs all 32 lanes of the warp", 0);
            return;
        }
        constexpr int m = A::rows, k = A::columns, n = B::columns;
        using Sum = typename wmma_sum<typename A::element_type>::type;
        Sum a[m * k], b[k * n], c[m * n];
        for (int lane = 0; lane < 32; lane++) {
            auto* mine = static_cast<mma_arguments*>(lanes[lane]);
            gather(*mine->a, lane, a);
            gather(*mine->b, lane, b);
            gather(*mine->c, lane, c);
        }
        if constexpr (std::is_same_v<typename A::element_type, nvcuda::wmma::precision::tf32>) {
            for (Sum& value : a) value = nvcuda::wmma::__float_to_tf32(value);
            for (Sum& value : b) value = nvcuda::wmma::__float_to_tf32(value);
        }
        for (int row = 0; row < m; row++)
            for (int inner = 0; inner < k; inner++)
                for (int column = 0; column < n; column++)
                    c[row * n + column] += a[row * k + inner] * b[inner * n + column];
        for (int lane = 0; lane < 32; lane++) {
            auto* mine = static_cast<mma_arguments*>(lanes[lane]);
            for (int i = 0; i < D::per_lane; i++)
                mine->d->x[i] = typename D::storage_element_type(c[lane * D::per_lane + i]);
        }
    }
};

}  // namespace emu

namespace nvcuda {
namespace wmma {

// Like the device's, load, store and mma wait for the other lanes: memory written by one lane before
// the call is there for all of them.
template <class Use, int m, int n, int k, class T, class Layout>
inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f,
                             const typename emu::wmma_storage<T>::type* pointer, unsigned leading,
                             unsigned line = __builtin_LINE())
{
    using Fragment = fragment<Use, m, n, k, T, Layout>;
    emu_warp_sync(0xFFFFFFFFu, line);
    emu::for_each_of_lane<Fragment>(std::is_same_v<Layout, col_major>, leading, [&](int i, size_t at) {
        f.x[i] = pointer[at];
        if constexpr (Fragment::held_twice) f.x[i + Fragment::per_lane] = pointer[at];
    });
}

template <int m, int n, int k, class T>
inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* pointer, unsigned leading,
                             layout_t layout, unsigned line = __builtin_LINE())
{
    emu_warp_sync(0xFFFFFFFFu, line);
    emu::for_each_of_lane<fragment<accumulator, m, n, k, T>>(
        layout == mem_col_major, leading, [&](int i, size_t at) { f.x[i] = pointer[at]; });
}

template <int m, int n, int k, class T>
inline void store_matrix_sync(T* pointer, const fragment<accumulator, m, n, k, T>& f, unsigned leading,
                              layout_t layout, unsigned line = __builtin_LINE())
{
    emu::for_each_of_lane<fragment<accumulator, m, n, k, T>>(
        layout == mem_col_major, leading, [&](int i, size_t at) { pointer[at] = f.x[i]; });
    emu_warp_sync(0xFFFFFFFFu, line);
}

template <int m, int n, int k, class TD, class TA, class TB, class TC, class LA, class LB>
inline void mma_sync(fragment<accumulator, m, n, k, TD>& d, const fragment<matrix_a, m, n, k, TA, LA>& a,
                     const fragment<matrix_b, m, n, k, TB, LB>& b, const fragment<accumulator, m, n, k, TC>& c,
                     bool = false, unsigned line = __builtin_LINE())
{
    using Arguments = emu::mma_arguments<fragment<accumulator, m, n, k, TD>, fragment<matrix_a, m, n, k, TA, LA>,
                                         fragment<matrix_b, m, n, k, TB, LB>, fragment<accumulator, m, n, k, TC>>;
    Arguments mine{&d, &a, &b, &c};
    emu_warp_collect(0xFFFFFFFFu, &Arguments::complete, &mine, line);
}

}  // namespace wmma
}  // namespace nvcuda
