// cooperative_groups::inclusive_scan and exclusive_scan, over tiles of a warp and coalesced threads.
#pragma once
#pragma GCC system_header
#include "reduce.h"

namespace cooperative_groups {

// In steps of 1, 2, 4, ... as on the device, so that sums of floats round alike.
template <class Group, class T, class Operation>
inline T inclusive_scan(const Group& group, T value, Operation operation, unsigned line = __builtin_LINE())
{
    const unsigned int rank = group.thread_rank();
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        const T before = group.shfl_up(value, step, line);
        if (rank >= step) value = operation(before, value);
    }
    return value;
}
template <class Group, class T> inline T inclusive_scan(const Group& group, T value, unsigned line = __builtin_LINE())
{
    return inclusive_scan(group, value, plus<T>(), line);
}

// The first member gets T(): 0 for a sum.
template <class Group, class T, class Operation>
inline T exclusive_scan(const Group& group, T value, Operation operation, unsigned line = __builtin_LINE())
{
    const T before = group.shfl_up(inclusive_scan(group, value, operation, line), 1, line);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> inline T exclusive_scan(const Group& group, T value, unsigned line = __builtin_LINE())
{
    return exclusive_scan(group, value, plus<T>(), line);
}

}  // namespace cooperative_groups
