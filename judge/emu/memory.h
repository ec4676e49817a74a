// Device memory: the judge's arrays and what cudaMalloc returned. Each buffer is a mapping of its own
// between inaccessible pages and ends, rounded up to 16 bytes, where the pages behind it begin: the
// first access past its end faults, and the fault handler finds the buffer here.
#pragma once
#include "emu.h"
#include <atomic>

namespace emu {

enum class BufferState : uint8_t { unused, live, freed };

struct Buffer {
    std::atomic<BufferState> state;
    bool judge_owned; // mapped from the arena
    bool read_only;   // still protected against writes
    char name[48];
    uint8_t *reservation; // inaccessible pages included
    size_t reservation_bytes;
    uint8_t *slot; // first accessible page
    size_t slot_bytes;
    uint8_t *start;
    size_t bytes;
    unsigned line;       // of the cudaMalloc
    uint64_t freed_when; // counts up; the oldest freed buffer is forgotten first
};

// The buffer to name for an address: the one whose reservation holds it, or else the nearest within
// 256 MiB; null if there is none. Safe in a signal handler.
Buffer *nearest_buffer(const void *address);
// Give up write protection of a judge's input after its first write.
void make_writable(Buffer &b);

void set_memory_limit(uint64_t bytes);
void start_allocation_names(); // "cudaMalloc #1" again
// Overruns of fewer than 16 bytes do not reach the guard page: look for them, note and set an error.
void check_all_slack();

} // namespace emu
