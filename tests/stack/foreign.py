"""What a client writes that is not ours: the library that the services use would refuse to."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys


class NotText(str):
    """A header's name that becomes bytes which are no UTF-8."""

    def encode(self, *_: object, **__: object) -> bytes:
        return b"\xff\xfe"


def write_with_a_bad_header(bootstrap: str, topic: str, value: bytes, *, key: bytes) -> None:
    """One message with a header that no text can name, between two that are sound.

    In a process of its own: the compiled part of the other library would not ask `NotText`, and
    is only left out by whoever imports it first.
    """
    subprocess.run(
        [sys.executable, __file__, bootstrap, topic, value.hex(), key.hex()],
        env={**os.environ, "AIOKAFKA_NO_EXTENSIONS": "1"},
        check=True,
        timeout=60,
    )


async def _write(bootstrap: str, topic: str, value: bytes, key: bytes) -> None:
    from aiokafka import AIOKafkaProducer  # type: ignore[import-untyped]

    producer = AIOKafkaProducer(bootstrap_servers=bootstrap)
    await producer.start()
    try:
        known = [("before", b"1"), (NotText("?"), b"2"), ("behind", b"3")]
        await producer.send_and_wait(topic, value, key=key, headers=known)
    finally:
        await producer.stop()


if __name__ == "__main__":
    _, at, to, its_value, its_key = sys.argv
    asyncio.run(_write(at, to, bytes.fromhex(its_value), bytes.fromhex(its_key)))
