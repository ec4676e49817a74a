// cooperative_groups::reduce: all members of a group get the combined value.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cooperative_reduce.h is internal: include <cooperative_groups/reduce.h>"
#endif

namespace cooperative_groups {

template <class T = void> struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T = void> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T = void> struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T = void> struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

// A tree over the ranks, as on the device: each step halves the distance.
template <class Group, class T, class Operation>
inline T reduce(const Group& group, T value, Operation operation, unsigned line = __builtin_LINE())
{
    const unsigned int size = group.size(), rank = group.thread_rank();
    unsigned int step = 1;
    while (step < size) step *= 2;
    for (step /= 2; step != 0; step /= 2) {
        T other = group.shfl_down(value, step, line);
        if (rank + step < size) value = operation(value, other);
    }
    return group.shfl(value, 0, line);
}

}  // namespace cooperative_groups
