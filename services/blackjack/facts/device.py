"""The devices and the stream itself."""

from __future__ import annotations

from msgspec import Struct

from blackjack.cards.card import Card
from blackjack.facts.vocabulary import Observation


class DeviceJoined(Struct, frozen=True, gc=False):
    device: str
    observes: tuple[Observation, ...] = ()


class DeviceFaulted(Struct, frozen=True, gc=False):
    device: str
    reason: str = ""
    observes: tuple[Observation, ...] = ()


class DeviceRecovered(Struct, frozen=True, gc=False):
    device: str


class ReadCorrected(Struct, frozen=True, gc=False):
    """The card that event `corrects_seq` reported was in truth this one."""

    corrects_seq: int
    card: Card
    reason: str = ""


class GapDeclared(Struct, frozen=True, gc=False):
    """The controller lost these events and declares the gap."""

    first_seq: int
    last_seq: int
    reason: str = ""


class ControllerRestarted(Struct, frozen=True, gc=False):
    """The chain of hashes starts over with this event."""

    reason: str = ""


class HeartbeatSent(Struct, frozen=True, gc=False):
    pass


DeviceFact = (
    DeviceJoined
    | DeviceFaulted
    | DeviceRecovered
    | ReadCorrected
    | GapDeclared
    | ControllerRestarted
    | HeartbeatSent
)
