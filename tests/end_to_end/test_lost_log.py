"""A log that is lost: a whole stack notices, refuses it, and accepts another when it is told to."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.stack.errors import LogsRejected, ServicesReject
from deploy.stack.process import tail
from deploy.stack.services import SERVICES
from deploy.stack.stack import Condition, Stack
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker
from wire import topics

pytestmark = pytest.mark.proof

SECONDS_MAX = 120.0
READERS = {
    topics.TABLE_EVENTS: {
        "table_gateway", "settlement-0", "round_archive", "surveillance-0", "accounting",
    },
    topics.SETTLED_ROUNDS: {"round_archive", "surveillance-0", "accounting"},
    topics.ALERTS: {"alert_desk"},
}  # fmt: skip
"""The processes that read each, as a stack names them."""
REBUILD = {
    "table_gateway": ["table_gateway.kafka.rebuild"],
    "settlement-0": ["settlement.kafka.rebuild"],
    "surveillance-0": ["surveillance.kafka.rebuild", "--author", "a test", "--reason", "accepted"],
    "round_archive": ["pitctl", "rebuild"],
    "accounting": ["pitctl", "ledger", "rebuild"],
    "alert_desk": ["pitctl", "alerts", "rebuild"],
}
"""The command by which each accepts another log."""


def eventually(stack: Stack, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS_MAX
    while not holds():
        assert time.monotonic() < deadline, "\n".join(
            f"{part}\n{tail(Path(part.log))}"
            for part in stack.status()
            if part.condition is not Condition.OK and part.log
        )
        time.sleep(0.1)


def run(stack: Stack, *words: str) -> subprocess.CompletedProcess[str]:
    around = {**os.environ, **stack.operator_environment(stack.state)}
    around |= {"STACK_DIR": str(stack.settings.folder)}
    return subprocess.run(
        [sys.executable, "-m", *words], env=around, capture_output=True, text=True, check=False
    )


def play(stack: Stack, folder: Path, floor: str) -> None:
    """A few rounds, so that every topic has something and every service has read it."""
    address = stack.addresses(stack.state)["TABLE_GATEWAY_ADDRESS"]
    words = ["pitctl", "simulate", "--gateway", address, "--floor", floor]
    words += ["--folder", str(folder / floor), "--tables", "2", "--rounds", "6"]
    words += ["--fault", "overpaid=2"]
    done = run(stack, *words)
    assert done.returncode == 0, done.stderr


def unready(stack: Stack) -> set[str]:
    return {part.name for part in stack.status() if part.condition is not Condition.OK}


def reasons(stack: Stack, topic: str) -> dict[str, str]:
    """What each process that refuses the topic says."""
    found = {each.name: each.rejection() for each in stack.services}
    wanted = f"rejects the log of {topic}:"
    return {name: reason for name, reason in found.items() if reason and wanted in reason}


def is_read(stack: Stack, topic: str) -> bool:
    """Whether some of it is there, and nobody is behind."""
    broker = Broker(stack.kafka_bootstrap)
    return bool(broker.read(topic))


@pytest.mark.parametrize("topic", READERS)
@pytest.mark.parametrize("when", ["running", "stopped"])
def test_a_topic_that_was_read_and_deleted_is_refused_until_its_loss_is_accepted(
    when: str, topic: str, own_stack: StackMaker, tmp_path: Path
) -> None:
    stack = own_stack(*SERVICES)
    stack.up()
    play(stack, tmp_path, "A")
    eventually(stack, lambda: is_read(stack, topic))
    broker = Broker(stack.kafka_bootstrap)
    readers = READERS[topic]

    if when == "running":
        broker.delete_topic(topic)
        eventually(stack, lambda: set(reasons(stack, topic)) == readers)
        assert unready(stack) == readers
        for reason in reasons(stack, topic).values():
            assert "found no topic of that name" in reason
        stack.down()
    else:
        stack.down()
        stack.up(servers_only=True)
        broker = Broker(stack.kafka_bootstrap)
        broker.delete_topic(topic)

    # It is not made again, and whoever wants it to be is told who has read it.
    with pytest.raises(LogsRejected) as refused:
        stack.up()
    for service in readers:
        assert service.removesuffix("-0") in str(refused.value)
    assert f"--accept-loss {topic}" in str(refused.value)
    assert topic not in Broker(stack.kafka_bootstrap).admin.list_topics(timeout=10).topics

    # Accepted: an empty one is made, which every reader refuses and says how it forgets the old.
    assert stack.make_topics(accepted=[topic]).created == (topic,)
    with pytest.raises(ServicesReject) as told:
        stack.up()
    assert set(told.value.reasons) == readers
    for name, reason in told.value.reasons.items():
        assert "the topic was deleted and created again" in reason
        assert " ".join(REBUILD[name][:1]) in reason
    for name in readers:
        done = run(stack, *REBUILD[name])
        assert done.returncode == 0, done.stderr
    eventually(stack, lambda: not unready(stack))
    play(stack, tmp_path, "B")
    eventually(stack, lambda: is_read(stack, topic))
    assert unready(stack) == set()


def test_a_topic_that_is_created_again_while_a_stack_runs_is_refused(
    own_stack: StackMaker, tmp_path: Path
) -> None:
    stack = own_stack(*SERVICES)
    stack.up()
    play(stack, tmp_path, "A")
    broker = Broker(stack.kafka_bootstrap)
    broker.recreate_topic(topics.TABLE_EVENTS)

    def refusing() -> set[str]:
        """Not those that looked between the two, and found none, and did not look again yet."""
        found = reasons(stack, topics.TABLE_EVENTS).items()
        return {name for name, reason in found if "was deleted and created again" in reason}

    eventually(stack, lambda: refusing() == READERS[topics.TABLE_EVENTS])
    assert not broker.read(topics.TABLE_EVENTS)
