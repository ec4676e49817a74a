// cooperative_groups::memcpy_async: a group copies together.
#pragma once
#pragma GCC system_header
#include "../cooperative_groups.h"

#include "../detail/async_copy.h"

namespace cooperative_groups {

// Each member starts the copies of every size()-th word, of the widest that both addresses allow; what
// is left is copied at once.
template <class Group>
inline void memcpy_async(const Group& group, void* to, const void* from, size_t bytes,
                         unsigned line = __builtin_LINE())
{
    const size_t both = size_t(to) | size_t(from);
    const uint32_t word = both % 16 == 0 ? 16 : both % 8 == 0 ? 8 : both % 4 == 0 ? 4 : 1;
    const size_t whole = word == 1 ? 0 : bytes / word * word;
    char* there = static_cast<char*>(to);
    const char* here = static_cast<const char*>(from);
    for (size_t at = group.thread_rank() * word; at < whole; at += group.size() * word)
        emu::start_copy(there + at, here + at, word, word, line);
    for (size_t at = whole + group.thread_rank(); at < bytes; at += group.size()) there[at] = here[at];
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
