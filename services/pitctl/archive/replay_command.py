"""`pitctl replay`: a round from the log, compared with its published result."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Final

from pitctl.engine.log_replay import RoundNotInLog, replay_from_file
from pitctl.output.exit import ERROR
from pitctl.output.json_out import print_fields
from pitctl.output.replay_page import ReplayPage
from pitctl.output.text import Page, count_noun, escape
from round_archive.domain.replay import NotReplayable
from wire.log_file import NotALogFile
from wire.replay import ReplayAnswer, write_replay

SAME: Final = 0
DIFFERENT: Final = 1
REPLAY_ERRORS: Final = (RoundNotInLog, NotReplayable)
"""Errors of a replay from a log file; each has its reason as text."""


class ReplayDetail(Enum):
    """How much of a replay is printed."""

    STORY = "story"
    BRIEF = "brief"
    EVERY = "every"


def from_file(path: str, round: str, *, table: str, first_seq: int, version: int) -> ReplayAnswer:
    """A replay from a log file."""
    try:
        return replay_from_file(path, round, table=table, first_seq=first_seq, version=version)
    except NotALogFile as error:
        raise RoundNotInLog(f"{path} cannot be read: {error.reason}") from None
    except OSError as error:
        raise RoundNotInLog(f"{error.filename or path}: {error.strerror or error}") from None


def show(answer: ReplayAnswer, *, detail: ReplayDetail, step: int, as_json: bool) -> int:
    """Print a replay; return the exit status."""
    steps = len(answer.replay.steps)
    if step and not 1 <= step <= steps:
        reason = f"--step: the round has {count_noun(steps, 'step')}, not {step}"
        print(f"pitctl: {escape(reason)}", file=sys.stderr)
        return ERROR
    if as_json:
        print_fields(write_replay(answer), indent=2)
    else:
        _print(ReplayPage(Page(sys.stdout), answer), detail, step)
    return SAME if answer.same else DIFFERENT


def _print(page: ReplayPage, detail: ReplayDetail, step: int) -> None:
    if step:
        page.print_one(step)
    elif detail is ReplayDetail.BRIEF:
        page.print_brief()
    elif detail is ReplayDetail.EVERY:
        page.print_every()
    else:
        page.print_story()
