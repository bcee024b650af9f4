"""`pitctl replay` from a log file: a dispute told so that the people at the table can follow it."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from google.protobuf import json_format
from msgspec import structs

from blackjack.display_names import wager_name
from blackjack.facts import BetsClosed, Event, RoundClosed
from blackjack.money import format_cents
from casino.settlement.v1.replay_pb2 import ReplayRoundResponse
from pitctl.archive.replay_command import DIFFERENT, SAME, ReplayDetail, show
from pitctl.engine.log_replay import replay_from_file
from pitctl.output.replay_page import ReplayPage
from pitctl.output.round_phases import RoundPhase, chapters_of
from pitctl.output.text import Page
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.fault_plan import Plan
from tests.pitctl.command import pitctl, process, rows_of
from tests.round_archive.days import versions
from tests.table_simulator.days import events_of
from wire import decode_event, encode_event
from wire.log_file import write_log
from wire.replay import ReplayAnswer, answer, read_replay
from wire.settlement import encode_round

FAULTS = {"overpaid": 1, "unequal Half Back": 1, "past post": 1, "sequence gap": 1}


@pytest.fixture(scope="module")
def day() -> SimulatedDay:
    return simulate(seed=3, tables=5, rounds=12, plan=Plan(per_day=FAULTS))


@pytest.fixture(scope="module")
def log(day: SimulatedDay, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("days") / "day.log"
    with path.open("wb") as file:
        write_log(file, ((frame.data, frame.ingested_at) for frame in day.frames))
    return path


def disputed(day: SimulatedDay, fault: str) -> str:
    (truth,) = [each for each in day.truths if each.fault == fault]
    return truth.round


def answers(day: SimulatedDay) -> list[ReplayAnswer]:
    """Every round of the day."""
    return [
        answer(version.replay(), findings=())
        for table, events in events_of(day.frames).items()
        for version in versions(table, events)
    ]


def test_a_planted_error_is_told_first_and_shown_to_the_cent(day: SimulatedDay, log: Path) -> None:
    (truth,) = [each for each in day.truths if each.fault == "overpaid"]
    result = pitctl("replay", truth.round, "--log", log, columns=80)
    assert (result.exit_code, result.stderr) == (0, "")
    amount = format_cents(truth.cents)
    head = result.stdout[: result.stdout.index("the bets")]
    assert f"seat {truth.seat} " in head
    assert f"Overpaid {amount}: seat {truth.seat} " in " ".join(head.split())
    assert "finding: P" in head
    row = rows_of(result.stdout, f"{truth.seat} {wager_name(truth.wager)}")
    assert any(each.endswith(f"-{amount[1:]}") for each in row)
    assert "P2 Overpaid" in " ".join(result.stdout.split())
    assert "the log gives the published result, byte for byte" in result.stdout


def test_a_round_with_nothing_wrong_says_so(day: SimulatedDay, log: Path) -> None:
    sound = next(each for each in answers(day) if not each.replay.emitted.findings)
    result = pitctl("replay", sound.replay.emitted.round, "--log", log, "--brief")
    assert "every wager that can be judged was paid as owed" in result.stdout
    assert "no findings in this round" in result.stdout
    assert "the deal" not in result.stdout


@pytest.mark.parametrize("telling", ReplayDetail)
def test_every_round_of_every_game_fits_eighty_columns(
    day: SimulatedDay, telling: ReplayDetail
) -> None:
    games = set()
    for each in answers(day):
        file = StringIO()
        page = ReplayPage(Page(file, columns=80), each)
        {
            ReplayDetail.STORY: page.print_story,
            ReplayDetail.BRIEF: page.print_brief,
            ReplayDetail.EVERY: page.print_every,
        }[telling]()
        text = file.getvalue()
        assert max(map(len, text.splitlines())) <= 80
        assert "byte for byte" in text
        games.add(each.replay.emitted.game)
    assert len(games) == 5


def test_chapters_hold_every_fact_once_and_in_order(day: SimulatedDay) -> None:
    for each in answers(day):
        replay = each.replay
        told = chapters_of(replay.steps, last_seq=replay.emitted.last_seq)
        assert [step for chapter in told for step in chapter.steps] == list(replay.steps)
        assert told[0].part is RoundPhase.BETS
        parts = [chapter.part for chapter in told]
        if replay.emitted.hands and replay.emitted.game:
            assert RoundPhase.DEAL in parts
        closed = [c.part for c in told for s in c.steps if isinstance(s.event.fact, BetsClosed)]
        assert set(closed) <= {RoundPhase.BETS}


def test_the_story_shows_the_hole_card_only_once_it_was_turned(day: SimulatedDay) -> None:
    checked = 0
    for each in answers(day):
        shown = [s for s in each.replay.steps if "shows the hole card" in s.words]
        if not shown or each.replay.emitted.game == "match_madness":
            continue
        file = StringIO()
        ReplayPage(Page(file, columns=80), each).print_story()
        story = file.getvalue()
        deal = story[story.index("the deal") :]
        assert "░░" in deal[: deal.index("the dealer shows the hole card")]
        assert "░░" not in deal[deal.index("the dealer shows the hole card") :]
        checked += 1
    assert checked > 10


def test_one_step_is_the_table_after_it(day: SimulatedDay, log: Path) -> None:
    name = disputed(day, "overpaid")
    replay = replay_from_file(str(log), name, table="", version=0).replay
    at = next(i for i, s in enumerate(replay.steps, 1) if isinstance(s.event.fact, BetsClosed))
    result = pitctl("replay", name, "--log", log, "--step", str(at))
    assert f"step {at} of {len(replay.steps)}" in result.stdout
    assert "the dealer closes the bets" in result.stdout
    assert "the round is over" not in result.stdout
    beyond = pitctl("replay", name, "--log", log, "--step", "999")
    assert beyond.exit_code == 2
    assert f"the round has {len(replay.steps)} steps, not 999" in beyond.stderr


def test_json_is_the_answer_of_the_contract(day: SimulatedDay, log: Path) -> None:
    name = disputed(day, "past post")
    result = pitctl("replay", name, "--log", log, "--json")
    assert result.exit_code == 0
    message = json_format.Parse(result.stdout, ReplayRoundResponse())
    assert message.same
    assert (
        read_replay(message).replay == replay_from_file(str(log), name, table="", version=0).replay
    )


def test_without_signs_cards_are_drawn_in_ascii(day: SimulatedDay, log: Path) -> None:
    done = process("replay", disputed(day, "overpaid"), "--log", log, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert b".--.--." in done.stdout
    assert b"|##|" in done.stdout


def test_suits_are_red_in_a_terminal_and_colourless_where_colour_is_not_wanted(
    day: SimulatedDay, log: Path
) -> None:
    arguments = ("replay", disputed(day, "overpaid"), "--log", log)
    coloured = process(
        *arguments,
        TERM="xterm-256color",
        FORCE_COLOR="1",
        NO_COLOR="",
        PYTHONIOENCODING="utf-8",
    ).stdout.decode()
    assert "\x1b[1;31m" in coloured
    bare = process(*arguments, PYTHONIOENCODING="utf-8").stdout.decode()
    assert "\x1b" not in bare
    assert "♥" in bare or "♦" in bare


# Versions ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def healed(day: SimulatedDay, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A log in which one event of a round came after the round was over."""
    table, events = next(
        (name, stream) for name, stream in events_of(day.frames).items() if len(stream) > 200
    )
    closed = [at for at, each in enumerate(events) if isinstance(each.fact, RoundClosed)]
    late = closed[2] - 3
    arrived = [*events[:late], *events[late + 1 : closed[2] + 2], events[late]]
    path = tmp_path_factory.mktemp("late") / "day.log"
    with path.open("wb") as file:
        write_log(file, ((encode_event(each), each.ingested_at) for each in arrived))
    settled = [each.settled for each in versions(table, [again(each) for each in arrived])]
    return path, settled[-1].round


