// Races, bounds, initialised bits: the rules of a check build; see check.h and shadow.h.
//
// Two accesses of one granule race if one writes, not both are atomic, and nothing orders them:
//     threads of a block     a barrier of the block
//     lanes of a warp        any operation in which lanes of the warp meet
//     any two threads        a lock, or a flag behind a fence: see Order of blocks
//     launches               are in order
// Whatever is uncertain is taken for order: a race that is reported is one.
#if defined(EMU_CHECK)
#include "check.h"
#include "errors.h"
#include "heap.h"
#include "hooks.h"
#include "image.h"
#include "memory.h"
#include "note.h"
#include <map>
#include <stdlib.h>
#include <string.h>
#include <unordered_map>
#include <vector>

namespace emu {
namespace {

// A block's place in the order of things.
struct BlockState {
    const Block *block = nullptr;
    uint32_t number = 0;
    uint32_t barrier_time = 0;           // everything before it in this block is ordered
    uint32_t warp_time[max_warps] = {};  // the same for a warp
    uint32_t all_seen = 0;               // the same for accesses of every block: a grid barrier
    std::vector<uint32_t> seen;          // and of each block, through locks and flags; empty: none
    std::vector<Region> shared;          // the __shared__ arrays, the dynamic memory last
};

struct Lock { // or a flag
    std::vector<uint32_t> released; // by block: what came before this time in it
};

struct Site { // an access as people are told of it
    Access access;
    bool write;
    emu_dim block, thread;
};

uint32_t now = 16; // small numbers: written by the host
uint32_t launch_time = 0;
Launch *launch = nullptr;
const uint8_t *host_stack = nullptr, *host_stack_end = nullptr; // from the launch upwards, of its thread
bool fenced = false; // the launch has executed a fence

std::map<uint8_t *, Region> watched; // buffers, by their end
uint8_t *lowest_buffer = nullptr, *highest_buffer = nullptr;
std::vector<ThreadLocal> arrays, others; // __shared__, and what else is thread-local
std::vector<char *> array_names;
std::map<const uint8_t *, size_t> registered; // of the host's memory, for kernels to use
std::map<const Block *, BlockState> states;
BlockState *running = nullptr;
std::unordered_map<uint64_t, Lock> locks;
size_t lock_words = 0;
constexpr size_t most_lock_words = 16u << 20;
constexpr size_t most_blocks = 65536;

// Which region an instruction met last: nearly always the one it meets again. Or, without a region, the
// page it found to be nobody's: a stack, the kernel's arguments.
struct Met {
    uint64_t pc;
    Region *region;
    uint64_t page;
};
constexpr size_t met_entries = 1024;
Met met[met_entries];
void forget_met() { memset(met, 0, sizeof met); }

// Two writes race only if they write different things; what the second writes is seen at the next entry.
struct Pending {
    bool active = false;
    const uint8_t *address;
    uint8_t before[16];
    Region *region;
    Site first, second;
} pending;

// ---- what is said -----------------------------------------------------------------------------------

constexpr size_t most_findings = 40;
std::vector<uint64_t> told; // of this call

bool tell_once(const char *reason, uint64_t pc, uint64_t other) {
    if (pc > other) std::swap(pc, other);
    uint64_t key = mix(mix(pc << 32 | other) + static_cast<unsigned char>(reason[0]) * 257u + static_cast<unsigned char>(reason[3]));
    for (uint64_t k : told)
        if (k == key) return false;
    if (told.size() >= most_findings) return false;
    told.push_back(key);
    return true;
}

const char *verb(const Site &s) {
    if (s.access.flags & atomic_access) return "atomic";
    return s.write ? "write" : "read";
}

emu_dim block_index(uint32_t number) {
    emu_dim g = launch->config.grid;
    return {number % g.x, number / g.x % g.y, number / g.x / g.y};
}

Site site_of(const Worker &w, const Access &a, bool write) {
    return {a, write, block_index(a.block), w.thread_index[a.slot]};
}

// The return address is the instruction after the call, and perhaps of the next line. No library is as
// large as 4 GiB, so the low half is enough for the offset in it.
void add_pc(Note &note, const char *key, uint32_t pc) {
    note.address(key, pc - static_cast<uint32_t>(image_base()) - 1);
}

Note &add_site(Note &note, const Site &s) {
    add_pc(note, "pc", s.access.pc);
    return note.text("access", verb(s)).number("size", s.access.size).number("host", 0)
        .text("kernel", launch->kernel.name).dim("block", s.block).dim("thread", s.thread)
        .number("launch_line", launch->kernel.line);
}

Note &add_region(Note &note, const Region &r, const uint8_t *address) {
    note.text("buffer", r.name).number("offset", address - r.start).number("bytes", static_cast<long long>(r.bytes));
    if (r.space == Space::shared) note.number("shared", 1);
    if (r.line) note.number("buffer_line", r.line);
    return note;
}

void tell_race(const Region &r, const uint8_t *address, const Site &now_here, const Site &before) {
    if (!tell_once("race", now_here.access.pc, before.access.pc)) return;
    const Access &a = now_here.access, &b = before.access;
    bool one_warp = a.block == b.block && warp_of(a.slot) == warp_of(b.slot);
    Note note("finding");
    note.text("reason", "race");
    add_region(add_site(note, now_here), r, address);
    add_pc(note, "other_pc", before.access.pc);
    note.text("other_access", verb(before)).dim("other_block", before.block).dim("other_thread", before.thread)
        .number("one_warp", one_warp).send();
}

void settle() {
    pending.active = false;
    size_t size = pending.second.access.size;
    if (memcmp(pending.address, pending.before, size <= 16 ? size : 16))
        tell_race(*pending.region, pending.address, pending.second, pending.first);
}

[[noreturn]] void end_kernel(Worker &w) {
    emu_set_error(illegal_address, 1, nullptr, 0);
    leave_worker(w, Left::aborted);
}

// ---- finding the region -----------------------------------------------------------------------------

Region *buffer_at(const uint8_t *p) {
    if (p < lowest_buffer || p >= highest_buffer) return nullptr;
    auto found = watched.upper_bound(const_cast<uint8_t *>(p));
    return found != watched.end() && p >= found->second.start ? &found->second : nullptr;
}

Region *shared_at(const uint8_t *p) {
    for (Region &r : running->shared)
        if (p >= r.start && p < r.start + r.bytes) return &r;
    return nullptr;
}

Access access_now(const Worker &w, size_t size, uint8_t flags, const void *pc) {
    return {now, running->number, static_cast<uint32_t>(reinterpret_cast<uint64_t>(pc)), static_cast<uint16_t>(w.block->slot), flags, static_cast<uint8_t>(size < 255 ? size : 255)};
}

[[noreturn]] void tell_outside(Worker &w, size_t size, bool write, uint8_t flags, const void *pc, const char *name,
                  long offset, size_t bytes, bool shared, unsigned line) {
    Site here = site_of(w, access_now(w, size, flags, pc), write);
    if (tell_once("out_of_bounds", here.access.pc, 0)) {
        Note note("finding");
        note.text("reason", "out_of_bounds");
        add_site(note, here).text("buffer", name).number("offset", offset).number("bytes", static_cast<long long>(bytes))
            .number("shared", shared);
        if (line) note.number("buffer_line", line);
        note.send();
    }
    end_kernel(w);
}

// The access touches no region wholly: local memory and the like, or a mistake, which ends the kernel.
// threadIdx and its like, which the submission reads where they lie.
bool is_built_in(const uint8_t *p) {
    auto within = [p](const void *variable, size_t bytes) {
        return static_cast<size_t>(p - static_cast<const uint8_t *>(variable)) < bytes;
    };
    return within(&threadIdx, sizeof threadIdx) || within(&blockIdx, sizeof blockIdx) ||
           within(&blockDim, sizeof blockDim) || within(&gridDim, sizeof gridDim) ||
           within(&emu_dynamic_shared, sizeof emu_dynamic_shared) || within(&emu_spin_budget, sizeof emu_spin_budget);
}

// The __shared__ array that an address was meant for, if it is near one: the last that begins before it.
const Region *nearest_shared(const uint8_t *p) {
    constexpr ptrdiff_t near = 1024;
    const Region *before = nullptr, *after = nullptr;
    for (const Region &r : running->shared) {
        if (&r == &running->shared.back()) continue; // dynamic memory lies elsewhere
        if (r.start <= p && p - r.start < static_cast<ptrdiff_t>(r.bytes) + near && (!before || r.start > before->start)) before = &r;
        if (p < r.start && r.start - p <= near && (!after || r.start < after->start)) after = &r;
    }
    return before ? before : after;
}

// A variable of the host code that launched this kernel: above the launch on that thread's stack. What a launch
// through a lambda captured lies there too, so of those nothing is known.
bool is_host_variable(const uint8_t *p) {
    if (p < host_stack || p >= host_stack_end || !launch->kernel.entry) return false;
    auto *closure = static_cast<const uint8_t *>(launch->kernel.closure);
    return p < closure || p >= closure + launch->kernel.closure_bytes;
}

// allocated: what the address is of; null for a variable.
[[noreturn]] void tell_host_memory(Worker &w, size_t size, bool write, uint8_t flags, const void *pc, const HostBlock *allocated) {
    Site here = site_of(w, access_now(w, size, flags, pc), write);
    if (tell_once("host_memory", here.access.pc, 0)) {
        Note note("finding");
        note.text("reason", "host_memory");
        add_site(note, here);
        if (allocated) {
            note.number("bytes", static_cast<long long>(allocated->bytes));
            if (uint64_t offset = image_offset(reinterpret_cast<uint64_t>(allocated->pc))) note.address("other_pc", offset - 1);
        }
        note.send();
    }
    end_kernel(w);
}

bool is_registered(const uint8_t *p) {
    auto i = registered.upper_bound(p);
    return i != registered.begin() && p < (--i, i->first + i->second);
}

// The kernels that carry out thrust's algorithms copy between host and device, as on a GPU no kernel does.
bool is_librarys() { return !launch->kernel.entry && !strcmp(launch->kernel.name, "thrust"); }

[[noreturn]] void tell_constant_write(Worker &w, const Region &r, const uint8_t *p, size_t size, uint8_t flags, const void *pc) {
    Site here = site_of(w, access_now(w, size, flags, pc), true);
    if (tell_once("constant_write", here.access.pc, 0)) {
        Note note("finding");
        note.text("reason", "constant_write");
        add_region(add_site(note, here), r, p).send();
    }
    end_kernel(w);
}

// True: the whole page is nobody's.
__attribute__((noinline)) bool outside(Worker &w, const uint8_t *p, size_t size, bool write, uint8_t flags, const void *pc) {
    if (is_built_in(p)) return true;
    if (is_host_variable(p) && !is_registered(p)) tell_host_memory(w, size, write, flags, pc, nullptr);
    HostBlock block;
    if (host_block_at(p, &block)) {
        if (!is_registered(p) && !is_librarys()) tell_host_memory(w, size, write, flags, pc, &block);
        return false;
    }
    if (host_blocks_near(p)) return false;
    for (const ThreadLocal &other : others)
        if (p >= other.start && p < other.start + other.bytes) return false;
    if (const Region *r = nearest_shared(p))
        tell_outside(w, size, write, flags, pc, r->name, p - r->start, r->bytes, true, 0);
    if (in_thread_local_block(p)) return false;
    if (w.dynamic && p >= w.dynamic && p < w.dynamic + w.dynamic_capacity + page_bytes) {
        const Region &r = running->shared.back();
        tell_outside(w, size, write, flags, pc, r.name, p - reinterpret_cast<uint8_t *>(emu_dynamic_shared), r.bytes, true, 0);
    }
    Buffer *b = nearest_buffer(p);
    if (!b || p < b->reservation || p >= b->reservation + b->reservation_bytes) return true;
    char name[64] = "";
    if (b->state == BufferState::freed) strcpy(name, "freed ");
    strcat(name, b->name);
    tell_outside(w, size, write, flags, pc, name, p - b->start, b->bytes, false, b->line);
}

// ---- order ------------------------------------------------------------------------------------------

// since: what came before is of another launch, or of another block's shared memory.
inline bool ordered(const Access &a, uint32_t since, const BlockState &me, int slot) {
    if (a.time < since || a.time < me.all_seen) return true;
    if (a.block == me.number) {
        if (a.slot == slot || a.time < me.barrier_time) return true;
        if (warp_of(a.slot) == warp_of(slot) && a.time < me.warp_time[warp_of(slot)]) return true;
    }
    return !me.seen.empty() && a.time < me.seen[a.block];
}

// Both atomic; or a flag, volatile, that other warps wait for behind a fence.
inline bool compatible(const Access &a, uint8_t flags, const BlockState &me, int slot) {
    if (a.flags & flags & atomic_access) return true;
    bool same_warp = a.block == me.number && warp_of(a.slot) == warp_of(slot);
    return a.flags && flags && fenced && !same_warp;
}

// What outputs begin with (0xff or 0xa5), and all other memory (EMU_UNDEFINED).
bool is_poison(const uint8_t *p, size_t n) {
    if (*p == 0xa5) {
        for (size_t i = 1; i < n; i++)
            if (p[i] != 0xa5) return false;
        return true;
    }
    for (size_t i = 0; i < n; i++)
        if (p[i] != 0xff && p[i] != (EMU_UNDEFINED & 0xff)) return false;
    return true;
}

__attribute__((noinline)) void read_unwritten(Worker &w, Region &r, const uint8_t *p, size_t size, Access a) {
    if (!is_poison(p, size)) return; // something wrote it that is not instrumented: libc, the runtime
    if (!tell_once("uninitialised", a.pc, 0)) return;
    Note note("finding");
    note.text("reason", copy_is_on_its_way(*w.block, p) ? "async_copy" : "uninitialised");
    add_region(add_site(note, site_of(w, a, false)), r, p).send();
}

__attribute__((noinline)) void raced(Worker &w, Region &r, const uint8_t *p, Access before, bool before_writes,
                                     Access a, bool write) {
    Site first = site_of(w, before, before_writes), second = site_of(w, a, write);
    if (!before_writes || !write) {
        tell_race(r, p, second, first);
        return;
    }
    pending.active = true;
    pending.address = p;
    memcpy(pending.before, p, a.size <= 16 ? a.size : 16);
    pending.region = &r;
    pending.first = first;
    pending.second = second;
}

// As two words: the compiler would put the fields together on the stack, which costs as much as all the rest.
inline void keep(Access &cell, Access a) {
    uint64_t low = a.time | uint64_t(a.block) << 32;
    uint64_t high = a.pc | uint64_t(a.slot) << 32 | uint64_t(a.flags) << 48 | uint64_t(a.size) << 56;
    memcpy(&cell, &low, sizeof low);
    memcpy(reinterpret_cast<char *>(&cell) + sizeof low, &high, sizeof high);
}

inline void touch(Worker &w, Region &r, const uint8_t *p, size_t size, bool write, Access a) {
    size_t offset = static_cast<size_t>(p - r.start);
    size_t mask = (size_t(1) << r.shift) - 1;
    if (__builtin_expect(((offset | size) & mask) != 0, 0)) {
        int shift = __builtin_ctzll(offset | size);
        refine(r, shift);
    }
    const BlockState &me = *running;
    uint32_t since = r.space == Space::shared ? r.fresh_since : launch_time;
    for (size_t i = offset >> r.shift, end = (offset + size - 1) >> r.shift; i <= end; i++) {
        Cell &c = r.cells[i];
        const uint8_t *here = r.start + (i << r.shift);
        bool conflict = !ordered(c.write, since, me, a.slot) && !compatible(c.write, a.flags, me, a.slot);
        if (__builtin_expect(conflict, 0)) raced(w, r, here, c.write, true, a, write);
        if (write) {
            if (!conflict) {
                if (!ordered(c.read, since, me, a.slot) && !compatible(c.read, a.flags, me, a.slot))
                    raced(w, r, here, c.read, false, a, true);
                else if (!ordered(c.other_read, since, me, a.slot) && !compatible(c.other_read, a.flags, me, a.slot))
                    raced(w, r, here, c.other_read, false, a, true);
            }
            keep(c.write, a);
        } else {
            if (__builtin_expect(c.write.time < r.fresh_since && !r.initialised, 0))
                read_unwritten(w, r, here, size < (mask + 1) ? size : mask + 1, a);
            if (c.read.time == a.time && c.read.slot == a.slot && c.read.block == a.block) continue;
            if (c.read.slot != a.slot || c.read.block != a.block) c.other_read = c.read;
            keep(c.read, a);
        }
    }
}

// ---- locks and flags ----------------------------------------------------------------------------------

uint64_t lock_key(const void *address) {
    auto key = reinterpret_cast<uint64_t>(address);
    bool shared = shared_at(static_cast<const uint8_t *>(address));
    return shared ? key ^ (uint64_t(running->number) + 1) << 48 : key;
}

void join(std::vector<uint32_t> &to, const std::vector<uint32_t> &from) {
    for (size_t i = 0; i < from.size(); i++)
        if (from[i] > to[i]) to[i] = from[i];
}

BlockState &state_of(const Block &b) { return states[&b]; }

void use(const Block &b) {
    BlockState &s = state_of(b);
    if (running == &s) return;
    running = &s;
    forget_met();
}

} // namespace

void check_fence() { fenced = true; }

void check_synchronise(const void *address, bool release, bool acquire, bool lock) {
    Worker *w = this_worker;
    if (!w || !w->block || !launch || !(lock || fenced)) return;
    use(*w->block);
    size_t blocks = launch->block_count;
    if (blocks > most_blocks || lock_words + blocks > most_lock_words) {
        running->all_seen = ++now; // too much to keep: from here on everything counts as ordered
        return;
    }
    BlockState &me = *running;
    if (me.seen.empty()) me.seen.resize(blocks);
    Lock &l = locks[lock_key(address)];
    if (l.released.empty()) {
        l.released.resize(blocks);
        lock_words += blocks;
    }
    if (acquire) join(me.seen, l.released);
    if (!release) return;
    join(l.released, me.seen);
    l.released[me.number] = ++now;
}

void check_access(const void *address, size_t bytes, bool write, uint8_t flags, const void *pc) {
    Worker *w = this_worker;
    if (__builtin_expect(pending.active, 0)) settle();
    auto *p = static_cast<const uint8_t *>(address);
    if (__builtin_expect(!w || !w->block, 0)) { // host code
        Region *r = buffer_at(p);
        if (!r || r->host_may_use) return;
        uint64_t offset = image_offset(reinterpret_cast<uint64_t>(pc));
        if (!offset || !tell_once("host_access", offset, 0)) return;
        bool variable = r->space == Space::variable || r->space == Space::constant;
        Note("finding").text("reason", variable ? "host_variable" : "host_access").text("access", write ? "write" : "read").address("pc", offset - 1)
            .number("host", 1).text("kernel", "").text("buffer", r->name).number("offset", p - r->start)
            .number("bytes", static_cast<long long>(r->bytes)).number("size", static_cast<long long>(bytes))
            .number("buffer_line", r->line).send();
        return;
    }
    if (__builtin_expect(running->block != w->block, 0)) use(*w->block);
    auto key = reinterpret_cast<uint64_t>(pc);
    Met &m = met[(key ^ key >> 10) % met_entries];
    Region *r = m.region;
    if (__builtin_expect(m.pc != key || !r || !r->holds(p, bytes), 0)) {
        uint64_t page = reinterpret_cast<uint64_t>(p) / page_bytes;
        if (m.pc == key && !r && m.page == page) return;
        r = shared_at(p);
        if (!r) r = buffer_at(p);
        if (!r || !r->holds(p, bytes)) {
            if (!r && w->stacks.end_of_stack(p)) m = {key, nullptr, page};
            else if (outside(*w, p, bytes, write, flags, pc)) m = {key, nullptr, page};
            return;
        }
        m = {key, r, 0};
    }
    if (__builtin_expect(write && r->space == Space::constant, 0)) tell_constant_write(*w, *r, p, bytes, flags, pc);
    if (r->read_only) {
        if (!write) return;
        r->read_only = false;
    }
    touch(*w, *r, p, bytes, write, access_now(*w, bytes, flags, pc));
}

void check_index(const void *pc, const char *type, long index) {
    uint64_t offset = image_offset(reinterpret_cast<uint64_t>(pc));
    if (!offset || !tell_once("index", offset, 0)) return;
    Sentence s;
    s << "index " << static_cast<long long>(index) << " of an array of type " << type;
    Worker *w = this_worker;
    bool host = !w || !w->block;
    Note note("finding");
    note.text("reason", "index").address("pc", offset - 1).number("host", host).text("kernel", host ? "" : launch->kernel.name)
        .text("message", s.c_str());
    if (!host) note.dim("block", blockIdx).dim("thread", threadIdx).number("launch_line", launch->kernel.line);
    note.send();
}

// ---- what the runtime tells ---------------------------------------------------------------------------

static void find_host_stack() {
    host_stack = static_cast<uint8_t *>(__builtin_frame_address(0));
    pthread_attr_t attributes;
    void *low = nullptr;
    size_t bytes = 0;
    host_stack_end = host_stack;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    if (!pthread_attr_getstack(&attributes, &low, &bytes)) host_stack_end = static_cast<uint8_t *>(low) + bytes;
    pthread_attr_destroy(&attributes);
}

void on_launch(Launch &l) {
    if (pending.active) settle();
    launch = &l;
    launch_time = ++now;
    find_host_stack();
    fenced = false;
    locks.clear();
    lock_words = 0;
    running = nullptr;
}

void on_block_start(Worker &, Block &b) {
    if (pending.active) settle();
    BlockState &s = state_of(b);
    emu_dim g = launch->config.grid;
    s.block = &b;
    s.number = b.index.x + g.x * (b.index.y + g.y * b.index.z);
    s.barrier_time = ++now;
    memset(s.warp_time, 0, sizeof s.warp_time);
    s.all_seen = 0;
    s.seen.clear();
    if (s.shared.size() != arrays.size() + 1) {
        for (Region &r : s.shared) drop_cells(r);
        s.shared.assign(arrays.size() + 1, Region{});
        for (size_t i = 0; i < arrays.size(); i++) {
            Region &r = s.shared[i];
            r.start = arrays[i].start;
            r.bytes = arrays[i].bytes;
            r.shift = 2;
            r.space = Space::shared;
            strncpy(r.name, array_names[i], sizeof r.name - 1);
            make_cells(r);
        }
        forget_met();
    }
    Region &dynamic = s.shared.back();
    if (dynamic.start != reinterpret_cast<uint8_t *>(emu_dynamic_shared) || dynamic.bytes != launch->config.dynamic_bytes) {
        drop_cells(dynamic);
        dynamic = Region{};
        dynamic.start = reinterpret_cast<uint8_t *>(emu_dynamic_shared);
        dynamic.bytes = launch->config.dynamic_bytes;
        dynamic.shift = 2;
        dynamic.space = Space::shared;
        strcpy(dynamic.name, "dynamic shared memory");
        make_cells(dynamic);
        forget_met();
    }
    for (Region &r : s.shared) r.fresh_since = now;
    use(b);
}

void on_block_end(Worker &, Block &) {
    if (pending.active) settle();
}

void on_barrier(Worker &, Block &b) {
    if (pending.active) settle();
    state_of(b).barrier_time = ++now;
}

void on_warp_meeting(Worker &, Block &b, int warp, unsigned) {
    if (pending.active) settle();
    state_of(b).warp_time[warp] = ++now;
}

void on_inactive_source(Worker &w, Block &b, int warp, int lane, int source, unsigned line) {
    if (!tell_once("shuffle", line, 0)) return;
    Sentence s;
    s << "lane " << lane << " takes the value of lane " << source << ", which does not take part";
    Note("finding").text("reason", "shuffle").text("pc", "").number("host", 0).text("kernel", launch->kernel.name)
        .dim("block", b.index).dim("thread", w.thread_index[warp * warp_size + lane]).number("line", line)
        .text("message", s.c_str()).send();
}

// The destination counts as unwritten until the copy lands, which is a write of the submission's.
void on_async_copy(Block &b, void *to, size_t bytes) {
    use(b);
    auto *p = static_cast<uint8_t *>(to);
    Region *r = shared_at(p);
    if (!r || !r->holds(p, bytes)) return;
    auto offset = static_cast<size_t>(p - r->start);
    for (size_t i = offset >> r->shift; i <= (offset + bytes - 1) >> r->shift; i++) r->cells[i].write = Access{};
}

static uint32_t grid_time = 0;
void on_grid_complete() { grid_time = ++now; }
void on_grid_passed(Block &b) { state_of(b).all_seen = grid_time; }

static void watch(Region r) {
    r.shift = 2;
    r.fresh_since = 1;
    if (!r.bytes || !make_cells(r)) return;
    watched[r.start + r.bytes] = r;
    if (!lowest_buffer || r.start < lowest_buffer) lowest_buffer = r.start;
    if (r.start + r.bytes > highest_buffer) highest_buffer = r.start + r.bytes;
}

void on_buffer(void *start, size_t bytes, const char *name, bool initialised) {
    Region r{};
    r.start = static_cast<uint8_t *>(start);
    r.bytes = bytes;
    r.initialised = initialised;
    strncpy(r.name, name, sizeof r.name - 1);
    if (Buffer *b = nearest_buffer(start)) {
        r.line = b->line;
        r.read_only = b->read_only;
    }
    watch(r);
}

void on_free(void *start) {
    if (pending.active) settle();
    for (auto i = watched.begin(); i != watched.end(); ++i)
        if (i->second.start == start) {
            drop_cells(i->second);
            watched.erase(i);
            break;
        }
    forget_met();
}

void on_api_write(void *start, size_t bytes) {
    auto *p = static_cast<uint8_t *>(start);
    if (Region *r = buffer_at(p)) mark_written(*r, static_cast<size_t>(p - r->start), bytes);
}

void on_managed(void *start) {
    if (Region *r = buffer_at(static_cast<uint8_t *>(start))) {
        r->host_may_use = true;
        r->initialised = true; // host code writes it unseen
    }
}

void on_registered(const void *start, size_t bytes) {
    auto *p = static_cast<const uint8_t *>(start);
    if (bytes) registered[p] = bytes;
    else registered.erase(p);
}

void on_call_end() {
    if (pending.active) settle();
    told.clear();
}

// `__device__` variables hold zeros before anybody writes them.
static void watch_variables() {
    constexpr int most = 1024;
    std::vector<DeviceVariable> all(most);
    all.resize(static_cast<size_t>(device_variables(all.data(), most)));
    for (const DeviceVariable &one : all) {
        Region r{};
        r.start = one.start;
        r.bytes = one.bytes;
        r.space = one.kind == 'c' ? Space::constant : Space::variable;
        r.initialised = true;
        r.host_may_use = one.kind == 'm' || one.ambiguous;
        char name[sizeof r.name];
        unqualified_name(one.name, name, sizeof name);
        Sentence s;
        s << (one.kind == 'c' ? "__constant__ " : one.kind == 'm' ? "__managed__ " : "__device__ ") << name;
        strncpy(r.name, s.c_str(), sizeof r.name - 1);
        watch(r);
    }
}

void on_attach() {
    constexpr int most = 1024;
    arrays.resize(most);
    arrays.resize(static_cast<size_t>(thread_locals(true, arrays.data(), most)));
    others.resize(most);
    others.resize(static_cast<size_t>(thread_locals(false, others.data(), most)));
    for (ThreadLocal &a : arrays) {
        char name[sizeof Region::name];
        unqualified_name(a.name, name, sizeof name);
        array_names.push_back(strdup(name));
    }
    watch_variables();
}

} // namespace emu
#endif
