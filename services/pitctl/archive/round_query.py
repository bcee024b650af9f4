"""What a person remembers of a round, as typed, and as the archive is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
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
from wire.vocabulary import CARD_NUMBERS, LEVEL_NUMBERS, STATUS_NUMBERS

_SUITS: Final = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")
_CARD: Final = re.compile(r"(?:10|[2-9TJQKA])[CDHS]", re.IGNORECASE)
_SPAN: Final = re.compile(r"(\d+)\s*([smhd])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class NotAQuestion(ValueError):
    """Something typed that cannot be asked; the text says what can be."""


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards in letters or signs, parted as one likes.

    >>> read_cards("A♠ K♠"), read_cards("AS,10d"), read_cards("AS|KS")
    ((AS, KS), (AS, TD), (AS, KS))
    """
    plain = text.translate(_SUITS)
    named = _CARD.findall(plain)
    if re.sub(r"[\s,;|/+-]", "", _CARD.sub("", plain)):
        raise NotAQuestion(f"{text!r}: cards are written A♠ 10♦ or AS,TD")
    try:
        return tuple(card(each) for each in named)
    except NotACard as error:  # pragma: no cover - the pattern admits only cards
        raise NotAQuestion(str(error)) from None


def read_stakes(text: str) -> tuple[int, int]:
    """The least and the greatest stake in cents; the greatest 0 where there is no bound.

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
        raise NotAQuestion(f"{text!r}: the greatest stake is below the least")
    return low, high


def _cents(text: str) -> int:
    try:
        return parse_cents(text.strip())
    except InvalidAmount as invalid:
        raise NotAQuestion(f"--bet: {invalid}") from None


def _not_stakes(text: str) -> NotAQuestion:
    return NotAQuestion(
        f"{text!r}: a bet is an amount, as in 50 or 12.50, or a range, as in 25..100"
    )


def read_moment(text: str, now: datetime, *, ahead: bool = False) -> datetime:
    """A time in UTC: a whole one, or the last time of day before now; or the next, if `ahead`.

    >>> now = datetime(2026, 3, 2, 23, 0, tzinfo=UTC)
    >>> str(read_moment("22:40", now)), str(read_moment("23:30", now))
    ('2026-03-02 22:40:00+00:00', '2026-03-01 23:30:00+00:00')
    >>> str(read_moment("22:40", now, ahead=True)), str(read_moment("23:30", now, ahead=True))
    ('2026-03-03 22:40:00+00:00', '2026-03-02 23:30:00+00:00')
    >>> str(read_moment("2026-02-28 21:15", now))
    '2026-02-28 21:15:00+00:00'
    """
    text = text.strip()
    try:
        clock = time.fromisoformat(text)
    except ValueError:
        clock = None
    if clock is not None and ":" in text:
        found = datetime.combine(now.date(), clock.replace(tzinfo=clock.tzinfo or UTC))
        if ahead:
            return found if found > now else found + timedelta(days=1)
        return found if found <= now else found - timedelta(days=1)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise NotAQuestion(
            f"{text!r}: a time is 22:40 or 2026-03-02 22:40, in UTC unless it says otherwise"
        ) from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def read_span(text: str) -> timedelta:
    """How long: seconds, minutes, hours, days.

    >>> str(read_span("20m")), str(read_span("1h30m"))
    ('0:20:00', '1:30:00')
    """
    parts = _SPAN.findall(text)
    if not parts or _SPAN.sub("", text).strip():
        raise NotAQuestion(f"{text!r}: a span of time is 90s, 20m, 2h or 1h30m")
    seconds = sum(int(count) * _SECONDS[unit] for count, unit in parts)
    if seconds > 366 * 86400:
        raise NotAQuestion(f"{text!r}: a year is the longest span")
    return timedelta(seconds=seconds)


def read_level(text: str) -> LevelNumber.ValueType:
    """The number of a level; nothing said is none."""
    if not text:
        return LevelNumber.LEVEL_UNSPECIFIED
    try:
        return LEVEL_NUMBERS[Level[text.upper()]]
    except KeyError:
        raise NotAQuestion(f"{text!r}: levels are P1, P2, P3 and P4") from None


def question(
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
    """The request for all that was typed; `NotAQuestion` for the first thing that is none."""
    if within and not around:
        raise NotAQuestion("--within says how far from --around, which is not said")
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
    return [CARD_NUMBERS[each] for each in read_cards(text)] if text else []


def _game(text: str) -> str:
    if text and text not in FILINGS:
        filed = ", ".join(FILINGS)
        raise NotAQuestion(f"{text!r} is not filed; filed are {filed}{_nearest(text, FILINGS)}")
    return text


def _kind(text: str) -> str:
    """A kind of finding, or how one begins."""
    if not any(each.startswith(text) for each in Kind):
        families = sorted({each.partition(".")[0] for each in Kind})
        near = _nearest(text, [*Kind, *families])
        raise NotAQuestion(
            f"{text!r} is no kind of finding, nor how one begins; they begin with "
            f"{', '.join(families)}{near}"
        )
    return text


def _wager(text: str) -> str:
    filed = {wager for each in FILINGS.values() for wager in each.side_bets}
    known = [MAIN, HALF_BACK, INSURANCE, *sorted(filed)]
    if text and text not in known:
        raise NotAQuestion(
            f"{text!r} is no wager; filed are {', '.join(known)}{_nearest(text, known)}"
        )
    return text


def _nearest(text: str, known: Iterable[str]) -> str:
    near = get_close_matches(text.lower(), list(known), n=1, cutoff=0.5)
    return f"; is it {str(near[0])!r}?" if near else ""


def _status(text: str) -> StatusNumber.ValueType:
    if not text:
        return StatusNumber.ROUND_STATUS_UNSPECIFIED
    try:
        return STATUS_NUMBERS[RoundStatus(text.lower())]
    except ValueError:
        known = ", ".join(RoundStatus)
        raise NotAQuestion(f"{text!r}: a round is {known}") from None
