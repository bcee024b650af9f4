"""Games: every filed paytable with exact odds beside the printed ones."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from blackjack.display_names import wager_name
from blackjack.rulebook.filings import FILINGS, Filing
from console.users.roles import ALL_ROLES
from console.web.errors import PageNotFound
from console.web.guard import read_route
from console.web.page import render_page
from odds.certificates import Certificate, JudgedFigure, PrintVerdict, certify
from odds.certificates.words import exact_text, explanation, name_of, percent, reading_of, worst_of
from odds.decimals import decimal, root
from odds.worth import RowChance

STATES: Final = {
    PrintVerdict.AGREES: "good",
    PrintVerdict.NEAR: "wait",
    PrintVerdict.MISPRINT: "bad",
    PrintVerdict.NOT_PRINTED: "none",
}


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in the overview."""

    game: str
    title: str
    decks: str
    wagers: tuple[str, ...]
    paytables: int
    misprinted: int


@dataclass(frozen=True, slots=True)
class CertificateLine:
    """A certificate as a row of its wager's table."""

    certificate: Certificate
    address: str
    edge: str
    deviation: str
    hit: str
    printed: str
    verdict: str
    state: str
    explained: str


@dataclass(frozen=True, slots=True)
class OutcomeOdds:
    """An outcome of a paytable with its exact odds."""

    label: str
    pays: str
    one_in: str
    probability: str
    exactly: str


@dataclass(frozen=True, slots=True)
class PrintedStatistic:
    """A statistic printed in a filing, beside the exact one."""

    name: str
    printed: str
    exact: str
    verdict: str
    state: str
    reading: str


@cache
def certificates(game: str) -> tuple[Certificate, ...]:
    """Certify a game once: the filings are part of the program."""
    return tuple(certify({game: FILINGS[game]}))


async def games_page(request: Request) -> Response:
    cards = [await asyncio.to_thread(_card, filing) for filing in FILINGS.values()]
    return await render_page(request, "games.html", cards=cards)


async def game_page(request: Request) -> Response:
    filing = _filing(request)
    found = await asyncio.to_thread(certificates, filing.game)
    tables = [
        (title, [_line(certificate) for certificate in group])
        for title, group in groupby(found, key=lambda certificate: certificate.offer.title)
    ]
    return await render_page(request, "game.html", filing=filing, tables=tables)


async def certificate_page(request: Request) -> Response:
    filing = _filing(request)
    name = tuple(request.path_params[part] for part in ("wager", "decks", "option"))
    found = await asyncio.to_thread(certificates, filing.game)
    certificate = next((certified for certified in found if _name(certified) == name), None)
    if certificate is None:
        raise PageNotFound("paytable")
    offer, worth = certificate.offer, certificate.offer.worth
    return await render_page(
        request,
        "certificate.html",
        filing=filing,
        certificate=certificate,
        offer=offer,
        edge=f"{decimal(100 * worth.edge, 10):f}%",
        deviation=f"{root(worth.variance, 10):f}",
        hit=f"{decimal(100 * worth.hit, 10):f}%",
        outcomes=[_odds(row) for row in worth.rows],
        statistics=[_statistic(figure) for figure in certificate.judged],
    )


def _card(filing: Filing) -> GameCard:
    found = certificates(filing.game)
    sides = tuple(side_bet.title for side_bet in filing.side_bets.values())
    base = tuple(wager_name(code) for code in filing.base_wagers)
    return GameCard(
        filing.game,
        filing.title,
        ", ".join(map(str, filing.decks)),
        base + sides,
        len(found),
        sum(bool(certificate.misprints) for certificate in found),
    )


def _name(certificate: Certificate) -> tuple[str, int, int]:
    offer = certificate.offer
    return (offer.wagers[0], offer.decks, offer.paytable.option)


def _line(certificate: Certificate) -> CertificateLine:
    offer, edge = certificate.offer, certificate.printed_edge
    worst = worst_of(certificate)
    return CertificateLine(
        certificate,
        "/".join(map(str, ("/games", offer.filing.game, *_name(certificate)))),
        percent(offer.worth.edge),
        str(root(offer.worth.variance, 3)),
        percent(offer.worth.hit),
        edge.figure.text if edge is not None else "",
        worst.value,
        STATES[worst],
        explanation(certificate) if certificate.misprints else "",
    )


def _odds(row: RowChance) -> OutcomeOdds:
    one_in = f"{decimal(1 / row.probability, 2):,}" if row.ways else "never"
    probability = f"{decimal(row.probability, 10):f}"
    return OutcomeOdds(row.label, str(row.pays), one_in, probability, str(row.probability))


def _statistic(judged: JudgedFigure) -> PrintedStatistic:
    off = judged.verdict is not PrintVerdict.AGREES
    return PrintedStatistic(
        name_of(judged),
        judged.figure.text,
        exact_text(judged),
        judged.verdict.value,
        STATES[judged.verdict],
        reading_of(judged) if off else "",
    )


def _filing(request: Request) -> Filing:
    filing = FILINGS.get(request.path_params["game"])
    if filing is None:
        raise PageNotFound(f"game {request.path_params['game']}")
    return filing


ROUTES: Final = (
    read_route(ALL_ROLES, "/games", games_page),
    read_route(ALL_ROLES, "/games/{game}", game_page),
    read_route(ALL_ROLES, "/games/{game}/{wager}/{decks:int}/{option:int}", certificate_page),
)
