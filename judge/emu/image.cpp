// Reading the submission's ELF file; see image.h.
//
// `__shared__ float tile[..]` in kernel `_Z4tilePf` is the TLS symbol `_ZZ4tilePfE4tile`: the prefix
// `_ZZ` marks what lives inside a function, and the function's own mangled name follows. Without a
// symbol table (a stripped library) the whole TLS block counts as shared memory, and no kernel's share
// of it is known.
#include "image.h"
#include "device.h"
#include "hooks.h"
#include "worker.h"
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A TLS block's address in the calling thread, by module number (no header declares it).
struct TlsIndex {
    unsigned long module, offset;
};
extern "C" void *__tls_get_addr(TlsIndex *);

namespace emu {
namespace {

struct Range {
    size_t offset, bytes; // in the TLS block
};

uint8_t *base = nullptr;         // load address
uint64_t text_low = 0, text_high = 0; // of its executable segments
ptrdiff_t tls_distance = 0;      // from &threadIdx to the submission's TLS block, in every OS thread
size_t tls_bytes = 0;
Range *ranges = nullptr;         // of __shared__ arrays, merged
int range_count = 0;

const ElfW(Ehdr) *file = nullptr; // the mapped file
const ElfW(Sym) *symbols = nullptr;
size_t symbol_count = 0;
const char *names = nullptr;

uint8_t *tls_block() { return reinterpret_cast<uint8_t *>(&threadIdx) + tls_distance; }

int find_segments(dl_phdr_info *info, size_t, void *) {
    if (reinterpret_cast<uint8_t *>(info->dlpi_addr) != base) return 0;
    text_low = ~0ull;
    text_high = 0;
    tls_bytes = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) &segment = info->dlpi_phdr[i];
        uint64_t low = info->dlpi_addr + segment.p_vaddr, high = low + segment.p_memsz;
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_X) {
            if (low < text_low) text_low = low;
            if (high > text_high) text_high = high;
        }
        if (segment.p_type == PT_TLS) {
            tls_bytes = segment.p_memsz;
            TlsIndex index{info->dlpi_tls_modid, 0};
            // Both blocks are static TLS (initial-exec), so their distance is the same everywhere.
            tls_distance = static_cast<uint8_t *>(__tls_get_addr(&index)) - reinterpret_cast<uint8_t *>(&threadIdx);
        }
    }
    return 1;
}

void read_symbol_table(const char *path) {
    symbols = nullptr;
    symbol_count = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    struct stat info;
    void *map = fstat(fd, &info) ? MAP_FAILED
                                 : mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (map == MAP_FAILED) return;
    file = static_cast<const ElfW(Ehdr) *>(map);
    auto *bytes = static_cast<const char *>(map);
    if (!file->e_shoff) return;
    auto *sections = reinterpret_cast<const ElfW(Shdr) *>(bytes + file->e_shoff);
    for (int i = 0; i < file->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        symbols = reinterpret_cast<const ElfW(Sym) *>(bytes + sections[i].sh_offset);
        symbol_count = sections[i].sh_size / sizeof(ElfW(Sym));
        names = bytes + sections[sections[i].sh_link].sh_offset;
    }
}

bool is_shared_array(const ElfW(Sym) &s) {
    return (s.st_info & 15) == STT_TLS && s.st_shndx != SHN_UNDEF && !strncmp(names + s.st_name, "_ZZ", 3);
}

int by_offset(const void *a, const void *b) {
    size_t x = static_cast<const Range *>(a)->offset, y = static_cast<const Range *>(b)->offset;
    return x < y ? -1 : x > y;
}

void find_ranges() {
    free(ranges);
    ranges = nullptr;
    range_count = 0;
    if (!tls_bytes) return;
    if (!symbols) {
        ranges = static_cast<Range *>(malloc(sizeof(Range)));
        ranges[range_count++] = {0, tls_bytes};
        return;
    }
    for (size_t i = 0; i < symbol_count; i++) range_count += is_shared_array(symbols[i]);
    ranges = static_cast<Range *>(malloc(sizeof(Range) * static_cast<size_t>(range_count + 1)));
    range_count = 0;
    for (size_t i = 0; i < symbol_count; i++)
        if (is_shared_array(symbols[i])) ranges[range_count++] = {symbols[i].st_value, symbols[i].st_size};
    qsort(ranges, static_cast<size_t>(range_count), sizeof(Range), by_offset);
    // Neighbours become one range, padding between them included: one memset a block, as a rule.
    int merged = 0;
    for (int i = 1; i < range_count; i++) {
        Range &last = ranges[merged];
        if (ranges[i].offset <= last.offset + last.bytes + 63)
            last.bytes = ranges[i].offset + ranges[i].bytes - last.offset;
        else ranges[++merged] = ranges[i];
    }
    if (range_count) range_count = merged + 1;
}

const char *function_name(const void *entry) {
    uint64_t value = static_cast<uint64_t>(static_cast<const uint8_t *>(entry) - base);
    for (size_t i = 0; i < symbol_count; i++)
        if ((symbols[i].st_info & 15) == STT_FUNC && symbols[i].st_value == value && symbols[i].st_shndx != SHN_UNDEF)
            return names + symbols[i].st_name;
    return nullptr;
}

} // namespace

void poison_static_shared() {
    uint8_t *block = tls_block();
    for (int i = 0; i < range_count; i++) emu_fill_undefined(block + ranges[i].offset, ranges[i].bytes);
}

