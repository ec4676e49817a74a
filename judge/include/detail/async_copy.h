// Copies to shared memory that go on beside the threads: cp.async and what is made of it.
//
// The source is read at once and the copy lands when its thread waits for it: until then the destination
// holds what nothing has written (EMU_UNDEFINED), so that a wait that is missing shows.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/async_copy.h is internal: include <cuda_pipeline.h>"
#endif

namespace emu {

// Elements that are read or written at once, as a GPU does; a place that is not aligned to them faults.
template <int count, class T> struct alignas(count * sizeof(T)) vector_of {
    T at[count];
};

// The word of 4, 8 or 16 bytes that a copy of `bytes` moves: act(word).
template <class Act> inline void with_word(uint32_t bytes, Act act)
{
    if (bytes == 16) act(vector_of<4, uint32_t>{});
    else if (bytes == 8) act(vector_of<2, uint32_t>{});
    else act(uint32_t{});
}

// Start a copy of `bytes` (4, 8 or 16), of which the first `read` come from memory and the others are 0.
inline void start_copy(void* to, const void* from, uint32_t bytes, uint32_t read, unsigned line)
{
    if ((bytes != 4 && bytes != 8 && bytes != 16) || read > bytes) {
        emu_kernel_error(719, "an asynchronous copy moves 4, 8 or 16 bytes, and reads no more than that", line);
        return;
    }
    alignas(16) char data[16] = {};
    with_word(bytes, [&](auto word) {
        using Word = decltype(word);
        if (read == bytes) *reinterpret_cast<Word*>(data) = *static_cast<const Word*>(from);
        else for (uint32_t i = 0; i < read; i++) data[i] = static_cast<const char*>(from)[i];
        emu_fill_undefined(&word, sizeof word);
        *static_cast<Word*>(to) = word;
    });
    emu_async_copy(to, data, bytes);
}

// What a group copies together: each member starts the copies of every size-th word, of the widest that both
// addresses allow; what is left is copied at once. Nothing is committed.
inline void start_copies(unsigned rank, unsigned size, void* to, const void* from, size_t bytes, unsigned line)
{
    const size_t both = size_t(to) | size_t(from);
    const uint32_t word = both % 16 == 0 ? 16 : both % 8 == 0 ? 8 : both % 4 == 0 ? 4 : 1;
    const size_t whole = word == 1 ? 0 : bytes / word * word;
    char* there = static_cast<char*>(to);
    const char* here = static_cast<const char*>(from);
    for (size_t at = size_t(rank) * word; at < whole; at += size_t(size) * word) start_copy(there + at, here + at, word, word, line);
    for (size_t at = whole + rank; at < bytes; at += size) there[at] = here[at];
}

// Let this thread's copies land, but for those of the `groups_left` groups that were closed last.
inline void wait_for_copies(uint32_t groups_left)
{
    while (const emu_async* copy = emu_async_next(groups_left))
        with_word(copy->bytes, [&](auto word) {
            using Word = decltype(word);
            *static_cast<Word*>(copy->to) = *reinterpret_cast<const Word*>(copy->data);
        });
}

}  // namespace emu
