"""What an operator types against a running archive, on real servers."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

import pytest
from confluent_kafka import Producer
from google.protobuf import json_format
from typer.testing import Result

from casino.settlement.v1.replay_pb2 import ReplayRoundResponse
from casino.settlement.v1.service_pb2 import DeadLetter, RoundSummary, WatchResponse
from casino.settlement.v1.settled_round_pb2 import SettledRound
from tests.pitctl.command import pitctl
from tests.round_archive.house import House
from tests.round_archive.said import a_round
from tests.stack.service_house import eventually
from tests.table_simulator.days import a_day
from wire import headers, topics
from wire.settlement import read_round
from wire.vocabulary import CARDS


def asked(house: House, *arguments: str) -> Result:
    return pitctl(*arguments, *reached(house), columns=100)


def reached(house: House) -> tuple[str, ...]:
    house.credentials()
    return ("--address", str(house.address), "--identity", str(house.folder / "operator-test"))


def found(result: Result) -> list[str]:
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    return [json_format.Parse(each, RoundSummary()).round for each in lines]


# Rounds --------------------------------------------------------------------------------


def test_what_somebody_remembers_leads_to_the_round(
    archive: House, said: list[SettledRound]
) -> None:
    one = next(e for e in said if e.hands and e.dealer and e.outcomes[0].patron)
    outcome = one.outcomes[0]
    hand = one.hands[0]
    cards = ",".join(card.name for each in hand.cards if (card := CARDS[each]) is not None)
    opened = one.opened_at.ToDatetime().strftime("%Y-%m-%d %H:%M:%S")
    memories = [
        ("--table", one.table_id),
        ("--around", opened, "--within", "2m"),
        ("--patron", outcome.patron),
        ("--dealer", one.context.dealer),
        ("--seat", str(hand.seat), "--cards", cards),
        ("--wager", outcome.wager, "--bet", f"{outcome.stake_cents / 100:.2f}"),
        ("--bet", f"1..{outcome.stake_cents // 100 + 1}", "--seat", str(outcome.seat)),
        ("--game", one.game),
        (one.round,),
    ]
    for memory in memories:
        result = asked(archive, "rounds", *memory, "--json", "--limit", "500")
        assert one.round in found(result), memory
        assert result.exit_code == 0
    exactly = [part for memory in memories for part in memory]
    assert found(asked(archive, "rounds", *_once(exactly), "--json")) == [one.round]


def _once(arguments: list[str]) -> list[str]:
    """The last of options that were said twice."""
    options: dict[str, str] = {}
    rest: list[str] = []
    parts = iter(arguments)
    for part in parts:
        if part.startswith("--"):
            options[part] = next(parts)
        else:
            rest.append(part)
    return [*rest, *(each for pair in options.items() for each in pair)]


def test_rounds_are_listed_for_people_with_what_was_found(archive: House) -> None:
    result = asked(archive, "rounds", "--finding", "payout", "--level", "P2")
    assert (result.exit_code, result.stderr) == (0, "")
    head, *rows = result.stdout.splitlines()
    assert head.split() == "opened (UTC) round game dealer stakes difference".split()
    assert "paid" in rows[1].lower()
    name = found(asked(archive, "rounds", "--finding", "payout", "--level", "P2", "--json"))[0]
    assert f"pitctl replay {name}" in result.stdout


def test_more_than_a_page_is_found_up_to_the_limit(
    archive: House, said: list[SettledRound]
) -> None:
    every = found(asked(archive, "rounds", "--json", "--limit", "1000"))
    assert sorted(every) == sorted(each.round for each in said)
    assert found(asked(archive, "rounds", "--json", "--limit", "7")) == every[:7]
    assert (
        "7 rounds, and there are more: --limit" in asked(archive, "rounds", "--limit", "7").stdout
    )


def test_nothing_like_that_is_said_and_makes_the_status_one(archive: House) -> None:
    result = asked(archive, "rounds", "--table", "none")
    assert result.exit_code == 1
    assert "No matching rounds." in result.stdout


def test_a_question_that_the_archive_refuses_is_told_in_its_words(archive: House) -> None:
    result = asked(archive, "rounds", "--seat", "1000")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "seat" in result.stderr


# Replays -------------------------------------------------------------------------------


def test_the_archive_replays_every_kind_of_game_to_the_same_bytes(
    archive: House, said: list[SettledRound]
) -> None:
    by_game = {each.game: each for each in said if each.game}
    assert len(by_game) == 5
    for each in by_game.values():
        result = asked(archive, "replay", each.round, "--table", each.table_id)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "the log gives the published result, byte for byte" in result.stdout
        assert ", partition " in result.stdout
        assert f"events {each.first_seq} to {each.last_seq}" in result.stdout


def test_a_replay_of_the_archive_is_that_of_the_file(
    archive: House, said: list[SettledRound]
) -> None:
    each = said[0]
    result = asked(archive, "replay", each.round, "--json")
    message = json_format.Parse(result.stdout, ReplayRoundResponse())
    assert message.same
    assert read_round(message.replayed) == read_round(each)


def test_a_round_that_is_not_there_is_said_to_be_so(archive: House) -> None:
    result = asked(archive, "replay", "R-0")
    assert (result.exit_code, result.stdout) == (2, "")
    assert 'round "R-0" not found' in result.stderr
    assert "see `pitctl rounds` and `pitctl status`" in result.stderr


def test_a_round_whose_id_was_used_again_is_chosen_by_table_and_number(house: House) -> None:
    for table, first_seq in (("BJ-01", 5), ("BJ-01", 9_000), ("BJ-02", 5)):
        house.say_round(a_round("again", table=table, first_seq=first_seq))
    eventually(lambda: found(asked(house, "rounds", "--json")) == ["again"] * 3)
    listed = asked(house, "rounds", "--table", "BJ-02").stdout
    assert "pitctl replay again --table BJ-02" in listed
    for options in ((), ("--table", "BJ-01")):
        assert (
            "is ambiguous, set table_id or first_seq: table BJ-01"
            in asked(house, "replay", "again", *options).stderr
        )
    chosen = asked(house, "replay", "again", "--table", "BJ-01", "--first-seq", "9000")
    assert (chosen.exit_code, chosen.stdout) == (2, "")
    assert "cannot be read from the log" in chosen.stderr  # nothing but the round was said here


def test_an_archive_that_is_not_there_is_said_to_be_so(archive: House) -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        folder = str(archive.folder / "operator-test")
        archive.credentials()
        result = pitctl("status", "--address", address, "--identity", folder)
        told = pitctl("status", "--json", "--address", address, "--identity", folder)
    assert told.exit_code == 2
    answer = json.loads(told.stdout)
    assert (answer["stack"], answer["archive"]) == (None, None)
    assert f"no archive answers at {address}" in answer["error"]
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"no archive answers at {address}" in result.stderr
    assert "make up" in result.stderr


@pytest.mark.parametrize("down", ["accounting", "gateway", "desk"])
def test_a_service_that_is_down_is_marked_and_everything_else_is_shown(
    archive: House, down: str
) -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        option = (f"--{down}", f"127.0.0.1:{taken.getsockname()[1]}")
        result = asked(archive, "status", *option)
        told = asked(archive, "status", "--json", *option)
    name = {"gateway": "table_gateway", "desk": "alert_desk"}.get(down, down)
    assert (result.exit_code, told.exit_code) == (2, 2)
    assert f"{name} is unavailable: " in result.stderr
    assert "Traceback" not in result.stdout + result.stderr + told.stderr
    assert "index         up to date" in result.stdout
    assert ["round_archive", "index", "0", "-"] in [
        line.split() for line in result.stdout.splitlines()
    ]
    answer = json.loads(told.stdout)
    assert answer["archive"]["index_lag"] == 0
    states = {
        reader["service"]: (reader["state"], bool(reader["error"])) for reader in answer["readers"]
    }
    assert states == {"round_archive": ("ok", False), name: ("unavailable", True)}


# Upkeep --------------------------------------------------------------------------------


def test_the_status_tells_how_far_everything_is(archive: House, said: list[SettledRound]) -> None:
    result = asked(archive, "status")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"rounds        {len(said)} at 8 tables" in result.stdout
    assert "index         up to date" in result.stdout
    answer = json.loads(asked(archive, "status", "--json").stdout)
    assert (answer["stack"], answer["error"]) == (None, None)
    assert answer["archive"]["rounds"] == len(said)
    assert answer["archive"]["index_lag"] == 0


def test_a_rebuild_says_how_much_it_read(house: House) -> None:
    frames = a_day(5, tables=5, rounds=2).frames
    house.settle([(each.stream, each.data, each.ingested_at) for each in frames])
    eventually(lambda: asked(house, "rounds", "--limit", "100").stdout.count("T00") == 11)
    before = found(asked(house, "rounds", "--json"))
    result = asked(house, "rebuild")
    assert result.exit_code == 0
    assert result.stdout.startswith("index rebuilt from ")
    eventually(lambda: found(asked(house, "rounds", "--json")) == before)


def test_dead_letters_are_listed_and_one_is_shown_with_its_bytes(house: House) -> None:
    assert "No dead letters." in asked(house, "dead-letters").stdout
    producer = Producer({"bootstrap.servers": house.broker.bootstrap})
    for number in range(3):
        known: list[tuple[str, str | bytes | None]] = [
            (headers.REASON, b"unreadable: no fact is set"),
            (headers.CODE, b"unreadable"),
            (headers.TABLE, b"T7"),
        ]
        value = b"no event %d" % number
        producer.produce(house.topic(topics.DEAD_LETTERS), value, b"T7", headers=known)
    assert producer.flush(60) == 0
    eventually(lambda: asked(house, "dead-letters").stdout.count("no fact is set") == 3)
    lines = asked(house, "dead-letters", "--json", "--table", "T7").stdout.splitlines()
    letters = [json_format.Parse(each, DeadLetter()) for each in lines]
    assert [each.value for each in letters] == [b"no event 2", b"no event 1", b"no event 0"]
    shown = asked(house, "dead-letters", str(letters[1].offset))
    assert shown.exit_code == 0
    assert "no event 1" in shown.stdout
    assert "6e 6f 20 65 76 65 6e 74 20 31" in shown.stdout
    assert "unreadable: unreadable" not in asked(house, "dead-letters").stdout
    none = asked(house, "dead-letters", "99")
    assert none.exit_code == 2
    assert "no dead letter at offset 99" in none.stderr


# Watching ------------------------------------------------------------------------------


class Wire:
    """A way to the archive that can be cut: whoever goes it sees connections end."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self._ends: list[socket.socket] = []
        self.passed = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(self._house.address)
                self._ends += [near, far]
                self.passed += 1
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)

    def cut(self) -> None:
        for each in self._ends:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._ends.clear()

    def close(self) -> None:
        self._listening.close()
        self.cut()


