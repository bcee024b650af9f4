"""The order of a stream: numbers without gaps, each event naming the hash of the one before."""

from __future__ import annotations

from blackjack.facts import ControllerRestarted, Event, GapDeclared, ReadCorrected
from blackjack.findings import Kind
from blackjack.play.state import TableState


def breaks_chain(last_digest: bytes | None, event: Event) -> bool:
    """Whether an event names another one before it than the log has, where that is known."""
    return (
        event.digest != b""
        and last_digest is not None
        and event.previous != last_digest
        and type(event.fact) is not ControllerRestarted
    )


def note_break(state: TableState, event: Event) -> None:
    """The chain of hashes is broken: an event was changed, dropped or inserted."""
    state.event = event
    state.note(
        Kind.CHAIN_BROKEN,
        f"Broken event chain at event {event.seq}: an event was changed, dropped or inserted",
        "architecture: each event names the hash of the one before",
        detail="the hash of the event before it is not the one in the log",
        subject=event.seq,
    )


def note_unreached(state: TableState, event: Event, fact: ReadCorrected) -> None:
    """A corrected reading that is not at hand, or that never was a reading of a card."""
    state.event = event
    state.note(
        Kind.OUT_OF_REACH,
        f"Corrected reading of event {fact.corrects_seq} not applied",
        "architecture: a round is rebuilt from its own events",
        detail="the event is no longer in memory, or reported no card",
        subject=f"read {fact.corrects_seq}",
    )


def miss(state: TableState, event: Event, first: int) -> None:
    """Events from `first` on are missing before this one: until they come, less is judged."""
    state.event = event
    last = event.seq - 1
    which = f"Event {first}" if first == last else f"Events {first} to {last}"
    lost = "declared lost" if type(event.fact) is GapDeclared else "missing"
    state.note(
        Kind.SEQUENCE_GAP,
        f"{which} of {state.table} {lost}",
        "architecture: numbers without gaps",
        subject=first,
    )
    state.lose_track()
