// The state of one block: which of its threads can run, and what the others wait for.
//
// A thread is named by its slot, warp position * 32 + lane. Warp positions are in schedule order
// (the launch's Order permutes the warps); lanes are the hardware's. Bit masks over lanes and warps
// say who can run, so finding the next thread takes a few instructions whatever the others wait for.
#pragma once
#include "context.h"
#include "device.h"
#include "emu.h"

namespace emu {

// Unsigned: a slot is never negative, and the compiler need not round towards zero.
inline int warp_of(int slot) { return static_cast<int>(static_cast<unsigned>(slot) / warp_size); }
inline int lane_of(int slot) { return static_cast<int>(static_cast<unsigned>(slot) % warp_size); }

enum class WarpOp : uint8_t { sync, ballot, shuffle, collect };

// Lanes of one warp that have met in the same operation with the same mask, so far.
struct Meeting {
    unsigned mask, arrived;
    WarpOp op;
    unsigned line;         // of the first to arrive
    emu_complete complete; // of a collect; part of its identity
};

#if defined(EMU_LOCKSTEP)
constexpr unsigned max_known_calls = 8;
struct LaneProgress {
    uint64_t next_access;            // where in the code it will touch memory, 0 while it runs
    uint64_t calls[max_known_calls]; // where the functions it is in were called
    unsigned depth, unknown_calls;
};
#endif

struct Warp {
    unsigned first_thread; // linear thread index of lane 0
    int meeting_count;     // at most one a lane
    unsigned at_active_mask;           // lanes inside __activemask()
    uint64_t value[warp_size];         // what a lane brings to the operation it waits in
    uint64_t result[warp_size];        // what it takes from it
    struct { int source; uint8_t width, mode; } shuffle[warp_size];
    unsigned active_mask_line[warp_size];
    Meeting meetings[warp_size];
#if defined(EMU_LOCKSTEP)
    LaneProgress progress[warp_size];
#endif
};

struct AsyncCopies; // async.cpp

struct Block {
    // hot: read or written at every switch
    int slot;                   // of the running thread
    unsigned ready_warps;       // warps with a ready lane
    unsigned active_mask_warps; // warps with a lane inside __activemask()
    unsigned alive_warps;
    int alive_count;
    int waiting;                // threads at the block barrier
    unsigned barrier_line;      // where the first of them waits
    int idle_yields;            // yields since the last progress: a spin loop, if many
    unsigned progress;          // counts exits, completed barriers and warp operations, new blocks
    unsigned ready[max_warps];  // lanes that can run: started or not
    unsigned fresh[max_warps];  // lanes not started yet
    unsigned alive[max_warps];  // lanes that have not exited
    Context context[max_threads + 1]; // of suspended threads; one more, to look ahead

    // __syncthreads_count, _and, _or: gathered while threads arrive, published when they leave
    struct Votes { int count, all, any; } votes, decided;

    emu_dim index;      // blockIdx
    Block *next;        // list of suspended or spare blocks
    uint8_t *saved_shared; // shared memory of a suspended block
    AsyncCopies *async;    // cp.async of each thread by slot; null until there is one
    bool async_used;       // in this block
    Warp warps[max_warps];

    void made_progress() {
        idle_yields = 0;
        progress++;
    }
    void set_ready(int warp, unsigned lanes) {
        if (!lanes) return;
        ready[warp] |= lanes;
        ready_warps |= 1u << warp;
    }
    void clear_ready(int warp, int lane) {
        if (!(ready[warp] &= ~(1u << lane))) ready_warps &= ~(1u << warp);
    }
};

} // namespace emu