class Watch:
    """`pitctl tail` in a process, its lines gathered as they come."""

    def __init__(self, house: House, address: str, *arguments: str) -> None:
        house.credentials()
        folder = str(house.folder / "operator-test")
        where = ("--address", address, "--identity", folder)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pitctl", "tail", *arguments, *where],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        )
        self.lines: list[str] = []
        self.complaints: list[str] = []
        self._threads: list[threading.Thread] = []
        for pipe, kept in (
            (self.process.stdout, self.lines),
            (self.process.stderr, self.complaints),
        ):
            assert pipe is not None
            thread = threading.Thread(target=self._gather, args=(pipe, kept), daemon=True)
            thread.start()
            self._threads.append(thread)

    @staticmethod
    def _gather(pipe: IO[str], kept: list[str]) -> None:
        with pipe:
            while line := pipe.readline():
                kept.append(line.rstrip("\n"))

    @property
    def rounds(self) -> list[str]:
        answers = [json_format.Parse(each, WatchResponse()) for each in self.lines]
        return [each.round.round for each in answers if each.WhichOneof("what") == "round"]

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()


@contextmanager
def watching(house: House, address: str, *arguments: str) -> Iterator[Watch]:
    watch = Watch(house, address, *arguments)
    try:
        yield watch
    finally:
        watch.close()


