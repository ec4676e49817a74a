// What a launch may ask for, and what happens when it asks for more.
#include "hazard.cuh"

__global__ void mark(unsigned* out) { atomicAdd(out, 1u); }
__global__ void mark_twice(unsigned* out, unsigned by = 2) { atomicAdd(out, by); }
__global__ void uses_dynamic(unsigned* out)
{
    extern __shared__ unsigned words[];
    words[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    atomicAdd(out, words[threadIdx.x ^ 1]);
}
template <int factor> __global__ void scaled(unsigned* out) { out[threadIdx.x] = factor * threadIdx.x; }
template <class T> __global__ void typed(unsigned* out, T value) { out[0] = sizeof value; }
struct Big {
    unsigned words[256];
};
__global__ void by_value(unsigned* out, Big big)
{
    big.words[0] += threadIdx.x;  // its own copy
    atomicAdd(out, big.words[0]);
    atomicAdd(out + 1, big.words[255]);
}
__global__ void where(unsigned* out)
{
    const unsigned linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (linear < 8) out[linear] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
    if (linear == 0) atomicMax(out + 8, blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z);
}

HAZARD(grid_zero) { mark<<<0, 32>>>(out); }
HAZARD(block_zero) { mark<<<1, 0>>>(out); }
HAZARD(block_of_1025) { mark<<<1, 1025>>>(out); }
HAZARD(block_of_1024) { mark<<<1, 1024>>>(out); }
HAZARD(block_of_65_in_z) { mark<<<1, dim3(1, 1, 65)>>>(out); }
HAZARD(grid_of_65536_in_y) { mark<<<dim3(1, 65536), 1>>>(out); }
HAZARD(grid_of_65535_in_y) { mark<<<dim3(1, 65535), 1>>>(out); }
HAZARD(a_failed_launch_leaves_memory_alone)
{
    tell(out, 0, 7);
    mark<<<1, 2000>>>(out);
}
HAZARD(a_failed_launch_is_told_once)
{
    mark<<<1, 2000>>>(out);
    tell(out, 1, cudaPeekAtLastError());
    tell(out, 2, cudaGetLastError());
    tell(out, 3, cudaGetLastError());
    mark<<<1, 1>>>(out);
}
HAZARD(a_good_launch_does_not_clear_an_error)
{
    mark<<<1, 2000>>>(out);
    mark<<<1, 1>>>(out);
}
HAZARD(dynamic_shared_of_49_kb_without_opting_in) { uses_dynamic<<<1, 32, 49 * 1024>>>(out); }
HAZARD(dynamic_shared_of_48_kb) { uses_dynamic<<<1, 32, 48 * 1024>>>(out); }
HAZARD(dynamic_shared_of_100_kb_with_opting_in)
{
    tell(out, 1, cudaFuncSetAttribute(uses_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    uses_dynamic<<<1, 32, 100 * 1024>>>(out);
}
HAZARD(opting_in_to_300_kb)
{
    tell(out, 1, cudaFuncSetAttribute(uses_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 * 1024));
}
HAZARD(a_default_argument_of_a_kernel) { mark_twice<<<2, 3>>>(out); }
HAZARD(a_template_launched_in_brackets) { scaled<3><<<1, 8>>>(out); }
HAZARD(a_type_deduced_from_an_argument)
{
    typed<<<1, 1>>>(out, 1.0);
    typed<<<1, 1>>>(out + 1, 'c');
    typed<<<1, 1>>>(out + 2, 1.0f + 1);
}
HAZARD(a_struct_by_value)
{
    Big big = {};
    big.words[0] = 5;
    big.words[255] = 6;
    by_value<<<1, 4>>>(out, big);
    big.words[0] = 1000;
}
HAZARD(threads_are_numbered_x_first) { where<<<dim3(2, 3, 4), dim3(2, 2, 4)>>>(out); }
HAZARD(kernels_of_one_stream_follow_each_other)
{
    for (int i = 0; i < 20; i++) mark_twice<<<1, 32>>>(out, i % 2 ? 3 : 1);
    scaled<1><<<1, 1>>>(out + 1);
    mark<<<1, 1>>>(out + 1);
}
HAZARD(launched_by_address)
{
    unsigned by = 9;
    void* arguments[] = {&out, &by};
    tell(out, 1, cudaLaunchKernel((const void*)mark_twice, dim3(2), dim3(2), arguments, 0, nullptr));
}
