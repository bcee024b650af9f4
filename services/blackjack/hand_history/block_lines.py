"""Rule sets and promotions: a first line, and indented lines for unusual settings.

    rules double_action_iii decks 6 double_action 3 match_madness 2
      dealer hits soft 17
      limit main min 10.00 max 400.00

Without such lines a rule set has the standard house rules of its game and no
posted limits, and a promotion the usual terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import structs

from blackjack.facts import Fact, PromotionDefined, RuleSetActivated
from blackjack.hand_history.cursor import Cursor, did_you_mean
from blackjack.hand_history.forms import Option, accept_option, defaults_of
from blackjack.hand_history.lexer import TokenKind, UnreadableLine, write_text
from blackjack.hand_history.settings import HOUSE, LIMIT, LIMITS, TERMS
from blackjack.hand_history.values import INTEGER, MONEY, NAME, SUFFIX_WORDS, TEXT, one_of
from blackjack.rulebook.canonical import address
from blackjack.rulebook.house_rules import HouseRules, PostedLimits, RuleSetSpec, WagerLimit
from blackjack.rulebook.promotions import PromotionKind, Terms
from blackjack.rulebook.rule_set import NotFiled, compose, standard_house

_REPEATED: Final = ("games", "wagers", "other_wagers")
_KIND: Final = one_of(PromotionKind)
_NO_HASH: Final = "expected 'hash' and the hash, since a text here cannot be written as JSON"


def house_of(game: str, paytables: Mapping[str, int]) -> HouseRules:
    """The house rules a block starts from: the game's standard ones, if it is filed."""
    try:
        return standard_house(game, paytables)
    except KeyError:
        return HouseRules()


def hash_of(definition: RuleSetSpec | Terms) -> str | None:
    """The hash that a definition has by itself.

    For a filed choice that of its rule set; for one that no filing allows, and for terms,
    the canonical address of the definition. None where it has no canonical form.
    """
    try:
        if isinstance(definition, RuleSetSpec):
            try:
                return compose(definition).hash
            except NotFiled:
                pass
        return address(definition)
    except (OverflowError, UnicodeError):
        return None


class RuleSetBlock:
    """A rule set while its block is read."""

    def __init__(self, cursor: Cursor) -> None:
        self.column = cursor.column
        self.game = NAME.read(cursor)
        cursor.require("decks")
        self.decks = INTEGER.read(cursor)
        self.paytables: dict[str, int] = {}
        while (token := cursor.token) is not None and token.kind in (
            TokenKind.WORD,
            TokenKind.QUOTED,
        ):
            word = token.text.lower() if token.kind is TokenKind.WORD else ""
            if word in SUFFIX_WORDS or word.startswith("#"):
                break
            wager = NAME.read(cursor)
            if wager in self.paytables:
                raise cursor.unexpected_token(token, "each wager once")
            self.paytables[wager] = INTEGER.read(cursor)
        self.hash = TEXT.read(cursor) if cursor.accept("hash") else None
        self.options = (*HOUSE, *LIMITS)
        self._house: dict[str, Any] = {}
        self._limits: dict[str, Any] = {"wagers": {}, "other_wagers": ()}

    def set(self, option: Option, cursor: Cursor) -> None:
        if option in HOUSE:
            _set_once(self._house, option, cursor)
        elif option.name == "wagers":
            token = cursor.token
            wager = NAME.read(cursor)
            if wager in self._limits["wagers"] and token is not None:
                raise cursor.unexpected_token(token, "each limit once")
            limit: dict[str, Any] = {}
            while part := accept_option(cursor, LIMIT):
                _set_once(limit, part, cursor)
            self._limits["wagers"][wager] = WagerLimit(**limit)
        elif option.name in _REPEATED:
            self._limits[option.name] += (option.read(cursor),)
        else:
            _set_once(self._limits, option, cursor)

    def fact(self) -> Fact:
        house = structs.replace(house_of(self.game, self.paytables), **self._house)
        limits = PostedLimits(**self._limits)
        spec = RuleSetSpec(self.game, self.decks, self.paytables, house, limits)
        rule_set = hash_of(spec) if self.hash is None else self.hash
        if rule_set is None:
            raise UnreadableLine(self.column, _NO_HASH)
        return RuleSetActivated(rule_set, spec)


class RuleSetReference:
    """A rule set that is only named."""

    options: tuple[Option, ...] = ()

    def __init__(self, cursor: Cursor) -> None:
        self.hash = TEXT.read(cursor)

    def set(self, option: Option, cursor: Cursor) -> None:
        """A reference has no settings."""

    def fact(self) -> Fact:
        return RuleSetActivated(self.hash)


