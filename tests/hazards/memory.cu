// Memory: kinds of it, copies, atomics.
#include "hazard.cuh"
#include <cuda_fp16.h>

__constant__ unsigned table[4] = {1, 2, 3, 4};
__device__ unsigned counter = 5;
__device__ float3 triples[4];

__global__ void read_table(unsigned* out) { out[threadIdx.x] = table[threadIdx.x]; }
__global__ void count_up(unsigned* out) { out[0] = atomicAdd(&counter, 1u); }
__global__ void write(unsigned* out, unsigned value) { out[threadIdx.x] = value + threadIdx.x; }
__global__ void layouts(unsigned* out)
{
    struct Mixed { char c; double d; float3 t; };
    out[0] = sizeof(float3) | alignof(float3) << 8 | sizeof(float4) << 16 | alignof(float4) << 24;
    out[1] = sizeof(Mixed) | sizeof(half2) << 8 | alignof(half2) << 16 | sizeof(double3) << 24;
    out[2] = unsigned((char*)&triples[1] - (char*)&triples[0]);
    float4 v = make_float4(1, 2, 3, 4);
    const float* p = &v.x;
    out[3] = unsigned(p[2]);
}
__global__ void atomics(unsigned* out)
{
    const int i = threadIdx.x;
    atomicMin((int*)out, i - 20);
    atomicMax((int*)out + 1, i - 20);
    atomicMax(out + 2, unsigned(-i));
    atomicInc(out + 3, 4);
    atomicDec(out + 4, 6);
    atomicXor(out + 5, unsigned(i));
    atomicAnd(out + 6, ~(1u << i));
    atomicAdd((float*)out + 7, 0.25f);
    atomicSub(out + 8, 2u);
    unsigned old = out[9], seen;
    do {
        seen = old;
        old = atomicCAS(out + 9, seen, seen + 3);
    } while (old != seen);
    atomicAdd((unsigned long long*)(out + 10), 0x80000000ull);
    atomicAdd((half2*)(out + 12), __floats2half2_rn(1.0f, 0.5f));
    if (atomicExch(out + 13, 9u) == 9u) atomicAdd(out + 14, 1u);
}
__device__ unsigned factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
typedef unsigned (*Function)(unsigned);
__device__ Function chosen = factorial;
__global__ void calls(unsigned* out) { out[0] = factorial(10), out[1] = chosen(6); }

HAZARD(constant_memory_and_copies_to_it)
{
    read_table<<<1, 4>>>(out);
    const unsigned other[2] = {8, 9};
    tell(out, 10, cudaMemcpyToSymbol(table, other, sizeof other, 4));
    read_table<<<1, 4>>>(out + 4);
}
HAZARD(device_variables_keep_their_value)
{
    count_up<<<1, 1>>>(out);
    count_up<<<1, 1>>>(out + 1);
    unsigned value = 0;
    cudaMemcpyFromSymbol(&value, counter, 4);
    tell(out, 2, value);
}
HAZARD(layouts_of_vector_types) { layouts<<<1, 1>>>(out); }
HAZARD(atomic_operations)
{
    tell(out, 6, ~0u);
    atomics<<<1, 32>>>(out);
}
HAZARD(functions_call_themselves_and_by_pointer) { calls<<<1, 1>>>(out); }
HAZARD(memset_sets_bytes) { cudaMemset(out, 0x1ff, 8); }
HAZARD(allocations)
{
    void *none = out, *some = nullptr;
    tell(out, 0, cudaMalloc(&none, 0));
    tell(out, 1, none == nullptr);
    tell(out, 2, cudaFree(nullptr));
    tell(out, 3, cudaMalloc(&some, 100));
    tell(out, 4, unsigned((uintptr_t)some % 16));
    tell(out, 5, cudaFree(some));
    tell(out, 6, cudaMalloc(&some, size_t(1) << 50));
    tell(out, 7, cudaGetLastError());
}
HAZARD(a_copy_waits_for_the_kernel)
{
    unsigned host[2] = {};
    write<<<1, 2>>>(out, 40);
    cudaMemcpy(host, out, 8, cudaMemcpyDeviceToHost);
    tell(out, 4, host[1]);
}
HAZARD(pitched_copies)
{
    unsigned host[6] = {1, 2, 3, 4, 5, 6};
    tell(out, 8, cudaMemcpy2D(out, 12, host, 8, 8, 3, cudaMemcpyHostToDevice));
    tell(out, 9, cudaMemcpy2D(out, 4, host, 8, 8, 1, cudaMemcpyHostToDevice));
    cudaGetLastError();
}
HAZARD(managed_memory)
{
    unsigned* both;
    cudaMallocManaged(&both, 8);
    both[1] = 5;
    write<<<1, 1>>>(both, 30);
    cudaDeviceSynchronize();
    tell(out, 0, both[0] + both[1]);
    cudaFree(both);
}
HAZARD(streams_and_events)
{
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, stream);
    write<<<1, 3, 0, stream>>>(out, 20);
    cudaEventRecord(stop, stream);
    cudaStreamSynchronize(stream);
    float ms = -1;
    tell(out, 4, cudaEventElapsedTime(&ms, start, stop));
    tell(out, 5, ms >= 0);
    tell(out, 6, cudaStreamQuery(stream));
    cudaStreamDestroy(stream);
}
HAZARD(what_the_device_is)
{
    int threads = 0, warp = 0;
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0);
    cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0);
    tell(out, 0, threads);
    tell(out, 1, warp);
    tell(out, 2, cudaSetDevice(7));
    tell(out, 3, cudaGetLastError());
}
