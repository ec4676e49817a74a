// thrust: vectors and algorithms on device and host memory.
#include "claims.cuh"
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/zip_function.h>

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};

struct Product {
    template <class Tuple> __host__ __device__ int operator()(const Tuple& t) const { return thrust::get<0>(t) * thrust::get<1>(t); }
};
struct AddInto { // through the references of a zip
    template <class Tuple> __host__ __device__ void operator()(Tuple t) const { thrust::get<1>(t) += thrust::get<0>(t); }
};
struct Difference {
    __host__ __device__ int operator()(int a, int b) const { return a - b; }
};
struct FirstIsLarge {
    __host__ __device__ bool operator()(const thrust::tuple<int, int>& t) const { return thrust::get<0>(t) > 2; }
};
struct BySecond {
    __host__ __device__ bool operator()(const thrust::tuple<int, int>& a, const thrust::tuple<int, int>& b) const
    {
        return thrust::get<1>(a) < thrust::get<1>(b);
    }
};

__global__ void hold(float* claims, const int* truths, int count)
{
    int next = 0;
    for (int i = 0; i < count; i++) claim(claims, next, truths[i] == 1);  // claim(claims
}

extern "C" void solve(float* out)
{
    thrust::host_vector<int> truths;
    const auto that = [&](bool holds) { truths.push_back(holds); };

    thrust::device_vector<int> v(100);
    thrust::sequence(v.begin(), v.end());
    that(thrust::reduce(v.begin(), v.end()) == 4950);
    that(thrust::reduce(v.begin(), v.end(), 0, thrust::maximum<int>()) == 99);
    that(v[7] == 7 && v.size() == 100);
    v[7] = 700;
    that(thrust::max_element(v.begin(), v.end()) - v.begin() == 7);
    thrust::sort(v.begin(), v.end(), thrust::greater<int>());
    thrust::host_vector<int> h = v;
    that(h[0] == 700 && h[1] == 99 && h[99] == 0);
    int* raw = thrust::raw_pointer_cast(v.data());
    thrust::sort(thrust::device, raw, raw + 100);
    that(v[0] == 0 && v[99] == 700);
    thrust::device_ptr<int> p = thrust::device_pointer_cast(raw);
    thrust::inclusive_scan(p, p + 4, p);
    that(p[0] == 0 && p[1] == 1 && p[2] == 3 && p[3] == 6);
    thrust::exclusive_scan(thrust::device, raw, raw + 4, raw, 10);
    that(p[0] == 10 && p[1] == 10 && p[2] == 11 && p[3] == 14);
    thrust::transform(v.begin(), v.begin() + 3, v.begin() + 50, Square());
    that(v[50] == 100 && v[52] == 121);
    thrust::transform(v.begin(), v.begin() + 3, v.begin() + 50, v.begin(), thrust::plus<int>());
    that(v[0] == 110 && v[2] == 132);
    that(thrust::transform_reduce(thrust::counting_iterator<int>(1), thrust::counting_iterator<int>(4), Square(), 0, thrust::plus<int>()) == 14);
    that(thrust::count_if(thrust::device, raw + 60, raw + 70, IsOdd()) == 5);
    that(thrust::inner_product(v.begin() + 60, v.begin() + 62, v.begin() + 60, 0) > 0);
    thrust::device_vector<int> keys(6), values(6);
    const int k[] = {3, 1, 3, 2, 1, 3}, x[] = {10, 20, 30, 40, 50, 60};
    thrust::copy(k, k + 6, keys.begin());
    thrust::copy(x, x + 6, values.begin());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
    that(values[0] == 20 && values[1] == 50 && values[2] == 40 && values[3] == 10 && values[5] == 60);
    thrust::device_vector<int> groups(6), sums(6);
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), groups.begin(), sums.begin());
    that(ends.first - groups.begin() == 3 && sums[0] == 70 && sums[2] == 100);
    auto last = thrust::unique(keys.begin(), keys.end());
    that(last - keys.begin() == 3 && keys[2] == 3);
    thrust::fill(keys.begin(), keys.end(), 9);
    int back[2];
    thrust::copy(keys.begin(), keys.begin() + 2, back);
    that(back[1] == 9);
    auto squares = thrust::make_transform_iterator(keys.begin(), Square());
    that(thrust::reduce(squares, squares + 2) == 162);
    int on_host[] = {3, 1, 2};
    thrust::sort(thrust::host, on_host, on_host + 3);
    that(on_host[0] == 1 && on_host[2] == 3);


    const int c[] = {5, 2, 9, 1}, d[] = {40, 10, 30, 20};
    thrust::device_vector<int> left(c, c + 4), right(d, d + 4), made(4);
    auto zip = thrust::make_zip_iterator(thrust::make_tuple(left.begin(), right.begin()));
    that(thrust::transform_reduce(zip, zip + 4, Product(), 0, thrust::plus<int>()) == 200 + 20 + 270 + 20);
    thrust::transform(zip, zip + 4, made.begin(), thrust::make_zip_function(Difference()));
    that(made[0] == -35 && made[3] == -19);
    that(thrust::count_if(zip, zip + 4, FirstIsLarge()) == 2);
    thrust::sort(zip, zip + 4, BySecond());
    that(right[0] == 10 && right[3] == 40 && left[0] == 2 && left[1] == 1 && left[3] == 5);
    thrust::for_each(thrust::device, zip, zip + 4, AddInto());
    that(right[0] == 12 && right[1] == 21);
    auto kept = thrust::remove_if(zip, zip + 4, FirstIsLarge());
    that(kept - zip == 2 && left[0] == 2 && left[1] == 1 && right[1] == 21);
    int* raw_left = thrust::raw_pointer_cast(left.data());
    auto numbered = thrust::make_zip_iterator(thrust::make_counting_iterator(0), raw_left);
    that(thrust::transform_reduce(thrust::device, numbered, numbered + 2, Product(), 0, thrust::maximum<int>()) == 1);

    thrust::device_vector<int> told = truths;
    hold<<<1, 32>>>(out, thrust::raw_pointer_cast(told.data()), int(told.size()));
    cudaDeviceSynchronize();
}
