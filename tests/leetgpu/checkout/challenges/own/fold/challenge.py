"""Every int becomes the sum of itself and of its mirror image, in place."""

import ctypes

import torch
from core.challenge_base import ChallengeBase


class Challenge(ChallengeBase):
    name = "Fold"
    atol = 0
    rtol = 0

    def reference_impl(self, values, n):
        values.copy_(values + values.flip(0))

    def get_solve_signature(self):
        return {"values": (ctypes.POINTER(ctypes.c_int), "inout"), "n": (ctypes.c_size_t, "in")}

    def generate_example_test(self):
        return {"values": torch.tensor([1, 2, 30], device=self.device, dtype=torch.int32), "n": 3}

    def generate_functional_test(self):
        return [
            {
                "values": torch.randint(-99, 99, (size,), device=self.device, dtype=torch.int32),
                "n": size,
            }
            for size in (1, 64, 257)
        ]

    def generate_performance_test(self):
        values = torch.randint(-9, 9, (1 << 22,), device=self.device, dtype=torch.int32)
        return {"values": values, "n": 1 << 22}
