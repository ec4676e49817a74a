// problem: gemm_fp16
// expect-not: AC
// Starts processes that start processes. At most 64 in all, so that it does no harm where it
// succeeds.
#include <cuda_fp16.h>
#include <sys/prctl.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    for (int i = 0; i < 6; ++i) {
        if (fork() == 0) prctl(PR_SET_NAME, "judge-bomb");
    }
    char name[16];
    prctl(PR_GET_NAME, name);
    if (name[0] == 'j' && name[6] == 'b') sleep(10), _exit(0);
}
