"""The door to torch: no other file imports it, and only the process of a challenge imports this.

Challenges ask for tensors on "cuda" and assert that they are there.  They get them in host memory
all the same, on every machine, so that no GPU is needed and none is shared with the submission: in
the mode `Hosted` every torch function that is told a CUDA device is told the CPU instead, and
tensors say that they are on cuda:0.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from judge.leetgpu.wire import Array

_CUDA = re.compile(r"cuda(:\d+)?")
_EMPTY = frozenset(("empty", "empty_like", "empty_strided", "empty_permuted", "new_empty"))
_POISON = 0xA5  # of each byte of an integer: a number nobody picks


class Hosted(TorchFunctionMode):  # type: ignore[misc, unused-ignore]
    """While it is entered: CUDA is host memory, and what nobody has written holds NaN or 0xA5."""

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Called by torch in place of each of its functions and getters."""
        if func == torch.Tensor.device.__get__:
            return torch.device("cuda", 0)
        if func == torch.Tensor.is_cuda.__get__:
            return True
        name = getattr(func, "__name__", "")
        if name == "cuda":  # tensor.cuda(), which would look for a driver
            return args[0]
        given = {key: _on_host(value) for key, value in (kwargs or {}).items()}
        result = func(*map(_on_host, args), **given)
        if name in _EMPTY and isinstance(result, torch.Tensor):
            _spoil(result)
        return result


def prepare() -> None:
    """Make what no mode sees harmless without a GPU: waiting for it, generators on it."""
    for name in ("synchronize", "empty_cache", "reset_peak_memory_stats"):
        setattr(torch.cuda, name, _nothing)
    torch.set_default_device = _nothing
    torch.Generator = _generator(torch.Generator)


def seed(number: int) -> None:
    """Begin torch's, Python's and NumPy's random numbers anew."""
    torch.manual_seed(number)
    random.seed(number)
    np.random.seed(number % 2**32)


def described(value: Any) -> dict[str, Any]:
    """An argument of a test: a tensor's dtype and shape, a number, or the name of its type."""
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        return {
            "dtype": dtype,
            "shape": list(value.shape),
            "contiguous": bool(value.is_contiguous()),
        }
    if isinstance(value, Integral):
        return {"value": int(value)}
    if isinstance(value, Real):
        return {"value": float(value)}
    return {"type": type(value).__name__}


def stored(tensor: Any) -> tuple[str, Array]:
    """The dtype's name and the content of a tensor, a copy in storage dtype."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    tensor = tensor.detach()
    if dtype == "bfloat16":
        tensor = tensor.view(torch.int16)
        return dtype, tensor.numpy().view(np.uint16).copy()
    return dtype, tensor.numpy().copy()


def tensor_of(dtype: str, array: Array) -> Any:
    """A tensor of that dtype with this content, which it may write."""
    if dtype == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _nothing(*_: Any, **__: Any) -> None:
    """In place of a function that only a GPU needs."""


def _generator(plain: Any) -> Any:
    """torch.Generator, on the CPU wherever it is asked for."""

    class Generator(plain):  # type: ignore[misc]
        def __new__(cls, device: Any = "cpu") -> Any:
            return plain.__new__(cls, device=_on_host(device))

    return Generator


def _on_host(value: Any) -> Any:
    """The CPU for a CUDA device, anything else as it is."""
    if isinstance(value, torch.device):
        return torch.device("cpu") if value.type == "cuda" else value
    if isinstance(value, str) and _CUDA.fullmatch(value):
        return "cpu"
    return value


def _spoil(tensor: Any) -> None:
    """Fill what torch leaves undefined: fresh memory is often zero, but nobody promises it."""
    if tensor.dtype.is_floating_point:
        tensor.fill_(float("nan"))
    elif not tensor.dtype.is_complex and tensor.dtype != torch.bool:
        kind = np.dtype(str(tensor.dtype).removeprefix("torch."))
        tensor.fill_(int(np.frombuffer(bytes([_POISON]) * kind.itemsize, kind)[0]))
