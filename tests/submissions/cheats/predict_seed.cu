// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Looks for what the inputs were drawn from: in the arguments and environment of its process and
// of the judge's, in the clock and the process ids. With the seed it could prepare every answer at
// leisure.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_fp16.h>
#include <fcntl.h>
#include <unistd.h>

extern char** environ;

static void look_at(const char* text, size_t length) {
    for (const char* word : {"seed=", "--seed", "SEED=", "\"seed\"", "normal,"}) {
        if (memmem(text, length, word, strlen(word)) != nullptr) printf("GOT a %s\n", word);
    }
}

static void look(const char* path) {
    static char content[1 << 16];
    const int file = open(path, O_RDONLY);
    if (file < 0) return;
    const long length = read(file, content, sizeof content);
    if (length > 0) look_at(content, size_t(length));
    close(file);
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)K, (void)alpha, (void)beta;
    char path[64];
    const int ids[] = {int(getpid()), int(getppid()), 1};
    for (int id : ids) {
        for (const char* file : {"cmdline", "environ"}) {
            snprintf(path, sizeof path, "/proc/%d/%s", id, file);
            look(path);
        }
    }
    for (char** entry = environ; *entry != nullptr; ++entry) look_at(*entry, strlen(*entry));
    unsigned long guess = (unsigned long)(time(nullptr)) ^ (unsigned long)(getppid());
    srand(unsigned(guess));
    if (M == rand() % 8192 && N == rand() % 8192) puts("GOT the generator");
}
