// Slabs of guarded stacks; see stacks.h.
#include "stacks.h"
#include <new>
#include <sys/mman.h>

namespace emu {

bool StackPool::grow() {
    if (slab_count_ == max_slabs) return false;
    void *memory = mmap(nullptr, stack_stride * stacks_a_slab, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    Slab *slab = new (std::nothrow) Slab();
    if (!slab) return false;
    slab->memory = static_cast<uint8_t *>(memory);
    for (int i = stacks_a_slab - 1; i >= 0; i--) {
        slab->stacks[i].low = slab->memory + i * stack_stride + page_bytes;
        give_back(&slab->stacks[i]);
    }
    slabs_[slab_count_++] = slab;
    return true;
}

void StackPool::prepare(Stack *s, void (*entry)(void *)) {
    mprotect(s->low - page_bytes, page_bytes, PROT_NONE); // once a stack, when it is first used
    // Shift the tops against each other by 9 cache lines: threads of a block run the same code at the
    // same depth, and page-aligned tops would compete for the same sets of the first-level cache.
    size_t index = static_cast<size_t>(s->low - page_bytes - slabs_[0]->memory) / stack_stride;
    uint8_t *top = s->low + stack_bytes - (index * 9 % 64) * 64;
    s->idle = context_prepare(top, entry, s);
    s->prepared = true;
}

void StackPool::abandon_all() {
    free_ = nullptr;
    for (int k = slab_count_ - 1; k >= 0; k--)
        for (int i = stacks_a_slab - 1; i >= 0; i--) {
            slabs_[k]->stacks[i].prepared = false;
            give_back(&slabs_[k]->stacks[i]);
        }
}

bool StackPool::in_guard_page(const void *address) const {
    auto *a = static_cast<const uint8_t *>(address);
    for (int k = 0; k < slab_count_; k++)
        if (a >= slabs_[k]->memory && a < slabs_[k]->memory + stack_stride * stacks_a_slab)
            return static_cast<size_t>(a - slabs_[k]->memory) % stack_stride < page_bytes;
    return false;
}

const void *StackPool::end_of_stack(const void *address) const {
    auto *a = static_cast<const uint8_t *>(address);
    for (int k = 0; k < slab_count_; k++)
        if (a >= slabs_[k]->memory && a < slabs_[k]->memory + stack_stride * stacks_a_slab)
            return slabs_[k]->memory + (static_cast<size_t>(a - slabs_[k]->memory) / stack_stride + 1) * stack_stride;
    return nullptr;
}

} // namespace emu
