"""Counts from a count room's file: boxes that are fine are entered, the others told by line."""

from __future__ import annotations

from collections.abc import Sequence

from accounting.grpc.cage_commands import CageCommands
from accounting.grpc.commands import Commands, Submitter
from accounting.grpc.count_file import BoxCount, read_counts
from accounting.grpc.errors import CommandRejected, InvalidCommand
from casino.accounting.v1.service_pb2 import (
    ImportCountsRequest,
    ImportCountsResponse,
    ImportedCount,
)
from wire import topics


async def import_counts(
    commands: Commands, office: CageCommands, request: ImportCountsRequest, by: Submitter
) -> ImportCountsResponse:
    boxes = read_counts(request.csv, request.gaming_day)
    # A recount stands in the place of a count, which may be in the same file.
    counts = [box_ for box_ in boxes if not box_.verifier]
    recounts = [box_ for box_ in boxes if box_.verifier]
    refusals: dict[int, CommandRejected] = {}
    for some in (counts, recounts):
        refusals |= await _enter(commands, office, some, by, request.dry_run)
    if request.dry_run:
        _forgive_recounts(counts, recounts, refusals)
    return ImportCountsResponse(
        counts=[
            ImportedCount(
                line=box_.line,
                table_id=box_.table,
                box=box_.box,
                cents=box_.cents,
                refused=_reason(box_, refusals.get(box_.line)),
            )
            for box_ in boxes
        ]
    )


async def _enter(
    commands: Commands,
    office: CageCommands,
    boxes: Sequence[BoxCount],
    by: Submitter,
    dry_run: bool,
) -> dict[int, CommandRejected]:
    """The lines that were refused."""
    refusals: dict[int, CommandRejected] = {}
    for box_ in boxes:
        if box_.problems:
            refusal = refusals[box_.line] = InvalidCommand("unreadable", "; ".join(box_.problems))
            if not dry_run:
                value = box_.event().SerializeToString(deterministic=True)
                await commands.keep(topics.CAGE_EVENTS, value, refusal, by, box_.table)
    fine = [box_ for box_ in boxes if not box_.problems]
    if not fine:
        return refusals
    events = [box_.event() for box_ in fine]
    enter = commands.examine if dry_run else commands.enter_all
    for box, answer in zip(fine, await enter(office, events, by), strict=True):
        if isinstance(answer, CommandRejected):
            refusals[box.line] = answer
    return refusals


def _reason(box: BoxCount, refusal: CommandRejected | None) -> str:
    """With its line; problems of the file name theirs already."""
    if refusal is None:
        return ""
    return str(refusal) if box.problems else f"line {box.line}: {refusal}"


def _forgive_recounts(
    counts: Sequence[BoxCount], recounts: Sequence[BoxCount], refusals: dict[int, CommandRejected]
) -> None:
    """In a dry run a recount finds no count; where the file has one that is fine, it would."""
    fine = {(line.day, line.table, line.box) for line in counts if line.line not in refusals}
    for recount in recounts:
        refusal = refusals.get(recount.line)
        is_uncounted = refusal is not None and refusal.code == "not_counted"
        if is_uncounted and (recount.day, recount.table, recount.box) in fine:
            del refusals[recount.line]
