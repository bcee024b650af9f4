"""Faults of a controller and of its line to the gateway: rejected, ignored, or harmless.

Each comes after a heartbeat, so that nothing else of the table hangs on it.
"""

from __future__ import annotations

from blackjack.facts import ControllerRestarted, HeartbeatSent
from table_simulator.domain.faults.draft import Noise, StreamDraft


def garbage(draft: StreamDraft) -> str:
    return _disturb(draft, Noise.GARBAGE)


def oversized(draft: StreamDraft) -> str:
    return _disturb(draft, Noise.OVERSIZED)


def foreign(draft: StreamDraft) -> str:
    return _disturb(draft, Noise.FOREIGN)


def ahead(draft: StreamDraft) -> str:
    return _disturb(draft, Noise.AHEAD)


def again(draft: StreamDraft) -> str:
    """An acknowledged event is sent once more; it is in the log already, and stays there once."""
    return _disturb(draft, Noise.AGAIN)


def restart(draft: StreamDraft) -> str:
    """The controller restarts without its last hash, and declares it."""
    place, _ = draft.outside(HeartbeatSent)
    draft.add(place, ControllerRestarted("power cut"))
    return ""


def _disturb(draft: StreamDraft, noise: Noise) -> str:
    place, _ = draft.outside(HeartbeatSent)
    draft.disturb(place, noise)
    return ""
