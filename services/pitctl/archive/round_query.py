"""The search options of `pitctl rounds`, parsed into a request to the archive."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from blackjack.cards.card import Card, NotACard, card
from blackjack.findings import Kind, Level
from blackjack.money import InvalidAmount, parse_cents
from blackjack.outcomes import RoundStatus
from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from casino.settlement.v1.finding_pb2 import Level as LevelNumber
from casino.settlement.v1.service_pb2 import FindRoundsRequest
from casino.settlement.v1.settled_round_pb2 import RoundStatus as StatusNumber
from casino.table.v1.cards_pb2 import Card as CardNumber
from pitctl.arguments import read_moment
from pitctl.errors import InvalidArgument
from wire.vocabulary import CARD_NUMBERS, LEVEL_NUMBERS, STATUS_NUMBERS

_SUITS: Final = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")
_CARD: Final = re.compile(r"(?:10|[2-9TJQKA])[CDHS]", re.IGNORECASE)
_SPAN: Final = re.compile(r"(\d+)\s*([smhd])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def read_cards(text: str) -> tuple[Card, ...]:
    """Parse cards in characters or signs, with any separator.

    >>> read_cards("A♠ K♠"), read_cards("AS,10d"), read_cards("AS|KS")
    ((AS, KS), (AS, TD), (AS, KS))
    """
    plain = text.translate(_SUITS)
    named = _CARD.findall(plain)
    if re.sub(r"[\s,;|/+-]", "", _CARD.sub("", plain)):
        raise InvalidArgument(f'Invalid cards "{text}": expected cards such as A♠ 10♦ or AS,TD.')
    try:
        return tuple(card(name) for name in named)
    except NotACard as error:  # pragma: no cover - the pattern admits only cards
        raise InvalidArgument(str(error)) from None


def read_stakes(text: str) -> tuple[int, int]:
    """Parse the smallest and the largest stake in cents; the largest is 0 where there is no bound.

    >>> read_stakes("50"), read_stakes("25..100"), read_stakes("12.50.."), read_stakes("..$5")
    ((5000, 5000), (2500, 10000), (1250, 0), (0, 500))
    """
    least, dots, most = text.partition("..")
    if text.endswith("...") or (not least and not most):
        raise _not_stakes(text)
    low = _cents(least) if least else 0
    if not dots:
        return low, low
    high = _cents(most) if most else 0
    if most and high < low:
        raise InvalidArgument(f'Invalid --bet "{text}": the largest stake is below the smallest.')
    return low, high


def _cents(text: str) -> int:
    try:
        return parse_cents(text.strip())
    except InvalidAmount as invalid:
        raise InvalidArgument(f"--bet: {invalid}") from None


def _not_stakes(text: str) -> InvalidArgument:
    return InvalidArgument(
        f'Invalid --bet "{text}": expected an amount such as 12.50, or a range such as 25..100.'
    )


def read_span(text: str) -> timedelta:
    """Parse a duration of seconds, minutes, hours and days.

    >>> str(read_span("20m")), str(read_span("1h30m"))
    ('0:20:00', '1:30:00')
    """
    parts = _SPAN.findall(text)
    if not parts or _SPAN.sub("", text).strip():
        raise InvalidArgument(f'Invalid duration "{text}": expected 90s, 20m, 2h or 1h30m.')
    seconds = sum(int(count) * _SECONDS[unit] for count, unit in parts)
    if seconds > 366 * 86400:
        raise InvalidArgument(f'Invalid duration "{text}": expected at most a year.')
    return timedelta(seconds=seconds)


def read_level(text: str) -> LevelNumber.ValueType:
    """The number of a level; no text is none."""
    if not text:
        return LevelNumber.LEVEL_UNSPECIFIED
    try:
        return LEVEL_NUMBERS[Level[text.upper()]]
    except KeyError:
        raise InvalidArgument(f'Invalid level "{text}": expected P1, P2, P3 or P4.') from None


def round_query(
    *,
    round: str,
    table: str,
    around: str,
    within: str,
    since: str,
    until: str,
    patron: str,
    dealer: str,
    seat: int,
    cards: str,
    dealer_cards: str,
    wager: str,
    bet: str,
    finding: str,
    level: str,
    game: str,
    status: str,
    now: datetime,
) -> FindRoundsRequest:
    """The request for these options; `InvalidArgument` for the first invalid one."""
    if within and not around:
        raise InvalidArgument("--within needs --around")
    least, most = read_stakes(bet) if bet else (0, 0)
    return FindRoundsRequest(
        table_id=table,
        round=round,
        around=_stamp(around, now),
        within=_duration(within),
        **{"from": _stamp(since, now)},  # type: ignore[arg-type]  # a keyword of the language
        until=_stamp(until, now),
        patron=patron,
        dealer=dealer,
        seat=seat,
        cards=_numbers(cards),
        dealer_cards=_numbers(dealer_cards),
        wager=_wager(wager),
        stake_cents_min=least,
        stake_cents_max=most,
        finding_kind=_kind(finding),
        level=read_level(level),
        game=_game(game),
        status=_status(status),
    )


def _stamp(text: str, now: datetime) -> Timestamp | None:
    if not text:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(read_moment(text, now))
    return stamp


def _duration(text: str) -> Duration | None:
    if not text:
        return None
    duration = Duration()
    duration.FromTimedelta(read_span(text))
    return duration


def _numbers(text: str) -> list[CardNumber.ValueType]:
    return [CARD_NUMBERS[card] for card in read_cards(text)] if text else []


def _game(text: str) -> str:
    if text and text not in FILINGS:
        filed = ", ".join(FILINGS)
        raise InvalidArgument(
            f'Invalid --game "{text}": filed are {filed}.{_nearest(text, FILINGS)}'
        )
    return text


def _kind(text: str) -> str:
    """A kind of finding, or the beginning of one."""
    if not any(kind.startswith(text) for kind in Kind):
        families = sorted({kind.partition(".")[0] for kind in Kind})
        near = _nearest(text, [*Kind, *families])
        raise InvalidArgument(
            f'Invalid --finding "{text}": kinds begin with ' + ", ".join(families) + f".{near}"
        )
    return text


def _wager(text: str) -> str:
    filed = {wager for filing in FILINGS.values() for wager in filing.side_bets}
    known = [MAIN, HALF_BACK, INSURANCE, *sorted(filed)]
    if text and text not in known:
        raise InvalidArgument(
            f'Invalid --wager "{text}": filed are ' + ", ".join(known) + f".{_nearest(text, known)}"
        )
    return text


def _nearest(text: str, known: Iterable[str]) -> str:
    near = get_close_matches(text.lower(), list(known), n=1, cutoff=0.5)
    return f" Did you mean {str(near[0])!r}?" if near else ""


def _status(text: str) -> StatusNumber.ValueType:
    if not text:
        return StatusNumber.ROUND_STATUS_UNSPECIFIED
    try:
        return STATUS_NUMBERS[RoundStatus(text.lower())]
    except ValueError:
        known = ", ".join(RoundStatus)
        raise InvalidArgument(f'Invalid --status "{text}": expected {known}.') from None
