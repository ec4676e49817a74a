// The table of device buffers; see memory.h.
#include "memory.h"
#include "errors.h"
#include "hooks.h"
#include "note.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace emu {
namespace {

constexpr size_t page = 4096;
constexpr size_t arena_guard = 16u << 20;  // on both sides of a judge's array
constexpr size_t malloc_guard = 1u << 20;  // of a cudaMalloc: rows of a matrix fit in it
constexpr int max_buffers = 4096;
constexpr int remembered = 64; // freed buffers that stay inaccessible, to name a use after free
constexpr uint8_t slack_byte = 0xcb;

Buffer buffers[max_buffers]; // in place, so that the fault handler can walk it without a lock
std::atomic<int> used{0};    // entries ever used
pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
uint64_t memory_limit = 0, in_use = 0, frees = 0;
int allocations = 0;

struct Locked {
    Locked() { pthread_mutex_lock(&table_mutex); }
    ~Locked() { pthread_mutex_unlock(&table_mutex); }
};

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

// Return a freed buffer's addresses to the system.
void forget(Buffer &b) {
    munmap(b.reservation, b.reservation_bytes);
    b.state = BufferState::unused;
}

Buffer *oldest_freed(int *count) {
    Buffer *oldest = nullptr;
    *count = 0;
    for (int i = 0; i < used; i++)
        if (buffers[i].state == BufferState::freed) {
            ++*count;
            if (!oldest || buffers[i].freed_when < oldest->freed_when) oldest = &buffers[i];
        }
    return oldest;
}

Buffer *unused_entry() {
    for (int i = 0; i < used; i++)
        if (buffers[i].state == BufferState::unused) return &buffers[i];
    if (used < max_buffers) return &buffers[used++];
    int count;
    Buffer *oldest = oldest_freed(&count);
    if (oldest) forget(*oldest);
    return oldest;
}

void set_name(Buffer &b, const char *name) {
    strncpy(b.name, name, sizeof b.name - 1);
    b.name[sizeof b.name - 1] = 0;
}

// Make the buffer inaccessible, keep its addresses reserved.
void retire(Buffer &b) {
    // A new mapping over the old one gives the pages back to the system too.
    mmap(b.reservation, b.reservation_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    b.freed_when = ++frees;
    b.state = BufferState::freed;
    int count;
    Buffer *oldest = oldest_freed(&count);
    if (count > remembered) forget(*oldest);
}

Buffer *starting_at(const void *pointer, BufferState state) {
    for (int i = 0; i < used; i++)
        if (buffers[i].state == state && buffers[i].start == pointer) return &buffers[i];
    return nullptr;
}

// Inaccessible pages at `address`, at a random place if it is null, or null.
uint8_t *reserve(size_t bytes, uint8_t *address) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t random = 0;
        if (!address && getrandom(&random, sizeof random, 0) != sizeof random) break;
        // 2^44 .. 2^46: clear of the program, its libraries and the kernel's own choices
        uint64_t where = (1ull << 44) + random % ((1ull << 46) - (1ull << 44)) / page * page;
        uint8_t *wanted = address ? address : reinterpret_cast<uint8_t *>(where);
        void *p = mmap(wanted, bytes, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (p == wanted) return wanted;
        if (p != MAP_FAILED) munmap(p, bytes); // an old kernel, which takes the address for a hint
        if (address) return nullptr;
    }
    void *p = mmap(nullptr, bytes, PROT_NONE, flags, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<uint8_t *>(p);
}

void check_slack(const Buffer &b) {
    uint8_t *end = b.start + b.bytes;
    for (uint8_t *p = end; p < b.slot + b.slot_bytes; p++) {
        if (*p == slack_byte) continue;
        Note("fault").text("access", "write").address("address", reinterpret_cast<uint64_t>(p)).text("pc", "")
            .number("host", 0).text("kernel", "").text("buffer", b.name).number("offset", p - b.start)
            .number("bytes", static_cast<long long>(b.bytes)).number("buffer_line", b.line).number("found_later", 1).send();
        emu_set_error(illegal_address, 1, nullptr, 0);
        return;
    }
}

} // namespace

Buffer *nearest_buffer(const void *address) {
    auto *a = static_cast<const uint8_t *>(address);
    Buffer *nearest = nullptr;
    size_t best = 256u << 20;
    for (int i = 0; i < used; i++) {
        Buffer &b = buffers[i];
        if (b.state == BufferState::unused) continue;
        const uint8_t *low = b.reservation, *high = low + b.reservation_bytes;
        size_t distance = a < low ? static_cast<size_t>(low - a) : a >= high ? static_cast<size_t>(a - high) + 1 : 0;
        if (distance < best) {
            best = distance;
            nearest = &b;
        }
    }
    return nearest;
}

void make_writable(Buffer &b) {
    b.read_only = false;
    mprotect(b.slot, b.slot_bytes, PROT_READ | PROT_WRITE);
}

void set_memory_limit(uint64_t bytes) { memory_limit = bytes; }
void start_allocation_names() { allocations = 0; }

void check_all_slack() {
    Locked lock;
    for (int i = 0; i < used; i++)
        if (buffers[i].state == BufferState::live && !buffers[i].judge_owned) check_slack(buffers[i]);
}

} // namespace emu

