"""Profiles for property tests: `dev` by default, `ci` in `make unit`, `thorough` for long runs."""

import os

from hypothesis import HealthCheck, settings

# Before gRPC is imported: see deploy/stack/__init__.py.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

pytest_plugins = ["tests.stack.plugin"]

# No deadlines: on a shared machine they measure the neighbours.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=200, print_blob=True)
settings.register_profile(
    "thorough",
    deadline=None,
    max_examples=20_000,
    stateful_step_count=200,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)
