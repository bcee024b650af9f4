"""A table as bytes, and back: a restored table goes on exactly as the one it was made from.

The form is a pickle that cannot run code. Pickle, because a table is thousands of small values,
shared among its checkpoints (terms, patrons, rounds, cards), and the pickler walks them in C and
keeps what is shared shared: about a millisecond and 30 kB a table, where a codec in Python would
visit each value itself. Safe, because only words that build values are admitted
(`settlement.kafka.snapshot_opcodes`), and the reader does not look names up: `find_class` knows a
fixed list of makers and nothing else, a maker only builds a value of its own class, and it is
immutable, so that bytes from a topic can neither reach another callable nor alter a class or a
value that tables share. Bytes that were damaged do not have their checksum. Forged ones can still
claim a false table, or one that takes long to read: whoever may write to the topic is trusted with
the figures, not with the process.

Three things are not copied but named: cards, which stay the 52 of the process; rule sets, by
hash, with their definition, in case the catalogue at hand lacks them; and the catalogue itself,
which is the reader's. The names of fields are not in the bytes, so `LAYOUT` is: bytes of another
engine are refused, and the table is rebuilt from the log.
"""

from __future__ import annotations

import hashlib
import pickle
import zlib
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from io import BytesIO
from typing import Any, Final, cast, get_args

import msgspec

from blackjack.cards.card import DECK, Card
from blackjack.cards.hand import Hand
from blackjack.cards.shoe import Shoe
from blackjack.facts import ChipCount, Event, vocabulary
from blackjack.facts import event as facts_event
from blackjack.findings import Finding, Kind, Level, Withdrawal
from blackjack.money import Odds, Rounding
from blackjack.outcomes import (
    DealerCard,
    DealerPlace,
    HandCards,
    Payment,
    Result,
    RoundContext,
    RoundStatus,
    SeatPatron,
    SettledRound,
    WagerOutcome,
)
from blackjack.play.round import Round
from blackjack.play.state import TableState
from blackjack.play.table import Table
from blackjack.play.tray import Tray
from blackjack.play.wagers import Wager
from blackjack.rulebook.house_rules import (
    DoubleOn,
    HouseRules,
    Peek,
    PostedLimits,
    RuleSetSpec,
    SplitBy,
    WagerLimit,
)
from blackjack.rulebook.promotions import OnPush, PromotionKind, Terms
from blackjack.rulebook.rule_set import Catalogue, RuleSet, compose
from blackjack.settlement.judgments import Owed, WagerCoupon
from blackjack.settlement.side_plans import SidePlan, plans_of
from settlement.kafka.snapshot_opcodes import foreign_word

FORM: Final = b"pitledger table 2 "
"""What the bytes begin with; `LAYOUT` follows, then a checksum of the rest."""
CHECKSUM_BYTES: Final = 4

PLAIN: Final[tuple[type, ...]] = (Table, TableState, Round, Hand, Wager, Shoe, Tray)
"""Classes whose objects change; rebuilt field by field, without their constructors."""

_FACTS: Final[tuple[type, ...]] = get_args(facts_event.Fact)
STRUCTS: Final[tuple[type, ...]] = (
    *_FACTS, Event, ChipCount, Finding, Withdrawal, WagerCoupon, Owed, Odds, Terms, SettledRound,
    RoundContext, SeatPatron, WagerOutcome, HandCards, DealerCard, RuleSetSpec, HouseRules,
    PostedLimits, WagerLimit,
)  # fmt: skip
ENUMS: Final[tuple[type[Enum], ...]] = (
    *(member for member in vars(vocabulary).values()
      if isinstance(member, type) and issubclass(member, Enum) and len(member) > 0),
    Kind, Level, Result, Payment, RoundStatus, DealerPlace, PromotionKind, OnPush, Rounding,
    DoubleOn, Peek, SplitBy,
)  # fmt: skip


class NotASnapshot(ValueError):
    """Bytes that hold no table; the cure for each is the same, and `reason` tells it."""

    def __init__(self, reason: str) -> None:
        self.reason = f"{reason}: rebuild the table from the log"
        super().__init__(self.reason)


