"""Everything behind the figures of reports, down to facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from accounting.grpc.queries import Queries
from casino.accounting.v1.report_pb2 import ReportCell
from tests.accounting.asked import Shown, ask, explained, value
from tests.accounting.books import Books


def figures_of(shown: Shown) -> Iterable[tuple[str, ReportCell]]:
    """Every number of a report, totals included, by the name of its column."""
    totals = dict(zip(shown.keys, shown.report.totals.cells, strict=False))
    for row in (*shown.rows, totals):
        for key, cell in row.items():
            if isinstance(value(cell), int):
                yield key, cell


def check_behind(books: Books, reports: Iterable[Shown]) -> Counter[str]:
    """Each figure leads to parts that add up to it, or to a formula and what it is about; each
    part does so too, until it is a fact or a stated number. How many were seen, by report."""
    cells = [(shown.report.name, *number) for shown in reports for number in figures_of(shown)]
    assert not [(name, key) for name, key, cell in cells if not cell.drill]

    async def follow(questions: Queries) -> Counter[str]:
        seen: dict[str, int] = {}
        followed: Counter[str] = Counter()
        ways = [(f"{name}.{key}", cell) for name, key, cell in cells]
        while ways:
            way, cell = ways.pop()
            followed[way.partition(".")[0]] += 1
            if cell.drill in seen:
                assert seen[cell.drill] == cell.number, way
                continue
            seen[cell.drill] = cell.number
            answer = await explained(questions, cell.drill)
            assert answer.figure.number == cell.number, way
            if not answer.formula:
                assert sum(part.figure.number for part in answer.parts) == cell.number, way
            assert answer.parts or not cell.number, way
            for part in answer.parts:
                assert part.words, way
                if part.figure.drill:
                    ways.append((f"{way} / {part.words}", part.figure))
                else:
                    ends = part.HasField("entry") or answer.formula or "void" in part.words
                    assert ends or any(words in part.words for words in STATED), (way, part.words)
        return followed

    return ask(books, follow)


STATED = ("beyond the difference", "missing", "explained", "rule set")
"""Words of parts that end without a fact: there is none."""
