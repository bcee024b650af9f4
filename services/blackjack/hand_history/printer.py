"""From events to text: canonical, so that the same events are always the same text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from blackjack import facts as f
from blackjack.hand_history.block_lines import write_promotion, write_rules
from blackjack.hand_history.card_lines import (
    follows,
    write_acted,
    write_deal,
    write_dealt,
    write_half_back,
    write_insured,
    write_peek,
    write_ruling,
    write_turn,
)
from blackjack.hand_history.context import Context
from blackjack.hand_history.envelope import continues, write_envelope
from blackjack.hand_history.expectations import write_expectation
from blackjack.hand_history.fact_lines import FORMS
from blackjack.hand_history.lexer import write_text
from blackjack.hand_history.model import Expectation
from blackjack.hand_history.parser import VERSION

WIDTH_MAX: Final = 100
"""A list goes on in a new line rather than past this column (a suffix may)."""

_FORM_OF: Final = {form.kind: form for form in FORMS}
_LISTED: Final = {*(form.kind for form in FORMS if form.listed), f.CardDealt, f.CardExposed}


def print_history(events: Iterable[f.Event], expectations: Iterable[Expectation] = ()) -> str:
    """The one text of these events, such that parsing it gives them back (without digests)."""
    printer = _Printer(tuple(events), sorted(expectations, key=_after))
    return "".join(f"{line}\n" for line in printer.lines())


def _after(expected: Expectation) -> int:
    return expected.after


class _Printer:
    def __init__(self, events: Sequence[f.Event], expectations: list[Expectation]) -> None:
        self._events = events
        self._expectations = expectations
        self._context = Context()
        self._lines = [f"hand history {VERSION}"]

    def lines(self) -> list[str]:
        at = 0
        while at < len(self._events):
            self._expect(at)
            at = self._statement(at)
        self._expect(len(self._events))
        return self._lines

    def _expect(self, at: int) -> None:
        """The expectations that stand here, before the event with this index."""
        last = at == len(self._events)
        while self._expectations and (last or self._expectations[0].after <= at):
            expected = self._expectations.pop(0)
            self._move_to(expected.table)
            self._lines.append(write_expectation(expected, self._context))

    def _move_to(self, table: str) -> None:
        if table != self._context.table or not self._context.table_named:
            self._lines.append(f"table {write_text(table)}")
            self._context.move_to(table)

    def _statement(self, at: int) -> int:
        """Write the event at this index with all that share its line; the index after them."""
        event = self._events[at]
        self._move_to(event.table)
        suffix = write_envelope(event, self._context)
        if isinstance(event.fact, f.RoundOpened):
            self._lines.append("")
        match event.fact:
            case f.RuleSetActivated():
                head, *settings = write_rules(event.fact)
                self._follow(at, at + 1)
            case f.PromotionDefined():
                head, *settings = write_promotion(event.fact)
                self._follow(at, at + 1)
            case f.PlayerActed():
                head, at_end = self._action(at, event.fact)
                settings = []
                self._follow(at, at_end)
                at = at_end - 1
            case _:
                head, at_end = self._list(at)
                settings = []
                at = at_end - 1
        self._lines += [head + suffix, *settings]
        return at + 1

    def _follow(self, start: int, end: int) -> None:
        for event in self._events[start:end]:
            self._context.follow(event)

    def _shares(self, at: int) -> bool:
        """Whether the event at this index may stand on the line of the one before it."""
        if at >= len(self._events):
            return False
        expected_here = self._expectations and self._expectations[0].after <= at
        return not expected_here and continues(self._events[at - 1], self._events[at])

    def _action(self, at: int, acted: f.PlayerActed) -> tuple[str, int]:
        new_hand = self._context.next_hand(acted.seat)
        words = [write_acted(acted)]
        end = at + 1
        while self._shares(end):
            dealt = self._events[end].fact
            if not follows(acted, dealt, already=len(words) - 1, new_hand=new_hand):
                break
            if isinstance(dealt, f.CardDealt):
                words.append(write_dealt(dealt, self._events[end - 1].fact))
            end += 1
        return " ".join(words), end

    def _list(self, at: int) -> tuple[str, int]:
        kind = type(self._events[at].fact)
        lead, item = fact_words(self._events[at].fact, self._context)
        text = f"{lead} {item}" if item else lead
        self._follow(at, at + 1)
        end = at + 1
        while kind in _LISTED and self._shares(end) and type(self._events[end].fact) is kind:
            _, item = fact_words(self._events[end].fact, self._context)
            if len(text) + len(item) + 2 > WIDTH_MAX:
                break
            text += f", {item}"
            self._follow(end, end + 1)
            end += 1
        return text, end


def fact_words(fact: f.Fact, context: Context) -> tuple[str, str]:
    """The leading words of a fact's line, and the item behind them."""
    match fact:
        case f.CardDealt():
            return "deal", write_deal(fact)
        case f.CardExposed():
            return "turn", write_turn(fact)
        case f.DealerPeeked():
            return "dealer peeks", write_peek(fact)
        case f.IrregularityRuled():
            return "ruling", write_ruling(fact)
        case f.PlayerActed():
            return write_acted(fact), ""
        case f.InsuranceTaken():
            return write_insured(fact), ""
        case f.HalfBackReturned():
            return write_half_back(fact), ""
        case f.RuleSetActivated():
            return "\n".join(write_rules(fact)), ""
        case f.PromotionDefined():
            return "\n".join(write_promotion(fact)), ""
        case _:
            form = _FORM_OF[type(fact)]
            return " ".join(form.lead), form.write(fact, context)
