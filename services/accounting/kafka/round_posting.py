"""Posts rounds: each version once, a later one as the difference to the one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from psycopg import Connection

from accounting.domain.entry import LedgerEntry, LogPosition, entry_id
from accounting.domain.rounds import RoundVersion, SettledWager, transfers
from accounting.grpc.errors import PostingRejected
from accounting.postgres.batch_writer import BatchRows
from bookkeeping.errors import NotBookable
from property_calendar.gaming_day import Calendar
from wire.generations import Generation, GenerationVerdict, place

KIND: Final = "round"
TAKEN_BACK: Final = "round_moved"
"""The kind of an entry that reverses a version when the next one is on another day."""

Name = tuple[str, str]
_KNOWN: Final = """
SELECT r.table_id, r.round, r.opening_seq, r.version, r.digest, r.gaming_day, r.status, r.game,
    r.rule_set, r.dealer, r.supervisor, r.opened_at
FROM rounds r JOIN unnest(%s::text[], %s::text[]) AS wanted (table_id, round)
    USING (table_id, round)
ORDER BY r.opening_seq, r.version
"""
_WAGERS: Final = """
SELECT seat, hand, wager, tip, patron, result, payment, stake, placed, owed, least, most, taken,
    paid, collected, difference, coupon, promotion, coupon_face, coupon_owed, coupon_spent
FROM wagers
WHERE gaming_day = %s AND table_id = %s AND round = %s AND opening_seq = %s AND version = %s
    AND sign = 1
"""


class RoundMessage(NamedTuple):
    """A version of a round, as settlement published it."""

    round: RoundVersion
    digest: bytes
    source: LogPosition


class VersionInForce(NamedTuple):
    """The version of a round in force; `round` is None until its wagers are needed."""

    version: int
    day: date
    head: Sequence[Any]
    round: RoundVersion | None


class RoundPosting:
    """Posts the rounds of one batch, which may hold several versions of a round."""

    def __init__(self, connection: Connection[Any], calendar: Calendar, rows: BatchRows) -> None:
        self._connection = connection
        self._calendar = calendar
        self._rows = rows
        self._generations: dict[Name, list[Generation]] = {}
        self._latest: dict[tuple[str, str, int], VersionInForce] = {}

    def post(
        self, messages: Sequence[RoundMessage]
    ) -> Iterator[tuple[LogPosition, PostingRejected]]:
        """Post all new versions; yield the rejected ones."""
        if not messages:
            return
        self._find({(message.round.table, message.round.round) for message in messages})
        for message in messages:
            try:
                self._post(message)
            except PostingRejected as rejected:
                yield message.source, rejected
            except NotBookable as wrong:
                yield message.source, PostingRejected(wrong.code, str(wrong))

    def _find(self, names: Iterable[Name]) -> None:
        wanted = sorted(names)
        tables, rounds = [name[0] for name in wanted], [name[1] for name in wanted]
        for table, name, opening_seq, version, digest, day, *head in self._connection.execute(
            _KNOWN, [tables, rounds]
        ):
            of = self._generations.setdefault((table, name), [])
            home = next(
                (generation for generation in of if generation.opening_seq == opening_seq), None
            )
            if home is None:
                home = Generation(opening_seq)
                of.append(home)
            home.versions.setdefault(version, []).append(bytes(digest))
            self._latest[table, name, opening_seq] = VersionInForce(version, day, head, None)

    def _post(self, messages: RoundMessage) -> None:
        round_ = messages.round
        home, verdict = place(
            self._generations.setdefault((round_.table, round_.round), []),
            version=round_.version,
            first_seq=round_.first_seq,
            digest=messages.digest,
        )
        if verdict is GenerationVerdict.REPEAT:
            return
        if verdict is GenerationVerdict.CONFLICT:
            raise PostingRejected(
                "conflict", f"{round_.round}: different bytes under version {round_.version}"
            )
        if round_.version < home.in_force:
            raise PostingRejected(
                "superseded",
                f"{round_.round}: version {round_.version} comes after {home.in_force}",
            )
        self._book(messages, home.opening_seq)

    def _book(self, messages: RoundMessage, opening_seq: int) -> None:
        round_, source = messages.round, messages.source
        key = (round_.table, round_.round, opening_seq)
        day = self._calendar.day_of(round_.opened_at)
        latest = self._latest.get(key)
        before = self._wagers_of(key, latest) if latest is not None else None
        if latest is not None and before is not None and latest.day != day:
            moved = before._replace(wagers=())
            self._enter(TAKEN_BACK, moved, before, latest.day, opening_seq, round_, source)
            self._enter(KIND, round_, None, day, opening_seq, round_, source)
        else:
            self._enter(KIND, round_, before, day, opening_seq, round_, source)
        version = round_.version
        if latest is not None and before is not None:
            self._add_wagers(latest.day, before, opening_seq, version, -1)
        self._add_wagers(day, round_, opening_seq, version, 1)
        self._rows.add(
            "rounds",
            (
                *key,
                version,
                messages.digest,
                latest.version if latest is not None else 0,
                day,
                round_.status,
                round_.game,
                round_.rule_set,
                round_.dealer,
                round_.supervisor,
                round_.opened_at,
                source.partition,
                source.offset,
            ),
        )
        self._latest[key] = VersionInForce(version, day, (), round_)

    def _enter(
        self,
        kind: str,
        after: RoundVersion,
        before: RoundVersion | None,
        day: date,
        opening_seq: int,
        round_: RoundVersion,
        source: LogPosition,
    ) -> None:
        entry = LedgerEntry(
            entry_id(kind, round_.table, round_.round, opening_seq, round_.version),
            day.isoformat(),
            kind,
            round_.opened_at,
            source,
            transfers(after, before),
            table=round_.table,
            round=round_.round,
            version=round_.version,
            seq=opening_seq,
        )
        self._rows.add_entry(entry, day)

    def _add_wagers(
        self, day: date, round_: RoundVersion, opening_seq: int, version: int, sign: int
    ) -> None:
        if round_.wagers:
            self._rows.days.add(day)
            head = (day, round_.table, round_.round, opening_seq, version, sign)
            self._rows.of["wagers"].extend(head + wager for wager in round_.wagers)

    def _wagers_of(self, key: tuple[str, str, int], latest: VersionInForce) -> RoundVersion:
        """The version in force with its wagers, from this batch or from the tables."""
        if latest.round is not None:
            return latest.round
        table, name, opening_seq = key
        status, game, rule_set, dealer, supervisor, opened_at = latest.head
        found = self._connection.execute(_WAGERS, [latest.day, *key, latest.version]).fetchall()
        return RoundVersion(
            table, name, opening_seq, latest.version, status, game, rule_set, dealer, supervisor,
            opened_at, tuple(SettledWager(*row) for row in found),
        )  # fmt: skip
