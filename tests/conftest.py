"""Profiles for property tests: `dev` by default, `ci` in `make unit`, `thorough` for long runs."""

import os
import signal

from hypothesis import HealthCheck, settings

# Before gRPC is imported: see deploy/stack/__init__.py.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

# A job in the background of a shell ignores SIGINT, and hands that on to every program it starts:
# those that a test interrupts must not have inherited it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["tests.stack.plugin"]

# No deadlines: on a shared machine they measure the neighbours.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=100, print_blob=True)
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
