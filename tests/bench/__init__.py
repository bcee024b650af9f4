"""Benchmarks: ratios measured in one run. `make bench` prints them and writes build/bench.json."""

import os

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # before gRPC is imported: see deploy/stack
