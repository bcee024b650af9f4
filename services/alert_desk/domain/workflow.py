"""How an alert goes from new to closed, and back.

    new -> acknowledged -> in review -> closed
            \\________________________/      a decision may be made from any open state
    closed -> new                           when it grows, or somebody opens it again

Each step is a function from what was to what is, and raises `StepNotAllowed` where it may not be
taken. Who may take it at all is none of its business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

ADVANTAGE: Final = "advantage"


class WorkState(IntEnum):
    NEW = 1
    ACKNOWLEDGED = 2
    IN_REVIEW = 3
    CLOSED = 4

    @property
    def words(self) -> str:
        return self.name.lower().replace("_", " ")


class Decision(IntEnum):
    """What an alert came to; NONE while it is open."""

    NONE = 0
    CONFIRMED = 1
    ERROR = 2
    ADVANTAGE_PLAY = 3
    FALSE_ALARM = 4

    @property
    def words(self) -> str:
        return self.name.lower().replace("_", " ")


class StepNotAllowed(Exception):
    """A step that may not be taken now; the reason says which one may."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class AlertVersion:
    """What counts of an alert when it is decided, and when it has changed since."""

    generation: int
    revision: int
    evidence_count: int
    level: int
    stands: bool = True
    label: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    state: WorkState = WorkState.NEW
    decision: Decision = Decision.NONE
    reason: str = ""
    assignee: str = ""
    changed_by: str = ""
    reopened: int = 0
    decided: AlertVersion | None = None
    """The alert as it was when it was closed."""

    @property
    def is_closed(self) -> bool:
        return self.state is WorkState.CLOSED


NEW: Final = Work()


def acknowledge(work: Work, *, by: str) -> Work:
    """Once: that two believe to have seen it first is what it is there to prevent."""
    if work.state is not WorkState.NEW:
        raise StepNotAllowed(f"it is {work.state.words} already, by {work.changed_by}")
    return replace(work, state=WorkState.ACKNOWLEDGED, changed_by=by)


def review(work: Work, *, by: str) -> Work:
    """Whoever looks into it has it; another may take it over."""
    if work.is_closed:
        raise StepNotAllowed(f"it is closed as {work.decision.words}: open it again first")
    if work.state is WorkState.IN_REVIEW and work.assignee == by:
        raise StepNotAllowed("you look into it already")
    return replace(work, state=WorkState.IN_REVIEW, assignee=by, changed_by=by)


def decide(work: Work, alert: AlertVersion, decision: Decision, *, reason: str, by: str) -> Work:
    if work.is_closed:
        raise StepNotAllowed(
            f"it was closed as {work.decision.words} by {work.changed_by}: open it again first"
        )
    if not alert.stands:
        raise StepNotAllowed("surveillance has withdrawn it: there is nothing to decide")
    if alert.label == ADVANTAGE and decision in (Decision.CONFIRMED, Decision.ERROR):
        raise StepNotAllowed(
            "what it shows is legal: close it as advantage play, or as a false alarm"
        )
    return replace(
        work,
        state=WorkState.CLOSED,
        decision=decision,
        reason=reason,
        changed_by=by,
        decided=alert,
    )


def reopen(work: Work, *, by: str) -> Work:
    if not work.is_closed:
        raise StepNotAllowed(f"it is not closed: it is {work.state.words}")
    return _again(work, by)


def assign(work: Work, assignee: str) -> Work:
    if work.is_closed:
        raise StepNotAllowed(f"it is closed as {work.decision.words}: open it again first")
    if work.assignee == assignee:
        raise StepNotAllowed(f"{assignee} has it already" if assignee else "nobody has it already")
    return replace(work, assignee=assignee)


def growth(work: Work, alert: AlertVersion) -> str:
    """Why a closed alert is to be looked at again, in words; empty where it is not.

    More evidence, or a more urgent level, than there was when it was decided. What was said before
    the decision is nothing new, however often it is read.
    """
    then = work.decided
    if not work.is_closed or then is None or not alert.stands:
        return ""
    if (alert.generation, alert.revision) <= (then.generation, then.revision):
        return ""
    found = []
    if alert.evidence_count > then.evidence_count:
        found.append(f"its evidence grew from {then.evidence_count} to {alert.evidence_count}")
    if alert.level < then.level:
        found.append(f"it became P{alert.level} from P{then.level}")
    if not found:
        return ""
    return f"{' and '.join(found)} after {work.changed_by} closed it as {work.decision.words}"


def grow(work: Work, *, by: str) -> Work:
    return _again(work, by)


def _again(work: Work, by: str) -> Work:
    return replace(
        work,
        state=WorkState.NEW,
        decision=Decision.NONE,
        reason="",
        changed_by=by,
        reopened=work.reopened + 1,
        decided=None,
    )
