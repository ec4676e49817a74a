// problem: gemm_fp16
// expect-not: AC
// Forks twice into a session of its own, to go on when the judge has ended it.
#include <cuda_fp16.h>
#include <sys/prctl.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    const pid_t child = fork();
    if (child != 0) return;
    setsid();
    if (fork() != 0) _exit(0);
    prctl(PR_SET_NAME, "judge-daemon");
    sleep(30);
    _exit(0);
}
