"""A stream that was tampered with says where."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import BetsClosed, ControllerRestarted, Event, Fact, RoundOpened
from wire import encode_event
from wire.chain import ChainBreak, ChainProblem, digest, verify

AT = 1_772_395_200_000_000
EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def frame(seq: int, previous: bytes, fact: Fact | None = None, *, table: str = "T-07") -> bytes:
    fact = RoundOpened(f"R-{seq}") if fact is None else fact
    return encode_event(Event(table, seq, AT + seq, fact, "shoe-1", previous=previous))


def stream(count: int) -> list[bytes]:
    frames: list[bytes] = []
    for seq in range(1, count + 1):
        frames.append(frame(seq, digest(frames[-1]) if frames else b""))
    return frames


def test_a_digest_is_sha_256() -> None:
    assert digest(b"").hex() == EMPTY_SHA256


def test_an_intact_chain_has_no_problem() -> None:
    assert verify(stream(20)) == ()
    assert verify([]) == ()


def test_a_changed_event_breaks_the_link_after_it() -> None:
    frames = stream(4)
    kept = digest(frames[1])
    frames[1] = frame(2, digest(frames[0]), RoundOpened("R-X"))
    assert verify(frames) == (ChainProblem(3, digest(frames[1]), kept),)


@given(st.data())
def test_no_byte_before_the_last_event_can_be_changed_unnoticed(data: st.DataObject) -> None:
    frames = stream(5)
    which = data.draw(st.integers(0, 3))
    where = data.draw(st.integers(0, len(frames[which]) - 1))
    spoilt = bytearray(frames[which])
    spoilt[where] ^= 1 << data.draw(st.integers(0, 7))
    frames[which] = bytes(spoilt)
    assert verify(frames)


def test_a_dropped_event_breaks_the_link_over_the_gap() -> None:
    frames = stream(4)
    assert verify([frames[0], frames[1], frames[3]]) == (
        ChainProblem(4, digest(frames[1]), digest(frames[2])),
    )


def test_an_inserted_event_breaks_both_links() -> None:
    frames = stream(3)
    forged = frame(2, digest(frames[0]), RoundOpened("forged"))
    assert verify([frames[0], forged, frames[1], frames[2]]) == (
        ChainProblem(2, digest(forged), digest(frames[1]), ChainBreak.CONFLICT),
        ChainProblem(3, digest(forged), digest(frames[1])),
    )


def test_the_first_event_names_nothing() -> None:
    assert verify([frame(1, b"x" * 32)]) == (ChainProblem(1, b"", b"x" * 32),)


def test_an_extract_is_taken_at_its_word_where_it_starts() -> None:
    assert verify(stream(9)[4:]) == ()


def test_a_restart_starts_anew_and_binds_what_follows() -> None:
    frames = stream(2)
    frames.append(frame(3, b"", ControllerRestarted("power cut")))
    frames.append(frame(4, digest(frames[2])))
    assert verify(frames) == ()
    frames[3] = frame(4, digest(frames[1]))
    assert verify(frames) == (ChainProblem(4, digest(frames[2]), digest(frames[1])),)


def test_an_empty_hash_without_a_restart_is_a_break() -> None:
    frames = stream(2)
    frames.append(frame(3, b"", BetsClosed()))
    assert verify(frames) == (ChainProblem(3, digest(frames[1]), b""),)


@given(st.permutations(range(6)), st.lists(st.integers(0, 5), max_size=4))
def test_events_that_come_late_or_twice_break_nothing(order: list[int], again: list[int]) -> None:
    frames = stream(6)
    assert verify([frames[index] for index in [*order, *again]]) == ()


def test_another_tables_event_is_foreign() -> None:
    frames = stream(2)
    stranger = frame(3, digest(frames[1]), table="T-08")
    assert verify([*frames, stranger]) == (
        ChainProblem(3, b"", digest(stranger), ChainBreak.FOREIGN),
    )


def test_bytes_that_are_no_event_are_a_problem_and_not_an_error() -> None:
    frames = stream(2)
    assert verify([*frames, b"\xff"]) == (
        ChainProblem(3, b"", digest(b"\xff"), ChainBreak.UNREADABLE),
    )
