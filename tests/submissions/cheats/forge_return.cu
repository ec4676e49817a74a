// problem: gemm_fp16
// expect-not: AC
// Finds the number of the call, which its return must carry, in the memory of its process, and
// sends the return itself before anything is computed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <unistd.h>

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)alpha, (void)beta;
    FILE* maps = fopen("/proc/self/maps", "r");
    if (maps == nullptr) return;
    char line[512];
    int channel[2];
    if (pipe(channel) != 0) return;
    while (fgets(line, sizeof line, maps) != nullptr) {
        unsigned long from, to;
        char rights[8];
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || rights[1] != 'w') continue;
        for (unsigned long page = from; page < to && page - from < (1ul << 24); page += 4096) {
            if (write(channel[1], reinterpret_cast<void*>(page), 1) != 1) continue;
            char byte;
            if (read(channel[0], &byte, 1) != 1) continue;
            auto found = static_cast<char*>(
                memmem(reinterpret_cast<void*>(page), 4096, "\"call\": ", 8));
            if (found == nullptr) continue;
            const unsigned long number = strtoul(found + 8, nullptr, 10);
            if (number < 1000000) continue;  // of an example in a comment
            for (int file = 3; file < 64; ++file) {
                dprintf(file, "{\"returned\": %lu, \"error\": 0, \"seconds\": 0.001}\n", number);
            }
        }
    }
}
