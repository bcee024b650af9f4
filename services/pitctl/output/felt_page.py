"""The layout drawn in characters: small cards side by side, their total, the chips below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from blackjack.cards.hand import total_of
from blackjack.display_names import wager_name
from blackjack.money import format_cents
from blackjack.outcomes import DealerPlace, HandCards
from blackjack.play.felt import Felt, FeltCard, FeltWager
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from pitctl.output.round_page import how_played, worth_of
from pitctl.output.text import Page, escape

_RED, _BLACK, _BACK, _UNREAD = "bold red", "bold", "blue", "bold yellow"
_EDGE: Final = "dim"
_GAP: Final = 3
"""Columns between two hands."""
_ORDER: Final = (MAIN, HALF_BACK, INSURANCE)
_IN_HAND: Final = (DealerPlace.UP, DealerPlace.HOLE, DealerPlace.DRAWN)


class CardFrame(NamedTuple):
    """The signs that a card is drawn with: corners, edges, its back."""

    top: str
    bottom: str
    top_end: str
    bottom_end: str
    across: str
    down: str
    back: str


_DRAWN: Final = CardFrame("╭", "╰", "╮", "╯", "─", "│", "░░")
_TYPED: Final = CardFrame(".", "'", ".", "'", "-", "|", "##")

Block = list[Text]
"""A hand with its heading, as lines of the same width."""


def print_felt(page: Page, felt: Felt, titles: dict[str, str], *, indent: int = 4) -> None:
    """Everything on the table: the dealer's cards, then the seats from the first to the last."""
    _print_blocks(page, dealer_blocks(page, felt, titles), indent)
    _print_blocks(page, seat_blocks(page, felt, titles), indent)


def print_dealer(page: Page, felt: Felt, titles: dict[str, str], *, indent: int = 4) -> None:
    _print_blocks(page, dealer_blocks(page, felt, titles), indent)


def print_seat(
    page: Page, felt: Felt, seat: int, titles: dict[str, str], *, indent: int = 4
) -> None:
    _print_blocks(page, seat_blocks(page, felt, titles, seat=seat), indent)


def dealer_blocks(page: Page, felt: Felt, titles: dict[str, str]) -> list[Block]:
    """The dealer's hand, the card that left it, and the spots of the layout."""
    blocks: list[Block] = []
    held = [laid for laid in felt.dealer if laid.place in _IN_HAND]
    if held:
        blocks.append(_block(page, "dealer", held, _shows(held), []))
    for laid in felt.dealer:
        if laid.place is DealerPlace.REPLACED:
            blocks.append(_block(page, "replaced", [laid], "", []))
        elif laid.place not in _IN_HAND:
            title = titles.get(laid.place.value) or wager_name(laid.place.value)
            blocks.append(_block(page, title, [laid], "", []))
    return blocks


def seat_blocks(
    page: Page, felt: Felt, titles: dict[str, str], *, seat: int | None = None
) -> list[Block]:
    """A block for each hand; wagers of a seat that are on no hand stand below its first."""
    seats = sorted({hand.seat for hand in felt.hands} | {wager.seat for wager in felt.wagers})
    counts = any(laid.place in _IN_HAND for laid in felt.dealer)
    blocks: list[Block] = []
    for number in seats if seat is None else [seat]:
        hands = [hand for hand in felt.hands if hand.seat == number]
        wagers = wagers_of(felt, number)
        shown = hands or [HandCards(number, 1, ())]
        for held in shown:
            name = f"seat {number}" + (f".{held.hand}" if len(shown) > 1 else "")
            own = [wager for wager in wagers if _lies_at(wager, held, shown[0])]
            laid = [FeltCard(card, DealerPlace.DRAWN) for card in held.cards]
            worth = how_played(held, counts=counts) if held.cards else ""
            blocks.append(_block(page, name, laid, worth, [_chips(wager, titles) for wager in own]))
    return blocks


def wagers_of(felt: Felt, seat: int) -> list[FeltWager]:
    """The wagers of a seat, the main one first and side bets last."""
    return sorted((wager for wager in felt.wagers if wager.seat == seat), key=_rank)