class UnknownForm(NotASnapshot):
    """A snapshot of another engine, whose tables hold other fields."""

    def __init__(self, form: bytes) -> None:
        self.form = form
        super().__init__(f"the form {form!r} is not {FORM + LAYOUT!r}")


def snapshot(table: Table) -> bytes:
    """The table as bytes. Nothing is noted between two events, so nothing of it is lost."""
    buffer = BytesIO()
    pickler = pickle.Pickler(buffer, protocol=5)
    pickler.dispatch_table = _REDUCERS
    pickler.dump(table)
    return sealed(buffer.getvalue())


def sealed(body: bytes) -> bytes:
    """A body with what stands before it."""
    return FORM + LAYOUT + zlib.crc32(body).to_bytes(CHECKSUM_BYTES, "big") + body


def restore(data: bytes, catalogue: Catalogue) -> Table:
    """The table that the bytes are of; what it does not know yet it finds in `catalogue`."""
    begin = len(FORM) + len(LAYOUT)
    if data[:begin] != FORM + LAYOUT:
        raise UnknownForm(data[:begin])
    body = data[begin + CHECKSUM_BYTES :]
    if zlib.crc32(body).to_bytes(CHECKSUM_BYTES, "big") != data[begin : begin + CHECKSUM_BYTES]:
        raise NotASnapshot("the bytes were altered or cut off")
    if foreign := foreign_word(body):
        raise NotASnapshot(f"the bytes have {foreign}, which no table has")
    try:
        table = _SnapshotReader(BytesIO(body), catalogue).load()
        sound = isinstance(table, Table) and _has_parts(table)
    except NotASnapshot:
        raise
    except Exception as error:  # pickle raises whatever it stumbles over
        raise NotASnapshot(f"the bytes make no table ({error!r})") from error
    if not sound:
        raise NotASnapshot("the bytes hold something else than a table and its parts")
    return cast(Table, table)


def _has_parts(table: Table) -> bool:
    """Whether what holds the rest is what it should be; an interpreted engine would not mind."""
    states = [table.state, table.base, *(state for _, state in table.marks)]
    return (
        all(isinstance(state, TableState) for state in states)
        and all(isinstance(state.catalogue, Catalogue) for state in states)
        and all(isinstance(event, Event) for event in table.events)
        and all(isinstance(settled, SettledRound) for settled in table.rounds.values())
        and all(isinstance(finding, Finding) for finding in table.findings.values())
    )


def fields_of(kind: type) -> tuple[str, ...]:
    """What an object of a plain class holds, interpreted or compiled, in a fixed order."""
    held: Iterable[str] = getattr(kind, "__mypyc_attrs__", ()) or getattr(kind, "__slots__", ())
    return tuple(sorted(name for name in held if not name.startswith("__")))


_NO_CONTEXT: Final = RoundContext("", "", "", (), "", vocabulary.ShoeKind.SHOE, 0, (), 0, False)
_BLANKS: Final[dict[type, Callable[[], Any]]] = {
    Table: lambda: Table("", TableState("", Catalogue())),
    TableState: lambda: TableState("", Catalogue()),
    Round: lambda: Round(name="", rules=None, context=_NO_CONTEXT, opened_at=0, first_seq=0),
    Hand: lambda: Hand(0),
    Wager: lambda: Wager((0, 0, "", False), 0),
    Shoe: Shoe,
    Tray: Tray,
}
"""Objects to be filled. A compiled class has none without its constructor."""


def _blank_of(kind: Any) -> Callable[[], Any]:
    """Makes objects of a plain class whose fields are all to be set."""
    if hasattr(kind, "__mypyc_attrs__"):
        return _BLANKS[kind]
    return partial(kind.__new__, kind)


