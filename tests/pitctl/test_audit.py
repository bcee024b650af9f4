"""`pitctl simulate` and `pitctl audit`: a day to a file, and the file to a judgement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blackjack.play.table import Table, fold
from pitctl.engine.audit_worker import AuditJob, audit_stream, index_streams
from table_simulator.days.truth_file import read_truth
from tests.pitctl.command import pitctl, process
from tests.table_simulator.days import a_day, events_of
from wire.log_file import HEADER, delimited
from wire.settlement import encode_record, encode_round

DAY = ("--tables", "5", "--rounds", "12", "--seed", "3")
FAULTS = ("--fault", "overpaid=2", "--fault", "past post", "--fault", "sequence gap")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A correct day and a spoilt one, with the truth about it."""
    folder = tmp_path_factory.mktemp("days")
    assert pitctl("simulate", *DAY, "--out", folder / "clean.log").exit_code == 0
    files = ("--out", folder / "day.log", "--truth", folder / "truth.jsonl")
    assert pitctl("simulate", *DAY, *FAULTS, *files).exit_code == 0
    return folder


def test_a_correct_day_is_clean(folder: Path) -> None:
    result = pitctl("audit", folder / "clean.log")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "60 rounds" in result.stdout
    assert "no findings" in result.stdout


def test_findings_make_the_status_one(folder: Path) -> None:
    result = pitctl("audit", folder / "day.log")
    assert result.exit_code == 1
    assert "Overpaid" in result.stdout


