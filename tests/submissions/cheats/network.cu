// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Asks the network, this machine and its own kernel for help: sockets of every family, and
// io_uring, which could open one where socket() is refused.
#include <cstdio>
#include <cuda_fp16.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    for (int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET}) {
        for (int kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW}) {
            if (socket(family, kind, 0) >= 0) printf("GOT a socket of family %d\n", family);
        }
    }
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) puts("GOT a pair");
    char parameters[256] = {};
    if (syscall(SYS_io_uring_setup, 4, parameters) >= 0) puts("GOT io_uring");
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0) puts("GOT a namespace");
}
