"""The workflow of an alert, from new to closed, and back.

    new -> acknowledged -> in review -> closed
            \\________________________/      a decision may be made from any open state
    closed -> new                           when it grows, or a person reopens it

Each step is a function from the work before to the work after, and raises `StepNotAllowed` where
the workflow does not allow it. Rights are checked elsewhere.
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
    """The outcome of an alert; NONE while it is open."""

    NONE = 0
    CONFIRMED = 1
    ERROR = 2
    ADVANTAGE_PLAY = 3
    FALSE_ALARM = 4

    @property
    def words(self) -> str:
        return self.name.lower().replace("_", " ")


class StepNotAllowed(Exception):
    """A step that is not allowed now; the reason names one that is."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class AlertVersion:
    """The parts of an alert that a decision is about, and by which a later change is noticed."""

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
    """Only once, so that two people never both believe to be the first."""
    if work.state is not WorkState.NEW:
        raise StepNotAllowed(f"already {work.state.words}, by {work.changed_by}")
    return replace(work, state=WorkState.ACKNOWLEDGED, changed_by=by)


def review(work: Work, *, by: str) -> Work:
    """Start the review: `by` becomes the assignee, even if another person was."""
    if work.is_closed:
        raise StepNotAllowed(f"closed as {work.decision.words}: reopen it first")
    if work.state is WorkState.IN_REVIEW and work.assignee == by:
        raise StepNotAllowed(f"already in review by {by}")
    return replace(work, state=WorkState.IN_REVIEW, assignee=by, changed_by=by)


def decide(work: Work, alert: AlertVersion, decision: Decision, *, reason: str, by: str) -> Work:
    if work.is_closed:
        raise StepNotAllowed(
            f"closed as {work.decision.words} by {work.changed_by}: reopen it first"
        )
    if not alert.stands:
        raise StepNotAllowed("surveillance has withdrawn it: no decision is needed")
    if alert.label == ADVANTAGE and decision in (Decision.CONFIRMED, Decision.ERROR):
        raise StepNotAllowed("advantage play is legal: close it as advantage play or false alarm")
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
        raise StepNotAllowed(f"not closed: {work.state.words}")
    return _again(work, by)


def assign(work: Work, assignee: str) -> Work:
    if work.is_closed:
        raise StepNotAllowed(f"closed as {work.decision.words}: reopen it first")
    if work.assignee == assignee:
        raise StepNotAllowed(
            f"already assigned to {assignee}" if assignee else "already without an assignee"
        )
    return replace(work, assignee=assignee)


def growth(work: Work, alert: AlertVersion) -> str:
    """Why a closed alert is reopened, in words; empty where it is not.

    It has more evidence, or a more urgent level, than when it was decided. Revisions from before
    the decision never reopen it, however often they are read.
    """
    then = work.decided
    if not work.is_closed or then is None or not alert.stands:
        return ""
    if (alert.generation, alert.revision) <= (then.generation, then.revision):
        return ""
    found = []
    if alert.evidence_count > then.evidence_count:
        found.append(f"evidence grew from {then.evidence_count} to {alert.evidence_count}")
    if alert.level < then.level:
        found.append(f"priority rose from P{then.level} to P{alert.level}")
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