def test_a_watch_survives_a_lost_connection_and_tells_nothing_twice(house: House) -> None:
    frames = a_day(5, tables=5, rounds=4).frames
    half = len(frames) // 2
    way = Wire(house)
    try:
        with watching(house, way.address, "--from-beginning", "--json") as watch:
            house.settle([(f.stream, f.data, f.ingested_at) for f in frames[:half]])
            eventually(lambda: len(watch.rounds) >= 5)
            way.cut()
            eventually(lambda: any("connection lost" in each for each in watch.complaints))
            house.settle([(f.stream, f.data, f.ingested_at) for f in frames[half:]])
            eventually(lambda: len(watch.rounds) >= 20)
            assert way.passed > 1
            assert watch.end() == 0
            assert len(watch.rounds) == len(set(watch.rounds)) == 20
            assert any("connected again" in each for each in watch.complaints)
    finally:
        way.close()


def test_a_watch_prints_one_line_each_and_ends_with_nought(archive: House) -> None:
    with watching(archive, str(archive.address), "--from-beginning", "--level", "P1") as watch:
        eventually(lambda: any("live from here on" in each for each in watch.complaints))
        lines = list(watch.lines)
        assert watch.end() == 0
    assert any(" P1 " in each for each in lines)
    assert not any(" P2 " in each for each in lines)
    assert any("staked" in each for each in lines)


def test_a_watch_that_is_refused_is_told_why(archive: House) -> None:
    folder = str(archive.folder / "table-T1")
    archive.credentials("table", "T1")
    result = pitctl("tail", "--address", str(archive.address), "--identity", folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("pitctl: ")
