"""Benchmarks of ``make bench``: each figure beside a reference timed in the same run."""
