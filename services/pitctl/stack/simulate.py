"""`pitctl simulate`: a day of tables, written to a log file or sent, with planted faults."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitctl.output.exit import ERROR, NEGATIVE, OK, print_error
from pitctl.output.progress import progress_bar
from pitctl.output.text import Page, count_noun
from pitctl.stack.simulate_live import LiveTarget, SendingFailed, send
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.fault_plan import InvalidPlan, Plan, read_fault, read_plan
from table_simulator.days.truth_file import truth_lines
from table_simulator.domain.table_day import START_AT
from table_simulator.domain.truth import count_due
from table_simulator.grpc.floor_sender import Progress
from wire.json_lines import frame_to_json
from wire.log_file import write_log


@dataclass(frozen=True, slots=True)
class SimulationRequest:
    """The arguments of a simulated day."""

    tables: int
    rounds: int
    seed: int
    plan_path: str
    faults: tuple[str, ...]
    every: int
    patterns: int
    floor: str


def run(
    wanted: SimulationRequest,
    *,
    out: str,
    truth: str,
    live: LiveTarget | None,
    as_json_lines: bool,
    as_json: bool,
) -> int:
    """Simulate, write or send; return the exit status."""
    if not out and live is None:
        return _fail("no destination: add --out FILE or --gateway HOST:PORT")
    try:
        plan = _plan(wanted)
    except InvalidPlan as error:
        where = f"{wanted.plan_path}: " if wanted.plan_path else ""
        for problem in error.problems:
            print_error(where + problem)
        return ERROR
    except OSError as error:
        return _fail(f"{wanted.plan_path} cannot be read: {error.strerror or error}")
    try:
        start_at = live.start_at() if live else START_AT
        with progress_bar("simulating", wanted.tables) as advance:
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
    except SendingFailed as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename} cannot be written: {error.strerror or error}")
    _print_summary(day, out, sent, as_json=as_json)
    return NEGATIVE if day.unplanted else OK


def _fail(reason: str) -> int:
    print_error(reason)
    return ERROR


def _plan(wanted: SimulationRequest) -> Plan:
    """The plan of the file, overridden by the options."""
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


def _print_summary(day: SimulatedDay, out: str, sent: Progress | None, *, as_json: bool) -> None:
    planted = Counter(truth.fault for truth in day.truths)
    if as_json:
        summary: dict[str, Any] = {
            "log": out,
            "tables": len(day.tables),
            "events": len(day.frames),
            "planted": dict(sorted(planted.items())),
            "findings_due": count_due(day.truths),
            "unplanted": list(day.unplanted),
        }
        if sent:
            summary |= {"acknowledged": sent.acknowledged, "rejected": sent.rejected}
            summary |= {"rounds": sent.rounds, "seconds": round(sent.seconds, 3)}
        print(json.dumps(summary, ensure_ascii=False))
        return
    page = Page(sys.stdout)
    tables = count_noun(len(day.tables), "table")
    if out:
        events = count_noun(len(day.frames), "event")
        findings = count_noun(count_due(day.truths), "finding")
        page.line(f"{tables}, {events} in {out}; {findings} due", hang=2)
    if sent:
        page.line(
            f"{tables}, {count_noun(sent.rounds, 'round')}, "
            f"{count_noun(sent.acknowledged, 'event')} "
            f"acknowledged in {sent.seconds:.1f} s, {sent.rejected} rejected; "
            f"{count_due(day.truths, through_gateway=True):,} findings and rejections due",
            hang=2,
        )
    if day.unplanted:
        page.line(f"not planted: {', '.join(day.unplanted)}", hang=2)
