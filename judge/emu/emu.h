// The C functions of libcuda_emu.so, the runtime of the CPU backend.
//
// One submission a process. Three callers: the worker (first section), what the submission includes
// (launch and device sections) and the CUDA API functions in api.cpp (errors, memory and so on).
// Plain C types only, so that ctypes can call the first section and a header parse costs nothing.
// Errors are CUDA's numbers (cudaError_t); 0 is success. `line` is a source line, 0 = unknown.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct emu_dim { // layout of uint3 and dim3
    unsigned x, y, z;
};

extern "C" {

// What memory holds that nothing has written, 16 bits over and over: a NaN in half, bfloat16, float and double,
// and not the one that outputs begin with (0xFFFF), so that a copy of it is not taken for an output never written.
enum { EMU_UNDEFINED = 0xFFFB };
static inline void emu_fill_undefined(void *memory, size_t bytes) {
    char *p = (char *)memory;
    const uint16_t pattern = EMU_UNDEFINED;
    size_t done = bytes < sizeof pattern ? bytes : sizeof pattern;
    __builtin_memcpy(p, &pattern, done);
    for (; done < bytes; done += done < bytes - done ? done : bytes - done) // doubles what is there
        __builtin_memcpy(p + done, p, done < bytes - done ? done : bytes - done);
}

// ---- the worker ---------------------------------------------------------------------------------

// Once, before anything else: install the fault handlers. Notes are JSON lines on note_fd (-1: none).
// memory_limit_bytes bounds what cudaMalloc hands out (0: no bound). Returns 0, or -1 with errno.
int emu_start(int note_fd, uint64_t memory_limit_bytes, int os_threads);

// Map an array of the judge's arena as device memory: the slot's pages between 16 MiB of PROT_NONE on
// either side; the array is right-aligned in the slot (rounded up to 16 bytes). access: EMU_READ_ONLY for
// an input, EMU_UNWRITTEN for an output, whose content nobody may read. address: a pointer that an earlier
// call returned, to get it again, or null for a fresh random one. Null on failure.
enum { EMU_READ_ONLY = 1, EMU_UNWRITTEN = 2 };
void *emu_map_buffer(const char *name, int arena_fd, uint64_t slot_offset, uint64_t slot_bytes,
                     uint64_t bytes, int access, void *address);
int emu_unmap_buffer(void *pointer); // 0, or -1 if it is not a mapped buffer

// Tell the runtime where the submission lies: its load address, and its thread-local block, which
// holds the __shared__ arrays. any_symbol: an address inside the submission's library.
void emu_attach(void *any_symbol);

// Call the submission's judge_entry(arguments) and wait for all its work. Returns the sticky CUDA
// error, or else the last error that the submission did not fetch itself; starts with none.
// schedule: 0 = blocks and threads run forward; otherwise a seed that permutes both, repeatably.
int emu_call(void *entry, void *const *arguments, uint64_t schedule);

// ---- launches -----------------------------------------------------------------------------------

struct emu_config {
    emu_dim grid, block;
    size_t dynamic_bytes; // dynamic shared memory of a block
    const void *stream;   // kept for the signature; every stream is in order with every other
};

struct emu_kernel {
    const char *name;
    unsigned line;                // of the launch
    const void *entry;            // address of the kernel; null if the launch could not name it
    void (*invoke)(const void *); // runs one CUDA thread: invoke(closure)
    const void *closure;          // the kernel's arguments; must live until emu_launch returns
    size_t closure_bytes;
};

// Check the limits, run every block, return the launch's error (0, 9 for a bad configuration, ...).
int emu_launch(const emu_config *config, const emu_kernel *kernel);

// cudaFuncSetAttribute(MaxDynamicSharedMemorySize): 0, or 1 beyond the device's opt-in limit.
int emu_allow_dynamic_shared(const void *entry, size_t bytes);

// Static shared memory of a kernel in bytes, from the submission's symbol table; -1 if unknown.
long emu_static_shared_bytes(const void *entry);

// ---- what a CUDA thread calls --------------------------------------------------------------------

void emu_barrier(unsigned line);
enum { EMU_COUNT = 0, EMU_AND = 1, EMU_OR = 2 };
int emu_barrier_reduce(int predicate, int kind, unsigned line); // __syncthreads_count, _and, _or

enum { EMU_SHUFFLE_INDEX = 0, EMU_SHUFFLE_UP = 1, EMU_SHUFFLE_DOWN = 2, EMU_SHUFFLE_XOR = 3 };
uint64_t emu_shuffle(unsigned mask, uint64_t value, int source, int width, int mode, unsigned line);
unsigned emu_ballot(unsigned mask, int predicate, unsigned line);
void emu_warp_sync(unsigned mask, unsigned line);

// Meet the other lanes of `mask`; the last to arrive runs complete(lanes, arrived) once for all:
// lanes[i] is the `mine` of lane i, valid for the bits of `arrived` (exited lanes are missing).
// Everything beyond shuffle and ballot is built on this: match, reduce, wmma.
typedef void (*emu_complete)(void **lanes, unsigned arrived);
void emu_warp_collect(unsigned mask, emu_complete complete, void *mine, unsigned line);

// cp.async of the running thread: copies that have not landed, in groups. A copy belongs to the group that
// the next commit closes; `next` takes the oldest one that is not among the last `groups_left` groups
// (null: there is none), for the caller to do: it lies in the submission, where accesses are checked.
struct emu_async {
    alignas(16) char data[16];
    void *to;
    uint32_t bytes, group;
};
void emu_async_copy(void *to, const void *data, uint32_t bytes);
void emu_async_commit(void);
const emu_async *emu_async_next(uint32_t groups_left);

// The place in this block's shared memory whose address has these low 32 bits; other addresses as they are.
void *emu_shared_pointer(uint64_t address);

unsigned emu_active_mask(unsigned line); // the lanes of this warp that meet at this line
int emu_lane(void);                      // 0..31
void emu_yield(void);                    // let other threads of the block (and other blocks) run
void emu_grid_barrier(unsigned line);    // cooperative grid sync; every block must be resident
// End the kernel with a sticky error and a note ("error" kind). Does not return inside a kernel.
void emu_kernel_error(int error, const char *message, unsigned line);
int emu_in_kernel(void);

// ---- errors, for the API functions ---------------------------------------------------------------

// Record an error and write an "error" note. sticky: later calls fail too, as after an illegal access.
int emu_set_error(int error, int sticky, const char *message, unsigned line); // returns error
int emu_record_error(int error);      // the same without a note, not sticky; returns error
int emu_last_error(int clear);        // cudaGetLastError (1) and cudaPeekAtLastError (0)
int emu_sticky_error(void);           // 0, or what every further API call returns
const char *emu_error_name(int error); // "cudaErrorInvalidValue"
const char *emu_error_text(int error); // "invalid argument"

// ---- device memory, for the API functions ----------------------------------------------------------

int emu_malloc(void **pointer, size_t bytes, unsigned line); // full of EMU_UNDEFINED; 0 bytes gives null
int emu_free(void *pointer, unsigned line);                  // null is allowed

struct emu_buffer {
    char name[48]; // "A", "cudaMalloc #2"
    void *start;
    size_t bytes;
    int freed;
};
// The device buffer in which `pointer` lies (one past the end counts): 1 and *out, or 0.
int emu_find_buffer(const void *pointer, struct emu_buffer *out);
// The same for a range that an API call is about to read or write: 0, or an error with its note
// (what: "cudaMemcpy", "cudaMemset", ...) if it leaves the buffer or the buffer was freed.
int emu_check_range(const void *pointer, size_t bytes, const char *what, unsigned line);
void emu_written(void *pointer, size_t bytes);   // an API call has written this range
void emu_share_with_host(void *pointer);         // cudaMallocManaged: host code may use the buffer
void emu_register_host(const void *pointer, size_t bytes); // cudaHostRegister; 0 bytes: cudaHostUnregister
void emu_memory_info(size_t *free_bytes, size_t *total_bytes);

} // extern "C"