def again(event: Event) -> Event:
    return decode_event(encode_event(event), ingested_at=event.ingested_at)


def test_an_earlier_version_is_replayed_with_its_gap(healed: tuple[Path, str]) -> None:
    path, name = healed
    first = pitctl("replay", name, "--log", path, "--version", "1")
    assert (first.exit_code, first.stderr) == (0, "")
    assert "version 1 of 2" in first.stdout
    assert "is missing from the log" in first.stdout
    assert "incomplete: facts are missing" in first.stdout
    latest = pitctl("replay", name, "--log", path)
    assert latest.exit_code == 0
    assert "supersedes version 1: late event" in latest.stdout
    assert "is missing from the log" not in latest.stdout
    third = pitctl("replay", name, "--log", path, "--version", "3")
    assert third.exit_code == 2
    assert "versions 1 to 2, not 3" in third.stderr


# What cannot be told -------------------------------------------------------------------


def test_a_difference_is_named_and_makes_the_status_one(
    day: SimulatedDay, capsys: pytest.CaptureFixture[str]
) -> None:
    (first, *_) = answers(day)
    assert show(first, detail=ReplayDetail.BRIEF, step=0, as_json=False) == SAME
    replay = first.replay
    emitted = structs.replace(replay.emitted, game="another")
    forged = answer(
        structs.replace(
            replay, emitted=emitted, differences=("the round, game: emitted another, replayed it",)
        ),
        emitted=encode_round(emitted),
    )
    capsys.readouterr()
    assert show(forged, detail=ReplayDetail.BRIEF, step=0, as_json=False) == DIFFERENT
    told = capsys.readouterr().out
    assert "the log gives another result than was published" in told
    assert "the round, game: emitted another" in told
    assert forged.emitted_digest.hex() in told
    assert forged.replayed_digest.hex() in told


