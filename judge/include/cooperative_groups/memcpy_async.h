// cooperative_groups::memcpy_async: a group copies together.
#pragma once
#pragma GCC system_header
#include "../cooperative_groups.h"

#include "../detail/async_copy.h"

namespace cooperative_groups {

template <class Group>
inline void memcpy_async(const Group& group, void* to, const void* from, size_t bytes,
                         unsigned line = __builtin_LINE())
{
    emu::start_copies(unsigned(group.thread_rank()), unsigned(group.size()), to, from, bytes, line);
    emu_async_commit();
}
template <class Group, class T>
inline void memcpy_async(const Group& group, T* to, size_t to_elements, const T* from, size_t from_elements,
                         unsigned line = __builtin_LINE())
{
    memcpy_async(group, static_cast<void*>(to), static_cast<const void*>(from),
                 sizeof(T) * (to_elements < from_elements ? to_elements : from_elements), line);
}

template <unsigned int stages, class Group> inline void wait_prior(const Group& group, unsigned line = __builtin_LINE())
{
    emu::wait_for_copies(stages);
    group.sync(line);
}
template <class Group> inline void wait(const Group& group, unsigned line = __builtin_LINE())
{
    wait_prior<0>(group, line);
}

}  // namespace cooperative_groups
