"""Which round a version belongs to, told from its number and its first event alone."""

from __future__ import annotations

from wire.generations import Generation, GenerationVerdict, place


def test_versions_of_one_round_stay_together() -> None:
    known: list[Generation] = []
    first, verdict = place(known, version=1, first_seq=5, digest=b"a")
    assert verdict is GenerationVerdict.NEW
    second, verdict = place(known, version=2, first_seq=5, digest=b"b")
    assert (second, verdict) == (first, GenerationVerdict.NEW)
    assert first.in_force == 2


def test_the_same_bytes_again_are_a_repeat() -> None:
    known: list[Generation] = []
    place(known, version=1, first_seq=5, digest=b"a")
    assert place(known, version=1, first_seq=5, digest=b"a")[1] is GenerationVerdict.REPEAT
    assert known == [Generation(5, {1: [b"a"]})]


def test_other_bytes_under_a_version_are_a_conflict_and_the_first_counts() -> None:
    known: list[Generation] = []
    place(known, version=1, first_seq=5, digest=b"a")
    assert place(known, version=1, first_seq=5, digest=b"x")[1] is GenerationVerdict.CONFLICT
    assert known[0].versions == {1: [b"a", b"x"]}


def test_an_id_used_again_is_another_round() -> None:
    known: list[Generation] = []
    place(known, version=1, first_seq=5, digest=b"a")
    again, verdict = place(known, version=1, first_seq=900, digest=b"b")
    assert verdict is GenerationVerdict.NEW
    assert again.opening_seq == 900
    later, _ = place(known, version=2, first_seq=5, digest=b"c")
    assert later.opening_seq == 5


def test_a_late_opening_moves_the_beginning_and_not_the_round() -> None:
    known: list[Generation] = []
    place(known, version=1, first_seq=30, digest=b"a")
    moved, verdict = place(known, version=2, first_seq=12, digest=b"b")
    assert verdict is GenerationVerdict.NEW
    assert (moved.opening_seq, moved.in_force, len(known)) == (30, 2, 1)
