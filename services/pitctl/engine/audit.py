"""`pitctl audit`: settle a log file with no service, on several cores, to the same bytes."""

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

from pitctl.engine.audit_report import AuditResult, as_json_object, print_result
from pitctl.engine.audit_worker import AuditedStream, AuditJob, audit_stream, index_streams, tune_gc
from pitctl.engine.settle import SAME_ERRORS_MAX
from pitctl.output.exit import ERROR, NEGATIVE, OK, print_error
from pitctl.output.progress import progress_bar
from pitctl.output.text import Page, count_noun, escape
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
    """Audit a log file; return the exit status."""
    try:
        truths = read_truth(Path(truth_path).read_bytes()) if truth_path else None
        wants_records = bool(rounds_path or findings_path)
        result = _audit(path, truths, processes=processes, wants_records=wants_records)
        if rounds_path:
            _write(rounds_path, (stream.rounds for stream in result.streams))
        if findings_path:
            _write(findings_path, (stream.records for stream in result.streams))
    except InvalidTruthFile as error:
        return _fail(f"{truth_path}: {error}")
    except NotALogFile as error:
        return _fail(
            f"{path} cannot be read: {error.reason}. `pitctl simulate` writes log files "
            "(docs/log-file.md); JSON lines are for `pitctl settle`"
        )
    except OSError as error:
        return _fail(f"{error.filename or path}: {error.strerror or error}")
    _report_bad_bytes(path, result.bad)
    if as_json:
        print(json.dumps(as_json_object(result), ensure_ascii=False))
    else:
        print_result(Page(sys.stdout), result)
    return _status(result)


def _status(result: AuditResult) -> int:
    if result.bad:
        return ERROR
    if result.verdict is not None:
        return OK if result.verdict.is_clean else NEGATIVE
    return NEGATIVE if result.findings else OK


def _fail(reason: str) -> int:
    print_error(reason)
    return ERROR


def _audit(
    path: str, truths: tuple[Truth, ...] | None, *, processes: int, wants_records: bool
) -> AuditResult:
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        if not size:
            raise NotALogFile("it is empty")
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            streams, bad = index_streams(data)
    jobs = [AuditJob(path, name, places, wants_records) for name, places in sorted(streams.items())]
    if not processes:
        processes = 1 if size <= ONE_PROCESS_BYTES_MAX else min(len(jobs), 8)
    frames = sum(len(job.places) for job in jobs) // 2
    with progress_bar("auditing", frames) as advance:
        audited = tuple(_audited(jobs, processes, advance))
    for stream in audited:
        bad += stream.bad
    bad.sort(key=lambda span: span.offset)
    found = [finding for stream in audited for finding in stream.standing.values()]
    verdict = None if truths is None else planted_vs_found(truths, found)
    return AuditResult(audited, tuple(bad), verdict)


def _audited(
    jobs: list[AuditJob], processes: int, advance: Callable[[int], None]
) -> Iterator[AuditedStream]:
    """In the order of the jobs, whichever is done first."""
    if processes == 1 or len(jobs) < 2:
        tune_gc()
        for job in jobs:
            audited = audit_stream(job)
            advance(len(job.places) // 2)
            yield audited
        return
    # Processes of their own, not forks: a fork copies the thread that draws the bar.
    context = get_context("spawn")
    workers = min(processes, len(jobs))
    with ProcessPoolExecutor(workers, mp_context=context, initializer=tune_gc) as pool:
        for job, audited in zip(jobs, pool.map(audit_stream, jobs), strict=True):
            advance(len(job.places) // 2)
            yield audited


def _write(path: str, streams: Iterable[list[bytes]]) -> None:
    with open(path, "wb") as file:
        for messages in streams:
            file.writelines(messages)


def _report_bad_bytes(path: str, bad: tuple[BadBytes, ...]) -> None:
    reasons: Counter[str] = Counter()
    for span in bad:
        reasons[span.reason] += 1
        if reasons[span.reason] <= SAME_ERRORS_MAX:
            where = f"{path}: at byte {span.offset}, {count_noun(span.length, 'byte')}"
            print(escape(f"{where}: {span.reason}"), file=sys.stderr)
    for reason, count in reasons.items():
        if count > SAME_ERRORS_MAX:
            more = f"{count - SAME_ERRORS_MAX:,} more times"
            print(escape(f"{path}: {more}: {reason}"), file=sys.stderr)
