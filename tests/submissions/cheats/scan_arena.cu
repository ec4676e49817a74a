// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Maps every descriptor it inherits and looks there for what it was not given: the inputs of
// another call, an answer, anything that is neither its arguments nor the judge's guards.
#include <cstdio>
#include <cuda_fp16.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    size_t others = 0;
    for (int file = 3; file < 256; ++file) {
        struct stat about;
        if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) continue;
        const size_t size = size_t(about.st_size);
        void* all = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
        if (all == MAP_FAILED) continue;
        auto bytes = static_cast<const unsigned char*>(all);
        // Only what has memory: the rest of the file is a hole.
        for (off_t at = lseek(file, 0, SEEK_DATA); at >= 0; at = lseek(file, at, SEEK_DATA)) {
            const off_t end = lseek(file, at, SEEK_HOLE);
            for (off_t i = at; i < end; ++i) {
                others += bytes[i] != 0xCB && bytes[i] != 0xFF && bytes[i] != 0;
            }
            at = end;
        }
        munmap(all, size);
    }
    const size_t mine = 2 * (size_t(M) * K + size_t(K) * N + size_t(M) * N);
    if (others > mine) printf("GOT %zu bytes, expected at most %zu\n", others, mine);
}
