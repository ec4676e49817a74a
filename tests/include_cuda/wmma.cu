// C = A B + C by one warp a shape: half and bfloat16, all layouts, float and half accumulators.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Sum>
__global__ void multiply(const float* a, const float* b, const float* c, float* out, wmma::layout_t layout)
{
    __shared__ T sa[m * k], sb[k * n];
    __shared__ Sum sc[m * n];
    const bool a_rows = std::is_same<LayoutA, wmma::row_major>::value;
    const bool b_rows = std::is_same<LayoutB, wmma::row_major>::value;
    for (int e = threadIdx.x; e < m * k; e += 32) sa[a_rows ? e : e % k * m + e / k] = T(a[e]);
    for (int e = threadIdx.x; e < k * n; e += 32) sb[b_rows ? e : e % n * k + e / n] = T(b[e]);
    const bool c_rows = layout == wmma::mem_row_major;
    for (int e = threadIdx.x; e < m * n; e += 32) sc[c_rows ? e : e % n * m + e / n] = Sum(c[e]);

    wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, Sum> fc, zero;
    wmma::fill_fragment(zero, 0.0f);
    wmma::load_matrix_sync(fa, sa, a_rows ? k : m);
    wmma::load_matrix_sync(fb, sb, b_rows ? n : k);
    wmma::load_matrix_sync(fc, sc, c_rows ? n : m, layout);
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] + zero.x[i];
    for (int i = 0; i < fa.num_elements; i++) fa.x[i] = fa.x[i] * T(2.0f);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(sc, fc, c_rows ? n : m, layout);
    for (int e = threadIdx.x; e < m * n; e += 32) out[e] = float(sc[c_rows ? e : e % n * m + e / n]);
}

extern "C" void solve(const float* a, const float* b, const float* c, float* out)
{
    using wmma::col_major;
    using wmma::row_major;
    // Each product of 16 x 16, 32 x 8 or 8 x 32 outputs fills 256 floats of out.
    multiply<16, 16, 16, __half, row_major, row_major, float><<<1, 32>>>(a, b, c, out, wmma::mem_row_major);
    multiply<16, 16, 16, __half, col_major, row_major, float><<<1, 32>>>(a, b, c, out + 256, wmma::mem_col_major);
    multiply<16, 16, 16, __half, row_major, col_major, __half><<<1, 32>>>(a, b, c, out + 512, wmma::mem_row_major);
    multiply<32, 8, 16, __half, col_major, col_major, float><<<1, 32>>>(a, b, c, out + 768, wmma::mem_row_major);
    multiply<8, 32, 16, __half, row_major, row_major, __half><<<1, 32>>>(a, b, c, out + 1024, wmma::mem_col_major);
    multiply<16, 16, 16, __nv_bfloat16, row_major, col_major, float>
        <<<1, 32>>>(a, b, c, out + 1280, wmma::mem_row_major);
    cudaDeviceSynchronize();
}
