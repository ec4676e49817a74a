"""A judge for CUDA C++ on your own machine: `python -m judge --help`."""

__version__ = "0.1.0"
