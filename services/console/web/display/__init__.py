"""Values as they are read: money, times, cards, the felt, and where one can go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any

from console.web.display import labels, money, times
from console.web.display.cards import drawn_cards
from console.web.display.open_items import lack_of


def filters() -> Mapping[str, Callable[..., Any]]:
    """What templates call on a value."""
    return {
        "dollars": money.dollars,
        "signed": money.signed,
        "clock": times.clock,
        "day": times.day,
        "short_day": times.short_day,
        "day_and_clock": times.day_and_clock,
        "counted": labels.counted,
        "spoken": labels.spoken,
        "short": labels.short,
        "shortened": labels.shortened,
        "lack": lack_of,
    }


def names() -> Mapping[str, Any]:
    """What templates know besides what a page gives them."""
    return {"level_words": labels.LEVEL_WORDS, "utc": UTC}


def drawings() -> Mapping[str, str]:
    """Assets that are drawn at start instead of kept as files."""
    return {"cards.svg": drawn_cards()}
