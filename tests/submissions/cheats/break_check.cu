// problem: gemm_fp16
// expect-not: AC
// Takes the ground from under the check: resets the device, frees the judge's buffers, unmaps
// them.
#include <cuda_fp16.h>
#include <sys/mman.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    cudaFree(const_cast<half*>(A));
    cudaFree(C);
    cudaDeviceReset();
    const unsigned long page = (unsigned long)C & ~4095ul;
    munmap(reinterpret_cast<void*>(page), size_t(1) << 20);
    cudaGetLastError();
}
