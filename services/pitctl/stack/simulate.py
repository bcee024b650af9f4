"""`pitctl simulate`: a day of tables written to a log file or sent, and what is wrong in it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pitctl.output.progress import bar
from pitctl.output.text import Page, counted, plain
from pitctl.stack.simulate_live import CannotSend, Live, send
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.fault_plan import InvalidPlan, Plan, read_fault, read_plan
from table_simulator.days.truth_file import truth_lines
from table_simulator.domain.table_day import START_AT
from table_simulator.domain.truth import count_due
from table_simulator.grpc.floor_sender import Progress
from wire.json_lines import frame_to_json
from wire.log_file import write_log

DONE: Final = 0
NOT_ALL_PLANTED: Final = 1
REFUSED: Final = 2


@dataclass(frozen=True, slots=True)
class Wanted:
    """The day that is asked for."""

    tables: int
    rounds: int
    seed: int
    plan_path: str
    faults: tuple[str, ...]
    every: int
    patterns: int
    floor: str


def run(
    wanted: Wanted,
    *,
    out: str,
    truth: str,
    live: Live | None,
    as_json_lines: bool,
    as_json: bool,
) -> int:
    """Play, plant, write or send; the exit status."""
    if not out and live is None:
        return _refuse("say where the day goes: --out FILE, or --gateway HOST:PORT")
    try:
        plan = _plan(wanted)
    except InvalidPlan as error:
        where = f"{wanted.plan_path}: " if wanted.plan_path else ""
        for problem in error.problems:
            print(f"pitctl: {plain(where + problem)}", file=sys.stderr)
        return REFUSED
    except OSError as error:
        return _refuse(f"{wanted.plan_path} cannot be read: {error.strerror or error}")
    try:
        start_at = live.start_at() if live else START_AT
        with bar("playing", wanted.tables) as advance:
            day = simulate(
                seed=wanted.seed,
                tables=wanted.tables,
                rounds=wanted.rounds,
                plan=plan,
                start_at=start_at,
                floor_name=wanted.floor,
                on_table=lambda _: advance(1),
            )
        _write(day, out, truth, as_json_lines=as_json_lines)
        sent = send(day, live) if live else None
    except CannotSend as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{error.filename} cannot be written: {error.strerror or error}")
    _say(day, out, sent, as_json=as_json)
    return NOT_ALL_PLANTED if day.unplanted else DONE


def _refuse(reason: str) -> int:
    print(f"pitctl: {plain(reason)}", file=sys.stderr)
    return REFUSED


def _plan(wanted: Wanted) -> Plan:
    """The file's plan, with what is typed beside it on top."""
    path = wanted.plan_path
    plan = read_plan(Path(path).read_text("utf-8")) if path else Plan()
    typed = dict(map(read_fault, wanted.faults))
    return Plan(
        wanted.every or plan.every,
        wanted.patterns or plan.patterns,
        {**plan.per_day, **typed},
        plan.per_thousand_rounds,
    )


def _write(day: SimulatedDay, out: str, truth: str, *, as_json_lines: bool) -> None:
    if truth:
        Path(truth).write_bytes(truth_lines(day.truths))
    if not out:
        return
    with open(out, "wb") as file:
        if as_json_lines:
            for frame in day.frames:
                line = frame_to_json(frame.data, ingested_at=frame.ingested_at)
                file.write(line.encode() + b"\n")
        else:
            write_log(file, ((frame.data, frame.ingested_at) for frame in day.frames))


def _say(day: SimulatedDay, out: str, sent: Progress | None, *, as_json: bool) -> None:
    planted = Counter(truth.fault for truth in day.truths)
    if as_json:
        said: dict[str, Any] = {
            "log": out,
            "tables": len(day.tables),
            "events": len(day.frames),
            "planted": dict(sorted(planted.items())),
            "findings_due": count_due(day.truths),
            "unplanted": list(day.unplanted),
        }
        if sent:
            said |= {"acknowledged": sent.acknowledged, "refused": sent.rejected}
            said |= {"rounds": sent.rounds, "seconds": round(sent.seconds, 3)}
        print(json.dumps(said, ensure_ascii=False))
        return
    page = Page(sys.stdout)
    tables = counted(len(day.tables), "table")
    if out:
        events = counted(len(day.frames), "event")
        findings = counted(count_due(day.truths), "finding")
        page.line(f"{tables}, {events} in {out}; {findings} due", hang=2)
    if sent:
        page.line(
            f"{tables}, {counted(sent.rounds, 'round')}, {counted(sent.acknowledged, 'event')} "
            f"acknowledged in {sent.seconds:.1f} s, {sent.rejected} refused; "
            f"{counted(count_due(day.truths, through_gateway=True), 'thing')} to be found",
            hang=2,
        )
    if day.unplanted:
        page.line(f"found no place: {', '.join(day.unplanted)}", hang=2)