def _rank(wager: FeltWager) -> tuple[int, int, str, bool]:
    at = _ORDER.index(wager.wager) if wager.wager in _ORDER else len(_ORDER)
    return (wager.hand, at, wager.wager, wager.tip)


def _lies_at(wager: FeltWager, held: HandCards, first: HandCards) -> bool:
    return wager.hand == held.hand or (held is first and wager.hand < first.hand)


def _shows(held: Sequence[FeltCard]) -> str:
    """The total of the dealer's visible cards."""
    seen = [laid.card for laid in held if not laid.face_down]
    if len(seen) == len(held):
        return worth_of(seen)
    cards = [card for card in seen if card is not None]
    total, soft = total_of(cards)
    return f"shows {'ace' if soft and len(cards) == 1 else total}" if cards else ""


def _chips(wager: FeltWager, titles: dict[str, str]) -> Text:
    """A wager in a few words: the stake, and its settlement."""
    name = titles.get(wager.wager) or wager_name(wager.wager)
    text = Text(escape(f"{name} {format_cents(wager.stake_cents, currency=False)}"))
    text.stylize("dim" if wager.wager not in _ORDER else "", 0, len(name))
    if wager.tip:
        text.append(" tip", "dim")
    if wager.coupon:
        text.append(" coupon", "cyan")
    if wager.paid_cents:
        text.append(f" paid {format_cents(wager.paid_cents, currency=False)}")
    if wager.collected_cents:
        text.append(f" taken {format_cents(wager.collected_cents, currency=False)}", "dim")
    if wager.returned_cents:
        text.append(" back", "dim")
    return text


# Drawing ---------------------------------------------------------------------------------


def _block(
    page: Page, name: str, laid: Sequence[FeltCard], worth: str, chips: Iterable[Text]
) -> Block:
    lines = [Text(escape(name), "bold"), *drawn(page, laid), Text(escape(worth), "italic"), *chips]
    width = max(line.cell_len for line in lines)
    for line in lines:
        line.pad_right(width - line.cell_len)
    return lines


def drawn(page: Page, laid: Sequence[FeltCard]) -> list[Text]:
    """Cards that overlap as on the table, three lines high; blank where there are none."""
    if not laid:
        return [Text(), Text(), Text()]
    signs = _DRAWN if page.has_signs else _TYPED
    faces = [_face(page, card, signs) for card in laid]
    top, middle, bottom = Text(), Text(), Text()
    for face in faces:
        across = signs.across * face.cell_len
        top.append(signs.top + across, _EDGE)
        middle.append(signs.down, _EDGE).append_text(face)
        bottom.append(signs.bottom + across, _EDGE)
    top.append(signs.top_end, _EDGE)
    middle.append(signs.down, _EDGE)
    bottom.append(signs.bottom_end, _EDGE)
    return [top, middle, bottom]


def _face(page: Page, laid: FeltCard, signs: CardFrame) -> Text:
    if laid.face_down:
        return Text(signs.back, _BACK)
    if laid.card is None:
        return Text("??", _UNREAD)
    name = laid.card.sign if page.has_signs else laid.card.name
    return Text(name, _RED if laid.card.is_red else _BLACK)


def _print_blocks(page: Page, blocks: Sequence[Block], indent: int) -> None:
    """Blocks side by side, in as many rows as the page is narrow."""
    row: list[Block] = []
    width = 0
    for block in blocks:
        wide = block[0].cell_len
        if row and width + _GAP + wide > page.columns - indent:
            _print_row(page, row, indent)
            row, width = [], 0
        width += wide + (_GAP if row else 0)
        row.append(block)
    if row:
        _print_row(page, row, indent)


def _print_row(page: Page, row: Sequence[Block], indent: int) -> None:
    height = max(len(block) for block in row)
    for at in range(height):
        line = Text(" " * _GAP).join(
            block[at] if at < len(block) else Text(" " * block[0].cell_len) for block in row
        )
        if line.plain.strip():
            page.line(line, indent=indent)
