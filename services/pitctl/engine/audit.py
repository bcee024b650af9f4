"""`pitctl audit`: a log file judged with no broker, on several cores, to the same bytes."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from mmap import ACCESS_READ, mmap
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from pitctl.engine.audit_report import Outcome, as_json_object, print_outcome
from pitctl.engine.audit_worker import Audited, Job, audit, calm_collector, index
from pitctl.engine.settle import CLEAN, FOUND, SAME_COMPLAINTS_MAX, UNREADABLE
from pitctl.output.progress import bar
from pitctl.output.text import Page, counted, plain
from table_simulator.days.truth_file import InvalidTruthFile, read_truth
from table_simulator.domain.truth import Truth, planted_vs_found
from wire.log_file import BadBytes, NotALogFile

ONE_PROCESS_BYTES_MAX: Final = 16 << 20
"""A smaller file is read before a second process has started."""


def run(
    path: str,
    *,
    truth_path: str,
    as_json: bool,
    processes: int,
    rounds_path: str,
    findings_path: str,
) -> int:
    """Judge a log file; the exit status."""
    try:
        truths = read_truth(Path(truth_path).read_bytes()) if truth_path else None
        wants_records = bool(rounds_path or findings_path)
        outcome = _judge(path, truths, processes=processes, wants_records=wants_records)
        if rounds_path:
            _write(rounds_path, (each.rounds for each in outcome.streams))
        if findings_path:
            _write(findings_path, (each.records for each in outcome.streams))
    except InvalidTruthFile as error:
        return _refuse(f"{truth_path}: {error}")
    except NotALogFile as error:
        return _refuse(
            f"{path} cannot be read: {error.reason}. `pitctl simulate` writes log files "
            "(docs/log-file.md); JSON lines are for `pitctl settle`"
        )
    except OSError as error:
        return _refuse(f"{error.filename or path}: {error.strerror or error}")
    _complain(path, outcome.bad)
    if as_json:
        print(json.dumps(as_json_object(outcome), ensure_ascii=False))
    else:
        print_outcome(Page(sys.stdout), outcome)
    return _status(outcome)


def _status(outcome: Outcome) -> int:
    if outcome.bad:
        return UNREADABLE
    if outcome.verdict is not None:
        return CLEAN if outcome.verdict.is_clean else FOUND
    return FOUND if outcome.findings else CLEAN


def _refuse(reason: str) -> int:
    print(f"pitctl: {plain(reason)}", file=sys.stderr)
    return UNREADABLE


def _judge(
    path: str, truths: tuple[Truth, ...] | None, *, processes: int, wants_records: bool
) -> Outcome:
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        if not size:
            raise NotALogFile("it is empty")
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            streams, bad = index(data)
    jobs = [Job(path, name, places, wants_records) for name, places in sorted(streams.items())]
    if not processes:
        processes = 1 if size <= ONE_PROCESS_BYTES_MAX else min(len(jobs), 8)
    frames = sum(len(job.places) for job in jobs) // 2
    with bar("judging", frames) as advance:
        audited = tuple(_audited(jobs, processes, advance))
    for each in audited:
        bad += each.bad
    bad.sort(key=lambda each: each.offset)
    found = [finding for each in audited for finding in each.standing.values()]
    verdict = None if truths is None else planted_vs_found(truths, found)
    return Outcome(audited, tuple(bad), verdict)


def _audited(jobs: list[Job], processes: int, advance: Callable[[int], None]) -> Iterator[Audited]:
    """In the order of the jobs, whoever is done first."""
    if processes == 1 or len(jobs) < 2:
        calm_collector()
        for job in jobs:
            audited = audit(job)
            advance(len(job.places) // 2)
            yield audited
        return
    # Processes of their own, not forks: a fork copies the thread that draws the bar.
    context = get_context("spawn")
    workers = min(processes, len(jobs))
    with ProcessPoolExecutor(workers, mp_context=context, initializer=calm_collector) as pool:
        for job, audited in zip(jobs, pool.map(audit, jobs), strict=True):
            advance(len(job.places) // 2)
            yield audited


def _write(path: str, streams: Iterable[list[bytes]]) -> None:
    with open(path, "wb") as file:
        for messages in streams:
            file.writelines(messages)


def _complain(path: str, bad: tuple[BadBytes, ...]) -> None:
    reasons: Counter[str] = Counter()
    for each in bad:
        reasons[each.reason] += 1
        if reasons[each.reason] <= SAME_COMPLAINTS_MAX:
            where = f"{path}: at byte {each.offset}, {counted(each.length, 'byte')}"
            print(plain(f"{where}: {each.reason}"), file=sys.stderr)
    for reason, count in reasons.items():
        if count > SAME_COMPLAINTS_MAX:
            more = f"{count - SAME_COMPLAINTS_MAX:,} more times"
            print(plain(f"{path}: {more}: {reason}"), file=sys.stderr)
