"""A judge for CUDA C++ on your own machine: `python -m judge --help`."""

import os

__version__ = "0.1.0"

# NumPy's BLAS spins on every core while answers are made beside a compiler that needs them too: a
# product of 129 rows then takes 30 ms in place of 1 ms.  Half of the cores; to be set before NumPy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // 2)))
