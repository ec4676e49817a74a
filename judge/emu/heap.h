// The heap of a submission's host code, in builds that watch accesses.
//
// Kernels allocate with the same malloc and new, and what they allocate is theirs; so the blocks that host
// code asked for are remembered one by one, from the calls that the submission itself makes (heap.cpp).
#pragma once
#include "emu.h"

namespace emu {

struct HostBlock {
    const uint8_t *start;
    size_t bytes;
    const void *pc; // where the call that allocated it returns to
};

// The block of the host's heap in which `address` lies: true and *found, or false.
bool host_block_at(const void *address, HostBlock *found);
// Whether any lies on the page of `address`.
bool host_blocks_near(const void *address);

} // namespace emu
