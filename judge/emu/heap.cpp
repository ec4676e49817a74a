// malloc, new and their like as a watched submission calls them; see heap.h.
//
// The submission is linked with --wrap=malloc and so on (judge/prebuilt.py), which sends its own calls here, and
// no others: not those of the C++ library, of the runtime, or of Python. A block that such code allocates is not
// known, so nothing is said of it; one that such code frees stays known until its addresses are used again.
#if defined(EMU_CHECK) || defined(EMU_LOCKSTEP)
#include "heap.h"
#include "stacks.h"
#include <map>
#include <mutex>
#include <new>
#include <stdlib.h>
#include <string.h>

namespace emu {
namespace {

struct Blocks {
    std::mutex mutex;
    std::map<const uint8_t *, HostBlock> by_end;
};
Blocks &blocks() {
    static Blocks *one = new Blocks; // never destroyed: submissions free memory at exit
    return *one;
}

void forget(Blocks &all, const uint8_t *low, const uint8_t *high) {
    auto i = all.by_end.upper_bound(low);
    while (i != all.by_end.end() && i->second.start < high) i = all.by_end.erase(i);
}

void *allocated(void *p, size_t bytes, const void *pc) {
    if (!p || !bytes) return p;
    auto *start = static_cast<const uint8_t *>(p);
    Blocks &all = blocks();
    std::lock_guard<std::mutex> lock(all.mutex);
    forget(all, start, start + bytes);
    if (!emu_in_kernel()) all.by_end[start + bytes] = {start, bytes, pc};
    return p;
}

void freed(void *p) {
    if (!p) return;
    auto *start = static_cast<const uint8_t *>(p);
    Blocks &all = blocks();
    std::lock_guard<std::mutex> lock(all.mutex);
    forget(all, start, start + 1);
}

} // namespace

bool host_block_at(const void *address, HostBlock *found) {
    auto *p = static_cast<const uint8_t *>(address);
    Blocks &all = blocks();
    std::lock_guard<std::mutex> lock(all.mutex);
    auto i = all.by_end.upper_bound(p);
    if (i == all.by_end.end() || p < i->second.start) return false;
    *found = i->second;
    return true;
}

bool host_blocks_near(const void *address) {
    auto *page = reinterpret_cast<const uint8_t *>(reinterpret_cast<uint64_t>(address) / page_bytes * page_bytes);
    Blocks &all = blocks();
    std::lock_guard<std::mutex> lock(all.mutex);
    auto i = all.by_end.upper_bound(page);
    return i != all.by_end.end() && i->second.start < page + page_bytes;
}

} // namespace emu

using namespace emu;

#define HERE __builtin_return_address(0)

extern "C" {

// ---- C ------------------------------------------------------------------------------------------------

void *__wrap_malloc(size_t n) { return allocated(malloc(n), n, HERE); }
void *__wrap_calloc(size_t count, size_t size) { return allocated(calloc(count, size), count * size, HERE); }
void *__wrap_aligned_alloc(size_t alignment, size_t n) { return allocated(aligned_alloc(alignment, n), n, HERE); }
int __wrap_posix_memalign(void **p, size_t alignment, size_t n) {
    int error = posix_memalign(p, alignment, n);
    if (!error) allocated(*p, n, HERE);
    return error;
}
void *__wrap_realloc(void *old, size_t n) {
    void *p = realloc(old, n);
    if (p || !n) freed(old);
    return allocated(p, n, HERE);
}
char *__wrap_strdup(const char *text) {
    char *p = strdup(text);
    return static_cast<char *>(allocated(p, strlen(text) + 1, HERE));
}
void __wrap_free(void *p) {
    freed(p);
    free(p);
}

// ---- C++, by the mangled names of operator new and delete ---------------------------------------------------

#define NEW(name)                                                                                       \
    void *__wrap__Z##name##m(size_t n) { return allocated(::operator new(n), n, HERE); }                \
    void *__wrap__Z##name##mRKSt9nothrow_t(size_t n, const std::nothrow_t &no) { return allocated(::operator new(n, no), n, HERE); } \
    void *__wrap__Z##name##mSt11align_val_t(size_t n, std::align_val_t a) { return allocated(::operator new(n, a), n, HERE); } \
    void *__wrap__Z##name##mSt11align_val_tRKSt9nothrow_t(size_t n, std::align_val_t a, const std::nothrow_t &no) \
    {                                                                                                   \
        return allocated(::operator new(n, a, no), n, HERE);                                            \
    }
NEW(nw) NEW(na)

#define DELETE(name)                                                                                    \
    void __wrap__Z##name##Pv(void *p) { freed(p), ::operator delete(p); }                              \
    void __wrap__Z##name##Pvm(void *p, size_t) { freed(p), ::operator delete(p); }                     \
    void __wrap__Z##name##PvRKSt9nothrow_t(void *p, const std::nothrow_t &) { freed(p), ::operator delete(p); } \
    void __wrap__Z##name##PvSt11align_val_t(void *p, std::align_val_t a) { freed(p), ::operator delete(p, a); } \
    void __wrap__Z##name##PvmSt11align_val_t(void *p, size_t, std::align_val_t a) { freed(p), ::operator delete(p, a); } \
    void __wrap__Z##name##PvSt11align_val_tRKSt9nothrow_t(void *p, std::align_val_t a, const std::nothrow_t &) \
    {                                                                                                   \
        freed(p), ::operator delete(p, a);                                                              \
    }
DELETE(dl) DELETE(da)

} // extern "C"
#endif
