"""Papers that lack a signature, or that one person signed twice.

Of a table's own half a name that is left out or repeated is a finding already; that fewer signed
than must is not. Of a half at an office nobody has looked at either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.office_facts import PaperKind
from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.sightings import Sighting, SignedPaper

KIND: Final = "slip.signers"
RULE: Final = "WAC 230-15-460(3), 230-15-520"
SIGNERS: Final = {
    PaperKind.FILL: 4, PaperKind.CREDIT: 4, PaperKind.OPENER: 2, PaperKind.CLOSER: 2,
    PaperKind.BOX: 2,
}  # fmt: skip
"""A fill: cashier, security, dealer, supervisor; others are signed by two."""

PAPERS_KEPT: Final = 200


class SignersMemory(Memory):
    papers: list[SignedPaper] = field(default_factory=list)
    """Those with which something is wrong, in the order of time."""


class SlipSigners(Detector[SignersMemory]):
    """About a series of papers; an alert for each paper, whichever half of it is wrong."""

    name = "slip_signers"
    kinds = frozenset({KIND})
    sees = frozenset({SignedPaper})
    memory = SignersMemory

    def fold(self, memory: SignersMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, SignedPaper) or not _problem(sighting):
            return ()
        if sighting.at < memory.since:
            return ()
        papers = sorted((*memory.papers, sighting), key=lambda each: (each.at, each.seq))
        gone = papers[:-PAPERS_KEPT]
        if gone:
            memory.since = gone[-1].at + 1
        memory.papers = papers[-PAPERS_KEPT:]
        return sorted({_key(each) for each in (*gone, sighting)})

    def judge(self, memory: SignersMemory, key: str, settings: Settings) -> Iterator[Draft]:
        halves = [each for each in memory.papers if _key(each) == key]
        if halves:
            first = halves[0]
            yield Draft(
                kind=KIND,
                identity=key,
                level=KINDS[KIND].level,
                sentence=f"{first.kind.capitalize()} {first.slip or 'without a number'} of table "
                f"{first.table} {_problem(first)}: have it signed, and ask why it went through.",
                rule=RULE,
                evidence=tuple(
                    Evidence(
                        at=each.at,
                        words=f"{'at the table' if each.seq else 'at the office'}: "
                        f"{_problem(each)}",
                        kind="slip",
                        table=each.table,
                        first_seq=each.seq,
                        last_seq=each.seq,
                        entry_id=each.entry_id,
                    )
                    for each in halves
                ),
                table=first.table,
            )


def _key(paper: SignedPaper) -> str:
    """A paper by its number; one without, by its place in the table's stream.

    Boxes have no numbers but names, which come again every day.
    """
    if paper.slip and paper.kind != PaperKind.BOX:
        return f"{paper.kind}/{paper.slip}"
    return f"{paper.kind}/{paper.table}/{paper.seq}{paper.entry_id}"


def _problem(paper: SignedPaper) -> str:
    named = [each for each in paper.signers if each]
    distinct = len(set(named))
    must = SIGNERS[PaperKind(paper.kind)]
    is_found = paper.seq and paper.kind != PaperKind.BOX
    if is_found and distinct != len(paper.signers):
        return ""  # settlement has found it
    if distinct < len(named):
        return "is signed twice by one person"
    return f"has {distinct} of {must} signatures" if distinct < must else ""
