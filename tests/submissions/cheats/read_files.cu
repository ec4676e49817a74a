// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Reads what lies about: the problem and its answers, recorded runs, other builds, keys, the
// judge's memory. Where it lies is told by the paths of its own process.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <fcntl.h>
#include <unistd.h>

static void try_to_read(const char* path) {
    const int file = open(path, O_RDONLY);
    if (file < 0) return;
    printf("GOT %s\n", path);
    close(file);
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    char command[4096] = "";
    const int file = open("/proc/self/cmdline", O_RDONLY);
    const long length = read(file, command, sizeof command - 1);
    close(file);
    for (long i = 0; i < length; ++i) {
        if (command[i] != '/') continue;
        char* end = strstr(command + i, "/judge/");
        if (end == nullptr) continue;
        *end = 0;
        for (const char* name :
             {"/problems/gemm_fp16/problem.yaml", "/results/history.jsonl", "/README.md",
              "/judge/reference.py", "/submissions/gemm_fp16/wmma.cu", "/build"}) {
            char path[4200];
            snprintf(path, sizeof path, "%s%s", command + i, name);
            try_to_read(path);
        }
        break;
    }
    char path[64];
    for (const char* name : {"mem", "maps", "environ", "fd/0"}) {
        snprintf(path, sizeof path, "/proc/%d/%s", int(getppid()), name);
        try_to_read(path);
    }
    for (const char* name :
         {"/etc/passwd", "/root/.ssh/id_rsa", "/root/.bash_history", "/dev/mem"}) {
        try_to_read(name);
    }
}
