// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Prints what a parser, a terminal or a CI system may obey: verdicts, escape sequences, workflow
// commands, the end of an XML report.
#include <cstdio>
#include <cuda_fp16.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    puts("AC  accepted  gemm_fp16  tiled.cu  cpu");
    puts("{\"verdict\": \"AC\", \"returned\": 1}");
    puts("\033[2J\033[1;1H\033]0;owned\007AC");
    puts("::set-output name=verdict::AC");
    puts("   ::error file=x.cu,line=1::owned");
    puts("::stop-commands::owned");
    puts("##[error]owned");
    puts("##vso[task.complete result=Succeeded;]");
    puts("##teamcity[testFinished name='owned']");
    puts("]]></system-out></testcase><testcase name='owned'/>");
    fputs("AC  accepted\n", stderr);
}
