// Programs that claim what CUDA does: claims[0] counts the claims made, claims[i] is 1 where claim i holds
// for all lanes of the warp. With -DMAIN they are programs that print it, for a GPU to confirm.
#pragma once

__device__ inline void claim(float* claims, int& next, bool holds)
{
    const bool all = __all_sync(0xffffffffu, holds);
    next++;
    if (threadIdx.x == 0) {
        claims[next] = all ? 1.0f : 0.0f;
        claims[0] = float(next);
    }
}

#ifdef MAIN
#include <cstdio>
extern "C" void solve(float* claims);
int main()
{
    float *claims, host[128] = {};
    cudaMalloc(&claims, sizeof host);
    cudaMemcpy(claims, host, sizeof host, cudaMemcpyDefault);
    solve(claims);
    cudaMemcpy(host, claims, sizeof host, cudaMemcpyDefault);
    for (float one : host) printf("%g ", one);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
#endif
