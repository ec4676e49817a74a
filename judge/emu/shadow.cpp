// Making, splitting and marking the cells of a region; see shadow.h.
#if defined(EMU_CHECK)
#include "shadow.h"
#include <sys/mman.h>

namespace emu {

bool make_cells(Region &r) {
    r.cell_bytes = (r.count() + 1) * sizeof(Cell);
    void *p = mmap(nullptr, r.cell_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    r.cells = p == MAP_FAILED ? nullptr : static_cast<Cell *>(p);
    return r.cells != nullptr;
}

void drop_cells(Region &r) {
    if (r.cells) munmap(r.cells, r.cell_bytes);
    r.cells = nullptr;
}

void refine(Region &r, int shift) {
    Region fine = r;
    fine.shift = static_cast<uint8_t>(shift);
    if (!make_cells(fine)) return;
    int ratio = r.shift - shift;
    for (size_t i = 0; i < fine.count(); i++) {
        const Cell &c = r.cells[i >> ratio];
        if (c.write.time || c.read.time) fine.cells[i] = c; // the rest stays unmapped
    }
    drop_cells(r);
    r = fine;
}

void mark_written(Region &r, size_t offset, size_t bytes) {
    if (offset >= r.bytes) return;
    if (bytes > r.bytes - offset) bytes = r.bytes - offset;
    if (offset == 0 && bytes == r.bytes) {
        r.initialised = true;
        return;
    }
    size_t mask = (size_t(1) << r.shift) - 1;
    bool whole = !(offset & mask) && (!((offset + bytes) & mask) || offset + bytes == r.bytes);
    if (!whole) refine(r, 0);
    for (size_t i = offset >> r.shift; i << r.shift < offset + bytes; i++)
        if (!r.cells[i].write.time) r.cells[i].write.time = 1; // the clock starts later
}

} // namespace emu
#endif
