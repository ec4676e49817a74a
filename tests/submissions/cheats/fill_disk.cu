// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Fills what everybody shares, /dev/shm and /tmp, with a file that has no name. At most 8 MB.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    static char junk[1 << 20];
    memset(junk, 1, sizeof junk);
    for (const char* folder : {"/dev/shm", "/tmp", "/var/tmp", "."}) {
        const int file = open(folder, O_TMPFILE | O_RDWR, 0600);
        if (file < 0) continue;
        for (int i = 0; i < 8; ++i) {
            if (write(file, junk, sizeof junk) > 0) printf("GOT a place in %s\n", folder);
        }
        close(file);
    }
    if (syscall(SYS_memfd_create, "junk", 0) >= 0) puts("GOT a memfd");
    if (shmget(IPC_PRIVATE, 4096, 0600) >= 0) puts("GOT a shared segment");
}
