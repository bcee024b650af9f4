"""`pitctl certify`: the exact odds of every filed wager beside what its filing prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

import msgspec

from blackjack.filings import FILINGS
from odds.certificates import Certificate, certify
from pitctl.certificate_data import as_data
from pitctl.certificate_page import print_certificates, print_overview
from pitctl.choosing import CannotChoose, chosen_game
from pitctl.text import Page, counted, plain

DONE: Final = 0
REFUSED: Final = 2

_JSON: Final = msgspec.json.Encoder(decimal_format="number")


class Choice(msgspec.Struct, frozen=True):
    """Which certificates are wanted; nothing said is all of them."""

    games: tuple[str, ...] = ()
    wager: str = ""
    decks: int = 0
    option: int = 0
    misprints_only: bool = False

    def takes(self, certificate: Certificate) -> bool:
        offer = certificate.offer
        return (
            (not self.wager or self.wager in offer.wagers)
            and self.decks in (0, offer.decks)
            and self.option in (0, offer.paytable.option)
            and (not self.misprints_only or bool(certificate.misprints))
        )


def run(choice: Choice, *, form: str, full: bool, output: str) -> int:
    """Write the chosen certificates; the exit status."""
    try:
        wanted = {game: chosen_game(game) for game in choice.games or FILINGS}
    except CannotChoose as refused:
        return _refuse(str(refused))
    chosen = [each for each in certify(wanted) if choice.takes(each)]
    if not chosen:
        return _refuse("nothing that is filed fits; `pitctl certify` lists what is")
    if form == "pdf" and not output and sys.stdout.isatty():
        return _refuse("a PDF is not for a terminal; name a file: --output certificates.pdf")
    if not output:
        _write(sys.stdout, chosen, form=form, full=full)
        return DONE
    try:
        with Path(output).open("w", encoding="utf-8") as file:
            _write(file, chosen, form=form, full=full)
    except OSError as error:
        return _refuse(f"{output}: {error.strerror}; name a file that can be written")
    print(f"{output}: {counted(len(chosen), 'certificate')}", file=sys.stderr)
    return DONE


def _write(file: TextIO, chosen: Sequence[Certificate], *, form: str, full: bool) -> None:
    if form == "json":
        encoded = _JSON.encode([as_data(each) for each in chosen])
        file.buffer.write(msgspec.json.format(encoded, indent=2) + b"\n")
    elif form == "pdf":
        from pitctl.certificate_pdf import write_pdf

        write_pdf(file.buffer, chosen)
    elif full or len(chosen) == 1:
        print_certificates(Page(file), chosen)
    else:
        print_overview(Page(file), chosen)


def _refuse(reason: str) -> int:
    print(f"pitctl: {plain(reason)}", file=sys.stderr)
    return REFUSED
