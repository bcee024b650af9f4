"""Misprints grouped by their explanation: one slip of the pen may spoil several numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from odds.certificates import Certificate, JudgedFigure, PrintVerdict
from odds.certificates.words import exact_text, name_of, reading_of
from pitctl.output.text import count_noun


class SpoiledFigure(Struct, frozen=True):
    """One kind of misprinted figure, with its numbers at each deck count."""

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
            f"{self.name}, {count_noun(decks, 'deck')}: {numbers}"
            for decks, numbers in self.numbers.items()
        ]


class SharedMisprint(Struct, frozen=True):
    """An explanation, with the deck counts, options and misprints that share it."""

    reading: str
    is_near: bool
    decks: tuple[int, ...]
    options: tuple[int, ...]
    spoiled: tuple[SpoiledFigure, ...]


def shared_misprints(certificates: Sequence[Certificate]) -> Iterator[SharedMisprint]:
    """The misprints of some certificates, then the near ones."""
    alike: dict[tuple[bool, str], list[tuple[Certificate, JudgedFigure]]] = {}
    for certificate in certificates:
        for judged in certificate.off:
            key = judged.verdict is not PrintVerdict.MISPRINT, reading_of(judged)
            alike.setdefault(key, []).append((certificate, judged))
    for (is_near, reading), shared in sorted(alike.items(), key=lambda item: item[0][0]):
        yield SharedMisprint(
            reading=reading,
            is_near=is_near,
            decks=tuple(dict.fromkeys(one.offer.decks for one, _ in shared)),
            options=tuple(dict.fromkeys(one.offer.paytable.option for one, _ in shared)),
            spoiled=tuple(_spoiled([judged for _, judged in shared])),
        )


def _spoiled(shared: Sequence[JudgedFigure]) -> Iterator[SpoiledFigure]:
    for name in dict.fromkeys(map(name_of, shared)):
        numbers = {
            judged.figure.decks: f"{judged.figure.text}, exact {exact_text(judged)}"
            for judged in shared
            if name_of(judged) == name
        }
        yield SpoiledFigure(name, numbers)
