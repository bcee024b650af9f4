"""A replayed round, to the answer of the archive and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from blackjack.findings import Finding
from blackjack.play.felt import Felt
from blackjack.play.replayed_round import Replay, ReplayedFact
from blackjack.rulebook.rule_set import NotFiled, RuleSet, compose
from casino.settlement.v1 import replay_pb2
from wire.chain import digest
from wire.codec import derive
from wire.errors import NotAnEvent, NotARecord, UnreadableMessage
from wire.events import read_event, write_event
from wire.rules import read_rule_set, write_rule_set
from wire.settlement import (
    encode_round,
    read_finding,
    read_round,
    read_withdrawal,
    write_finding,
    write_round,
    write_withdrawal,
)
from wire.vocabulary import read_time, write_time

_FELT: Final = derive(Felt, replay_pb2.Felt)


class LogPlace(Struct, frozen=True, gc=False):
    """Where in the log an event lies, and its trace."""

    partition: int = 0
    offset: int = 0
    trace_id: str = ""


NOWHERE: Final = LogPlace()


class ReplayAnswer(Struct, frozen=True):
    """A replay with what is known beside it."""

    replay: Replay
    emitted_digest: bytes
    replayed_digest: bytes
    places: tuple[LogPlace, ...] = ()
    """Where the event of each step lies; none where that is not known."""
    findings: tuple[Finding, ...] = ()
    """All that stands about the round, what the clock, the chain and the tray showed among it."""
    versions: int = 1
    rule_set_name: str = ""

    @property
    def same(self) -> bool:
        """Whether the log gives what was said, to the byte."""
        return self.emitted_digest == self.replayed_digest


def answer(
    replay: Replay,
    *,
    emitted: bytes | None = None,
    places: Sequence[LogPlace] = (),
    findings: Sequence[Finding] = (),
    versions: int = 1,
) -> ReplayAnswer:
    """The answer for a replay; `emitted` are the bytes of the round as they were sent."""
    said = encode_round(replay.emitted) if emitted is None else emitted
    return ReplayAnswer(
        replay,
        emitted_digest=digest(said),
        replayed_digest=digest(encode_round(replay.replayed)),
        places=tuple(places),
        findings=tuple(findings),
        versions=versions,
        rule_set_name=replay.rules.name if replay.rules is not None else "",
    )


def write_replay(answer: ReplayAnswer) -> replay_pb2.ReplayRoundResponse:
    replay = answer.replay
    places = answer.places or (NOWHERE,) * len(replay.steps)
    return replay_pb2.ReplayRoundResponse(
        emitted=write_round(replay.emitted),
        replayed=write_round(replay.replayed),
        emitted_digest=answer.emitted_digest,
        replayed_digest=answer.replayed_digest,
        same=answer.same,
        differences=replay.differences,
        steps=[
            _write_step(*step_and_place)
            for step_and_place in zip(replay.steps, places, strict=True)
        ],
        rule_set=write_rule_set(replay.rules.spec) if replay.rules is not None else None,
        rule_set_name=answer.rule_set_name,
        findings=[write_finding(finding) for finding in answer.findings],
        versions=answer.versions,
    )


def read_replay(message: replay_pb2.ReplayRoundResponse) -> ReplayAnswer:
    """The answer of an archive, or `NotARecord` where it says what this contract does not know."""
    try:
        replay = Replay(
            emitted=read_round(message.emitted),
            replayed=read_round(message.replayed),
            steps=tuple(_read_step(step) for step in message.steps),
            differences=tuple(message.differences),
            rules=_read_rules(message),
        )
    except (UnreadableMessage, NotAnEvent) as error:
        raise NotARecord(error.reason) from None
    return ReplayAnswer(
        replay,
        emitted_digest=message.emitted_digest,
        replayed_digest=message.replayed_digest,
        places=tuple(
            LogPlace(step.partition, step.offset, step.trace_id) for step in message.steps
        ),
        findings=tuple(read_finding(finding) for finding in message.findings),
        versions=message.versions,
        rule_set_name=message.rule_set_name,
    )


# Parts ---------------------------------------------------------------------------------


def _read_rules(message: replay_pb2.ReplayRoundResponse) -> RuleSet | None:
    """A rule set that is not filed here, such as one of a later game, is one we do not know."""
    if not message.HasField("rule_set"):
        return None
    try:
        return compose(read_rule_set(message.rule_set))
    except NotFiled:
        return None


def _write_step(step: ReplayedFact, place: LogPlace) -> replay_pb2.ReplayStep:
    event = step.event
    return replay_pb2.ReplayStep(
        seq=event.seq,
        at=write_time(event.at),
        ingested_at=write_time(event.ingested_at),
        words=step.words,
        event=write_event(event),
        hash=event.digest,
        partition=place.partition,
        offset=place.offset,
        trace_id=place.trace_id,
        felt=_FELT.write(step.felt),
        findings=[write_finding(finding) for finding in step.findings],
        withdrawals=[write_withdrawal(withdrawal) for withdrawal in step.withdrawals],
        seat=step.seat,
        hand=step.hand,
        covered_words=step.covered_words,
    )


def _read_step(message: replay_pb2.ReplayStep) -> ReplayedFact:
    """The digest is that of the bytes in the log, which need not be those of the message."""
    event = message.event
    return ReplayedFact(
        event=read_event(event, event.ByteSize(), message.hash, read_time(message.ingested_at)),
        words=message.words,
        seat=message.seat,
        hand=message.hand,
        felt=_FELT.read(message.felt),
        findings=tuple(read_finding(finding) for finding in message.findings),
        withdrawals=tuple(read_withdrawal(withdrawal) for withdrawal in message.withdrawals),
        covered_words=message.covered_words,
    )
