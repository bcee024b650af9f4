"""`pitctl simulate`: a day of tables written to a log file, with what is wrong in it beside it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from pitctl.progress import bar
from pitctl.text import Page, counted, plain
from table_simulator.day import Day, simulate
from table_simulator.domain.truth import due
from table_simulator.plan import NotAPlan, Plan, read_fault, read_plan
from table_simulator.truth_file import truth_lines
from wire.jsonlines import frame_to_json
from wire.log_file import write_log

DONE: Final = 0
NOT_ALL_PLANTED: Final = 1
REFUSED: Final = 2


def run(
    *,
    tables: int,
    rounds: int,
    seed: int,
    plan_path: str,
    faults: list[str],
    every: int,
    patterns: int,
    out: str,
    truth: str,
    as_json_lines: bool,
    as_json: bool,
) -> int:
    """Play, plant, write; the exit status."""
    try:
        plan = _plan(plan_path, faults, every, patterns)
    except NotAPlan as error:
        where = f"{plan_path}: " if plan_path else ""
        for problem in error.problems:
            print(f"pitctl: {plain(where + problem)}", file=sys.stderr)
        return REFUSED
    except OSError as error:
        return _refuse(f"{plan_path} cannot be read: {error.strerror or error}")
    with bar("playing", tables) as advance:
        day = simulate(
            seed=seed, tables=tables, rounds=rounds, plan=plan, on_table=lambda _: advance(1)
        )
    try:
        _write(day, out, truth, as_json_lines=as_json_lines)
    except OSError as error:
        return _refuse(f"{error.filename} cannot be written: {error.strerror or error}")
    _say(day, out, as_json=as_json)
    return NOT_ALL_PLANTED if day.unplanted else DONE


def _refuse(reason: str) -> int:
    print(f"pitctl: {plain(reason)}", file=sys.stderr)
    return REFUSED


def _plan(path: str, faults: list[str], every: int, patterns: int) -> Plan:
    """The file's plan, with what is typed beside it on top."""
    plan = read_plan(Path(path).read_text("utf-8")) if path else Plan()
    typed = dict(map(read_fault, faults))
    return Plan(
        every or plan.every,
        patterns or plan.patterns,
        {**plan.per_day, **typed},
        plan.per_thousand_rounds,
    )


def _write(day: Day, out: str, truth: str, *, as_json_lines: bool) -> None:
    with open(out, "wb") as file:
        if as_json_lines:
            for frame in day.frames:
                line = frame_to_json(frame.data, ingested_at=frame.ingested_at)
                file.write(line.encode() + b"\n")
        else:
            write_log(file, ((frame.data, frame.ingested_at) for frame in day.frames))
    if truth:
        Path(truth).write_bytes(truth_lines(day.truths))


def _say(day: Day, out: str, *, as_json: bool) -> None:
    planted = Counter(truth.fault for truth in day.truths)
    if as_json:
        said = {
            "log": out,
            "tables": len(day.tables),
            "events": len(day.frames),
            "planted": dict(sorted(planted.items())),
            "findings_due": due(day.truths),
            "unplanted": list(day.unplanted),
        }
        print(json.dumps(said, ensure_ascii=False))
        return
    page = Page(sys.stdout)
    page.line(
        f"{counted(len(day.tables), 'table')}, {counted(len(day.frames), 'event')} in {out}; "
        f"{counted(due(day.truths), 'finding')} due",
        hang=2,
    )
    if day.unplanted:
        page.line(f"found no place: {', '.join(day.unplanted)}", hang=2)