class _SnapshotMaker:
    """Makes objects of one plain class. Immutable: no bytes can make it something else."""

    __slots__ = ("_blank", "_fields")
    _fields: tuple[str, ...]
    _blank: Callable[[], Any]

    def __init__(self, kind: type) -> None:
        object.__setattr__(self, "_blank", _blank_of(kind))
        object.__setattr__(self, "_fields", fields_of(kind))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(name)

    def __call__(self, *values: object) -> object:
        made: object = self._blank()
        for name, value in zip(self._fields, values, strict=True):
            setattr(made, name, value)
        return made


def _reducer(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    fields = fields_of(kind)

    def reduce(value: Any) -> tuple[Any, ...]:
        return kind, tuple([getattr(value, name) for name in fields])

    return reduce


def _reduce_card(card: Card) -> tuple[Any, ...]:
    return Card, (card.index,)


def _reduce_rules(rules: RuleSet) -> tuple[Any, ...]:
    return RuleSet, (rules.hash, rules.spec)


def _reduce_catalogue(_: Catalogue) -> tuple[Any, ...]:
    return Catalogue, ()


def _reduce_round(played: Round) -> tuple[Any, ...]:
    """Its plans are what its rules make of the side bets: looked up again, not copied."""
    return Round, tuple([getattr(played, name) for name in _ROUND_FIELDS])


def _make_round(*values: object) -> Round:
    made: Round = _BLANK_ROUND()
    for name, value in zip(_ROUND_FIELDS, values, strict=True):
        setattr(made, name, value)
    made.plans = plans_of(made.rules) if made.rules is not None else _NO_PLANS.copy()
    return made


def _name(kind: type) -> tuple[str, str]:
    return kind.__module__, kind.__qualname__


_BLANK_ROUND: Final = _blank_of(Round)
_NO_PLANS: Final[dict[str, SidePlan]] = {}
_ROUND_FIELDS: Final = tuple(name for name in fields_of(Round) if name != "plans")
_REDUCERS: Final[dict[type, Callable[[Any], Any]]] = {
    **{kind: _reducer(kind) for kind in PLAIN},
    Round: _reduce_round,
    Card: _reduce_card,
    RuleSet: _reduce_rules,
    Catalogue: _reduce_catalogue,
}


def _builtin(function: Callable[..., Any]) -> Callable[..., Any]:
    """The call of a function as an object without attributes, so that none can be set."""
    bound: Callable[..., Any] = type(function).__call__.__get__(function)
    return bound


_MAKERS: Final[dict[tuple[str, str], Callable[..., Any]]] = {
    **{_name(kind): _SnapshotMaker(kind) for kind in PLAIN},
    **{_name(kind): _builtin(kind) for kind in (*STRUCTS, *ENUMS)},
    _name(Round): _builtin(_make_round),
    _name(Card): _builtin(DECK.__getitem__),
}


class _SnapshotReader(pickle.Unpickler):
    def __init__(self, file: BytesIO, catalogue: Catalogue) -> None:
        super().__init__(file)
        self._catalogue = catalogue

    def find_class(self, module: str, name: str, /) -> Any:
        known = _MAKERS.get((module, name))
        if known is not None:
            return known
        if (module, name) == _name(RuleSet):
            return _builtin(self._rules)
        if (module, name) == _name(Catalogue):
            return _builtin(self._own_catalogue)
        raise NotASnapshot(f"the bytes ask for {module}.{name}, which is no part of a table")

    def _own_catalogue(self) -> Catalogue:
        return self._catalogue

    def _rules(self, rule_set: str, spec: RuleSetSpec) -> RuleSet:
        known = self._catalogue.get(rule_set)
        if known is not None:
            return known
        rules = compose(spec)
        if rules.hash != rule_set:
            raise NotASnapshot(f"the definition of rule set {rule_set[:12]} is {rules.hash[:12]}")
        return rules


def _layout() -> bytes:
    shapes = [(*_name(kind), *fields_of(kind)) for kind in PLAIN]
    shapes += [(*_name(kind), *(field.name for field in msgspec.structs.fields(kind)))
               for kind in STRUCTS]  # fmt: skip
    return hashlib.sha256(repr(shapes).encode()).hexdigest()[:12].encode()


LAYOUT: Final = _layout()
"""Names every field that is stored: tables with other fields have another layout."""
