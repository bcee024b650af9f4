"""Recorded logs and what they settle to: `python -m tests.recorded.record`.

    python -m tests.recorded.record                   compute the digests of all recordings
    python -m tests.recorded.record NAME LOG          and a log file as another recording
    python -m tests.recorded.record --simulate        and the simulated recordings themselves

A recording is a log file (docs/log-file.md), compressed. The digests are over the records of each
stream as `pitctl audit` writes them, so that two engines agree if and only if their bytes do.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import sys
import tempfile
from pathlib import Path
from typing import Final

from pitctl.engine.audit_worker import AuditJob, audit_stream, index_streams
from table_simulator.days.day import simulate
from table_simulator.days.fault_plan import Plan
from table_simulator.domain.faults.fault_catalog import FAULTS
from wire.log_file import write_log

FOLDER: Final = Path(__file__).parent
DIGESTS: Final = FOLDER / "digests.json"
SUFFIX: Final = ".log.xz"
Digests = dict[str, dict[str, int | str]]
"""Of one stream: how many events, rounds and findings, and the SHA-256 of the latter two."""

NAMES: Final = [fault.name for fault in FAULTS]
SIMULATED: Final = {
    "faults-1": (1, dict.fromkeys(NAMES[::2], 1)),
    "faults-2": (2, dict.fromkeys(NAMES[1::2], 1)),
}
"""Days of all five games, each fault in one of them: seeds and plans."""
TABLES: Final = 5
ROUNDS: Final = 20


def recordings() -> list[str]:
    return sorted(path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}"))


def log_of(name: str) -> bytes:
    return lzma.decompress((FOLDER / (name + SUFFIX)).read_bytes())


def keep(name: str, log: bytes) -> None:
    (FOLDER / (name + SUFFIX)).write_bytes(lzma.compress(log, preset=9))


def settle(log: bytes) -> dict[str, Digests]:
    """The outputs of this engine for every stream of a log."""
    found: dict[str, Digests] = {}
    with tempfile.NamedTemporaryFile() as file:
        file.write(log)
        file.flush()
        streams, _ = index_streams(log)
        for name, places in sorted(streams.items()):
            audited = audit_stream(AuditJob(file.name, name, places, wants_records=True))
            found[name] = {
                "events": {"count": audited.events},
                "rounds": _digest(audited.rounds),
                "findings": _digest(audited.records),
            }
    return found


def _digest(records: list[bytes]) -> dict[str, int | str]:
    return {"count": len(records), "sha256": hashlib.sha256(b"".join(records)).hexdigest()}


def simulated(name: str) -> bytes:
    seed, faults = SIMULATED[name]
    day = simulate(seed=seed, tables=TABLES, rounds=ROUNDS, plan=Plan(per_day=faults))
    buffer = io.BytesIO()
    write_log(buffer, ((frame.data, frame.ingested_at) for frame in day.frames))
    return buffer.getvalue()


def main(arguments: list[str]) -> None:
    if arguments == ["--simulate"]:
        for name in SIMULATED:
            keep(name, simulated(name))
    elif len(arguments) == 2:
        keep(arguments[0], Path(arguments[1]).read_bytes())
    elif arguments:
        sys.exit(__doc__)
    before = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    found = {name: settle(log_of(name)) for name in recordings()}
    DIGESTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    for name, streams in found.items():
        changed = [
            stream for stream in streams if streams[stream] != before.get(name, {}).get(stream)
        ]
        print(f"{name}: {len(streams)} streams, {len(changed)} changed {' '.join(changed)}".strip())


if __name__ == "__main__":
    main(sys.argv[1:])
