"""Lines about cards and decisions, where one line may hold several facts.

`deal 1 8H, 2 KD, dealer 6S` is three cards; `3 hits 5C` is a decision and its card.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from blackjack.facts import (
    DEALER,
    Action,
    CardDealt,
    CardExposed,
    DealerPeeked,
    Fact,
    HalfBackReturned,
    InsuranceTaken,
    Irregularity,
    IrregularityRuled,
    Place,
    PlayerActed,
    Ruling,
)
from blackjack.hand_history.cursor import Cursor
from blackjack.hand_history.lexer import write_text
from blackjack.hand_history.values import (
    CARD,
    INTEGER,
    MONEY,
    NAME,
    TEXT,
    choices,
    is_card,
    one_of,
    read_spot,
    write_spot,
)

_PLACES: Final = (Place.MATCH_ME, Place.MATCH_ME_2, Place.DISCARD)
_IRREGULARITY: Final = one_of(Irregularity)
_RULING: Final = one_of(Ruling)

VERBS: Final = {
    "hits": Action.HIT,
    "stands": Action.STAND,
    "doubles": Action.DOUBLE,
    "splits": Action.SPLIT,
    "surrenders": Action.SURRENDER,
}
_VERB_OF: Final = {action: verb for verb, action in VERBS.items()}
_CARDS_OF: Final = {Action.HIT: 1, Action.DOUBLE: 1, Action.SPLIT: 2}
SEAT_WORDS: Final = (*VERBS, "insures", "takes even money", "takes half back")


# Dealing and turning -------------------------------------------------------------------


def read_deal(cursor: Cursor) -> list[Fact]:
    """Several cards in their order; more than one card of an item goes to the same hand."""
    facts: list[Fact] = []
    while True:
        seat, hand = read_spot(cursor)
        place = _read_place(cursor)
        facts += _read_cards(cursor, seat, hand, place, at_least=1)
        if not cursor.accept_comma():
            return facts


def _read_place(cursor: Cursor) -> Place:
    for place in _PLACES:
        if cursor.accept(place.value):
            return place
    return Place.HAND


def _read_cards(
    cursor: Cursor, seat: int, hand: int, place: Place = Place.HAND, *, at_least: int = 0
) -> list[Fact]:
    """Cards for one hand, each `CARD [index N]`.

    `down` holds for all that follow until `up`; without a card behind it, it is an unread one.
    """
    facts: list[Fact] = []
    face_up = True
    while True:
        is_up = cursor.accept("up")
        is_down = not is_up and cursor.accept("down")
        face_up = is_up or (face_up and not is_down)
        token = cursor.token
        named = token is not None and (token.text == "??" or is_card(token))
        if not (named or is_up or is_down) and len(facts) >= at_least:
            return facts
        card = CARD.read(cursor) if named or not is_down else None
        index = INTEGER.read(cursor) if cursor.accept("index") else 0
        facts.append(CardDealt(seat, card, hand, face_up, place, index))


def write_deal(fact: CardDealt) -> str:
    spot = write_spot(fact.seat, fact.hand)
    place = "" if fact.place is Place.HAND else f"{fact.place.value} "
    return f"{spot} {place}{write_dealt(fact)}"


def write_dealt(fact: CardDealt, before: Fact | None = None) -> str:
    """The card alone, as it stands behind a decision and perhaps behind another card."""
    was_down = isinstance(before, CardDealt) and not before.face_up
    down = ("up " if was_down else "") if fact.face_up else "down "
    index = f" index {fact.shoe_index}" if fact.shoe_index else ""
    return f"{down}{CARD.write(fact.card)}{index}"


def read_turn(cursor: Cursor) -> list[Fact]:
    """Cards shown, counted on from the first position of the item."""
    facts: list[Fact] = []
    while True:
        seat, hand = read_spot(cursor)
        place = _read_place(cursor)
        position = INTEGER.read(cursor) if cursor.accept("card") else 1
        facts.append(CardExposed(seat, CARD.read(cursor), position, hand, place))
        while (token := cursor.token) is not None and (token.text == "??" or is_card(token)):
            position += 1
            facts.append(CardExposed(seat, CARD.read(cursor), position, hand, place))
        if not cursor.accept_comma():
            return facts


def write_turn(fact: CardExposed) -> str:
    spot = write_spot(fact.seat, fact.hand)
    place = "" if fact.place is Place.HAND else f"{fact.place.value} "
    position = "" if fact.position == 1 else f"card {fact.position} "
    return f"{spot} {place}{position}{CARD.write(fact.card)}"


# What players do -----------------------------------------------------------------------


def read_seat_line(cursor: Cursor) -> list[Fact]:
    """A line that begins with a seat: `3 hits 5C`, `3.2 stands`, `3 insures 12.50`."""
    seat, hand = read_spot(cursor)
    for verb, action in VERBS.items():
        if cursor.accept(verb):
            return _read_action(cursor, seat, hand, action)
    if cursor.accept("insures"):
        cents = _read_amount(cursor)
        return [InsuranceTaken(seat, cents, cursor.accept("even", "money"))]
    if cursor.accept("takes", "even", "money"):
        return [InsuranceTaken(seat, 0, even_money=True)]
    if cursor.accept("takes", "half", "back"):
        return [HalfBackReturned(seat, _read_amount(cursor))]
    raise cursor.unexpected(f"one of {choices(SEAT_WORDS)}", SEAT_WORDS)


def _read_amount(cursor: Cursor) -> int:
    token = cursor.token
    is_number = token is not None and token.text.lstrip("+-$")[:1].isdecimal()
    return MONEY.read(cursor) if is_number else 0


def _read_action(cursor: Cursor, seat: int, hand: int, action: Action) -> list[Fact]:
    cents = MONEY.read(cursor) if cursor.accept("for") else 0
    acted = PlayerActed(seat, action, hand, cents)
    cards = _read_cards(cursor, seat, hand) if action in _CARDS_OF else []
    if action is Action.SPLIT:
        new = cursor.context.next_hand(seat)
        if len(cards) > 2:
            raise cursor.unexpected("at most two cards, one for each hand")
        return [acted, *cards[:1], *(_moved_to(dealt, new) for dealt in cards[1:])]
    if action is Action.HIT:  # `hits 5C 4D` is two hits
        return [acted, *cards[:1], *(f for dealt in cards[1:] for f in (acted, dealt))]
    if len(cards) > 1:
        raise cursor.unexpected("one card only")
    return [acted, *cards]


def _moved_to(fact: Fact, hand: int) -> Fact:
    if not isinstance(fact, CardDealt):
        return fact
    return CardDealt(fact.seat, fact.card, hand, fact.face_up, fact.place, fact.shoe_index)


def write_acted(fact: PlayerActed) -> str:
    spot = write_spot(fact.seat, fact.hand, dealer="seat 0")
    added = f" for {MONEY.write(fact.cents)}" if fact.cents else ""
    return f"{spot} {_VERB_OF[fact.action]}{added}"


def follows(acted: PlayerActed, dealt: Fact, *, already: int, new_hand: int) -> bool:
    """Whether this card can stand on the line of the decision, behind so many others."""
    if not isinstance(dealt, CardDealt) or already >= _CARDS_OF.get(acted.action, 0):
        return False
    hand = new_hand if already else acted.hand
    return dealt.seat == acted.seat and dealt.hand == hand and dealt.place is Place.HAND


def write_insured(fact: InsuranceTaken) -> str:
    spot = write_spot(fact.seat, 1, dealer="seat 0")
    if fact.even_money and not fact.cents:
        return f"{spot} takes even money"
    amount = f" {MONEY.write(fact.cents)}" if fact.cents else ""
    return f"{spot} insures{amount}{' even money' if fact.even_money else ''}"


def write_half_back(fact: HalfBackReturned) -> str:
    spot = write_spot(fact.seat, 1, dealer="seat 0")
    return f"{spot} takes half back" + (f" {MONEY.write(fact.cents)}" if fact.cents else "")


# The dealer and the supervisor ---------------------------------------------------------


def read_draw(cursor: Cursor) -> list[Fact]:
    """`dealer draws 5C TD`: cards to the dealer's hand."""
    facts = _read_cards(cursor, DEALER, 1, at_least=1)
    while cursor.accept_comma():
        facts += _read_cards(cursor, DEALER, 1, at_least=1)
    return facts


