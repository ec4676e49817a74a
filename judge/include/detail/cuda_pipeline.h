// cuda::pipeline: copies in stages, of one thread or of a block.
//
// In a block every thread may copy and use what was copied, or each does one of the two. A stage is over when
// all that copy have said so; copies land when their thread waits for the stage, or, where it never waits
// because it only copies, when it commits.
#pragma once
#ifndef JUDGE_CUDA_DOOR
#error "judge/include/detail/cuda_pipeline.h is internal: include <cuda/pipeline>"
#endif
#include "cuda_barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, uint8_t stages> struct pipeline_shared_state {
    barrier<Scope> filled[stages], used[stages];

    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state&) = delete;
    pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;
};

template <thread_scope Scope> class pipeline {
    barrier<Scope>*filled_ = nullptr, *used_ = nullptr; // null: one thread's
    unsigned stages_ = 0, committed_ = 0, waited_ = 0, released_ = 0, acquired_ = 0;
    bool copies_ = true, uses_ = true;

    static bool parity(unsigned count, unsigned stages) { return count / stages % 2; }

public:
    pipeline() = default;
    pipeline(barrier<Scope>* filled, barrier<Scope>* used, unsigned stages, bool copies, bool uses)
        : filled_(filled), used_(used), stages_(stages), copies_(copies), uses_(uses)
    {
    }
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;
    pipeline(pipeline&&) = default;

    void producer_acquire()
    {
        if (used_ && acquired_ >= stages_) used_[acquired_ % stages_].wait_parity(!parity(acquired_, stages_));
        acquired_++;
    }
    void producer_commit()
    {
        emu_async_commit();
        if (filled_ && !uses_) (void)filled_[committed_ % stages_].arrive(); // and the copies land
        committed_++;
    }
    void consumer_wait()
    {
        if (copies_) emu::wait_for_copies(committed_ - waited_ - 1);
        if (filled_) {
            barrier<Scope>& stage = filled_[waited_ % stages_];
            if (copies_) (void)stage.emu_arrive();
            stage.wait_parity(parity(waited_, stages_));
        }
        waited_++;
    }
    void consumer_release()
    {
        if (used_) (void)used_[released_ % stages_].emu_arrive();
        released_++;
    }
    template <class... Time> bool consumer_wait_for(const Time&...)
    {
        consumer_wait();
        return true;
    }
    // All but the last `left` stages that this thread has committed.
    void wait_prior(unsigned left)
    {
        while (committed_ - waited_ > left) consumer_wait();
    }
    bool quit() { return true; }
};

}  // namespace cuda

namespace emu {

template <class Group, cuda::thread_scope Scope, uint8_t stages>
inline void start_pipeline(const Group& group, cuda::pipeline_shared_state<Scope, stages>* state, size_t copying, size_t using_)
{
    group.sync(); // an earlier pipeline may have the same state
    if (group.thread_rank() == 0)
        for (uint8_t i = 0; i < stages; i++) {
            init(&state->filled[i], ptrdiff_t(copying));
            init(&state->used[i], ptrdiff_t(using_));
        }
    group.sync();
}

}  // namespace emu

namespace cuda {

inline pipeline<thread_scope_thread> make_pipeline() { return {}; }

// Every thread of the group copies and uses; or the first `producers` copy and the others use; or each says.
template <class Group, thread_scope Scope, uint8_t stages>
inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, stages>* state)
{
    emu::start_pipeline(group, state, group.size(), group.size());
    return {state->filled, state->used, stages, true, true};
}
template <class Group, thread_scope Scope, uint8_t stages>
inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, stages>* state, size_t producers)
{
    emu::start_pipeline(group, state, producers, group.size() - producers);
    const bool copies = group.thread_rank() < producers;
    return {state->filled, state->used, stages, copies, !copies};
}
template <class Group, thread_scope Scope, uint8_t stages>
inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, stages>* state, pipeline_role role)
{
    const bool copies = role == pipeline_role::producer;
    __shared__ unsigned producers;
    group.sync();
    if (group.thread_rank() == 0) producers = 0;
    group.sync();
    atomicAdd(&producers, unsigned(copies));
    group.sync();
    emu::start_pipeline(group, state, producers, group.size() - producers);
    return {state->filled, state->used, stages, copies, !copies};
}

// Of one thread, or of a group together.
template <class Group, thread_scope Scope>
inline void memcpy_async(const Group& group, void* to, const void* from, size_t bytes, pipeline<Scope>&,
                         unsigned line = __builtin_LINE())
{
    emu::start_copies(unsigned(group.thread_rank()), unsigned(group.size()), to, from, bytes, line);
}
template <thread_scope Scope>
inline void memcpy_async(void* to, const void* from, size_t bytes, pipeline<Scope>&, unsigned line = __builtin_LINE())
{
    emu::start_copies(0, 1, to, from, bytes, line);
}
template <uint8_t left, thread_scope Scope> inline void pipeline_consumer_wait_prior(pipeline<Scope>& p) { p.wait_prior(left); }

}  // namespace cuda
