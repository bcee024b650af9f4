"""`pitctl certify`: the exact odds of every filed wager, beside the printed ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from blackjack.rulebook.filings import FILINGS
from odds.certificates import Certificate, certify
from pitctl.errors import InvalidArgument
from pitctl.odds.certificate_data import as_data
from pitctl.odds.certificate_page import print_certificates, print_overview
from pitctl.odds.chosen_rules import chosen_game
from pitctl.output.json_out import write_json
from pitctl.output.text import Page, count_noun


class CertificateChoice(Struct, frozen=True):
    """The certificates to write; an empty choice is all of them."""

    games: tuple[str, ...] = ()
    wager: str = ""
    decks: int = 0
    option: int = 0
    misprints_only: bool = False

    def includes(self, certificate: Certificate) -> bool:
        offer = certificate.offer
        return (
            (not self.wager or self.wager in offer.wagers)
            and self.decks in (0, offer.decks)
            and self.option in (0, offer.paytable.option)
            and (not self.misprints_only or bool(certificate.misprints))
        )


def run(choice: CertificateChoice, *, form: str, full: bool, output: str, dated: str) -> None:
    """Write the chosen certificates; `InvalidArgument` where nothing matches the choice."""
    wanted = {game: chosen_game(game) for game in choice.games or FILINGS}
    chosen = [certificate for certificate in certify(wanted) if choice.includes(certificate)]
    if not chosen:
        raise InvalidArgument("nothing filed matches; `pitctl certify` lists all certificates")
    on = _date(dated)
    if form == "pdf" and not output and sys.stdout.isatty():
        raise InvalidArgument("a PDF is not for a terminal; name a file: --output certificates.pdf")
    if not output:
        _write(sys.stdout, chosen, form=form, full=full, dated=on)
        return
    try:
        with Path(output).open("w", encoding="utf-8") as file:
            _write(file, chosen, form=form, full=full, dated=on)
    except OSError as error:
        reason = f"{output}: {error.strerror}; name a file that can be written"
        raise InvalidArgument(reason) from None
    print(f"{output}: {count_noun(len(chosen), 'certificate')}", file=sys.stderr)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidArgument(f'Invalid --dated "{text}": expected YYYY-MM-DD.') from None


def _write(
    file: TextIO, chosen: Sequence[Certificate], *, form: str, full: bool, dated: date | None
) -> None:
    if form == "json":
        write_json(file.buffer, [as_data(certificate) for certificate in chosen])
    elif form == "pdf":
        from pitctl.odds.certificate_pdf import write_pdf

        write_pdf(file.buffer, chosen, dated)
    elif full or len(chosen) == 1:
        print_certificates(Page(file), chosen)
    else:
        print_overview(Page(file), chosen)
