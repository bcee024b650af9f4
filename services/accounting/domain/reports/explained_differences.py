"""The causes of a difference: each amount once, and never more than the difference itself.

Causes apply in order: first the certain ones (chips of a correction that moved on another day than
its round was played), then those with an exact amount (findings about the tray, chips that moved
without a settled wager, manual entries, error slips), then those with a range (unobserved
payments, rounds with missing facts), which explain the rest up to their maximum. A certain cause
counts whole, even if another one hides it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from accounting.domain.reports.composition import Component, FactReference, ReportCell, total_of
from accounting.domain.reports.inputs import ReportInputs, TrayFinding, UnobservedRound
from blackjack.money import format_cents, format_result

OTHER_DAY: Final = "other_day"
FOUND: Final = "found"
NO_WAGER: Final = "no_wager"
BY_HAND: Final = "by_hand"
ERROR_SLIP: Final = "error_slip"
UNOBSERVED: Final = "unobserved"
INCOMPLETE: Final = "incomplete"
BEYOND: Final = "beyond the difference, not counted"


class Cause(Struct, frozen=True):
    """One cause of a variance; its effect is the sum of its parts, one for each fact."""

    key: str
    parts: tuple[Component, ...]
    is_certain: bool = False

    @property
    def effect(self) -> int:
        return total_of(self.parts)


class Explanation(Struct, frozen=True):
    by_cause: dict[str, tuple[Component, ...]]
    """The parts that add up to the explained amount, by cause."""
    unexplained: int

    @property
    def lines(self) -> list[str]:
        every = (part for parts in self.by_cause.values() for part in parts)
        return list(dict.fromkeys(part.words for part in every if part.fact is not None))


def explain(variance: int, causes: Iterable[Cause]) -> Explanation:
    """Let each cause explain the rest of the variance, in its own direction and no further; a
    certain one counts whole.

    >>> found = Cause("finding", (Component("a finding", ReportCell(-50000)),))
    >>> [part.cell.value for part in explain(-30000, [found]).by_cause["finding"]]
    [-50000, 20000]
    >>> explain(0, [found]).unexplained
    0
    >>> explain(
    ...     0, [Cause("correction", (Component("moved", ReportCell(500)),), is_certain=True)]
    ... ).unexplained
    -500
    """
    left = variance
    by_cause: dict[str, tuple[Component, ...]] = {}
    for cause in causes:
        if not cause.parts or (left * cause.effect <= 0 and not cause.is_certain):
            continue
        part = cause.effect if cause.is_certain else min(left, cause.effect, key=abs)
        beyond = part - cause.effect
        rest = (Component(BEYOND, ReportCell(beyond)),) if beyond else ()
        by_cause[cause.key] = (*by_cause.get(cause.key, ()), *cause.parts, *rest)
        left -= part
    return Explanation(by_cause, left)


def tray_causes(inputs: ReportInputs, day: str, table: str) -> list[Cause]:
    """The possible causes of a tray variance, in order."""
    findings = [
        finding for finding in inputs.findings if (finding.day, finding.table) == (day, table)
    ]
    unseen = [round_ for round_ in inputs.unseen if (round_.day, round_.table) == (day, table)]
    return [
        Cause(OTHER_DAY, tuple(_corrected(inputs, day, table)), is_certain=True),
        Cause(FOUND, tuple(_found(finding) for finding in findings if _is_of_tray(finding))),
        Cause(NO_WAGER, tuple(_moved(finding) for finding in findings if not _is_of_tray(finding))),
        hand_cause(inputs, day, table, "tray"),
        Cause(ERROR_SLIP, tuple(_slips(inputs, day, table))),
        Cause(
            UNOBSERVED, tuple(_blind(item, item.blind_gain) for item in unseen if item.blind_gain)
        ),
        Cause(
            UNOBSERVED, tuple(_blind(item, -item.blind_lose) for item in unseen if item.blind_lose)
        ),
        Cause(INCOMPLETE, tuple(_open(item, item.may_gain) for item in unseen if item.may_gain)),
        Cause(INCOMPLETE, tuple(_open(item, -item.may_lose) for item in unseen if item.may_lose)),
    ]


def hand_cause(inputs: ReportInputs, day: str, table: str, account: str) -> Cause:
    """Manual entries on the account of a tray or a box."""
    return Cause(
        BY_HAND,
        tuple(
            Component(
                f"{table}, manual entry by {entry.author}: {format_cents(entry.cents)} on"
                f" {account}/{table}, {entry.reason}",
                ReportCell(entry.cents),
                fact=FactReference("entry_posted", day, entry.at, table, event_id=entry.event_id),
            )
            for entry in inputs.by_hand
            if (entry.day, entry.table, entry.account) == (day, table, account)
        ),
    )


def _corrected(inputs: ReportInputs, day: str, table: str) -> Iterable[Component]:
    """The chips moved on a later day: the tray of the round's day is off by them, and that of
    the later day by the opposite amount."""
    for correction in inputs.corrections:
        if correction.table != table or day not in (correction.day, correction.round_day):
            continue
        is_later = day == correction.day
        when = f"of {correction.round_day}" if is_later else f"moved on {correction.day}"
        yield Component(
            f"{table}, round {correction.round}: {format_result(-correction.cents).text} of a"
            f" correction {when}",
            ReportCell(-correction.cents if is_later else correction.cents),
            fact=FactReference(
                "correction",
                correction.day,
                correction.at,
                table,
                correction.round,
                correction.opening_seq,
                correction.seq,
            ),
        )


def _is_of_tray(found: TrayFinding) -> bool:
    return found.kind.startswith("tray.")


def _found(found: TrayFinding) -> Component:
    at = f", round {found.round}" if found.round else ""
    return Component(
        f"{found.table}{at}: {found.text}", ReportCell(found.effect), fact=_fact(found)
    )


def _moved(found: TrayFinding) -> Component:
    return Component(
        f"{found.table}, round {found.round}: {format_result(found.effect).text}, {found.text}",
        ReportCell(found.effect),
        fact=_fact(found),
    )


def _fact(found: TrayFinding) -> FactReference:
    return FactReference(
        found.kind, found.day, found.at, found.table, found.round, opening_seq=0, seq=found.seq
    )


def _slips(inputs: ReportInputs, day: str, table: str) -> Iterable[Component]:
    for slip in inputs.error_slips:
        if (slip.day, slip.table) == (day, table):
            yield Component(
                f"{table}, error slip {slip.slip}: {format_cents(slip.difference)}, {slip.reason}",
                ReportCell(-slip.difference),
                fact=FactReference(
                    "error_slip_written", day, slip.at, table, event_id=slip.event_id
                ),
            )


def _blind(unseen: UnobservedRound, effect: int) -> Component:
    return _room(unseen, effect, "payments not observed", unseen.blind_gain, unseen.blind_lose)


def _open(unseen: UnobservedRound, effect: int) -> Component:
    return _room(unseen, effect, "facts are missing", unseen.may_gain, unseen.may_lose)


def _room(unseen: UnobservedRound, effect: int, why: str, gain: int, lose: int) -> Component:
    return Component(
        f"{unseen.table}, round {unseen.round}: {why}; the float may hold up to"
        f" {format_cents(gain)} more or {format_cents(lose)} less",
        ReportCell(effect),
        fact=FactReference(
            "round", unseen.day, unseen.at, unseen.table, unseen.round, unseen.opening_seq
        ),
    )
