// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Goes for the judge's memory, its descriptors and its life: /proc, ptrace, process_vm_writev,
// pidfds, signals, limits, priorities.
#include <cstdio>
#include <cuda_fp16.h>
#include <cerrno>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    const pid_t judge = getppid();
    char path[64], byte = 0;
    for (const char* name :
         {"mem", "environ", "cmdline", "fd", "fd/1", "maps", "clear_refs", "oom_score_adj"}) {
        snprintf(path, sizeof path, "/proc/%d/%s", int(judge), name);
        if (open(path, O_RDONLY) >= 0 || open(path, O_WRONLY) >= 0) printf("GOT %s\n", path);
    }
    iovec here = {&byte, 1}, there = {&byte, 1};
    if (process_vm_readv(judge, &here, 1, &there, 1, 0) >= 0) puts("GOT process_vm_readv");
    if (process_vm_writev(judge, &here, 1, &there, 1, 0) >= 0) puts("GOT process_vm_writev");
    // Of a process that it does not trace: refused only where tracing is. Attaching would stop it.
    if (ptrace(PTRACE_PEEKDATA, judge, nullptr, nullptr) != 0 && errno != EPERM) puts("GOT ptrace");
    if (syscall(SYS_pidfd_open, judge, 0) >= 0) puts("GOT a pidfd");
    if (kill(judge, 0) == 0) puts("GOT kill");
    if (kill(-1, SIGCONT) == 0) puts("GOT kill -1");
    if (syscall(SYS_tgkill, judge, judge, SIGCONT) == 0) puts("GOT tgkill");
    rlimit limit;
    if (prlimit(judge, RLIMIT_NOFILE, nullptr, &limit) == 0) puts("GOT prlimit");
    const int priority = getpriority(PRIO_PROCESS, judge);
    if (setpriority(PRIO_PROCESS, judge, priority) == 0) puts("GOT setpriority");
    cpu_set_t processors;
    sched_getaffinity(judge, sizeof processors, &processors);
    if (sched_setaffinity(judge, sizeof processors, &processors) == 0) puts("GOT sched_setaffinity");
}