def test_a_round_that_is_not_there_is_refused_with_what_is(log: Path, day: SimulatedDay) -> None:
    name = disputed(day, "overpaid")
    near = pitctl("replay", name[:-1], "--log", log)
    assert (near.exit_code, near.stdout) == (2, "")
    assert f"has no round {name[:-1]}; did you mean " in near.stderr
    none = pitctl("replay", "X-1", "--log", log)
    assert none.exit_code == 2
    assert "has no round X-1" in none.stderr
    table = pitctl("replay", name, "--log", log, "--table", "T99")
    assert table.exit_code == 2
    assert "has no table T99" in table.stderr


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "day.txt"
    path.write_text("round R-1\n")
    assert "it is no log file" in pitctl("replay", "R-1", "--log", path).stderr
    path.write_bytes(b"")
    assert "is empty" in pitctl("replay", "R-1", "--log", path).stderr
    missing = pitctl("replay", "R-1", "--log", tmp_path / "none.log")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "No such file" in missing.stderr


def test_a_round_that_two_tables_have_must_be_chosen(day: SimulatedDay, tmp_path: Path) -> None:
    one, other = day.tables[:2]
    events = events_of(day.frames)[one]
    closed = next(at for at, each in enumerate(events) if isinstance(each.fact, RoundClosed))
    path = tmp_path / "day.log"
    both = [
        (encode_event(structs.replace(each, table=table, previous=b"")), each.ingested_at)
        for table in (one, other)
        for each in events[: closed + 1]
    ]
    with path.open("wb") as file:
        write_log(file, both)
    name = next(v.settled.round for v in versions(one, events[: closed + 1]))
    unsaid = pitctl("replay", name, "--log", path)
    assert unsaid.exit_code == 2
    assert "choose one with --table" in unsaid.stderr
    said = pitctl("replay", name, "--log", path, "--table", other)
    assert said.exit_code == 0
    assert f"{other}, round {name}" in said.stdout


def test_a_wrong_first_number_is_answered_with_the_right_one(
    day: SimulatedDay, tmp_path: Path
) -> None:
    table = day.tables[0]
    settled = next(versions(table, events_of(day.frames)[table])).settled
    path = tmp_path / "day.log"
    with path.open("wb") as file:
        write_log(file, ((each.data, each.ingested_at) for each in day.frames))
    wrong = str(settled.first_seq + 1)
    result = pitctl("replay", settled.round, "--first-seq", wrong, "--log", path)
    assert result.exit_code == 2
    assert f"round {settled.round} begins with event {settled.first_seq} in" in result.stderr


def test_a_round_that_is_still_played_is_not_told(day: SimulatedDay, tmp_path: Path) -> None:
    table = day.tables[0]
    events = events_of(day.frames)[table]
    settled = next(versions(table, events)).settled
    path = tmp_path / "day.log"
    with path.open("wb") as file:
        own = [each for each in events if each.seq < settled.last_seq]
        write_log(file, ((encode_event(each), each.ingested_at) for each in own))
    result = pitctl("replay", settled.round, "--log", path)
    assert result.exit_code == 2
    assert "is not settled: " in result.stderr


def test_what_the_page_shows_is_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "replay.md").read_text("utf-8")
    commands = re.findall(r"<!-- pitctl (.+) -->", page)
    shown = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    monkeypatch.chdir(tmp_path)
    printed = [pitctl(*each.split(), columns=80).stdout for each in commands]
    assert printed[-1].rstrip() == shown[1].rstrip()
