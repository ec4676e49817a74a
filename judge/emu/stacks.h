// The stacks of an OS thread's fibers. A fiber runs CUDA threads one after another; a stack is taken
// when a thread has to wait and another one must start, so a kernel without barriers uses one stack.
#pragma once
#include "context.h"
#include "device.h"

namespace emu {

constexpr size_t page_bytes = 4096;
constexpr size_t stack_bytes = 128 * 1024; // local arrays and recursion of one CUDA thread
// One guard page below each stack. It also makes the stride an odd number of pages: with a power of
// two all stack tops would fall into the same few cache sets.
constexpr size_t stack_stride = stack_bytes + page_bytes;
constexpr int stacks_a_slab = 256;
constexpr int max_slabs = 64; // 2 mappings a stack, and Linux allows 65,530 a process

struct Stack {
    Context idle; // waits for a thread to start on it
    bool prepared;
    uint8_t *low; // lowest usable byte; the guard page lies below
    Stack *next;  // free list
};

class StackPool {
  public:
    // A stack with an idle context in entry(Stack*), or null if there are no more.
    Stack *take(void (*entry)(void *)) {
        if (!free_ && !grow()) return nullptr;
        Stack *s = free_;
        free_ = s->next;
        if (!s->prepared) prepare(s, entry);
        return s;
    }
    void give_back(Stack *s) {
        s->next = free_;
        free_ = s;
    }
    // Forget whatever runs on any stack: the kernel was aborted.
    void abandon_all();
    bool in_guard_page(const void *address) const;
    const void *end_of_stack(const void *address) const; // null if the address is on none

  private:
    bool grow();
    void prepare(Stack *s, void (*entry)(void *));
    Stack *free_ = nullptr;
    struct Slab {
        uint8_t *memory;
        Stack stacks[stacks_a_slab];
    };
    Slab *slabs_[max_slabs] = {};
    int slab_count_ = 0;
};

} // namespace emu
