// Shared memory, static and dynamic, in every place and spelling nvcc takes.
#define TILE 16
extern __shared__ int of_file[];
__shared__ float in_file[8];
struct Item {
    float value;
    int index;
};

__global__ void statics(float *p) {
    __shared__ float plain[TILE][TILE + 1];
    static __shared__ float second;
    __shared__ static float third;
    __shared__ volatile float fourth[2];
    volatile __shared__ float fifth[2];
    __shared__ __align__(16) float sixth[4];
    __align__(16) __shared__ float seventh[4];
    __shared__ alignas(16) float eighth[4];
    __shared__ Item items[2], *best;
    plain[0][0] = second = third = fourth[0] = fifth[0] = sixth[0] = seventh[0] = eighth[0] = 0;
    best = items;
    best->value = in_file[0] = 0;
    p[0] = plain[0][0];
}

__global__ void dynamics(float *p) {
    extern __shared__ float first[];
    extern __shared__ unsigned long long second[], third[][4];
    extern __shared__ __align__(16) unsigned char raw[];
    extern volatile __shared__ float watched[];
    __align__(16) extern __shared__ char aligned[];
    float *middle = first + 4;
    float4 *wide = reinterpret_cast<float4 *>(raw);
    first[0] = second[0] + third[0][1] + watched[0] + aligned[0] + middle[0] + wide[0].x + of_file[0];
    p[0] = first[0] + ((char *)&first == aligned);
}

template <class T> __global__ void typed(T *p) {
    extern __shared__ T
        of_type[];
    p[0] = of_type[0];
}

__device__ float again() {
    extern __shared__ float first[];
    return first[0];
}

__global__ void uses(float *p) { p[0] = again(); }
