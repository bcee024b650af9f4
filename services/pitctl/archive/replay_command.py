"""`pitctl replay`: one round from the log, as it happened, against what was said of it."""

from __future__ import annotations

import json
import sys
from enum import Enum
from typing import Final

from pitctl.engine.log_replay import NoSuchRound, replay_from_file
from pitctl.output.exit import REFUSED
from pitctl.output.json_out import as_fields
from pitctl.output.replay_page import ReplayPage
from pitctl.output.text import Page, counted, plain
from round_archive.domain.replay import NotReplayable
from wire.log_file import NotALogFile
from wire.replay import ReplayAnswer, write_replay

SAME: Final = 0
DIFFERENT: Final = 1
NotInTheFile: Final = (NoSuchRound, NotReplayable)
"""Why a log file gives no replay; each says so in its words."""


class Telling(Enum):
    """How much is told."""

    STORY = "story"
    BRIEF = "brief"
    EVERY = "every"


def from_file(path: str, round: str, *, table: str, first_seq: int, version: int) -> ReplayAnswer:
    """A replay out of a log file."""
    try:
        return replay_from_file(path, round, table=table, first_seq=first_seq, version=version)
    except NotALogFile as error:
        raise NoSuchRound(f"{path} cannot be read: {error.reason}") from None
    except OSError as error:
        raise NoSuchRound(f"{error.filename or path}: {error.strerror or error}") from None


def show(answer: ReplayAnswer, *, telling: Telling, step: int, as_json: bool) -> int:
    """Print a replay; the exit status."""
    steps = len(answer.replay.steps)
    if step and not 1 <= step <= steps:
        reason = f"the round has {counted(steps, 'step')}, and no step {step}"
        print(f"pitctl: {plain(reason)}", file=sys.stderr)
        return REFUSED
    if as_json:
        print(json.dumps(as_fields(write_replay(answer)), ensure_ascii=False, indent=2))
    else:
        _print(ReplayPage(Page(sys.stdout), answer), telling, step)
    return SAME if answer.same else DIFFERENT


def _print(page: ReplayPage, telling: Telling, step: int) -> None:
    if step:
        page.print_one(step)
    elif telling is Telling.BRIEF:
        page.print_brief()
    elif telling is Telling.EVERY:
        page.print_every()
    else:
        page.print_story()
