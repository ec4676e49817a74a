"""y = a * x + b in float32: an output that nobody defines before the call."""

import ctypes

import torch
from core.challenge_base import ChallengeBase


class Challenge(ChallengeBase):
    def __init__(self):
        super().__init__(name="Affine Map", atol=1e-6, rtol=1e-6, num_gpus=1)

    def reference_impl(self, x, y, a, b, N):
        assert x.device.type == "cuda"
        assert y.is_cuda
        assert x.shape == (N,)
        assert x.dtype == torch.float32
        y.copy_(x * a + b)

    def get_solve_signature(self):
        return {
            "x": (ctypes.POINTER(ctypes.c_float), "in"),
            "y": (ctypes.POINTER(ctypes.c_float), "out"),
            "a": (ctypes.c_float, "in"),
            "b": (ctypes.c_float, "in"),
            "N": (ctypes.c_int, "in"),
        }

    def _test(self, x, a, b):
        return {"x": x, "y": torch.empty(len(x), device="cuda"), "a": a, "b": b, "N": len(x)}

    def generate_example_test(self):
        return self._test(torch.tensor([1.0, -2.0, 3.5], device="cuda"), 2.0, 0.5)

    def generate_functional_test(self):
        return [
            self._test(torch.rand(size, device="cuda", dtype=torch.float32), 0.1, -3)
            for size in (1, 33, 1000)
        ]

    def generate_performance_test(self):
        return self._test(torch.rand(5_000_000, device="cuda"), 0.5, 1.0)
