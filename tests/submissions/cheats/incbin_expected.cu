// problem: gemm_fp16
// expect: CE compile
// Takes a file of the judge into its own code when it is compiled, by the assembler.
#include <cuda_fp16.h>

// In two halves: what looks like `asm` would be taken for PTX.
#define JOIN(a, b) a##b
JOIN(as, m)(".section .rodata\n"
            ".global taken\n"
            "taken: .incbin \"/etc/passwd\"\n"
            ".byte 0\n"
            ".previous\n");
extern "C" const char taken[];

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    __builtin_printf("GOT %.20s\n", taken);
}
