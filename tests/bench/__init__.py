"""Benchmarks: ratios measured in one run. `make bench` prints them and writes build/bench.json."""
