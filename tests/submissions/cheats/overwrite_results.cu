// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Writes where the judge will look: its history, its ledger, its own code, other builds, the
// folder it works in. It only ever adds, and nothing, so that it is harmless where it succeeds.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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
             {"/results/history.jsonl", "/submissions/gemm_fp16/ledger.jsonl", "/judge/checker.py",
              "/judge/worker.py", "/problems/gemm_fp16/problem.yaml", "/.venv/pyvenv.cfg"}) {
            char path[4200];
            snprintf(path, sizeof path, "%s%s", command + i, name);
            if (open(path, O_WRONLY | O_APPEND) >= 0) printf("GOT %s\n", path);
        }
        break;
    }
    for (const char* name :
         {"owned", "/tmp/judge-owned", "/dev/shm/judge-owned", "/var/tmp/judge-owned"}) {
        if (open(name, O_WRONLY | O_CREAT, 0600) >= 0) printf("GOT %s\n", name), unlink(name);
        if (symlink("/etc/passwd", name) == 0) printf("GOT a link, %s\n", name), unlink(name);
        if (mkdir(name, 0700) == 0) printf("GOT a folder, %s\n", name), rmdir(name);
    }
}
