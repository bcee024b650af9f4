"""Misprints by what explains them: one slip is told once, however many figures it spoiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from odds.certificates import Certificate, Judged
from pitctl.certificate_data import exact_text, name_of

UNEXPLAINED: Final = "no reading explains it"


class Slip(Struct, frozen=True):
    """A reading with the deck counts, options and figures that share it."""

    reading: str
    decks: tuple[int, ...]
    options: tuple[int, ...]
    figures: tuple[str, ...]
    """Each kind of figure once; with its numbers where they are the same everywhere."""


def slips(certificates: Sequence[Certificate]) -> Iterator[Slip]:
    """The misprints of some certificates, in the order in which they are met."""
    by_reading: dict[str, list[tuple[Certificate, Judged]]] = {}
    for certificate in certificates:
        for judged in certificate.misprints:
            by_reading.setdefault(reading_of(judged), []).append((certificate, judged))
    for reading, shared in by_reading.items():
        yield Slip(
            reading=reading,
            decks=tuple(dict.fromkeys(each.offer.decks for each, _ in shared)),
            options=tuple(dict.fromkeys(each.offer.paytable.option for each, _ in shared)),
            figures=tuple(_figures([judged for _, judged in shared])),
        )


def reading_of(judged: Judged) -> str:
    """What explains a figure, or that nothing does."""
    return judged.reading.words if judged.reading is not None else UNEXPLAINED


def _figures(shared: Sequence[Judged]) -> Iterator[str]:
    for name in dict.fromkeys(map(name_of, shared)):
        numbers = {
            f"{each.figure.text}, exact {exact_text(each)}"
            for each in shared
            if name_of(each) == name
        }
        yield f"{name} {numbers.pop()}" if len(numbers) == 1 else name
