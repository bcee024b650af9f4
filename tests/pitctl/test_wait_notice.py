"""Whoever waits is told for what, and whoever does not wait is not."""

from __future__ import annotations

import time

import pytest

from pitctl.output import progress, wait_notice


def test_after_a_few_seconds_it_is_said_once_what_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wait_notice, "PATIENCE_SECONDS", 0.05)
    with wait_notice.wait_notice("the archive at 127.0.0.1:1"):
        time.sleep(0.3)
    said = capsys.readouterr()
    assert (
        said.err == f"pitctl: waiting for the archive at 127.0.0.1:1; {wait_notice.STATUS_HINT}\n"
    )
    assert said.out == ""


def test_an_answer_that_comes_at_once_is_not_waited_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with wait_notice.wait_notice("the archive"):
        pass
    assert capsys.readouterr().err == ""


def test_work_that_does_not_move_any_more_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wait_notice, "STUCK_SECONDS", 0.2)
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    with wait_notice.work_meter("rebuilding", 2_000) as show:
        show(1_000)
        show(1_500)
        time.sleep(0.3)
        show(1_500)
    moving, moved, stuck = capsys.readouterr().err.splitlines()
    assert (moving, moved) == ("rebuilding: 1,000 of 2,000", "rebuilding: 1,500 of 2,000")
    assert stuck == f"rebuilding: 1,500 of 2,000, no progress for 0 s: {wait_notice.STATUS_HINT}"
