// Warp operations: lanes meet by (mask, operation); the last to arrive computes for all.
#include "errors.h"
#include "hooks.h"
#include "note.h"
#include "scheduler.h"

namespace emu {
namespace {

// Lane that lane `me` of a shuffle reads; itself where CUDA says "keeps its own value".
inline int shuffle_source(int me, int source, int width, int mode) {
    int segment = me & ~(width - 1);
    int from;
    switch (mode) {
    case EMU_SHUFFLE_INDEX: return segment + (source & (width - 1));
    case EMU_SHUFFLE_UP: from = me - source; return from < segment ? me : from;
    case EMU_SHUFFLE_DOWN: from = me + source; return from >= segment + width ? me : from;
    default: from = me ^ source; return from >= segment + width ? me : from;
    }
}

void complete(Worker &w, Block &b, int p, const Meeting &m, unsigned lanes) {
    Warp &warp = b.warps[p];
    b.made_progress();
    on_warp_meeting(w, b, p, lanes);
    switch (m.op) {
    case WarpOp::sync: break;
    case WarpOp::ballot: {
        unsigned votes = 0;
        for (unsigned rest = lanes; rest; rest &= rest - 1)
            if (warp.value[lowest(rest)]) votes |= rest & -rest;
        for (unsigned rest = lanes; rest; rest &= rest - 1) warp.result[lowest(rest)] = votes;
        break;
    }
    case WarpOp::shuffle:
        for (unsigned rest = lanes; rest; rest &= rest - 1) {
            int me = lowest(rest);
            int from = shuffle_source(me, warp.shuffle[me].source, warp.shuffle[me].width, warp.shuffle[me].mode);
            // A lane that takes no part has no defined value to give: the reader keeps its own.
            if (!(lanes >> from & 1)) on_inactive_source(w, b, p, me, from, m.line);
            warp.result[me] = warp.value[lanes >> from & 1 ? from : me];
        }
        break;
    case WarpOp::collect: {
        void *mine[warp_size] = {};
        for (unsigned rest = lanes; rest; rest &= rest - 1)
            mine[lowest(rest)] = reinterpret_cast<void *>(warp.value[lowest(rest)]);
        m.complete(mine, lanes);
        break;
    }
    }
}

inline bool everyone_arrived(const Block &b, int p, const Meeting &m) {
    return m.arrived == (m.mask & b.alive[p]); // exited lanes are not waited for
}

__attribute__((noinline, cold)) void report_mask(int lane, unsigned mask, unsigned line) {
    Sentence s;
    s << "the mask ";
    s.mask(mask) << " of a warp operation does not name the calling lane, " << lane;
    emu_kernel_error(launch_failure, s.c_str(), line);
}

// The running lane joins the meeting (mask, op, complete); returns when it is complete.
inline void meet(Worker &w, Block &b, unsigned mask, WarpOp op, emu_complete callback, unsigned line) {
    int p = warp_of(b.slot), lane = lane_of(b.slot);
    Warp &warp = b.warps[p];
    if (__builtin_expect(!(mask >> lane & 1), 0)) report_mask(lane, mask, line);
    int k = 0;
    while (k < warp.meeting_count && !(warp.meetings[k].mask == mask && warp.meetings[k].op == op &&
                                       warp.meetings[k].complete == callback))
        k++;
    Meeting &m = warp.meetings[k];
    if (k == warp.meeting_count) {
        m = {mask, 0, op, line, callback};
        warp.meeting_count++;
    }
    m.arrived |= 1u << lane;
    if (!everyone_arrived(b, p, m)) {
        wait_in_warp(w, b);
        return;
    }
    Meeting met = m;
    m = warp.meetings[--warp.meeting_count];
    complete(w, b, p, met, met.arrived);
    b.set_ready(p, met.arrived & ~(1u << lane));
}

inline Warp &running_warp(Block &b) { return b.warps[warp_of(b.slot)]; }

} // namespace

void exited_in_warp(Worker &w, Block &b, int p) {
    Warp &warp = b.warps[p];
    for (int k = 0; k < warp.meeting_count;) {
        Meeting met = warp.meetings[k];
        if (!met.arrived || !everyone_arrived(b, p, met)) {
            k++;
            continue;
        }
        warp.meetings[k] = warp.meetings[--warp.meeting_count];
        complete(w, b, p, met, met.arrived);
        b.set_ready(p, met.arrived);
    }
}

// __activemask() asks which lanes run together, which fibers do not. The nearest answer: the lanes that
// get to this line once every other lane of the warp has exited or waits for something else.
bool resolve_active_mask(Worker &, Block &b, int p) {
    Warp &warp = b.warps[p];
    if (!warp.at_active_mask || b.ready[p]) return false;
    unsigned line = warp.active_mask_line[lowest(warp.at_active_mask)], together = 0;
    for (unsigned rest = warp.at_active_mask; rest; rest &= rest - 1)
        if (warp.active_mask_line[lowest(rest)] == line) together |= rest & -rest;
    for (unsigned rest = together; rest; rest &= rest - 1) warp.result[lowest(rest)] = together;
    if (!(warp.at_active_mask &= ~together)) b.active_mask_warps &= ~(1u << p);
    b.made_progress();
    b.set_ready(p, together);
    return true;
}

} // namespace emu

using namespace emu;

extern "C" {

uint64_t emu_shuffle(unsigned mask, uint64_t value, int source, int width, int mode, unsigned line) {
    Worker &w = *this_worker;
    Block &b = *w.block;
    Warp &warp = running_warp(b);
    int lane = lane_of(b.slot);
    warp.value[lane] = value;
    // A width that is no power of two up to 32 is undefined; 32 keeps the lanes inside the warp.
    bool valid = width > 0 && width <= warp_size && !(width & (width - 1));
    warp.shuffle[lane] = {source & 31, static_cast<uint8_t>(valid ? width : warp_size), static_cast<uint8_t>(mode)};
    meet(w, b, mask, WarpOp::shuffle, nullptr, line);
    return warp.result[lane];
}

unsigned emu_ballot(unsigned mask, int predicate, unsigned line) {
    Worker &w = *this_worker;
    Block &b = *w.block;
    Warp &warp = running_warp(b);
    int lane = lane_of(b.slot);
    warp.value[lane] = predicate != 0;
    meet(w, b, mask, WarpOp::ballot, nullptr, line);
    return static_cast<unsigned>(warp.result[lane]);
}

void emu_warp_sync(unsigned mask, unsigned line) {
    Worker &w = *this_worker;
    meet(w, *w.block, mask, WarpOp::sync, nullptr, line);
}

void emu_warp_collect(unsigned mask, emu_complete complete, void *mine, unsigned line) {
    Worker &w = *this_worker;
    Block &b = *w.block;
    running_warp(b).value[lane_of(b.slot)] = reinterpret_cast<uint64_t>(mine);
    meet(w, b, mask, WarpOp::collect, complete, line);
}

unsigned emu_active_mask(unsigned line) {
    Worker &w = *this_worker;
    Block &b = *w.block;
    Warp &warp = running_warp(b);
    int p = warp_of(b.slot), lane = lane_of(b.slot);
    warp.at_active_mask |= 1u << lane;
    warp.active_mask_line[lane] = line;
    b.active_mask_warps |= 1u << p;
    wait_in_warp(w, b);
    return static_cast<unsigned>(warp.result[lane]);
}

int emu_lane(void) {
    Worker *w = this_worker;
    return w && w->block ? lane_of(w->block->slot) : 0;
}

} // extern "C"
