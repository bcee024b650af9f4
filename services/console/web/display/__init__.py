"""Values as people read them: money, times, names, cards, the felt, addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any

from alerting.display_names import alert_name
from alerting.kinds import format_amount
from blackjack.display_names import finding_name, words_of
from blackjack.money import format_cents, format_result
from console.web.display import labels, times
from console.web.display.cards import draw_cards
from console.web.display.open_items import address_of
from report_forms.open_items import describe


def filters() -> Mapping[str, Callable[..., Any]]:
    """Jinja filters for the values on pages."""
    return {
        "dollars": format_cents,
        "result": format_result,
        "amount": format_amount,
        "clock": times.clock,
        "day": times.day,
        "short_day": times.short_day,
        "day_and_clock": times.day_and_clock,
        "plural": labels.plural,
        "capital": labels.capital,
        "alert_name": alert_name,
        "finding_name": finding_name,
        "role_name": labels.role_name,
        "topic_name": labels.topic_name,
        "words": words_of,
        "short_hash": labels.short_hash,
        "shorten_ids": labels.shorten_ids,
        "describe": describe,
        "address": address_of,
    }


def names() -> Mapping[str, Any]:
    """Jinja globals for all templates."""
    return {"priority_words": labels.PRIORITY_WORDS, "utc": UTC}


def drawings() -> Mapping[str, str]:
    """Assets that are drawn at start instead of kept as files."""
    return {"cards.svg": draw_cards()}
