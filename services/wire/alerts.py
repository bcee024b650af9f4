"""Alerts, to bytes and back."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from alerting.alert import Alert, AlertState, Bookmark, Evidence, StatisticalProof
from casino.surveillance.v1 import alert_pb2
from wire.errors import NotARecord, Unreadable, Unwritable
from wire.settlement import LEVEL_NUMBERS, LEVELS
from wire.vocabulary import enumeration, read_time, stated, write_time

STATES, STATE_NUMBERS = enumeration("state of the alert", AlertState, alert_pb2.AlertState)


def encode_alert(alert: Alert) -> bytes:
    """The same alert gives the same bytes."""
    return write_alert(alert).SerializeToString(deterministic=True)


def decode_alert(data: bytes) -> Alert:
    try:
        return read_alert(alert_pb2.Alert.FromString(data))
    except DecodeError:
        raise NotARecord("the bytes are no Alert, or were cut off") from None


def write_alert(alert: Alert) -> alert_pb2.Alert:
    try:
        return alert_pb2.Alert(
            id=alert.id,
            revision=alert.revision,
            state=STATE_NUMBERS[alert.state],
            kind=alert.kind,
            level=LEVEL_NUMBERS[alert.level],
            label=alert.label,
            sentence=alert.sentence,
            rule=alert.rule,
            raised_at=write_time(alert.raised_at),
            changed_at=write_time(alert.changed_at),
            table_id=alert.table,
            round=alert.round,
            seat=alert.seat,
            dealer=alert.dealer,
            patron=alert.patron,
            coupon=alert.coupon,
            cents=alert.cents,
            evidence=[_write_evidence(each) for each in alert.evidence],
            evidence_count=alert.evidence_count,
            bookmarks=[_write_bookmark(each) for each in alert.bookmarks],
            statistics=_write_proof(alert.statistics),
            tells_hole_card=alert.tells_hole_card,
            suppressed_by=alert.suppressed_by,
            generation=alert.generation,
            withdrawn_because=alert.withdrawn_because,
        )
    except (TypeError, ValueError) as error:
        raise Unwritable(f"alert {alert.id!r}: {error}") from error


def read_alert(message: alert_pb2.Alert) -> Alert:
    try:
        return Alert(
            id=message.id,
            revision=message.revision,
            state=STATES[message.state],
            kind=message.kind,
            level=LEVELS[message.level],
            sentence=message.sentence,
            rule=message.rule,
            raised_at=read_time(message.raised_at),
            changed_at=read_time(message.changed_at),
            label=message.label,
            table=message.table_id,
            round=message.round,
            seat=message.seat,
            dealer=message.dealer,
            patron=message.patron,
            coupon=message.coupon,
            cents=message.cents,
            evidence=tuple(_read_evidence(each) for each in message.evidence),
            evidence_count=message.evidence_count,
            bookmarks=tuple(
                Bookmark(each.table_id, read_time(getattr(each, "from")), read_time(each.until))
                for each in message.bookmarks
            ),
            statistics=(
                StatisticalProof(
                    message.statistics.e_value,
                    message.statistics.false_alarm_bound,
                    message.statistics.observations,
                )
                if message.HasField("statistics")
                else None
            ),
            tells_hole_card=message.tells_hole_card,
            suppressed_by=message.suppressed_by,
            generation=message.generation,
            withdrawn_because=message.withdrawn_because,
        )
    except Unreadable as error:
        raise NotARecord(error.reason) from None


def _write_bookmark(bookmark: Bookmark) -> alert_pb2.VideoBookmark:
    """`from` is a word of Python."""
    times = {"from": write_time(bookmark.since), "until": write_time(bookmark.until)}
    return alert_pb2.VideoBookmark(table_id=bookmark.table, **times)


def _write_proof(proof: StatisticalProof | None) -> alert_pb2.StatisticalProof | None:
    if proof is None:
        return None
    return alert_pb2.StatisticalProof(
        e_value=proof.e_value,
        false_alarm_bound=proof.false_alarm_bound,
        observations=proof.observations,
    )


def _write_evidence(evidence: Evidence) -> alert_pb2.Evidence:
    return alert_pb2.Evidence(
        at=write_time(evidence.at),
        words=evidence.words,
        table_id=evidence.table,
        round=evidence.round,
        seat=evidence.seat,
        hand=evidence.hand,
        wager=evidence.wager,
        first_seq=evidence.first_seq,
        last_seq=evidence.last_seq,
        finding_id=evidence.finding_id,
        entry_id=evidence.entry_id,
        kind=evidence.kind,
        dealer=evidence.dealer,
        patron=evidence.patron,
        cents=evidence.cents,
        owed_cents=evidence.owed_cents,
        paid_cents=evidence.paid_cents,
    )


def _read_evidence(message: alert_pb2.Evidence) -> Evidence:
    return Evidence(
        at=read_time(message.at),
        words=message.words,
        table=message.table_id,
        round=message.round,
        seat=message.seat,
        hand=message.hand,
        wager=message.wager,
        first_seq=message.first_seq,
        last_seq=message.last_seq,
        finding_id=message.finding_id,
        entry_id=message.entry_id,
        kind=message.kind,
        dealer=message.dealer,
        patron=message.patron,
        cents=message.cents,
        owed_cents=stated(message, "owed_cents", None),
        paid_cents=stated(message, "paid_cents", None),
    )
