"""The stream of one table as the log has it, and what becomes of the next event.

The same function judges what a controller sends and what the log says at a restart, so that
the two cannot disagree: the state after a crash is `judge` folded over the log. An event that
a crash or a failing broker left out of the middle therefore holds the state back, and the
controller is asked for it again.

    the next number, naming the last event      taken
    the next number, ControllerRestarted        taken; the chain starts anew
    GapDeclared over exactly what is missing    taken; what it names before it nobody can check
    the same over more than the fold believes   refused: the table would never settle again
    a number of before, the same bytes          a duplicate: acknowledged, not written again
    a number of before, other bytes             refused
    a number of before, bytes no longer known   taken: late, or a duplicate, which the fold ignores
    anything else                               refused, and the state is as it was
    to be taken, but at no valid time           refused (`judge_sent`): no reader could date it
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from blackjack.facts import ControllerRestarted, Event, GapDeclared
from blackjack.play.table import JUMP_MAX

KNOWN_MAX: Final = 64
"""How many digests are kept to tell duplicates by: more than a controller has under way."""


class Code(Enum):
    """Why an event is refused."""

    MALFORMED = "malformed"
    OVERSIZED = "oversized"
    FOREIGN = "foreign"
    CHAIN_BROKEN = "chain_broken"
    OUT_OF_ORDER = "out_of_order"
    CONFLICT = "conflict"
    GAP_TOO_LARGE = "gap_too_large"
    INVALID_TIME = "invalid_time"


@dataclass(frozen=True, slots=True)
class Stream:
    """How far a table's stream is."""

    table: str
    seq: int = 0
    """The number of the last event; 0 for none."""
    known: tuple[bytes, ...] = ()
    """Digests of the last events, the very last at the end; empty for one that was lost."""

    @classmethod
    def at(cls, table: str, seq: int, digest: bytes) -> Stream:
        """The stream whose last event is this one."""
        return cls(table, seq, (digest,) if seq else ())

    @property
    def digest(self) -> bytes:
        """What the next event must name: nothing, where there is none yet."""
        return self.known[-1] if self.known else b""

    def digest_of(self, seq: int) -> bytes:
        """The digest of an event of before; empty where it is no longer known."""
        back = self.seq - seq
        return self.known[-1 - back] if 0 <= back < len(self.known) else b""

    def followed_by(self, event: Event) -> Stream:
        lost = min(event.seq - self.seq - 1, KNOWN_MAX)
        known = (*self.known, *(b"",) * lost, event.digest)
        return Stream(self.table, event.seq, known[-KNOWN_MAX:])


@dataclass(frozen=True, slots=True)
class Taken:
    """To be written; the stream is then as here."""

    stream: Stream


@dataclass(frozen=True, slots=True)
class Duplicate:
    """In the log already, byte for byte."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Not taken, and why; a sentence without a full stop."""

    code: Code
    reason: str
    seq: int = 0


Decision: TypeAlias = Taken | Duplicate | Refusal


def judge(stream: Stream, event: Event) -> Decision:
    """What becomes of an event, given the stream before it."""
    seq = event.seq
    if event.table != stream.table:
        reason = f"an event of {event.table} in the stream of {stream.table}"
        return Refusal(Code.FOREIGN, reason, seq)
    if seq <= stream.seq:
        return _judge_again(stream, event)
    if seq == stream.seq + 1:
        if event.previous == stream.digest or type(event.fact) is ControllerRestarted:
            return Taken(stream.followed_by(event))
        reason = f"event {seq} names another event before it than the log has"
        return Refusal(Code.CHAIN_BROKEN, reason, seq)
    if _declares(event, first=stream.seq + 1):
        missing = seq - stream.seq - 1
        if missing > JUMP_MAX:
            return Refusal(Code.GAP_TOO_LARGE, _too_large(missing, next_seq=stream.seq + 1), seq)
        return Taken(stream.followed_by(event))
    reason = f"event {seq} came where {stream.seq + 1} is next: send that, or declare a gap"
    return Refusal(Code.OUT_OF_ORDER, reason, seq)


def judge_sent(stream: Stream, event: Event) -> Decision:
    """The same for what a controller sends. What the log has already is not judged by its time."""
    decision = judge(stream, event)
    if isinstance(decision, Taken) and event.claimed_at:
        reason = f"event {event.seq} is dated before 2000 or after 2099: set the clock"
        return Refusal(Code.INVALID_TIME, reason, event.seq)
    return decision


def advance(stream: Stream, event: Event) -> Stream:
    """The stream after an event that the log has, whoever wrote it there."""
    decision = judge(stream, event)
    return decision.stream if isinstance(decision, Taken) else stream


def _judge_again(stream: Stream, event: Event) -> Decision:
    known = stream.digest_of(event.seq)
    if known == event.digest:
        return Duplicate()
    if known:
        reason = f"the log has another event {event.seq}"
        return Refusal(Code.CONFLICT, reason, event.seq)
    return Taken(stream)


def _too_large(missing: int, *, next_seq: int) -> str:
    return (
        f"a gap of {missing} numbers, and no more than {JUMP_MAX} are believed to be missing at "
        f"once: find out how the numbers came to jump, and go on with {next_seq}"
    )


def _declares(event: Event, *, first: int) -> bool:
    fact = event.fact
    return (
        isinstance(fact, GapDeclared) and fact.first_seq == first and fact.last_seq == event.seq - 1
    )
