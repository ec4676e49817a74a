"""The functions by which a watched submission allocates: linked to those of judge/emu/heap.cpp."""

from __future__ import annotations

_C = ("malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "strdup", "free")
_NEW = ("", "RKSt9nothrow_t", "St11align_val_t", "St11align_val_tRKSt9nothrow_t")
_DELETE = (*_NEW, "m", "mSt11align_val_t")
NAMES = (
    *_C,
    *(f"_Z{name}m{kind}" for name in ("nw", "na") for kind in _NEW),
    *(f"_Z{name}Pv{kind}" for name in ("dl", "da") for kind in _DELETE),
)
"""As the linker knows them."""
WRAPPED = tuple(f"-Wl,--wrap={name}" for name in NAMES)
"""Flags to link with: a call of `malloc` becomes one of `__wrap_malloc`."""
