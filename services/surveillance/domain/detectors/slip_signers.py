"""Slips and counts with a missing signature, or signed twice by one person.

In the table's half, a missing or repeated name is a finding already; too few signatures are not.
The half that the cage entered is checked here alone.
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
"""A fill: cashier, security, dealer, supervisor; counts need two."""

NAMES: Final = {
    PaperKind.FILL: "Fill slip", PaperKind.CREDIT: "Credit slip", PaperKind.OPENER: "Opener",
    PaperKind.CLOSER: "Closer", PaperKind.BOX: "Drop box",
}  # fmt: skip
PAPERS_KEPT: Final = 200


class SignersMemory(Memory):
    papers: list[SignedPaper] = field(default_factory=list)
    """Those with a problem, in the order of time."""


class SlipSigners(Detector[SignersMemory]):
    """About a series of papers; an alert for each paper with a problem in either half."""

    name = "slip_signers"
    kinds = frozenset({KIND})
    sees = frozenset({SignedPaper})
    memory = SignersMemory

    def fold(self, memory: SignersMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, SignedPaper) or not _problem(sighting):
            return ()
        if sighting.at < memory.since:
            return ()
        papers = sorted((*memory.papers, sighting), key=lambda paper: (paper.at, paper.seq))
        gone = papers[:-PAPERS_KEPT]
        if gone:
            memory.since = gone[-1].at + 1
        memory.papers = papers[-PAPERS_KEPT:]
        return sorted({_key(paper) for paper in (*gone, sighting)})

    def judge(self, memory: SignersMemory, key: str, settings: Settings) -> Iterator[Draft]:
        halves = [paper for paper in memory.papers if _key(paper) == key]
        if halves:
            first = halves[0]
            name = f"{NAMES[PaperKind(first.kind)]} {first.slip or 'without a number'}"
            yield Draft(
                kind=KIND,
                identity=key,
                level=KINDS[KIND].level,
                sentence=f"{name} of table {first.table} {_problem(first)}: complete the "
                "signatures",
                rule=RULE,
                evidence=tuple(
                    Evidence(
                        at=half.at,
                        words=f"{'Table half' if half.seq else 'Cage half'} {_problem(half)}",
                        kind="slip",
                        table=half.table,
                        first_seq=half.seq,
                        last_seq=half.seq,
                        entry_id=half.entry_id,
                    )
                    for half in halves
                ),
                table=first.table,
                detail="Find out why the paper was accepted.",
            )


def _key(paper: SignedPaper) -> str:
    """A paper by its number; one without, by its place in the table's stream.

    Boxes have names instead of numbers, the same every day.
    """
    if paper.slip and paper.kind != PaperKind.BOX:
        return f"{paper.kind}/{paper.slip}"
    return f"{paper.kind}/{paper.table}/{paper.seq}{paper.entry_id}"


def _problem(paper: SignedPaper) -> str:
    named = [signer for signer in paper.signers if signer]
    distinct = len(set(named))
    must = SIGNERS[PaperKind(paper.kind)]
    is_found = paper.seq and paper.kind != PaperKind.BOX
    if is_found and distinct != len(paper.signers):
        return ""  # a finding of settlement
    if distinct < len(named):
        return "is signed twice by one person"
    return f"has {distinct} of {must} signatures" if distinct < must else ""
