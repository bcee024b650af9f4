"""Make what `java` remembers of a start, by starting and ending a broker that nobody uses.

It takes longer than the start it makes shorter, so it is done on request, once for each list
of jars, and pays where a broker is started often: on a developer's machine, and in tests.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from deploy.stack.errors import CommandFailed
from deploy.stack.java import memory_of
from deploy.stack.kafka import Kafka
from deploy.stack.process import end, tail
from deploy.stack.server import wait_until_ready
from deploy.stack.settings import Settings
from deploy.stack.state import State

STOP_SECONDS_MAX = 300  # it is written when the broker ends


def warm(settings: Settings) -> Path:
    """Where it is kept from now on; a broker that starts meanwhile sees it whole or not at all."""
    with tempfile.TemporaryDirectory(prefix="pitledger-warm-") as scratch:
        folder = Path(scratch)
        made = folder / "kafka.aot"
        (folder / "log").mkdir()
        alone = replace(
            settings,
            folder=folder,
            kafka_bootstrap=None,
            kafka_port=0,
            kafka_controller_port=0,
            kafka_java_options=(f"-XX:AOTCacheOutput={made}",),
        )
        kafka, state = Kafka(alone, use_memory=False), State()
        kafka.prepare(state)
        process = kafka.spawn(state)
        try:
            wait_until_ready(
                lambda: kafka.is_ready(state),
                process,
                name="kafka",
                log=kafka.log,
                seconds_max=settings.start_seconds_max,
            )
        finally:
            end(process, name="kafka", seconds_max=STOP_SECONDS_MAX)
        if not made.is_file():
            raise CommandFailed("java -XX:AOTCacheOutput", 0, tail(kafka.log))
        return keep(made, memory_of(kafka.jars, settings.cache))


def keep(made: Path, place: Path) -> Path:
    draft = place.with_name(f"{place.name}.{os.getpid()}")
    shutil.copyfile(made, draft)
    draft.replace(place)
    return place
