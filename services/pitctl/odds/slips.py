"""Figures that are off, by what explains them: one slip is told once, whatever it spoiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from odds.certificates import Certificate, Judged, Verdict
from odds.certificates.words import exact_text, name_of, reading_of
from pitctl.output.text import counted


class Spoiled(Struct, frozen=True):
    """One kind of figure that a slip spoiled, with its numbers at each deck count."""

    name: str
    numbers: dict[int, str]

    @property
    def briefly(self) -> str:
        """With its numbers only where there is one deck count; tables show the others."""
        if len(self.numbers) > 1:
            return self.name
        return f"{self.name} {next(iter(self.numbers.values()))}"

    @property
    def lines(self) -> list[str]:
        """One for each deck count."""
        if len(self.numbers) == 1:
            return [self.briefly]
        return [
            f"{self.name}, {counted(decks, 'deck')}: {numbers}"
            for decks, numbers in self.numbers.items()
        ]


class Slip(Struct, frozen=True):
    """A reading with the deck counts, options and figures that share it."""

    reading: str
    is_near: bool
    decks: tuple[int, ...]
    options: tuple[int, ...]
    spoiled: tuple[Spoiled, ...]


def slips(certificates: Sequence[Certificate]) -> Iterator[Slip]:
    """What is printed wrong in some certificates, misprints first."""
    alike: dict[tuple[bool, str], list[tuple[Certificate, Judged]]] = {}
    for certificate in certificates:
        for judged in certificate.off:
            key = judged.verdict is not Verdict.MISPRINT, reading_of(judged)
            alike.setdefault(key, []).append((certificate, judged))
    for (is_near, reading), shared in sorted(alike.items(), key=lambda item: item[0][0]):
        yield Slip(
            reading=reading,
            is_near=is_near,
            decks=tuple(dict.fromkeys(each.offer.decks for each, _ in shared)),
            options=tuple(dict.fromkeys(each.offer.paytable.option for each, _ in shared)),
            spoiled=tuple(_spoiled([judged for _, judged in shared])),
        )


def _spoiled(shared: Sequence[Judged]) -> Iterator[Spoiled]:
    for name in dict.fromkeys(map(name_of, shared)):
        numbers = {
            each.figure.decks: f"{each.figure.text}, exact {exact_text(each)}"
            for each in shared
            if name_of(each) == name
        }
        yield Spoiled(name, numbers)
