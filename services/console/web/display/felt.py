"""The felt seen from above, laid out for drawing.

The dealer stands at the top. Seats lie in an arc, the first at the dealer's left hand, which is the
right of the picture. A seat has its betting circle, a spot for each side bet of the filed layout,
and its cards towards the dealer, with insurance before them; a hand that was split has a circle of
its own. A seat takes no more room than its neighbors leave it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from textwrap import wrap
from typing import Final

from blackjack.display_names import wager_name
from blackjack.outcomes import DealerPlace, HandCards
from blackjack.play.felt import Felt, FeltWager
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from console.web.display.chips import Chip, stack
from console.web.display.felt_labels import Label, hand_labels, money_labels
from console.web.display.hands import IN_HAND, dealer_total, describe_felt, symbol

WIDTH, HEIGHT = 1200, 700
CARD_WIDTH, CARD_HEIGHT = 58.0, 81.2
DEALER_CARD_WIDTH, DEALER_CARD_HEIGHT = 64.0, 89.6
SEATS: Final = 7
_ARC_X, _ARC_Y, _ARC_RADIUS, _ARC_DEGREES = 600.0, -290.0, 790.0, 36.5
_OVERLAP: Final = 23.0
_SPREAD_MAX: Final = 84.0
"""The distance from the first card of a hand to its last."""
_BESIDE: Final = 8.0
"""The gap between neighboring seats."""
_HAND_STEP_MIN, _HAND_STEP_MAX, _HAND_STEP_Y = 27.0, 48.0, 148.0
_CIRCLE, _SPLIT_CIRCLE, SIDE_CIRCLE = 34.0, 27.0, 18.0
_CARDS_Y: Final = 42.0
_INSURANCE_Y: Final = 186.0
_SPOT_Y: Final = 64.0
_SPOT_STEP: Final = 62.0
_ROW_STEP: Final = 76.0
_IN_A_ROW: Final = 2
"""Side bet spots in one row; more continue in the next row."""
_CHARACTERS_BESIDE, _CHARACTERS_ALONE = 7, 10
"""Characters in a line of a title, with another spot beside it and without."""
_NAME_Y: Final = 68.0
_TOP: Final = 56.0


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card with its place on the felt."""

    symbol: str
    words: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class DrawnSpot:
    """A place for chips: a betting circle, or the spot of a side bet."""

    x: float
    y: float
    radius: float
    title: tuple[str, ...]
    """The title in lines, as there is room."""
    has_coupon: bool
    chips: tuple[Chip, ...]
    won: tuple[Chip, ...]
    """Paid chips, beside the stake."""
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """A hand of a seat with its labels."""

    cards: tuple[DrawnCard, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """A seat with its hands and spots."""

    number: int
    x: float
    y: float
    patron: str
    hands: tuple[DrawnHand, ...]
    spots: tuple[DrawnSpot, ...]
    is_taken: bool
    name_y: float
    """The position of the seat's name: below its last spot."""


@dataclass(frozen=True, slots=True)
class DealerPile:
    """Cards of the dealer: the hand, or one card on a spot of the layout."""

    x: float
    title: str
    cards: tuple[DrawnCard, ...]
    worth: Label | None


@dataclass(frozen=True, slots=True)
class FeltDrawing:
    """The felt, laid out; `words` describe it to screen readers."""

    seats: tuple[DrawnSeat, ...]
    piles: tuple[DealerPile, ...]
    words: str


@dataclass(frozen=True, slots=True)
class FeltLayout:
    """Titles and seats printed on the felt."""

    titles: dict[str, str]
    """Titles of side bets in the filing, by code."""
    seats: int = SEATS


def draw(felt: Felt, layout: FeltLayout, patrons: dict[int, str]) -> FeltDrawing:
    """Lay out the felt; `patrons` are known by seat."""
    return FeltDrawing(
        seats=tuple(_seat(felt, number, layout, patrons) for number in range(1, layout.seats + 1)),
        piles=tuple(_piles(felt, layout)),
        words=describe_felt(felt, layout.titles),
    )


def seat_position(number: int, seats: int) -> tuple[float, float]:
    """The center of a seat's betting circle.

    >>> seat_position(4, 7)
    (600.0, 500.0)
    """
    turn = radians(_ARC_DEGREES - 2 * _ARC_DEGREES * (number - 1) / max(seats - 1, 1))
    x, y = _ARC_X + _ARC_RADIUS * sin(turn), _ARC_Y + _ARC_RADIUS * cos(turn)
    return round(x, 1), round(y, 1)


def seat_width(number: int, seats: int) -> float:
    """The horizontal distance to the nearest neighbor.

    >>> seat_width(4, 7) > seat_width(1, 7) > seat_width(1, 9)
    True
    """
    x, _ = seat_position(number, seats)
    neighbors = [seat for seat in (number - 1, number + 1) if 1 <= seat <= seats]
    return min((abs(x - seat_position(seat, seats)[0]) for seat in neighbors), default=float(WIDTH))


def _seat(felt: Felt, number: int, layout: FeltLayout, patrons: dict[int, str]) -> DrawnSeat:
    x, y = seat_position(number, layout.seats)
    room = seat_width(number, layout.seats)
    held = [hand for hand in felt.hands if hand.seat == number]
    wagers = [wager for wager in felt.wagers if wager.seat == number]
    is_taken = bool(held or wagers)
    patron = next((wager.patron for wager in wagers if wager.patron), patrons.get(number, ""))
    places = _hand_places(x, y, max(len(held), 1), room)
    hands = tuple(_hand(hand, *place, room) for hand, place in zip(held, places, strict=False))
    radius = _CIRCLE if len(places) == 1 else _SPLIT_CIRCLE
    spots = [
        _spot(at, radius, (), _wager_on_hand(wagers, held, at_hand))
        for at_hand, at in enumerate(places)
    ]
    if is_taken:
        spots += _side_bet_spots(x, y, wagers, layout.titles)
        spots += _insurance_spots(x, min(at_y for _, at_y in places), wagers)
    lowest = max(spot.y for spot in spots)
    below = max(y + _SPOT_Y, lowest) + _NAME_Y if is_taken else y + 5
    return DrawnSeat(number, x, y, patron, hands, tuple(spots), is_taken, round(below, 1))


def _hand_places(x: float, y: float, hands: int, room: float) -> list[tuple[float, float]]:
    """Place split hands in rows of two; the next row is nearer to the dealer."""
    if hands == 1:
        return [(x, y)]
    step = (room - CARD_WIDTH - _OVERLAP) / 2
    step = min(max(step, _HAND_STEP_MIN), _HAND_STEP_MAX)
    return [(x + (step if at % 2 else -step), y - (at // 2) * _HAND_STEP_Y) for at in range(hands)]


def _wager_on_hand(wagers: list[FeltWager], held: list[HandCards], at: int) -> FeltWager | None:
    number = held[at].hand if at < len(held) else 1
    own = [wager for wager in wagers if wager.wager == MAIN and not wager.tip]
    return next(
        (wager for wager in own if wager.hand == number), own[0] if own and not at else None
    )


def _side_bet_spots(
    x: float, y: float, wagers: list[FeltWager], titles: dict[str, str]
) -> list[DrawnSpot]:
    """Spots of side bets as on the layout, then of other wagers."""
    named: dict[str, str] = dict(titles)
    for wager in wagers:
        if wager.wager not in (MAIN, INSURANCE):
            named.setdefault(wager.wager, wager_name(wager.wager))
    order = sorted(named, key=lambda code: (code in titles, code != HALF_BACK))
    width = _CHARACTERS_BESIDE if len(order) > 1 else _CHARACTERS_ALONE
    spots = []
    for at, name in enumerate(order):
        row = at // _IN_A_ROW
        in_row = min(_IN_A_ROW, len(order) - row * _IN_A_ROW)
        across = x + _SPOT_STEP * (at % _IN_A_ROW - (in_row - 1) / 2)
        spots.append(
            _spot(
                (across, y + _SPOT_Y + row * _ROW_STEP),
                SIDE_CIRCLE,
                tuple(wrap(named[name], width, break_long_words=False)),
                next((wager for wager in wagers if wager.wager == name), None),
            )
        )
    return spots


def _insurance_spots(x: float, y: float, wagers: list[FeltWager]) -> list[DrawnSpot]:
    """The insurance spot between cards and dealer, once insurance is taken."""
    taken = next((wager for wager in wagers if wager.wager == INSURANCE), None)
    return [_spot((x, y - _INSURANCE_Y), SIDE_CIRCLE, ("Insurance",), taken)] if taken else []


def _spot(
    at: tuple[float, float], radius: float, title: tuple[str, ...], wager: FeltWager | None
) -> DrawnSpot:
    x, y = at
    lies = wager is not None and not wager.collected_cents
    return DrawnSpot(
        x=round(x, 1),
        y=round(y, 1),
        radius=radius,
        title=title,
        has_coupon=wager is not None and bool(wager.coupon),
        chips=stack(wager.stake_cents) if wager is not None and lies else (),
        won=stack(wager.paid_cents) if wager is not None else (),
        labels=money_labels(wager, x, y, radius) if wager is not None else (),
    )


def _hand(held: HandCards, x: float, y: float, room: float) -> DrawnHand:
    bottom = y - _CARDS_Y
    spread = min(_SPREAD_MAX, room - CARD_WIDTH - _BESIDE)
    step = min(_OVERLAP, spread / max(len(held.cards) - 1, 1))
    left = x - (CARD_WIDTH + step * (len(held.cards) - 1)) / 2
    cards = tuple(
        DrawnCard(*symbol(card), round(left + step * at, 1), round(bottom - CARD_HEIGHT, 1))
        for at, card in enumerate(held.cards)
    )
    return DrawnHand(cards, hand_labels(held, x, top=bottom - CARD_HEIGHT, bottom=bottom))


def _piles(felt: Felt, layout: FeltLayout) -> list[DealerPile]:
    held = [card for card in felt.dealer if card.place in IN_HAND]
    piles = []
    if held:
        step = 30.0 if len(held) > 2 else DEALER_CARD_WIDTH + 8
        left = 600 - (DEALER_CARD_WIDTH + step * (len(held) - 1)) / 2
        cards = tuple(
            DrawnCard(
                *symbol(card.card, face_down=card.face_down), round(left + step * at, 1), _TOP
            )
            for at, card in enumerate(held)
        )
        total = dealer_total(felt.dealer)
        below = Label(total, "worth", 600, _TOP + DEALER_CARD_HEIGHT + 12.4) if total else None
        piles.append(DealerPile(600, "Dealer", cards, below))
    others = [card for card in felt.dealer if card.place not in IN_HAND]
    for at, laid in enumerate(others):
        x = 350.0 - 120.0 * at
        title = layout.titles.get(laid.place.value) or wager_name(laid.place.value)
        if laid.place is DealerPlace.REPLACED:
            title = "Replaced"
        drawn = symbol(laid.card, face_down=laid.face_down)
        piles.append(
            DealerPile(x, title, (DrawnCard(*drawn, x - DEALER_CARD_WIDTH / 2, _TOP),), None)
        )
    return piles
