"""A challenge of the user's own LeetGPU checkout as a problem: tests, reference, tolerance."""
