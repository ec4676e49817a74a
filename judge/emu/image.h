// The submission's library in memory: its load address, its __shared__ arrays (thread-local storage)
// and, from its symbol table, which of them belong to which kernel.
#pragma once
#include "emu.h"

namespace emu {

void poison_static_shared();            // EMU_UNDEFINED over this OS thread's __shared__ arrays
size_t static_shared_total();           // bytes of all of them
void save_static_shared(uint8_t *to);   // the same bytes out, and back in
void restore_static_shared(const uint8_t *from);

// The __shared__ arrays, or what else is thread-local (guards of initialisers), by mangled name, at their
// addresses in this OS thread; returns how many there are.
struct ThreadLocal {
    const char *name;
    uint8_t *start;
    size_t bytes;
};
int thread_locals(bool shared, ThreadLocal *out, int most);
// The variables of device memory that the submission declares, as the judge lists them for a watched one, by
// mangled name at their addresses; kind: as in judge/variables.py. Constants the compiler keeps read-only are left
// out. Returns how many there are.
struct DeviceVariable {
    const char *name;
    uint8_t *start;
    size_t bytes;
    char kind;
    bool ambiguous; // another variable has the same unqualified name: it may be one of the host
};
int device_variables(DeviceVariable *out, int most);
void unqualified_name(const char *mangled, char *to, size_t room);

uint64_t image_base(); // load address
void *static_shared_block(size_t *bytes); // where they lie in this OS thread, with what lies between them
bool in_thread_local_block(const void *address); // the submission's, in this OS thread

// Offset of a code address in the submission, or 0 if it lies elsewhere (libc, this runtime).
uint64_t image_offset(uint64_t address);

// True if the function at `entry` has this unqualified name in the symbol table (or might: no table).
bool entry_may_be(const void *entry, const char *name);

} // namespace emu
