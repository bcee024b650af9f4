"""Import of a count room's file: valid boxes are entered, the others rejected by line."""

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
    commands: Commands, handler: CageCommands, request: ImportCountsRequest, by: Submitter
) -> ImportCountsResponse:
    boxes = read_counts(request.csv, request.gaming_day)
    # A recount replaces a count, which may be in the same file.
    counts = [box_ for box_ in boxes if not box_.verifier]
    recounts = [box_ for box_ in boxes if box_.verifier]
    rejections: dict[int, CommandRejected] = {}
    for some in (counts, recounts):
        rejections |= await _enter(commands, handler, some, by, request.dry_run)
    if request.dry_run:
        _accept_recounts(counts, recounts, rejections)
    return ImportCountsResponse(
        counts=[
            ImportedCount(
                line=box_.line,
                table_id=box_.table,
                box=box_.box,
                cents=box_.cents,
                refused=_reason(box_, rejections.get(box_.line)),
            )
            for box_ in boxes
        ]
    )


async def _enter(
    commands: Commands,
    handler: CageCommands,
    boxes: Sequence[BoxCount],
    by: Submitter,
    dry_run: bool,
) -> dict[int, CommandRejected]:
    """Enter the boxes; return the rejections by line."""
    rejections: dict[int, CommandRejected] = {}
    for box_ in boxes:
        if box_.problems:
            rejection = rejections[box_.line] = InvalidCommand(
                "unreadable", "; ".join(box_.problems)
            )
            if not dry_run:
                value = box_.event().SerializeToString(deterministic=True)
                await commands.record_rejection(
                    topics.CAGE_EVENTS, value, rejection, by, box_.table
                )
    fine = [box_ for box_ in boxes if not box_.problems]
    if not fine:
        return rejections
    events = [box_.event() for box_ in fine]
    enter = commands.examine if dry_run else commands.enter_all
    for box, answer in zip(fine, await enter(handler, events, by), strict=True):
        if isinstance(answer, CommandRejected):
            rejections[box.line] = answer
    return rejections


def _reason(box: BoxCount, rejection: CommandRejected | None) -> str:
    """The reason of a rejection, with the line of the box."""
    if rejection is None:
        return ""
    return str(rejection) if box.problems else f"line {box.line}: {rejection}"


def _accept_recounts(
    counts: Sequence[BoxCount], recounts: Sequence[BoxCount], rejections: dict[int, CommandRejected]
) -> None:
    """Accept recounts in a dry run if the file has a valid count of the box: a real run would."""
    fine = {(line.day, line.table, line.box) for line in counts if line.line not in rejections}
    for recount in recounts:
        rejection = rejections.get(recount.line)
        is_uncounted = rejection is not None and rejection.code == "not_counted"
        if is_uncounted and (recount.day, recount.table, recount.box) in fine:
            del rejections[recount.line]