size_t static_shared_total() {
    size_t total = 0;
    for (int i = 0; i < range_count; i++) total += ranges[i].bytes;
    return total;
}

void save_static_shared(uint8_t *to) {
    for (int i = 0; i < range_count; to += ranges[i++].bytes)
        memcpy(to, tls_block() + ranges[i].offset, ranges[i].bytes);
}

void restore_static_shared(const uint8_t *from) {
    for (int i = 0; i < range_count; from += ranges[i++].bytes)
        memcpy(tls_block() + ranges[i].offset, from, ranges[i].bytes);
}

int thread_locals(bool shared, ThreadLocal *out, int most) {
    int count = 0;
    for (size_t i = 0; i < symbol_count && count < most; i++)
        if ((symbols[i].st_info & 15) == STT_TLS && symbols[i].st_shndx != SHN_UNDEF && is_shared_array(symbols[i]) == shared)
            out[count++] = {names + symbols[i].st_name, tls_block() + symbols[i].st_value, symbols[i].st_size};
    return count;
}

// `_ZZ4tilePfE4rows` is rows; so is `_ZZ4tilePfE4rows_0`, another one of that name.
void unqualified_name(const char *mangled, char *to, size_t room) {
    char *full = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
    const char *last = full ? full : mangled;
    for (const char *p = strstr(last, "::"); p; p = strstr(p + 2, "::")) last = p + 2;
    snprintf(to, room, "%s", last);
    free(full);
}

// The line `d counter` of the list has the name; 0: it is not on it.
static char kind_of_variable(const char *list, const char *name) {
    size_t length = strcspn(name, "<"); // an instance of a template goes by the name of the template
    for (const char *line = list; line[0] && line[1]; line += strcspn(line, "\n") + 1)
        if (strcspn(line + 2, "\n") == length && !strncmp(line + 2, name, length)) return line[0];
    return 0;
}

int device_variables(DeviceVariable *out, int most) {
    const char *list = nullptr;
    for (size_t i = 0; i < symbol_count; i++)
        if (!strcmp(names + symbols[i].st_name, "emu_device_variables")) list = reinterpret_cast<char *>(base) + symbols[i].st_value;
    if (!list) return 0;
    auto *sections = reinterpret_cast<const ElfW(Shdr) *>(reinterpret_cast<const char *>(file) + file->e_shoff);
    int count = 0;
    for (size_t i = 0; i < symbol_count && count < most; i++) {
        const ElfW(Sym) &s = symbols[i];
        if ((s.st_info & 15) != STT_OBJECT || s.st_shndx == SHN_UNDEF || s.st_shndx >= file->e_shnum || !s.st_size) continue;
        if (!(sections[s.st_shndx].sh_flags & SHF_WRITE)) continue;
        char name[200];
        unqualified_name(names + s.st_name, name, sizeof name);
        char kind = kind_of_variable(list, name);
        if (!kind) continue;
        DeviceVariable one{names + s.st_name, base + s.st_value, s.st_size, kind, false};
        for (int k = 0; k < count; k++) {
            char other[200];
            unqualified_name(out[k].name, other, sizeof other);
            if (!strcmp(name, other)) one.ambiguous = out[k].ambiguous = true;
        }
        out[count++] = one;
    }
    return count;
}

uint64_t image_base() { return reinterpret_cast<uint64_t>(base); }

void *static_shared_block(size_t *bytes) {
    *bytes = tls_bytes;
    return tls_block();
}

bool in_thread_local_block(const void *address) {
    auto *p = static_cast<const uint8_t *>(address);
    return p >= tls_block() && p < tls_block() + tls_bytes;
}

uint64_t image_offset(uint64_t address) {
    return address >= text_low && address < text_high ? address - reinterpret_cast<uint64_t>(base) : 0;
}

bool entry_may_be(const void *entry, const char *name) {
    const char *mangled = function_name(entry);
    if (!mangled) return true;
    char part[200];
    snprintf(part, sizeof part, "%zu%s", strlen(name), name);
    return !strcmp(mangled, name) || strstr(mangled, part);
}

} // namespace emu

extern "C" {

void emu_attach(void *any_symbol) {
    using namespace emu;
    Dl_info info;
    if (!dladdr(any_symbol, &info)) return;
    base = static_cast<uint8_t *>(info.dli_fbase);
    dl_iterate_phdr(find_segments, nullptr);
    read_symbol_table(info.dli_fname);
    find_ranges();
    on_attach();
}

long emu_static_shared_bytes(const void *entry) {
    using namespace emu;
    if (!tls_bytes) return 0;
    const char *kernel = entry && symbols ? function_name(entry) : nullptr;
    if (!kernel) return -1;
    char prefix[2000];
    if (!strncmp(kernel, "_Z", 2)) snprintf(prefix, sizeof prefix, "_ZZ%sE", kernel + 2);
    else snprintf(prefix, sizeof prefix, "_ZZ%zu%sE", strlen(kernel), kernel); // extern "C"
    size_t length = strlen(prefix);
    long total = 0;
    for (size_t i = 0; i < symbol_count; i++)
        if (is_shared_array(symbols[i]) && !strncmp(names + symbols[i].st_name, prefix, length))
            total += static_cast<long>(symbols[i].st_size);
    return total;
}

} // extern "C"
