// Shared memory, static and dynamic, in every place and spelling nvcc takes.
#define TILE 16
  static ::emu::dynamic_shared_array<int > of_file;
__shared__ float in_file[8];
struct Item {
    float value;
    int index;
};

__global__ void statics(float *p) {
    __shared__ float plain[TILE][TILE + 1];
     __shared__ float second;
    __shared__  float third;
    __shared__ volatile float fourth[2];
    volatile __shared__ float fifth[2];
    __shared__ __align__(16) float sixth[4];
    __align__(16) __shared__ float seventh[4];
    __shared__ __align__(16) float eighth[4];
    __shared__ Item items[2], *best;
    plain[0][0] = second = third = fourth[0] = fifth[0] = sixth[0] = seventh[0] = eighth[0] = 0;
    best = items;
    best->value = in_file[0] = 0;
    p[0] = plain[0][0];
}

__global__ void dynamics(float *p) {
      { extern float first[]; } float (&first)[] = *static_cast<float (*)[]>(::emu::dynamic_shared());
      unsigned long long (&second)[] = *static_cast<unsigned long long (*)[]>(::emu::dynamic_shared()), (&third)[][4] = *static_cast<unsigned long long (*)[][4]>(::emu::dynamic_shared());
       unsigned char (&raw)[] = *static_cast<unsigned char (*)[]>(::emu::dynamic_shared());
     volatile  float (&watched)[] = *static_cast<volatile float (*)[]>(::emu::dynamic_shared());
       char (&aligned)[] = *static_cast<char (*)[]>(::emu::dynamic_shared());
    float *middle = first + 4;
    float4 *wide = reinterpret_cast<float4 *>(raw);
    first[0] = second[0] + third[0][1] + watched[0] + aligned[0] + middle[0] + wide[0].x + of_file[0];
    p[0] = first[0] + ((char *)&first == aligned);
}

template <class T> __global__ void typed(T *p) {
      T
        (&of_type)[] = *static_cast<T (*)[]>(::emu::dynamic_shared());
    p[0] = of_type[0];
}

__device__ float again() {
      { extern float first[]; } float (&first)[] = *static_cast<float (*)[]>(::emu::dynamic_shared());
    return first[0];
}

__global__ void uses(float *p) { p[0] = again(); }
