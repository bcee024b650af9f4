"""A replay survives the wire, and what was said is compared by its bytes."""

from __future__ import annotations

import pytest
from msgspec import structs

from casino.settlement.v1 import replay_pb2
from tests.round_archive.days import versions
from tests.table_simulator.days import a_day, events_of
from wire.errors import NotARecord
from wire.replay import LogPlace, ReplayAnswer, answer, read_replay, write_replay
from wire.settlement import encode_round


def answers() -> list[ReplayAnswer]:
    made: list[ReplayAnswer] = []
    for table, events in events_of(a_day(3, tables=5, rounds=6).frames).items():
        for version in versions(table, events):
            replay = version.replay()
            places = [LogPlace(2, 100 + at, f"{at:032x}") for at in range(len(replay.steps))]
            said = tuple(version.said.values())
            made.append(answer(replay, places=places, findings=said, versions=3))
    return made


def test_a_replay_survives_the_wire() -> None:
    made = answers()
    assert len({result.replay.emitted.game for result in made}) == 5
    for result in made:
        assert result.same
        assert read_replay(write_replay(result)) == result


def test_bytes_that_are_not_those_of_the_replay_are_told_apart() -> None:
    (first, *_) = answers()
    other = encode_round(structs.replace(first.replay.emitted, engine="another"))
    forged = answer(first.replay, emitted=other)
    assert not forged.same
    message = write_replay(forged)
    assert not message.same
    assert message.emitted_digest != message.replayed_digest
    assert not read_replay(message).same


def test_an_answer_of_another_contract_is_refused() -> None:
    (first, *_) = answers()
    message = write_replay(first)
    message.steps[0].event.ClearField("round_opened")
    with pytest.raises(NotARecord, match="no fact is set"):
        read_replay(message)
    with pytest.raises(NotARecord):
        read_replay(replay_pb2.ReplayRoundResponse())
