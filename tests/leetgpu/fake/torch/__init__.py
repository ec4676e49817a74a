"""As much of torch as our own challenges use, backed by NumPy.

CI has no torch.  This stands in for it there, so that the whole way from challenge.py to a verdict
runs; tests/test_leetgpu.py runs the same with torch itself where that is installed.  As with a
torch that was built for the CPU, whatever is really put on "cuda" fails.
"""

import functools
from types import SimpleNamespace

import numpy as np

from . import overrides

_random = np.random.default_rng(0)


class device:
    """A device by type and index."""

    def __init__(self, kind, index=None):
        self.type, self.index = str(kind).partition(":")[0], index

    def __eq__(self, other):
        return (self.type, self.index) == (other.type, other.index)

    __hash__ = None


class dtype:
    """A dtype by NumPy's name for it."""

    def __init__(self, name):
        self.name, self.plain = name, np.dtype(name)
        self.is_floating_point = self.plain.kind == "f"
        self.is_complex = self.plain.kind == "c"

    def __repr__(self):
        return f"torch.{self.name}"


_dtypes = {
    name: dtype(name) for name in ("float16", "float32", "float64", "uint8", "int32", "int64")
}
_dtypes["bool"] = dtype("bool")
globals().update(_dtypes)


def _function(plain):
    """A function that a mode is asked before."""

    @functools.wraps(plain)
    def asked(*args, **kwargs):
        return overrides.asked(run, *args, **kwargs)

    @functools.wraps(plain)
    def run(*args, **kwargs):
        where = kwargs.pop("device", None)
        if where is not None and (where.type if isinstance(where, device) else where) != "cpu":
            raise AssertionError("Torch not compiled with CUDA enabled")
        return plain(*args, **kwargs)

    return asked


def _getter(name, plain):
    """A property that a mode is asked before; it knows it by the property's own `__get__`."""
    return property(
        lambda self: (
            overrides.asked(getattr(Tensor, name).__get__, self) if overrides.modes else plain(self)
        )
    )


class Tensor:
    """A NumPy array."""

    def __init__(self, array):
        self._array = array

    shape = property(lambda self: self._array.shape)
    dtype = property(lambda self: _dtypes[self._array.dtype.name])
    device = _getter("device", lambda self: device("cpu"))
    is_cuda = _getter("is_cuda", lambda self: False)

    def __len__(self):
        return len(self._array)

    def __setitem__(self, key, value):
        self._array[key] = value._array

    def __bool__(self):
        return bool(self._array)

    @_function
    def copy_(self, other):
        self._array[...] = other._array
        return self

    @_function
    def fill_(self, number):
        self._array.fill(number)
        return self

    @_function
    def to(self, kind):
        return Tensor(self._array.astype(kind.plain))

    @_function
    def cuda(self):
        raise AssertionError("Torch not compiled with CUDA enabled")

    @_function
    def flip(self, axis):
        return Tensor(np.flip(self._array, axis).copy())

    @_function
    def t(self):
        return Tensor(self._array.T)

    @_function
    def resize_(self, *shape):
        self._array = np.zeros(shape, self._array.dtype)

    def is_contiguous(self):
        return self._array.flags.c_contiguous

    def data_ptr(self):
        return self._array.ctypes.data

    def detach(self):
        return self

    def numpy(self):
        return self._array


def _operator(name):
    def apply(self, other):
        own = self._array
        if isinstance(other, Tensor):
            other = other._array
        elif own.dtype.kind == "f":
            other = own.dtype.type(other)
        return Tensor(np.asarray(getattr(own, name)(other)))

    return _function(apply)


for _name in ("add", "mul", "sub"):
    setattr(Tensor, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(Tensor, f"__r{_name}__", _operator(f"__r{_name}__"))


@_function
def tensor(content, dtype=_dtypes["float32"]):
    return Tensor(np.array(content, dtype.plain))


@_function
def empty(*shape, dtype=_dtypes["float32"]):
    return Tensor(np.zeros(_shape(shape), dtype.plain))  # zeros, as fresh memory mostly is


@_function
def zeros(*shape, dtype=_dtypes["float32"]):
    return Tensor(np.zeros(_shape(shape), dtype.plain))


@_function
def rand(*shape, dtype=_dtypes["float32"]):
    return Tensor(_random.random(_shape(shape)).astype(dtype.plain))


@_function
def randint(low, high, shape, dtype=_dtypes["int64"]):
    return Tensor(_random.integers(low, high, shape).astype(dtype.plain))


@_function
def matmul(a, b):
    return Tensor(a._array @ b._array)


@_function
def sum(a):
    return Tensor(np.asarray(a._array.sum()))


@_function
def bincount(keys, minlength=0):
    return Tensor(np.bincount(keys._array, minlength=minlength))


def from_numpy(array):
    return Tensor(array)


def manual_seed(number):
    global _random
    _random = np.random.default_rng(number)


def set_default_device(where):
    raise AssertionError("Torch not compiled with CUDA enabled")


class Generator:
    """Only that it can be replaced."""


def _no_gpu():
    raise AssertionError("Torch not compiled with CUDA enabled")


cuda = SimpleNamespace(synchronize=_no_gpu)


def _shape(given):
    return given[0] if given and isinstance(given[0], (tuple, list)) else given