def read_peek(cursor: Cursor) -> list[Fact]:
    if cursor.accept("no", "blackjack"):
        return [DealerPeeked(blackjack=False)]
    if cursor.accept("blackjack"):
        return [DealerPeeked(blackjack=True)]
    raise cursor.unexpected("'blackjack' or 'no blackjack'", ["blackjack", "no"])


def write_peek(fact: DealerPeeked) -> str:
    return "blackjack" if fact.blackjack else "no blackjack"


def read_ruling(cursor: Cursor) -> list[Fact]:
    irregularity = _IRREGULARITY.read(cursor)
    ruling = _RULING.read(cursor)
    cursor.require("by")
    supervisor = TEXT.read(cursor)
    seat, hand = read_spot(cursor, hand=0) if cursor.accept("for") else (0, 0)
    wager = NAME.read(cursor) if cursor.accept("wager") else ""
    note = TEXT.read(cursor) if cursor.accept("note") else ""
    return [IrregularityRuled(irregularity, ruling, supervisor, seat, hand, wager, note)]


def write_ruling(fact: IrregularityRuled) -> str:
    words = [fact.irregularity.value, fact.ruling.value, "by", write_text(fact.supervisor)]
    if fact.seat or fact.hand:
        words += ["for", write_spot(fact.seat, fact.hand, default=0)]
    if fact.wager:
        words += ["wager", NAME.write(fact.wager)]
    if fact.note:
        words += ["note", write_text(fact.note)]
    return " ".join(words)


Reader = Callable[[Cursor], list[Fact]]

READERS: Final[dict[tuple[str, ...], tuple[Reader, tuple[str, ...]]]] = {
    ("deal",): (read_deal, ("index",)),
    ("turn",): (read_turn, ()),
    ("dealer", "draws"): (read_draw, ("index",)),
    ("dealer", "hits"): (read_draw, ("index",)),
    ("dealer", "peeks"): (read_peek, ()),
    ("ruling",): (read_ruling, ("for", "wager", "note")),
}
"""Leading words, what reads the rest, and the keywords that may come at its end."""
