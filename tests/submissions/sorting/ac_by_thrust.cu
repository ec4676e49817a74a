// expect: AC accepted
// The library sorts.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

extern "C" void solve(float* data, int N) {
    thrust::sort(thrust::device, data, data + N);
}
