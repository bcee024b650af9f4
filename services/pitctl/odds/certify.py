"""`pitctl certify`: the exact odds of every filed wager beside what its filing prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from blackjack.rulebook.filings import FILINGS
from odds.certificates import Certificate, certify
from pitctl.odds.certificate_data import as_data
from pitctl.odds.certificate_page import print_certificates, print_overview
from pitctl.odds.choice import CannotChoose, chosen_game
from pitctl.output.json_out import write_json
from pitctl.output.text import Page, counted


class Choice(Struct, frozen=True):
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


def run(choice: Choice, *, form: str, full: bool, output: str, dated: str) -> None:
    """Write the chosen certificates; `CannotChoose` says what is wrong with the choice."""
    wanted = {game: chosen_game(game) for game in choice.games or FILINGS}
    chosen = [each for each in certify(wanted) if choice.takes(each)]
    if not chosen:
        raise CannotChoose("nothing that is filed fits; `pitctl certify` lists what is")
    on = _date(dated)
    if form == "pdf" and not output and sys.stdout.isatty():
        raise CannotChoose("a PDF is not for a terminal; name a file: --output certificates.pdf")
    if not output:
        _write(sys.stdout, chosen, form=form, full=full, dated=on)
        return
    try:
        with Path(output).open("w", encoding="utf-8") as file:
            _write(file, chosen, form=form, full=full, dated=on)
    except OSError as error:
        reason = f"{output}: {error.strerror}; name a file that can be written"
        raise CannotChoose(reason) from None
    print(f"{output}: {counted(len(chosen), 'certificate')}", file=sys.stderr)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise CannotChoose(f"{text!r} is no date; write it as in 2026-03-01") from None


def _write(
    file: TextIO, chosen: Sequence[Certificate], *, form: str, full: bool, dated: date | None
) -> None:
    if form == "json":
        write_json(file.buffer, [as_data(each) for each in chosen])
    elif form == "pdf":
        from pitctl.odds.certificate_pdf import write_pdf

        write_pdf(file.buffer, chosen, dated)
    elif full or len(chosen) == 1:
        print_certificates(Page(file), chosen)
    else:
        print_overview(Page(file), chosen)
