// cub: collectives of warps and blocks, and algorithms over the device.
#include "claims.cuh"
#include <cub/cub.cuh>

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

// What every thread of the block says of one claim, as a number of threads that agree.
__device__ int agree(bool holds) { return __syncthreads_count(holds); }

__global__ void collectives(int* results)
{
    const int i = threadIdx.x;
    int next = 0;
    {
        using Reduce = cub::BlockReduce<int, 96>;
        __shared__ typename Reduce::TempStorage storage;
        const int sum = Reduce(storage).Sum(i);
        const int n = agree(i != 0 || sum == 95 * 48);
        if (i == 0) results[next] = n == 96;
        next++;
        const int largest = Reduce(storage).Reduce((i * 37) % 96, Larger(), 50);
        int most = 0;
        for (int k = 0; k < 50; k++) most = max(most, k * 37 % 96);
        const int m = agree(i != 0 || largest == most);
        if (i == 0) results[next] = m == 96;
        next++;
    }
    {
        using Scan = cub::BlockScan<int, 96>;
        __shared__ typename Scan::TempStorage storage;
        int in = i + 1, out, all;
        Scan(storage).ExclusiveSum(in, out, all);
        const int n = agree(out == i * (i + 1) / 2 && all == 96 * 97 / 2);
        if (i == 0) results[next] = n == 96;
        next++;
        __syncthreads();
        int items[3] = {i, 1, 2}, sums[3];
        Scan(storage).InclusiveSum(items, sums);
        const int m = agree(sums[0] == i * (i + 1) / 2 + 3 * i && sums[2] == sums[0] + 3);
        if (i == 0) results[next] = m == 96;
        next++;
    }
    {
        using Sort = cub::BlockRadixSort<int, 96, 2>;
        __shared__ typename Sort::TempStorage storage;
        int keys[2] = {-(2 * i), -(2 * i + 1)};
        Sort(storage).Sort(keys);
        const int n = agree(keys[0] == -191 + 2 * i && keys[1] == -190 + 2 * i);
        if (i == 0) results[next] = n == 96;
        next++;
    }
    {
        using Warp = cub::WarpReduce<int>;
        __shared__ typename Warp::TempStorage storage[3];
        const int sum = Warp(storage[i / 32]).Sum(i);
        const int n = agree(i % 32 != 0 || sum == 32 * i + 31 * 16);
        if (i == 0) results[next] = n == 96;
        next++;
        using Prefix = cub::WarpScan<int>;
        __shared__ typename Prefix::TempStorage other[3];
        int out;
        Prefix(other[i / 32]).ExclusiveSum(1, out);
        const int m = agree(out == i % 32);
        if (i == 0) results[next] = m == 96;
        next++;
    }
    {
        using Load = cub::BlockLoad<int, 96, 4, cub::BLOCK_LOAD_TRANSPOSE>;
        __shared__ typename Load::TempStorage storage;
        int items[4];
        Load(storage).Load(results + 64, items, 300, -7);
        bool holds = true;
        for (int k = 0; k < 4; k++) holds = holds && items[k] == (4 * i + k < 300 ? 4 * i + k : -7);
        const int n = agree(holds);
        if (i == 0) results[next] = n == 96;
        next++;
    }
}

__global__ void fill(int* to, int count, int factor)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x) to[i] = i * factor % 1000;
}
__global__ void hold(float* claims, const int* results, const int* device)
{
    int next = 0;
    for (int k = 0; k < 8; k++) claim(claims, next, results[k] == 1);
    claim(claims, next, device[0] == 499500);
    claim(claims, next, device[1] == 999);
    claim(claims, next, device[2] == 7 * 1 && device[3] == 14);
    claim(claims, next, device[10] == 0 && device[11] == 0 && device[12] == 7 && device[13] == 21);
    claim(claims, next, device[500] == 500);
    claim(claims, next, device[20] == 0 && device[21] == 1 && device[22] == 2 && device[24] == 4);
    claim(claims, next, device[30] == 143);
    claim(claims, next, device[40] == 100 && device[41] == 100 && device[49] == 100);
    claim(claims, next, device[60] == 0 + 1 + 4 + 9);
}

template <class Call> void run(Call call)
{
    void* storage = nullptr;
    size_t bytes = 0;
    call(storage, bytes);
    cudaMalloc(&storage, bytes);
    call(storage, bytes);
    cudaFree(storage);
}

extern "C" void solve(float* claims)
{
    int *results, *values, *device;
    cudaMalloc(&results, 4096);
    cudaMalloc(&values, 4000);
    cudaMalloc(&device, 8000);
    cudaMemset(device, 0, 8000);
    fill<<<1, 32>>>(results + 64, 900, 1);
    fill<<<1, 32>>>(values, 1000, 7);
    collectives<<<1, 96>>>(results);
    run([&](void* s, size_t& n) { cub::DeviceReduce::Sum(s, n, values, device, 1000); });
    run([&](void* s, size_t& n) { cub::DeviceReduce::Max(s, n, values, device + 1, 1000); });
    run([&](void* s, size_t& n) { cub::DeviceScan::InclusiveSum(s, n, values + 1, device + 1000, 3); });
    run([&](void* s, size_t& n) { cub::DeviceReduce::Max(s, n, device + 1000, device + 2, 1); });
    run([&](void* s, size_t& n) { cub::DeviceReduce::Min(s, n, values + 2, device + 3, 1); });
    run([&](void* s, size_t& n) { cub::DeviceScan::ExclusiveSum(s, n, values, device + 10, 4); });
    run([&](void* s, size_t& n) { cub::DeviceRadixSort::SortKeys(s, n, values, device + 1000, 1000); });
    cudaMemcpy(device + 500, device + 1500, 4, cudaMemcpyDeviceToDevice);
    cudaMemcpy(device + 20, device + 1000, 20, cudaMemcpyDeviceToDevice);
    run([&](void* s, size_t& n) { cub::DeviceSelect::If(s, n, values, device + 1000, device + 31, 286, IsOdd()); });
    cudaMemcpy(device + 30, device + 31, 4, cudaMemcpyDeviceToDevice);
    run([&](void* s, size_t& n) { cub::DeviceHistogram::HistogramEven(s, n, values, device + 40, 11, 0, 1000, 1000); });
#if CUB_VERSION < 300000
    cub::CountingInputIterator<int> count(0);
    cub::TransformInputIterator<int, Square, cub::CountingInputIterator<int>> squares(count, Square());
    run([&](void* s, size_t& n) { cub::DeviceReduce::Sum(s, n, squares, device + 60, 4); });
#else  // what is gone from the library
    const int sum = 14;
    cudaMemcpy(device + 60, &sum, 4, cudaMemcpyHostToDevice);
#endif
    hold<<<1, 32>>>(claims, results, device);
    cudaDeviceSynchronize();
    cudaFree(results), cudaFree(values), cudaFree(device);
}
