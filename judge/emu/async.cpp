// Asynchronous copies to shared memory, and the 32-bit addresses that inline PTX has for it.
#include "hooks.h"
#include "image.h"
#include "scheduler.h"
#include <string.h>
#include <vector>

namespace emu {

// Of one thread: copies in the order they were asked for, those before `first` have landed.
struct AsyncCopies {
    std::vector<emu_async> all;
    size_t first = 0;
    uint32_t group = 0; // the open one

    void forget() {
        all.clear();
        first = 0;
        group = 0;
    }
};

void forget_async_copies(Block &b) {
    for (unsigned slot = 0; slot < max_threads; slot++) b.async[slot].forget();
    b.async_used = false;
}

namespace {

AsyncCopies &of_running_thread() {
    Block &b = *this_worker->block;
    if (!b.async) b.async = new AsyncCopies[max_threads];
    b.async_used = true;
    return b.async[b.slot];
}

} // namespace

bool copy_is_on_its_way(const Block &b, const void *to) {
    if (!b.async_used) return false;
    auto *p = static_cast<const char *>(to);
    for (unsigned slot = 0; slot < max_threads; slot++) {
        const AsyncCopies &copies = b.async[slot];
        for (size_t i = copies.first; i < copies.all.size(); i++) {
            auto *start = static_cast<const char *>(copies.all[i].to);
            if (p >= start && p < start + copies.all[i].bytes) return true;
        }
    }
    return false;
}

} // namespace emu

extern "C" {

void emu_async_copy(void *to, const void *data, uint32_t bytes) {
    emu::AsyncCopies &copies = emu::of_running_thread();
    emu_async one;
    memcpy(one.data, data, sizeof one.data);
    one.to = to;
    one.bytes = bytes;
    one.group = copies.group;
    copies.all.push_back(one);
    emu::on_async_copy(*emu::this_worker->block, to, bytes);
}

void emu_async_commit(void) { emu::of_running_thread().group++; }

const emu_async *emu_async_next(uint32_t groups_left) {
    emu::AsyncCopies &copies = emu::of_running_thread();
    if (copies.first == copies.all.size()) {
        copies.all.clear();
        copies.first = 0;
        return nullptr;
    }
    const emu_async &oldest = copies.all[copies.first];
    if (oldest.group + uint64_t(groups_left) >= copies.group) return nullptr;
    copies.first++;
    return &oldest;
}

void *emu_shared_pointer(uint64_t address) {
    if (address >> 32) return reinterpret_cast<void *>(address);
    const uint32_t low = static_cast<uint32_t>(address);
    size_t bytes = 0;
    char *fixed = static_cast<char *>(emu::static_shared_block(&bytes));
    const uint32_t in_fixed = low - static_cast<uint32_t>(reinterpret_cast<uintptr_t>(fixed));
    if (in_fixed < bytes) return fixed + in_fixed;
    // Outside of both: counted from the dynamic memory, so that what overruns it hits its guard page.
    char *start = emu_dynamic_shared ? emu_dynamic_shared : fixed;
    return start + static_cast<int32_t>(low - static_cast<uint32_t>(reinterpret_cast<uintptr_t>(start)));
}

} // extern "C"
