"""Surveillance whose group coordinator is still loading, again and again:
`python -m tests.surveillance.loading_coordinator`.

A broker that comes back answers so for a moment, to whatever request comes first. Here the first
answers to each kind of request are replaced by that one, and every tenth afterwards; `LOADED_AFTER`
is the number of first answers.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any, Final

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import GroupLoadInProgressError
from aiokafka.protocol.commit import OffsetFetchRequest
from aiokafka.protocol.group import HeartbeatRequest, JoinGroupRequest, SyncGroupRequest

from runtime.service import run_service
from surveillance.__main__ import main
from surveillance.config import Settings
from surveillance.kafka.faust_app import SIEVE
from surveillance.kafka.worker import KAFKA

KINDS: Final = (HeartbeatRequest, JoinGroupRequest, OffsetFetchRequest, SyncGroupRequest)
AGAIN_EVERY: Final = 10
_send = AIOKafkaClient.send
_asked: Counter[type] = Counter()


async def _answer(client: Any, node: int, request: Any, **how: Any) -> Any:
    answer = await _send(client, node, request, **how)
    kind = type(request)
    if kind in KINDS:
        _asked[kind] += 1
        if _asked[kind] <= int(os.environ["LOADED_AFTER"]) or _asked[kind] % AGAIN_EVERY == 0:
            answer.error_code = GroupLoadInProgressError.errno
            if kind is OffsetFetchRequest:
                answer.topics = []
    return answer


if __name__ == "__main__":
    AIOKafkaClient.send = _answer
    run_service("surveillance", Settings, main, conditions=[KAFKA, SIEVE])
