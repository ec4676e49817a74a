"""y = alpha * A x + beta * y in half precision, summed in float."""

import ctypes

import torch
from core.challenge_base import ChallengeBase


class Challenge(ChallengeBase):
    def __init__(self):
        super().__init__(name="Scaled GEMV", atol=0.01, rtol=0.01)

    def reference_impl(self, A, x, y, alpha, beta, M, K):
        assert A.shape == (M, K)
        sums = torch.matmul(A.to(torch.float32), x.to(torch.float32))
        y.copy_((alpha * sums + beta * y.to(torch.float32)).to(torch.float16))

    def get_solve_signature(self):
        half = ctypes.POINTER(ctypes.c_uint16)
        return {
            "A": (half, "in"),
            "x": (half, "in"),
            "y": (half, "inout"),
            "alpha": (ctypes.c_float, "in"),
            "beta": (ctypes.c_float, "in"),
            "M": (ctypes.c_int, "in"),
            "K": (ctypes.c_int, "in"),
        }

    def _test(self, rows, columns, alpha, beta):
        half = {"device": "cuda", "dtype": torch.float16}
        return {
            "A": torch.rand((rows, columns), **half),
            "x": torch.rand((columns,), **half),
            "y": torch.rand((rows,), **half),
            "alpha": alpha,
            "beta": beta,
            "M": rows,
            "K": columns,
        }

    def generate_example_test(self):
        return self._test(2, 3, 1.0, 1.0)

    def generate_functional_test(self):
        return [self._test(17, 33, 0.5, -1.5), self._test(64, 31, 1.0, 0.0)]

    def generate_performance_test(self):
        return self._test(1024, 1000, 1.0, 0.5)
