"""Facts of devices and of the controller, from the wire and back."""

from __future__ import annotations

from typing import Final

from blackjack.facts import (
    ControllerRestarted,
    DeviceFaulted,
    DeviceJoined,
    DeviceRecovered,
    GapDeclared,
    HeartbeatSent,
    Observation,
    ReadCorrected,
)
from casino.table.v1 import facts_device_pb2 as pb
from wire.codec import Codec
from wire.vocabulary import CARD_NUMBERS, READ_CARDS, enumeration

OBSERVATIONS, OBSERVATION_NUMBERS = enumeration("observation", Observation, pb.Observation)
_HEARTBEAT_SENT: Final = HeartbeatSent()


def read_device_joined(message: pb.DeviceJoined) -> DeviceJoined:
    return DeviceJoined(message.device, tuple(OBSERVATIONS[each] for each in message.observes))


def write_device_joined(fact: DeviceJoined) -> pb.DeviceJoined:
    return pb.DeviceJoined(
        device=fact.device, observes=[OBSERVATION_NUMBERS[each] for each in fact.observes]
    )


def read_device_faulted(message: pb.DeviceFaulted) -> DeviceFaulted:
    return DeviceFaulted(
        message.device,
        message.reason,
        tuple(OBSERVATIONS[each] for each in message.observes),
    )


def write_device_faulted(fact: DeviceFaulted) -> pb.DeviceFaulted:
    return pb.DeviceFaulted(
        device=fact.device,
        reason=fact.reason,
        observes=[OBSERVATION_NUMBERS[each] for each in fact.observes],
    )


def read_device_recovered(message: pb.DeviceRecovered) -> DeviceRecovered:
    return DeviceRecovered(message.device)


def write_device_recovered(fact: DeviceRecovered) -> pb.DeviceRecovered:
    return pb.DeviceRecovered(device=fact.device)


def read_read_corrected(message: pb.ReadCorrected) -> ReadCorrected:
    return ReadCorrected(message.corrects_seq, READ_CARDS[message.card], message.reason)


def write_read_corrected(fact: ReadCorrected) -> pb.ReadCorrected:
    return pb.ReadCorrected(
        corrects_seq=fact.corrects_seq, card=CARD_NUMBERS[fact.card], reason=fact.reason
    )


def read_gap_declared(message: pb.GapDeclared) -> GapDeclared:
    return GapDeclared(message.first_seq, message.last_seq, message.reason)


def write_gap_declared(fact: GapDeclared) -> pb.GapDeclared:
    return pb.GapDeclared(first_seq=fact.first_seq, last_seq=fact.last_seq, reason=fact.reason)


def read_controller_restarted(message: pb.ControllerRestarted) -> ControllerRestarted:
    return ControllerRestarted(message.reason)


def write_controller_restarted(fact: ControllerRestarted) -> pb.ControllerRestarted:
    return pb.ControllerRestarted(reason=fact.reason)


def read_heartbeat_sent(_: pb.HeartbeatSent) -> HeartbeatSent:
    return _HEARTBEAT_SENT


def write_heartbeat_sent(_: HeartbeatSent) -> pb.HeartbeatSent:
    return pb.HeartbeatSent()


CODECS: Final = (
    Codec(DeviceJoined, read_device_joined, write_device_joined),
    Codec(DeviceFaulted, read_device_faulted, write_device_faulted),
    Codec(DeviceRecovered, read_device_recovered, write_device_recovered),
    Codec(ReadCorrected, read_read_corrected, write_read_corrected),
    Codec(GapDeclared, read_gap_declared, write_gap_declared),
    Codec(ControllerRestarted, read_controller_restarted, write_controller_restarted),
    Codec(HeartbeatSent, read_heartbeat_sent, write_heartbeat_sent),
)
