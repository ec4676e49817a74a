// Small kernels, one hazard each, whose answers on a GPU are kept in tests/golden/hazards.json.
//
//     HAZARD(grid_zero) { kernel<<<0, 1>>>(out); }
//
// gets 16 words in device memory, zero at first. What it leaves there, and the error that the runtime then holds
// (the last word), is the answer. With -DMAIN the file is a program that prints all answers as JSON.
#pragma once
#include <cstdint>
#include <cstdio>

constexpr int WORDS = 16, MOST = 32;

struct Hazard {
    const char* name;
    void (*run)(unsigned* out);
};
static Hazard all_hazards[MOST];
static int hazard_count = 0;

struct Registered {
    Registered(const char* name, void (*run)(unsigned*)) { all_hazards[hazard_count++] = {name, run}; }
};

#define HAZARD(name)                                \
    static void name(unsigned* out);                \
    static Registered name##_registered(#name, name); \
    static void name(unsigned* out)

// A number as a word, every bit of it.
__host__ __device__ inline unsigned bits(float x)
{
    unsigned word;
    memcpy(&word, &x, 4);
    return word;
}
template <class T> __host__ __device__ inline unsigned low_bits(T x)
{
    unsigned short word;
    memcpy(&word, &x, 2);
    return word;
}

// One word more from the host.
inline void tell(unsigned* out, int index, unsigned value) { cudaMemcpy(out + index, &value, 4, cudaMemcpyDefault); }

extern "C" void solve(unsigned* out)
{
    for (int i = 0; i < hazard_count; i++) {
        cudaMemset(out + WORDS * i, 0, WORDS * 4);
        all_hazards[i].run(out + WORDS * i);
        const cudaError_t waited = cudaDeviceSynchronize(), error = cudaGetLastError();
        tell(out + WORDS * i, WORDS - 1, error ? error : waited);
    }
}

#ifdef MAIN
int main()
{
    unsigned *out, host[WORDS * MOST];
    cudaMalloc(&out, sizeof host);
    solve(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault);
    printf("{");
    for (int i = 0; i < hazard_count; i++) {
        printf("%s\"%s\": [", i ? ", " : "", all_hazards[i].name);
        for (int j = 0; j < WORDS; j++) printf("%s%u", j ? ", " : "", host[WORDS * i + j]);
        printf("]");
    }
    printf("}\n");
}
#endif
