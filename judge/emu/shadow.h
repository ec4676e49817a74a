// The shadow memory of a check build: who last wrote and read each piece of device and shared memory.
//
// One clock counts what orders accesses: launches, blocks, barriers, warp operations, locks. Each access
// keeps its time, so "ordered" is one comparison: the earlier access lies before the last event that
// both threads went through. The blocks of a check build run on one OS thread, so nothing here is locked.
#pragma once
#include "scheduler.h"

namespace emu {

enum AccessFlags : uint8_t { plain_access = 0, atomic_access = 1, volatile_access = 2 };

struct Access {
    uint32_t time, block, pc; // linear number of the block; low half of where the call returns to
    uint16_t slot;            // the thread, as Block::slot
    uint8_t flags, size;
};

// Of one granule. Two readers: the second one is the last of another thread than the first.
struct Cell {
    Access write, read, other_read;
};

enum class Space : uint8_t { global, shared, variable, constant };

// A piece of memory with a shadow: a buffer, a __shared__ array, the dynamic shared memory, a variable of
// device memory.
struct Region {
    uint8_t *start;
    size_t bytes;
    Cell *cells;
    size_t cell_bytes;    // mapped
    uint8_t shift;        // a cell stands for 1 << shift bytes: 4, until something smaller is accessed
    Space space;
    bool initialised;     // whatever the cells say
    bool host_may_use;
    bool read_only;       // an input that nothing has written: reads of it race with nothing and are not kept
    uint32_t fresh_since; // what was written before then is gone: the start of the block
    unsigned line;        // of the cudaMalloc
    char name[48];

    size_t count() const { return (bytes + (size_t(1) << shift) - 1) >> shift; }
    bool holds(const void *p, size_t n) const {
        return static_cast<size_t>(static_cast<const uint8_t *>(p) - start) + n <= bytes &&
               static_cast<const uint8_t *>(p) >= start;
    }
};

bool make_cells(Region &r);         // anonymous memory, all zero; false if there is none
void drop_cells(Region &r);
void refine(Region &r, int shift);  // smaller granules, each with what the larger one knew
void mark_written(Region &r, size_t offset, size_t bytes);

} // namespace emu