using namespace emu;

extern "C" {

void *emu_map_buffer(const char *name, int arena_fd, uint64_t slot_offset, uint64_t slot_bytes, uint64_t bytes,
                     int access, void *address) {
    Locked lock;
    size_t from_slot = slot_bytes - round_up(bytes, 16); // start of the array in its slot
    uint8_t *wanted = address ? static_cast<uint8_t *>(address) - from_slot - arena_guard : nullptr;
    if (address)
        if (Buffer *old = starting_at(address, BufferState::freed)) forget(*old);
    Buffer *b = unused_entry();
    size_t reservation_bytes = slot_bytes + 2 * arena_guard;
    uint8_t *reservation = b ? reserve(reservation_bytes, wanted) : nullptr;
    if (!reservation) return nullptr;
    uint8_t *slot = reservation + arena_guard;
    bool read_only = access & EMU_READ_ONLY;
    int protection = read_only ? PROT_READ : PROT_READ | PROT_WRITE;
    if (mmap(slot, slot_bytes, protection, MAP_SHARED | MAP_FIXED, arena_fd, static_cast<off_t>(slot_offset)) == MAP_FAILED) {
        munmap(reservation, reservation_bytes);
        return nullptr;
    }
    b->judge_owned = true;
    b->read_only = read_only;
    set_name(*b, name);
    b->reservation = reservation;
    b->reservation_bytes = reservation_bytes;
    b->slot = slot;
    b->slot_bytes = slot_bytes;
    b->start = slot + from_slot;
    b->bytes = bytes;
    b->line = 0;
    b->state = BufferState::live;
    on_buffer(b->start, bytes, b->name, !(access & EMU_UNWRITTEN));
    return b->start;
}

int emu_unmap_buffer(void *pointer) {
    Locked lock;
    Buffer *b = starting_at(pointer, BufferState::live);
    if (!b || !b->judge_owned) return -1;
    on_free(pointer);
    retire(*b);
    return 0;
}

int emu_malloc(void **pointer, size_t bytes, unsigned line) {
    if (int error = emu_sticky_error()) return error;
    if (!pointer) return emu_set_error(invalid_value, 0, "cudaMalloc: the address of the pointer is null", line);
    *pointer = nullptr;
    if (!bytes) return success;
    Locked lock;
    if (memory_limit && (bytes > memory_limit || in_use > memory_limit - bytes)) {
        Note("memory").number("asked", static_cast<long long>(bytes)).number("limit", static_cast<long long>(memory_limit))
            .number("in_use", static_cast<long long>(in_use)).number("line", line).send();
        return emu_record_error(memory_allocation);
    }
    Buffer *b = unused_entry();
    size_t slot_bytes = round_up(bytes, page), reservation_bytes = slot_bytes + 2 * malloc_guard;
    uint8_t *reservation = b ? reserve(reservation_bytes, nullptr) : nullptr;
    if (!reservation) return emu_record_error(memory_allocation);
    uint8_t *slot = reservation + malloc_guard;
    if (mprotect(slot, slot_bytes, PROT_READ | PROT_WRITE)) {
        munmap(reservation, reservation_bytes);
        return emu_record_error(memory_allocation);
    }
    b->judge_owned = b->read_only = false;
    Sentence name;
    name << "cudaMalloc #" << ++allocations;
    set_name(*b, name.c_str());
    b->reservation = reservation;
    b->reservation_bytes = reservation_bytes;
    b->slot = slot;
    b->slot_bytes = slot_bytes;
    b->start = slot + slot_bytes - round_up(bytes, 16);
    b->bytes = bytes;
    b->line = line;
    // New memory holds anything but zeros: NaNs show where a kernel reads what nobody wrote.
    emu_fill_undefined(b->start, bytes);
    memset(b->start + bytes, slack_byte, static_cast<size_t>(slot + slot_bytes - (b->start + bytes)));
    in_use += bytes;
    b->state = BufferState::live;
    on_buffer(b->start, bytes, b->name, false);
    *pointer = b->start;
    return success;
}

int emu_free(void *pointer, unsigned line) {
    if (int error = emu_sticky_error()) return error;
    if (!pointer) return success;
    Locked lock;
    Buffer *b = starting_at(pointer, BufferState::live);
    if (b && !b->judge_owned) {
        check_slack(*b);
        in_use -= b->bytes;
        on_free(pointer);
        retire(*b);
        return success;
    }
    Sentence s;
    if (b) s << "cudaFree of the argument " << b->name << ", which belongs to the caller of solve";
    else if (Buffer *gone = starting_at(pointer, BufferState::freed)) s << "cudaFree of " << gone->name << ", which was freed before";
    else s << "cudaFree of a pointer that cudaMalloc did not return";
    return emu_set_error(invalid_value, 0, s.c_str(), line);
}

int emu_find_buffer(const void *pointer, emu_buffer *out) {
    Locked lock;
    auto *p = static_cast<const uint8_t *>(pointer);
    const Buffer *found = nullptr;
    for (int i = 0; i < used; i++) {
        Buffer &b = buffers[i];
        if (b.state == BufferState::unused || p < b.start || p > b.start + b.bytes) continue;
        if (!found || b.state == BufferState::live) found = &b;
    }
    if (!found) return 0;
    if (out) {
        strcpy(out->name, found->name);
        out->start = found->start;
        out->bytes = found->bytes;
        out->freed = found->state == BufferState::freed;
    }
    return 1;
}

int emu_check_range(const void *pointer, size_t bytes, const char *what, unsigned line) {
    emu_buffer b;
    if (!bytes || !emu_find_buffer(pointer, &b)) return success;
    size_t offset = static_cast<size_t>(static_cast<const uint8_t *>(pointer) - static_cast<uint8_t *>(b.start));
    Sentence s;
    if (b.freed) s << what << ": " << b.name << " was freed before";
    else if (bytes > b.bytes - offset)
        ((s << what << ": ").count(bytes, "byte") << " from byte " << offset << " of " << b.name << ", which has ")
            .count(b.bytes, "byte") << ": the last " << offset + bytes - b.bytes << " past its end";
    else return success;
    return emu_set_error(invalid_value, 0, s.c_str(), line);
}

void emu_written(void *pointer, size_t bytes) { on_api_write(pointer, bytes); }
void emu_share_with_host(void *pointer) { on_managed(pointer); }
void emu_register_host(const void *pointer, size_t bytes) { on_registered(pointer, bytes); }

void emu_memory_info(size_t *free_bytes, size_t *total_bytes) {
    Locked lock;
    uint64_t total = memory_limit ? memory_limit : 80ull << 30; // an H100's, if there is no bound
    if (total_bytes) *total_bytes = total;
    if (free_bytes) *free_bytes = total > in_use ? total - in_use : 0;
}

} // extern "C"
