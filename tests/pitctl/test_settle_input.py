"""What comes in: both formats, bad lines with their place, and what the exit status says."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitctl.engine import source
from pitctl.engine.source import LINE_BYTES_MAX
from tests.pitctl import hands
from tests.pitctl.command import as_lines, events_of, pitctl, rows_of, written
from wire import encode_event
from wire.chain import digest
from wire.json_lines import event_to_json, frame_to_json


def lines_of(history: str) -> list[str]:
    return as_lines(events_of(history))


def chained_lines(history: str) -> list[str]:
    """The events as a controller sends them, each naming the hash of the one before."""
    lines = []
    previous = b""
    for event in events_of(history):
        linked = replace(event, previous=previous)
        lines.append(event_to_json(linked))
        previous = digest(encode_event(linked))
    return lines


def test_json_lines_are_told_from_a_history_and_settle_the_same(tmp_path: Path) -> None:
    typed = pitctl("settle", written(tmp_path, hands.SKWEEZIT))
    lines = pitctl("settle", written(tmp_path, "\n".join(lines_of(hands.SKWEEZIT)), "a.jsonl"))
    assert lines.exit_code == 0
    assert lines.stdout == typed.stdout


def test_standard_input_is_a_file_like_any_other(tmp_path: Path) -> None:
    from_file = pitctl("settle", written(tmp_path, hands.ALL_GAMES))
    assert pitctl("settle", "-", typed=hands.ALL_GAMES).stdout == from_file.stdout


def test_a_bad_line_is_reported_with_its_number_and_the_rest_settles(tmp_path: Path) -> None:
    lines = lines_of(hands.SKWEEZIT)
    lines[10:10] = ['{"tableId": "SK-07"', "", '{"tableId":"SK-07","tableSeq":"x"}']
    path = written(tmp_path, "\n".join(lines), "day.jsonl")
    result = pitctl("settle", path)
    assert result.exit_code == 2
    complaints = result.stderr.splitlines()
    assert complaints[0].startswith(f"{path}:11: not JSON")
    assert complaints[1].startswith(f"{path}:13: tableSeq:")
    assert len(complaints) == 2
    assert rows_of(result.stdout, "1 Skweezit") == ["1 Skweezit 5.00 won 100.00 100.00 0.00"]
    assert result.stdout.splitlines()[-1] == "2 lines could not be read"


def test_a_line_lost_to_a_typing_error_leaves_a_gap_that_is_found(tmp_path: Path) -> None:
    lines = lines_of(hands.SKWEEZIT)
    lines[12] = lines[12][:-1]
    result = pitctl("settle", written(tmp_path, "\n".join(lines)))
    assert result.exit_code == 2
    assert rows_of(result.stdout, "P2 Missing events")


def test_a_spoilt_first_line_does_not_make_a_history_of_json_lines(tmp_path: Path) -> None:
    lines = ["# exported by hand", *lines_of(hands.SKWEEZIT)]
    result = pitctl("settle", written(tmp_path, "\n".join(lines)))
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert rows_of(result.stdout, "1 round, 3 wagers")


def test_a_bad_line_of_a_history_has_its_column_and_a_hint(tmp_path: Path) -> None:
    text = hands.SKWEEZIT.replace("no more bets", "no more bets\npya 1 main 1.00")
    path = written(tmp_path, text)
    result = pitctl("settle", path)
    assert result.exit_code == 2
    assert result.stderr.startswith(
        f"{path}:9:1: this is not how a line begins; see docs/hand-history.md"
    )
    assert "did you mean 'pay'?" in result.stderr
    assert rows_of(result.stdout, "1 round, 3 wagers")


def test_bytes_that_are_no_text_spoil_their_line_only(tmp_path: Path) -> None:
    path = tmp_path / "hand.bj"
    path.write_bytes(b"// caf\xe9\n" + hands.SKWEEZIT.encode())
    result = pitctl("settle", path)
    assert result.exit_code == 2
    assert result.stderr == f"{path}:1: not UTF-8 at byte 7 of the line\n"
    assert rows_of(result.stdout, "1 round, 3 wagers")


def test_a_complaint_without_end_is_counted(tmp_path: Path) -> None:
    lines = lines_of(hands.SKWEEZIT)
    path = written(tmp_path, "\n".join([*lines, *["{}"] * 1500, "[]"]))
    result = pitctl("settle", path)
    assert result.exit_code == 2
    complaints = result.stderr.splitlines()
    assert len(complaints) == 20 + 1 + 1
    assert (
        complaints[-2] == f"{path}:{len(lines) + 1501}: a line must be one JSON object, in braces"
    )
    assert complaints[-1] == (
        f"{path}: 1,480 more times: no fact is set, or one that this contract does not know"
    )
    assert result.stdout.splitlines()[-1] == "1,501 lines could not be read"


@pytest.mark.parametrize("size", [1, 7, 1000, 1 << 22])
def test_lines_are_the_same_however_they_arrive(size: int) -> None:
    class Arriving(io.BytesIO):
        def read1(self, _: int | None = -1, /) -> bytes:
            return super().read1(size)

    data = "\n".join(["{", "", "ä" * 40, "x" * (LINE_BYTES_MAX + 1), "last"]).encode()
    is_long = size >= 1000  # a line of megabytes is not read by the byte
    if not is_long:
        data = data.replace(b"x", b"")
    lines = [each for batch in source.lines_of(Arriving(data)) for each in batch]
    long = [each for each in lines if isinstance(each, source.BadLine)]
    assert [each.line for each in long] == ([4] if is_long else [])
    assert lines[:3] == [(1, "{"), (2, ""), (3, "ä" * 40)]
    assert lines[4:] == [(5, "last")]


def test_a_line_without_end_takes_no_room_and_stops_nothing(tmp_path: Path) -> None:
    lines = lines_of(hands.SKWEEZIT)
    lines.insert(3, "{" + "x" * (2 * LINE_BYTES_MAX + 5))
    result = pitctl("settle", written(tmp_path, "\n".join(lines)))
    assert result.exit_code == 2
    assert ":4: longer than" in result.stderr
    assert rows_of(result.stdout, "1 round, 3 wagers")


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    for text in (hands.SKWEEZIT, "\n".join(lines_of(hands.SKWEEZIT))):
        typed = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
        result = pitctl("settle", "-", typed=typed)
        assert (result.exit_code, result.stderr) == (0, "")
        assert rows_of(result.stdout, "1 round, 3 wagers")


@pytest.mark.parametrize("typed", ["", "\n\n", "// nothing yet\n"])
def test_an_empty_input_is_said_to_be_empty(typed: str) -> None:
    result = pitctl("settle", "-", typed=typed)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == "pitctl: <stdin> has no events\n"


def test_an_input_without_one_readable_line_asks_for_its_format() -> None:
    result = pitctl("settle", "--format", "events", "-", typed=hands.SKWEEZIT)
    assert result.exit_code == 2
    assert "--format history or --format events" in result.stdout


def test_a_missing_file_says_what_to_do_next(tmp_path: Path) -> None:
    result = pitctl("settle", tmp_path / "none.bj")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "No such file or directory" in result.stderr
    assert "or - for standard input" in result.stderr


@pytest.mark.parametrize(
    ("data", "advice"), [(b"\x1f\x8b\x08\x00", "gunzip"), (b"\xff\xfet\x00", "save it as UTF-8")]
)
def test_a_file_that_is_no_text_says_what_it_is(tmp_path: Path, data: bytes, advice: str) -> None:
    path = tmp_path / "day"
    path.write_bytes(data)
    result = pitctl("settle", path)
    assert result.exit_code == 2
    assert advice in result.stderr


def test_an_expectation_that_is_not_met_is_reported_with_its_line(tmp_path: Path) -> None:
    text = hands.SKWEEZIT + "expect 1 main natural won 37.50\nexpect 2 main won 10.00\n"
    path = written(tmp_path, text)
    result = pitctl("settle", path)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path}:19: expected 2 main won 10.00")
    assert result.stdout.splitlines()[-1] == "2 expectations, 1 not met"


def test_a_chain_that_holds_is_no_finding_and_a_changed_event_is_one(tmp_path: Path) -> None:
    lines = chained_lines(hands.SKWEEZIT)
    for arguments in ((), ("--chained",)):
        whole = pitctl("settle", *arguments, written(tmp_path, "\n".join(lines)))
        assert (whole.exit_code, whole.stderr) == (0, "")
    changed = [line.replace('"cents":"3750"', '"cents":"3650"') for line in lines]
    result = pitctl("settle", written(tmp_path, "\n".join(changed)))
    assert result.exit_code == 1
    assert rows_of(result.stdout, "P2 Hash chain broken")


def test_a_chain_that_is_demanded_must_be_there(tmp_path: Path) -> None:
    path = written(tmp_path, "\n".join(lines_of(hands.SKWEEZIT)))
    assert pitctl("settle", path).exit_code == 0
    result = pitctl("settle", "--chained", path)
    assert result.exit_code == 1
    assert rows_of(result.stdout, "P2 Hash chain broken")


def test_frames_with_their_ingest_time_are_read(tmp_path: Path) -> None:
    previous = b""
    lines = []
    for event in events_of(hands.SKWEEZIT):
        frame = encode_event(replace(event, previous=previous))
        lines.append(frame_to_json(frame, ingested_at=event.at + 1000))
        previous = digest(frame)
    result = pitctl("settle", written(tmp_path, "\n".join(lines)))
    assert (result.exit_code, result.stderr) == (0, "")
    assert rows_of(result.stdout, "1 round, 3 wagers")
