"""Remarks for a person to review before signing; pure, and never a reason to reject.

A fact that happened is entered even if a signature is missing or a sum differs; the remark stays
with it. Entries that contradict the books are rejected elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from blackjack.money import format_cents

TRANSFER_SIGNERS: Final = 4
"""A fill or a credit is signed by cashier, security, dealer and supervisor (230-15-520, 525)."""
INVENTORY_SIGNERS: Final = 2
"""Opener and closer are signed by dealer and supervisor, who are two persons (230-15-460)."""
ERROR_SLIP_SIGNERS: Final = 3
"""An error slip is signed by supervisor, dealer and security (230-15-495(5)(g))."""
ERROR_SLIP_CENTS: Final = 200_00
"""A difference of $200 and more is reported within 24 hours (230-15-495(5)(g))."""
LOG_CENTS: Final = 3_000_00
"""Items from this amount on are in the multiple-transaction log (31 CFR 1021.311)."""
REPORT_CENTS: Final = 10_000_00
"""Cash in, or cash out, over this in a gaming day is reported (31 CFR 1021.311)."""
GAP_NUMBERS_MAX: Final = 20
"""The most gaps of a series that are listed."""
_NUMBERED: Final = re.compile(r"(.*?)([0-9]{1,15})", re.DOTALL)


def signers_remarks(signers: Sequence[str], needed: int) -> Iterator[str]:
    """
    >>> list(signers_remarks(["A", "B", "A"], 4))
    ['2 of 4 signatures', 'A signed more than once']
    """
    persons = [signer for signer in signers if signer]
    if len(set(persons)) < needed:
        yield f"{len(set(persons))} of {needed} signatures"
    for person in repeated(persons):
        yield f"{person} signed more than once"


def verifier_remarks(verifier: str, team: Collection[str]) -> Iterator[str]:
    if not verifier:
        yield "Recount without a verifier's signature"
    elif verifier in team:
        yield f"Verifier {verifier} belongs to the count team"


def recount_remarks(*, counted: int, recounted: int) -> Iterator[str]:
    if counted != recounted:
        yield (
            f"Recount differs by {format_cents(recounted - counted)}:"
            f" counted {format_cents(counted)}, recounted {format_cents(recounted)}"
        )


def opener_remarks(*, opener: int, closer: int | None, has_error_slip: bool) -> Iterator[str]:
    """An opener equals the last closer, or an error slip states why not (230-15-495(5)(g))."""
    if closer is None or closer == opener:
        return
    yield (
        f"Opener differs by {format_cents(opener - closer)} from the last closer:"
        f" opened with {format_cents(opener)}, closed with {format_cents(closer)}"
    )
    if not has_error_slip:
        yield "Error slip required"
    yield from commission_remarks(opener - closer)


def commission_remarks(difference: int) -> Iterator[str]:
    if abs(difference) >= ERROR_SLIP_CENTS:
        yield f"Report {format_cents(abs(difference))} to the commission within 24 hours"


def cash_out_remarks(*, cents: int, patron: str, note: str) -> Iterator[str]:
    """The details that a cash-out without a patron still requires (31 CFR 1021.311).

    >>> list(cash_out_remarks(cents=3_000_00, patron="", note=""))
    ['Cash-out of $3,000.00 without a patron: describe the patron in a note']
    """
    if patron or cents < LOG_CENTS:
        return
    if cents > REPORT_CENTS:
        yield (
            f"Cash-out of {format_cents(cents)} without a patron: identify the patron, a currency"
            " transaction report is due"
        )
    if not note.strip():
        yield f"Cash-out of {format_cents(cents)} without a patron: describe the patron in a note"


# Slips ---------------------------------------------------------------------------------


class SlipNumber(NamedTuple):
    """The number of a slip: the prefix of its series, and its digits."""

    series: str
    number: int
    digits: int

    def named(self, number: int) -> str:
        """Another slip of the series, written in the same form."""
        return f"{self.series}{number:0{self.digits}d}"


def numbered(slip: str) -> SlipNumber | None:
    """
    >>> numbered("F-BJ07-0012")
    SlipNumber(series='F-BJ07-', number=12, digits=4)
    """
    found = _NUMBERED.fullmatch(slip)
    if found is None:
        return None
    digits = len(found[2]) if found[2].startswith("0") else 1
    return SlipNumber(found[1], int(found[2]), digits)


class ExplainedRange(NamedTuple):
    series: str
    first: int
    last: int


def gaps(
    used: Iterable[str],
    before: Iterable[str],
    seen: Iterable[str],
    explained: Iterable[ExplainedRange],
) -> Iterator[tuple[str, str]]:
    """Find the numbers missing from the series of the slips that were used: first and last of each.

    The search begins at the last number used `before`; a number that was `seen` on any day, or is
    explained, is not missing.

    >>> list(gaps(["F-4", "F-7"], ["F-2"], ["F-5"], [ExplainedRange("F-", 6, 6)]))
    [('F-3', 'F-3')]
    """
    known: dict[str, set[int]] = {}
    for slip in (*used, *before, *seen):
        if (number := numbered(slip)) is not None:
            known.setdefault(number.series, set()).add(number.number)
    earlier: dict[str, int] = {}
    for slip in before:
        if (number := numbered(slip)) is not None:
            earlier[number.series] = max(earlier.get(number.series, 0), number.number)
    today: dict[str, list[SlipNumber]] = {}
    for slip in used:
        if (number := numbered(slip)) is not None:
            today.setdefault(number.series, []).append(number)
    spans = list(explained)
    for series, slips in sorted(today.items()):
        low, high = min(slips, key=_number), max(slips, key=_number)
        first = min(earlier.get(series, low.number), low.number)
        covered = [(span.first, span.last) for span in spans if span.series == series]
        yield from _missing(low, first, high.number, known[series], covered)


def _missing(
    like: SlipNumber, first: int, last: int, known: set[int], covered: Sequence[tuple[int, int]]
) -> Iterator[tuple[str, str]]:
    numbers = sorted(number for number in known if first <= number <= last)
    count = 0
    for below, above in pairwise(numbers):
        for low, high in _uncovered(below + 1, above - 1, covered):
            count += 1
            if count > GAP_NUMBERS_MAX:
                return
            yield like.named(low), like.named(high)


def _uncovered(
    low: int, high: int, covered: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """
    >>> list(_uncovered(3, 9, [(4, 5), (9, 12)]))
    [(3, 3), (6, 8)]
    """
    for first, last in sorted(covered):
        if last < low or first > high:
            continue
        if low < first:
            yield low, first - 1
        low = last + 1
    if low <= high:
        yield low, high


def _number(slip: SlipNumber) -> int:
    return slip.number


def repeated(persons: Sequence[str]) -> list[str]:
    return sorted({person for person in persons if persons.count(person) > 1})