class PromotionBlock:
    """A promotion's terms while their block is read."""

    options = TERMS

    def __init__(self, cursor: Cursor) -> None:
        self.column = cursor.column
        self._values: dict[str, Any] = {
            "name": TEXT.read(cursor),
            "kind": _KIND.read(cursor),
            "face_cents": MONEY.read(cursor),
        }
        self.hash = TEXT.read(cursor) if cursor.accept("hash") else None

    def set(self, option: Option, cursor: Cursor) -> None:
        if option.name in _REPEATED and option.codec is not None:
            before = self._values.get(option.name, ())
            self._values[option.name] = (*before, option.read(cursor))
        else:
            _set_once(self._values, option, cursor)

    def fact(self) -> Fact:
        terms = Terms(**self._values)
        promotion = hash_of(terms) if self.hash is None else self.hash
        if promotion is None:
            raise UnreadableLine(self.column, _NO_HASH)
        return PromotionDefined(promotion, terms)


def _set_once(values: dict[str, Any], option: Option, cursor: Cursor) -> None:
    if option.name in values:
        raise cursor.unexpected(f"{option.lead!r} only once")
    values[option.name] = option.read(cursor)


def open_block(cursor: Cursor) -> RuleSetBlock | RuleSetReference | PromotionBlock | None:
    """The block that a line begins, if it begins one; the cursor stands behind its head."""
    if cursor.accept("rules", "by", "hash"):
        return RuleSetReference(cursor)
    if cursor.accept("rules"):
        return RuleSetBlock(cursor)
    if cursor.accept("promotion"):
        return PromotionBlock(cursor)
    return None


def read_settings(block: RuleSetBlock | RuleSetReference | PromotionBlock, cursor: Cursor) -> None:
    """One indented line: settings parted by commas."""
    while True:
        option = accept_option(cursor, block.options)
        if option is None:
            raise _unknown_setting(block, cursor)
        block.set(option, cursor)
        if not cursor.accept_comma():
            break
    if not cursor.at_end:
        raise cursor.unexpected("a comma or the end of the line")


def _unknown_setting(
    block: RuleSetBlock | RuleSetReference | PromotionBlock, cursor: Cursor
) -> UnreadableLine:
    if isinstance(block, RuleSetReference):
        return cursor.unexpected("no more lines, since the hash is the whole rule set")
    kind = "term of a promotion" if isinstance(block, PromotionBlock) else "house rule or limit"
    unreadable = cursor.unexpected(f"a {kind}")
    for count in range(max(len(option.words) for option in block.options), 0, -1):
        words = " ".join(cursor.words_ahead(count))
        unreadable.hint = unreadable.hint or did_you_mean(words, [o.lead for o in block.options])
    return unreadable


# Writing -------------------------------------------------------------------------------


def write_rules(fact: RuleSetActivated) -> Iterator[str]:
    """The lines of a block, the first without its suffix."""
    spec = fact.definition
    if spec is None:
        yield f"rules by hash {write_text(fact.rule_set)}"
        return
    tables = sorted(spec.paytables.items())
    head = [f"rules {NAME.write(spec.game)} decks {spec.decks}"]
    head += (f"{NAME.write(wager)} {option}" for wager, option in tables)
    yield " ".join(head + _hash_words(fact.rule_set, spec))
    usual = house_of(spec.game, spec.paytables)
    yield from _settings(HOUSE, spec.house, structs.asdict(usual))
    for wager, limit in sorted(spec.limits.wagers.items()):
        parts = [f"  limit {NAME.write(wager)}", *_options(LIMIT, limit, defaults_of(WagerLimit))]
        yield " ".join(parts)
    yield from _settings(LIMITS[1:], spec.limits, defaults_of(PostedLimits))


def write_promotion(fact: PromotionDefined) -> Iterator[str]:
    terms = fact.terms
    head = ["promotion", write_text(terms.name), terms.kind.value, MONEY.write(terms.face_cents)]
    yield " ".join(head + _hash_words(fact.promotion, terms))
    yield from _settings(TERMS, terms, defaults_of(Terms))


def _hash_words(stated: str, definition: RuleSetSpec | Terms) -> list[str]:
    return [] if stated == hash_of(definition) else ["hash", write_text(stated)]


def _settings(options: Sequence[Option], values: object, usual: Mapping[str, Any]) -> Iterator[str]:
    for words in _options(options, values, usual):
        yield f"  {words}"


def _options(options: Sequence[Option], values: object, usual: Mapping[str, Any]) -> Iterator[str]:
    for option in options:
        value = getattr(values, option.name)
        if value == usual[option.name]:
            continue
        if option.name in _REPEATED and option.codec is not None:
            yield from (option.write(item) for item in value)
        elif words := option.write(value):
            yield words
