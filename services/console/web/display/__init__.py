"""Values as they are read: money, times, cards, the felt, and where one can go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any

from alerting.kinds import format_amount
from blackjack.money import format_cents, format_result
from console.web.display import labels, times
from console.web.display.cards import draw_cards
from console.web.display.open_items import address_of
from report_forms.open_items import describe


def filters() -> Mapping[str, Callable[..., Any]]:
    """What templates call on a value."""
    return {
        "dollars": format_cents,
        "result": format_result,
        "amount": format_amount,
        "clock": times.clock,
        "day": times.day,
        "short_day": times.short_day,
        "day_and_clock": times.day_and_clock,
        "counted": labels.counted,
        "spoken": labels.spoken,
        "short": labels.short,
        "shortened": labels.shortened,
        "describe": describe,
        "address": address_of,
    }


def names() -> Mapping[str, Any]:
    """What templates know besides what a page gives them."""
    return {"level_words": labels.LEVEL_WORDS, "utc": UTC}


def drawings() -> Mapping[str, str]:
    """Assets that are drawn at start instead of kept as files."""
    return {"cards.svg": draw_cards()}
