"""Posts the cash facts of tables, outside their rounds: each event once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from psycopg import Connection

from accounting.domain.cash import KINDS, cents_of, changes
from accounting.domain.entry import LedgerEntry, LogPosition, entry_id
from accounting.grpc.errors import PostingRejected
from accounting.kafka.decoder import plain
from accounting.postgres.batch_writer import BatchRows
from blackjack.facts import (
    CouponDropped,
    CreditSent,
    DropBoxRemoved,
    Event,
    Fact,
    FillReceived,
    PromotionDefined,
    RuleSetActivated,
    SettlementCorrected,
    TableClosed,
    TableOpened,
    TicketIssued,
)
from blackjack.play.clock import moment
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.rule_set import NotFiled, compose
from bookkeeping.errors import NotBookable
from bookkeeping.transfers import pair_off
from property_calendar.gaming_day import Calendar
from wire.promotions import write_terms
from wire.rules import write_rule_set

_SEEN: Final = """
SELECT table_id, seq FROM cash
JOIN unnest(%s::text[], %s::bigint[]) AS wanted (table_id, seq) USING (table_id, seq)
"""
_DEFINE: Final = {
    "rule_sets": "INSERT INTO rule_sets VALUES (%s, %s) ON CONFLICT DO NOTHING",
    "promotions": "INSERT INTO promotions VALUES (%s, %s) ON CONFLICT DO NOTHING",
}


class CashPosting:
    """Posts the cash facts of one batch."""

    def __init__(self, connection: Connection[Any], calendar: Calendar, rows: BatchRows) -> None:
        self._connection = connection
        self._calendar = calendar
        self._rows = rows
        self._events: dict[tuple[str, int], tuple[Event, LogPosition]] = {}
        self._definitions: dict[str, dict[str, bytes]] = {"rule_sets": {}, "promotions": {}}

    def add(self, event: Event, source: LogPosition) -> None:
        match event.fact:
            case RuleSetActivated(rule_set=name, definition=definition):
                if definition is not None and is_named(definition, name):
                    value = write_rule_set(definition).SerializeToString(deterministic=True)
                    self._definitions["rule_sets"].setdefault(name, value)
            case PromotionDefined(promotion=name, terms=terms):
                if terms.hash == name and not terms.problem:
                    value = write_terms(terms).SerializeToString(deterministic=True)
                    self._definitions["promotions"].setdefault(name, value)
            case _:
                # The first event counts: a resend, or another one under its number, does not.
                self._events.setdefault((event.table, event.seq), (event, source))

    def post(self) -> Iterator[tuple[LogPosition, PostingRejected]]:
        for table, known in self._definitions.items():
            if known:
                with self._connection.cursor() as cursor:
                    cursor.executemany(_DEFINE[table].encode(), sorted(known.items()))
        if not self._events:
            return
        keys = sorted(self._events)
        seen = set(
            self._connection.execute(_SEEN, [[key[0] for key in keys], [key[1] for key in keys]])
        )
        for key, (event, source) in self._events.items():
            if key in seen:
                continue
            try:
                self._post(event, source)
            except NotBookable as wrong:
                yield (
                    source,
                    PostingRejected(wrong.code, f"event {event.seq} of {event.table}: {wrong}"),
                )

    def _post(self, event: Event, source: LogPosition) -> None:
        fact, table = event.fact, plain(event.table)
        at = moment(event)
        day = self._calendar.day_of(at)
        kind = KINDS[type(fact)]
        cents = cents_of(fact)
        inventory = getattr(fact, "inventory", ())
        made = tuple(pair_off(changes(table, fact)))
        self._rows.add(
            "cash",
            (
                table,
                event.seq,
                kind,
                day,
                at,
                cents or getattr(fact, "cents", 0),
                str(getattr(fact, "tender", "")),
                plain(getattr(fact, "patron", "")),
                getattr(fact, "seat", 0),
                plain(_name_of(fact)),
                [plain(signer) for signer in getattr(fact, "signers", ())],
                [
                    number
                    for chip_count in inventory
                    for number in (chip_count.denomination_cents, chip_count.count)
                ],
                plain(getattr(fact, "note", "")),
                source.partition,
                source.offset,
            ),
        )
        entry = LedgerEntry(
            entry_id("cash", table, event.seq),
            day.isoformat(),
            kind,
            at,
            source,
            made,
            table=table,
            seq=event.seq,
        )
        self._rows.add_entry(entry, day)


def is_named(definition: RuleSetSpec, name: str) -> bool:
    """Whether a definition matches its hash: then it counts, whichever table reported it."""
    try:
        return compose(definition).hash == name
    except NotFiled:
        return False


def _name_of(fact: Fact) -> str:
    """The number of the slip, the box or the ticket, the coupon's serial, or the round."""
    match fact:
        case TableOpened() | TableClosed() | FillReceived() | CreditSent():
            return fact.slip
        case DropBoxRemoved():
            return fact.box
        case TicketIssued():
            return fact.ticket
        case CouponDropped():
            return fact.serial
        case SettlementCorrected():
            return fact.round
        case _:
            return ""