def test_with_the_truth_a_spoilt_day_is_as_it_should_be(folder: Path) -> None:
    result = pitctl("audit", folder / "day.log", "--truth", folder / "truth.jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "planted 4, found 4, missed 0, unexpected 0" in result.stdout


def test_what_was_missed_and_what_nothing_accounts_for_is_named(
    folder: Path, tmp_path: Path
) -> None:
    lines = (folder / "truth.jsonl").read_text().splitlines()
    kept = [line.replace("overpaid", "underpaid") for line in lines]
    (tmp_path / "truth.jsonl").write_text("\n".join(kept))
    result = pitctl("audit", folder / "day.log", "--truth", tmp_path / "truth.jsonl")
    assert result.exit_code == 1
    assert result.stdout.count("missed: Underpaid of 'underpaid'") == 2
    assert result.stdout.count("unexpected: Overpaid") == 2


def test_json_says_the_same(folder: Path) -> None:
    result = pitctl("audit", folder / "day.log", "--truth", folder / "truth.jsonl", "--json")
    said = json.loads(result.stdout)
    assert said["totals"]["rounds"] == 60
    assert said["findings"]["payout.overpaid"]
    assert said["truth"]["planted"] == said["truth"]["found"]
    assert (said["truth"]["missed"], said["truth"]["surplus"], said["bad"]) == ([], [], [])


def test_any_number_of_processes_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    said = set()
    for processes in ("1", "3"):
        rounds, findings = tmp_path / f"rounds{processes}", tmp_path / f"findings{processes}"
        options = ("--processes", processes, "--rounds", rounds, "--findings", findings)
        result = process("audit", folder / "day.log", *options)
        assert (result.returncode, result.stderr) == (1, b"")
        said.add((result.stdout, rounds.read_bytes(), findings.read_bytes()))
    assert len(said) == 1


def test_rounds_and_findings_are_the_canonical_bytes_of_each_table_in_turn(
    folder: Path, tmp_path: Path
) -> None:
    rounds, findings = tmp_path / "rounds", tmp_path / "findings"
    pitctl("audit", folder / "clean.log", "--rounds", rounds, "--findings", findings)
    streams = events_of(a_day(3, tables=5, rounds=12).frames)
    steps = [step for name in sorted(streams) for step in fold(Table.new(name), streams[name])[1]]
    told = [delimited(encode_round(each)) for step in steps for each in step.rounds]
    assert rounds.read_bytes() == b"".join(told)
    assert findings.read_bytes() == b"".join(
        delimited(encode_record(each)) for step in steps for each in step.findings
    )


def test_bytes_that_are_no_event_are_reported_and_the_rest_is_judged(
    folder: Path, tmp_path: Path
) -> None:
    data = (folder / "clean.log").read_bytes()
    (tmp_path / "bad.log").write_bytes(HEADER + b"\xff" * 9 + data[len(HEADER) :])
    result = pitctl("audit", tmp_path / "bad.log")
    assert result.exit_code == 2
    assert "at byte 8, 9 bytes: no frame begins here" in result.stderr
    assert "60 rounds" in result.stdout
    assert "1 place of the file could not be read" in result.stdout


def test_a_file_that_is_no_log_is_refused_with_advice(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.log").write_bytes(b"")
    for path in (folder / "truth.jsonl", tmp_path / "empty.log"):
        result = pitctl("audit", path)
        assert result.exit_code == 2
        assert "pitctl settle" in result.stderr
    assert pitctl("audit", tmp_path / "none.log").exit_code == 2
    broken = tmp_path / "truth.jsonl"
    broken.write_text("{}\n")
    result = pitctl("audit", folder / "clean.log", "--truth", broken)
    assert result.exit_code == 2
    assert "line 1" in result.stderr


def test_the_same_seed_writes_the_same_file(folder: Path, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        out, truth = tmp_path / f"day{seed}", tmp_path / f"truth{seed}"
        files = ("--out", out, "--truth", truth)
        assert process("simulate", *DAY, *FAULTS, *files, PYTHONHASHSEED=seed).returncode == 0
        assert out.read_bytes() == (folder / "day.log").read_bytes()
        assert truth.read_bytes() == (folder / "truth.jsonl").read_bytes()


def test_a_plan_in_a_file_is_followed(tmp_path: Path) -> None:
    plan, out, truth = tmp_path / "plan.toml", tmp_path / "day.log", tmp_path / "truth.jsonl"
    plan.write_text('[per_day]\n"overpaid" = 2\n"pinch" = 1\n')
    result = pitctl("simulate", *DAY, "--faults", plan, "--out", out, "--truth", truth, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["planted"] == {"overpaid": 2, "pinch": 1}
    assert sorted(each.fault for each in read_truth(truth.read_bytes())) == [
        "overpaid",
        "overpaid",
        "pinch",
    ]


def test_what_finds_no_place_is_said(tmp_path: Path) -> None:
    options = ("--tables", "1", "--rounds", "3", "--fault", "state maximum")
    result = pitctl("simulate", *options, "--out", tmp_path / "day.log")
    assert result.exit_code == 1
    assert "not planted: state maximum" in result.stdout


def test_a_plan_that_is_none_is_refused(tmp_path: Path) -> None:
    result = pitctl("simulate", "--fault", "over paid", "--out", tmp_path / "day.log")
    assert result.exit_code == 2
    assert "did you mean 'overpaid'?" in result.stderr
    plan = tmp_path / "plan.toml"
    for options in (("--faults", plan), ("--out", tmp_path / "no" / "day.log")):
        result = pitctl("simulate", *DAY, "--out", tmp_path / "day.log", *options)
        assert result.exit_code == 2


@pytest.mark.parametrize("floor", ["Ünï cödé", "../up", "a b"])
def test_a_floor_whose_tables_can_have_no_certificate_is_refused_by_its_name(
    tmp_path: Path, floor: str
) -> None:
    folder = tmp_path / "floor"
    words = ["--gateway", "127.0.0.1:1", "--folder", str(folder), "--speed", "1", *DAY]
    result = pitctl("simulate", *words, "--floor", floor)
    assert result.exit_code == 2
    assert f"Invalid --floor {floor!r}: a table's certificate" in " ".join(result.stderr.split())
    assert "--authority" not in result.stderr
    assert not folder.exists()


def test_json_lines_are_settled_like_the_log_file(tmp_path: Path) -> None:
    lines = tmp_path / "day.jsonl"
    assert pitctl("simulate", *DAY, *FAULTS, "--json-lines", "--out", lines).exit_code == 0
    result = pitctl("settle", "--findings-only", lines)
    assert result.exit_code == 1
    assert result.stdout.count("P2  Overpaid") == 2


def test_the_totals_of_a_worker_count_every_round_once(folder: Path) -> None:
    path = folder / "clean.log"
    streams, bad = index_streams(path.read_bytes())
    assert bad == []
    audited = audit_stream(AuditJob(str(path), "T001", streams["T001"], wants_records=False))
    assert audited.totals.rounds == 12
    assert audited.rounds == audited.records == []


def test_help_says_what_the_exit_status_means() -> None:
    for command in ("simulate", "audit"):
        result = pitctl(command, "--help")
        assert result.exit_code == 0
        assert "Exit status:" in result.stdout
        assert "Examples:" in result.stdout
