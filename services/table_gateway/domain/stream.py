"""The stream of one table as the log has it, and the decision about the next event.

The same function judges the events that a controller sends and those that are read from the log
at a restart, so that the two cannot disagree: the state after a crash is `judge` folded over the
log. An event that a crash or a failing broker left out of the middle therefore holds the state
back, and the controller sends it again.

    the next number, naming the last event       accepted
    the next number, ControllerRestarted         accepted; the chain starts again
    GapDeclared over exactly the missing events  accepted; the hash it names cannot be checked
    the same over more than the fold accepts     rejected: the table would never settle again
    an earlier number, the same bytes            a duplicate: acknowledged, not written again
    an earlier number, other bytes               rejected
    an earlier number, bytes no longer known     accepted: late, or a duplicate for the fold
    anything else                                rejected, and the state stays the same
    acceptable, but without a valid time         rejected (`judge_sent`): no reader could date it
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from blackjack.facts import ControllerRestarted, Event, GapDeclared
from blackjack.play.table import JUMP_MAX

KNOWN_MAX: Final = 64
"""How many digests are kept to detect duplicates: more than a controller has in progress."""


class RejectionCode(Enum):
    """Why an event is rejected."""

    MALFORMED = "malformed"
    OVERSIZED = "oversized"
    FOREIGN = "foreign"
    CHAIN_BROKEN = "chain_broken"
    OUT_OF_ORDER = "out_of_order"
    CONFLICT = "conflict"
    GAP_TOO_LARGE = "gap_too_large"
    INVALID_TIME = "invalid_time"


@dataclass(frozen=True, slots=True)
class TableStream:
    """The position of a table's stream."""

    table: str
    seq: int = 0
    """The number of the last event; 0 for none."""
    known: tuple[bytes, ...] = ()
    """Digests of the last events, the very last at the end; empty for one that was lost."""

    @classmethod
    def at(cls, table: str, seq: int, digest: bytes) -> TableStream:
        """The stream whose last event is this one."""
        return cls(table, seq, (digest,) if seq else ())

    @property
    def digest(self) -> bytes:
        """The hash that the next event must name; empty for the first."""
        return self.known[-1] if self.known else b""

    def digest_of(self, seq: int) -> bytes:
        """The digest of an earlier event; empty where it is no longer known."""
        back = self.seq - seq
        return self.known[-1 - back] if 0 <= back < len(self.known) else b""

    def followed_by(self, event: Event) -> TableStream:
        lost = min(event.seq - self.seq - 1, KNOWN_MAX)
        known = (*self.known, *(b"",) * lost, event.digest)
        return TableStream(self.table, event.seq, known[-KNOWN_MAX:])


@dataclass(frozen=True, slots=True)
class Accepted:
    """To be written, with the stream after it."""

    stream: TableStream


@dataclass(frozen=True, slots=True)
class Duplicate:
    """In the log already, byte for byte."""


@dataclass(frozen=True, slots=True)
class EventRejection:
    """Not accepted, and why; a sentence without a period."""

    code: RejectionCode
    reason: str
    seq: int = 0


EventDecision: TypeAlias = Accepted | Duplicate | EventRejection


def judge(stream: TableStream, event: Event) -> EventDecision:
    """Decide about an event, given the stream before it."""
    seq = event.seq
    if event.table != stream.table:
        reason = f"event of table {event.table} in the stream of table {stream.table}"
        return EventRejection(RejectionCode.FOREIGN, reason, seq)
    if seq <= stream.seq:
        return _judge_again(stream, event)
    if seq == stream.seq + 1:
        if event.previous == stream.digest or type(event.fact) is ControllerRestarted:
            return Accepted(stream.followed_by(event))
        reason = f"event {seq} names another previous event than the log has"
        return EventRejection(RejectionCode.CHAIN_BROKEN, reason, seq)
    if _declares(event, first=stream.seq + 1):
        missing = seq - stream.seq - 1
        if missing > JUMP_MAX:
            return EventRejection(
                RejectionCode.GAP_TOO_LARGE, _too_large(missing, next_seq=stream.seq + 1), seq
            )
        return Accepted(stream.followed_by(event))
    reason = f"event {seq} received, {stream.seq + 1} expected: send that, or declare a gap"
    return EventRejection(RejectionCode.OUT_OF_ORDER, reason, seq)


def judge_sent(stream: TableStream, event: Event) -> EventDecision:
    """Decide about an event that a controller sends. Events in the log keep any time."""
    decision = judge(stream, event)
    if isinstance(decision, Accepted) and event.claimed_at:
        reason = f"event {event.seq} is dated before 2000 or after 2099: set the clock"
        return EventRejection(RejectionCode.INVALID_TIME, reason, event.seq)
    return decision


def advance(stream: TableStream, event: Event) -> TableStream:
    """The stream after an event that the log has, from any writer."""
    decision = judge(stream, event)
    return decision.stream if isinstance(decision, Accepted) else stream


def _judge_again(stream: TableStream, event: Event) -> EventDecision:
    known = stream.digest_of(event.seq)
    if known == event.digest:
        return Duplicate()
    if known:
        reason = f"the log has a different event {event.seq}"
        return EventRejection(RejectionCode.CONFLICT, reason, event.seq)
    return Accepted(stream)


def _too_large(missing: int, *, next_seq: int) -> str:
    return (
        f"gap of {missing} numbers, at most {JUMP_MAX} are accepted: find out why the numbers "
        f"jumped, and continue with {next_seq}"
    )


def _declares(event: Event, *, first: int) -> bool:
    fact = event.fact
    return (
        isinstance(fact, GapDeclared) and fact.first_seq == first and fact.last_seq == event.seq - 1
    )
