"""The form of promotion terms: every field is parsed, with errors by field."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from starlette.datastructures import FormData

from blackjack.money import EVEN_MONEY, InvalidAmount, Odds, format_cents, parse_cents
from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.promotions import FACE_CENTS_MAX, OnPush, PromotionKind, Terms
from console.web.errors import InvalidInput
from console.web.form_fields import read_moment

NAME_LENGTH_MAX: Final = 80
DAILY_MAX: Final = 1_000
TIMES_MAX: Final = 100
DIGITS_MAX: Final = 9
WITHOUT_FACE: Final = frozenset({PromotionKind.FREE_ACE, PromotionKind.POINT_MULTIPLIER})
_ODDS: Final = re.compile(r"(\d{1,6})\s*(?:to|:)\s*(\d{1,6})")
Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(slots=True)
class TermsForm:
    """Parses a form field by field; errors are collected in `wrong`."""

    form: FormData
    zone: ZoneInfo
    wrong: dict[str, str] = field(default_factory=dict)

    def read(self) -> Terms | None:
        """Parse the terms; None if `wrong` has errors."""
        kind = self._choice("kind", PromotionKind.MATCH_PLAY)
        begins, ends = self._moment("valid_from"), self._moment("valid_until")
        if begins and ends and ends <= begins:
            self.wrong["valid_until"] = "Must be later than Valid from."
        if kind is PromotionKind.HAND_BONUS and not self._text("bonus_outcome"):
            self.wrong["bonus_outcome"] = "Enter the outcome that pays extra."
        terms = Terms(
            name=self._name(),
            kind=kind,
            face_cents=self._face(kind),
            games=self._games(),
            wagers=self._wagers(),
            match_required=self._is("match_required"),
            one_per_round=self._is("one_per_round"),
            patron_daily_limit=self._number("patron_daily_limit", 0, DAILY_MAX),
            patron_bound=self._is("patron_bound"),
            pays=self._odds("pays"),
            natural_pays=self._odds("natural_pays"),
            on_push=self._choice("on_push", OnPush.STAYS),
            valid_from=_micros(begins),
            valid_until=_micros(ends),
            bonus_outcome=self._text("bonus_outcome"),
            multiplier=self._number("multiplier", 1, TIMES_MAX),
        )
        if terms.problem and not self.wrong:
            self.wrong["pays"] = terms.problem
        return None if self.wrong else terms

    def _text(self, name: str) -> str:
        value = self.form.get(name, "")
        return value.strip() if isinstance(value, str) else ""

    def _is(self, name: str) -> bool:
        return self._text(name) == "yes"

    def _name(self) -> str:
        name = self._text("name")
        if not name or len(name) > NAME_LENGTH_MAX or not name.isprintable():
            self.wrong["name"] = f"Enter a name of at most {NAME_LENGTH_MAX} characters."
        return name

    def _choice(self, name: str, default: Choice) -> Choice:
        try:
            return type(default)(self._text(name))
        except ValueError:
            self.wrong[name] = "Select an option."
            return default

    def _face(self, kind: PromotionKind) -> int:
        text = self._text("face")
        if not text and kind in WITHOUT_FACE:
            return 0
        try:
            cents = parse_cents(text)
        except InvalidAmount as invalid:
            self.wrong["face"] = str(invalid)
            return 0
        if cents > FACE_CENTS_MAX:
            self.wrong["face"] = f"Enter at most {format_cents(FACE_CENTS_MAX)}."
        elif not cents and kind not in WITHOUT_FACE:
            self.wrong["face"] = "Enter an amount above zero."
        return cents

    def _games(self) -> tuple[str, ...]:
        chosen = {str(game) for game in self.form.getlist("games")}
        if chosen - set(FILINGS):
            self.wrong["games"] = "Select filed games."
        return tuple(game for game in FILINGS if game in chosen)

    def _wagers(self) -> tuple[str, ...]:
        filings = FILINGS.values()
        known = {name for filing in filings for name in (*filing.base_wagers, *filing.side_bets)}
        chosen = [name for name in re.split(r"[,\s]+", self._text("wagers")) if name]
        if unknown := [name for name in chosen if name not in known]:
            self.wrong["wagers"] = f'Unknown wager "{unknown[0]}".'
        return tuple(chosen) or ("main",)

    def _odds(self, name: str) -> Odds:
        text = self._text(name)
        if not text:
            return EVEN_MONEY
        found = _ODDS.fullmatch(text)
        if found is None or not int(found[2]):
            self.wrong[name] = f'Invalid odds "{text}": enter odds such as 3 to 2.'
            return EVEN_MONEY
        return Odds(int(found[1]), int(found[2]))

    def _number(self, name: str, least: int, most: int) -> int:
        text = self._text(name)
        if not text:
            return least
        if not text.isdecimal() or len(text) > DIGITS_MAX or not least <= int(text) <= most:
            self.wrong[name] = f'Invalid number "{text}": enter {least} to {most:,}.'
            return least
        return int(text)

    def _moment(self, name: str) -> datetime | None:
        text = self._text(name)
        try:
            return read_moment(name, text, self.zone) if text else None
        except InvalidInput:
            self.wrong[name] = f'Invalid time "{text}": expected YYYY-MM-DD HH:MM.'
            return None


def _micros(moment: datetime | None) -> int:
    return round(moment.timestamp() * 1_000_000) if moment is not None else 0
