// problem: gemm_fp16
// expect: WA unwritten|mismatch
// Computes five elements of the answer and looks for them in all memory of its process: whoever
// keeps the expected values there has them copied into C.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include <unistd.h>

static float value(const half* at) {
    half copy;
    cudaMemcpy(&copy, at, sizeof copy, cudaMemcpyDeviceToHost);
    return __half2float(copy);
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha,
                      float beta) {
    const size_t outputs = size_t(M) * N;
    if (outputs < 8 || N < 8) return;
    half first[4], fifth;
    for (int col = 0; col < 5; ++col) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += value(A + k) * value(B + size_t(k) * N + col);
        (col < 4 ? first[col] : fifth) = __float2half(alpha * sum + beta * value(C + col));
    }
    int channel[2];
    FILE* maps = fopen("/proc/self/maps", "r");
    if (maps == nullptr || pipe(channel) != 0) return;
    char line[512];
    while (fgets(line, sizeof line, maps) != nullptr) {
        unsigned long from, to;
        char rights[8];
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || rights[0] != 'r') continue;
        for (unsigned long page = from; page < to && page - from < (1ul << 24); page += 4096) {
            // write() fails where a read would crash.
            if (write(channel[1], reinterpret_cast<void*>(page), 1) != 1) continue;
            char byte;
            if (read(channel[0], &byte, 1) != 1) continue;
            for (unsigned long at = page; at + sizeof first <= page + 4096; at += 2) {
                auto here = reinterpret_cast<const half*>(at);
                if (here == first || memcmp(here, first, sizeof first) != 0) continue;
                if (at + outputs * sizeof(half) > to) continue;
                if (memcmp(here + 4, &fifth, sizeof fifth) != 0) continue;
                puts("GOT five elements of the answer, side by side");
                cudaMemcpy(C, here, outputs * sizeof(half), cudaMemcpyDefault);
                return;
            }
        }
    }
    fclose(maps);
    close(channel[0]);
    close(channel[1]);
}
