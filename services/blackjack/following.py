"""The order of a stream: numbers without gaps, each event naming the hash of the one before."""

from __future__ import annotations

from blackjack.applying import apply
from blackjack.facts import ControllerRestarted, Event, GapDeclared
from blackjack.findings import Kind
from blackjack.state import State


def follow(state: State, event: Event, missing: tuple[int, int] | None, broken: bool) -> None:
    """Apply an event in its place of the stream."""
    if missing is not None:
        _miss(state, event, missing)
    elif broken:
        state.event = event
        state.note(
            Kind.CHAIN_BROKEN,
            f"event {event.seq} names another event before it than the log has",
            "architecture: each event names the hash of the one before",
            subject=event.seq,
        )
    if event.seq >= state.next_seq:
        state.next_seq = event.seq + 1
        state.last_digest = event.digest
    apply(state, event)


def breaks_chain(last_digest: bytes, event: Event) -> bool:
    return (
        event.digest != b""
        and event.previous != last_digest
        and type(event.fact) is not ControllerRestarted
    )


def _miss(state: State, event: Event, missing: tuple[int, int]) -> None:
    """Facts are missing: what depends on having seen everything is not judged until they come."""
    state.event = event
    first, last = missing
    declared = type(event.fact) is GapDeclared
    which = f"event {first}" if first == last else f"events {first} to {last}"
    state.note(
        Kind.SEQUENCE_GAP,
        f"{which} of {state.table} {'were declared lost' if declared else 'are missing'}",
        "architecture: numbers without gaps",
        subject=first,
    )
    state.lose_track()
