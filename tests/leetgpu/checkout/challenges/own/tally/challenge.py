"""How often each number below m occurs, counted into zeros."""

import ctypes

import torch
from core.challenge_base import ChallengeBase


class Challenge(ChallengeBase):
    def __init__(self):
        super().__init__(name="Tally", atol=0.0, rtol=0.0)

    def reference_impl(self, keys, counts, n, m):
        counts.copy_(torch.bincount(keys, minlength=m).to(torch.int32))

    def get_solve_signature(self):
        ints = ctypes.POINTER(ctypes.c_int)
        return {
            "keys": (ints, "in"),
            "counts": (ints, "out"),
            "n": (ctypes.c_int, "in"),
            "m": (ctypes.c_int, "in"),
        }

    def _test(self, size, m):
        keys = torch.randint(0, m, (size,), device="cuda", dtype=torch.int32)
        counts = torch.zeros(m, device="cuda", dtype=torch.int32)
        return {"keys": keys, "counts": counts, "n": size, "m": m}

    def generate_example_test(self):
        return self._test(5, 3)

    def generate_functional_test(self):
        return [self._test(100, 7), self._test(500, 300)]

    def generate_performance_test(self):
        return self._test(1 << 22, 100)
