"""The older form, without directions: data is halved in place, total is written, seen is kept."""

import ctypes

import torch
from core.challenge_base import ChallengeBase


class Challenge(ChallengeBase):
    def __init__(self):
        super().__init__(name="Halved", atol=1e-5, rtol=1e-5)

    def reference_impl(self, data, weights, total, N):
        total[0] = torch.sum(data * weights)
        data.copy_(data * 0.5)

    def get_solve_signature(self):
        floats = ctypes.POINTER(ctypes.c_float)
        return {"data": floats, "weights": floats, "total": floats, "N": ctypes.c_int}

    def _test(self, size):
        return {
            "data": torch.rand(size, device="cuda"),
            "weights": torch.rand(size, device="cuda"),
            "total": torch.empty(1, device="cuda"),
            "N": size,
        }

    def generate_example_test(self):
        return self._test(2)

    def generate_functional_test(self):
        return [self._test(64), self._test(130)]

    def generate_performance_test(self):
        return self._test(1 << 20)
