"""Faults of a controller and of its line to the gateway: refused, passed over, or harmless.

Each comes after a heartbeat, so that nothing else of the table hangs on it.
"""

from __future__ import annotations

from blackjack.facts import ControllerRestarted, HeartbeatSent
from table_simulator.domain.faults.draft import Draft, Noise


def garbage(draft: Draft) -> str:
    return _disturb(draft, Noise.GARBAGE)


def oversized(draft: Draft) -> str:
    return _disturb(draft, Noise.OVERSIZED)


def foreign(draft: Draft) -> str:
    return _disturb(draft, Noise.FOREIGN)


def ahead(draft: Draft) -> str:
    return _disturb(draft, Noise.AHEAD)


def again(draft: Draft) -> str:
    """What was acknowledged is sent once more; it is in the log already, and stays there once."""
    return _disturb(draft, Noise.AGAIN)


def restart(draft: Draft) -> str:
    """The controller starts anew and has forgotten what it said last: so it says."""
    place, _ = draft.outside(HeartbeatSent)
    draft.add(place, ControllerRestarted("power cut"))
    return ""


def _disturb(draft: Draft, noise: Noise) -> str:
    place, _ = draft.outside(HeartbeatSent)
    draft.disturb(place, noise)
    return ""
