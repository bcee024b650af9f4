"""What the desk refuses, and what it cannot answer.

AlertDeskError
├── NotFound            there is no such alert, case, hold, deadline or webhook
├── AmbiguousAlert      several alerts begin so
├── Refused             it may not be done now: the work flow, or the state of a case, is against it
├── AlertChanged        the alert is not any more what the person had before them
├── PermissionDenied        the person has not the role for it
├── SettingNotApplied         a setting that is in the log, and not in the tables by now
├── Unacknowledged      a setting of which nobody knows whether it is in the log
├── AlertDeskBehind          the tables have not read what was said before
├── TooManyWatches      all places are taken
└── Stopping            come again, to another instance or a little later

What goes wrong with any question is in `runtime.query_errors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import grpc

from runtime import query_errors


class AlertDeskError(Exception):
    """The root of the tree."""


class RecordNotFound(AlertDeskError):
    def __init__(self, what: str, name: str) -> None:
        self.what = what
        self.name = name
        super().__init__(f"there is no {what} {name!r}")


class AmbiguousAlert(AlertDeskError):
    def __init__(self, begins: str, found: Sequence[str]) -> None:
        self.begins = begins
        self.found = ", ".join(found)
        super().__init__(f"several alerts begin with {begins!r}, say which: {self.found}")


class ActionRejected(AlertDeskError):
    def __init__(self, what: str, reason: str) -> None:
        self.what = what
        self.reason = reason[: query_errors.REASON_MAX]
        super().__init__(f"{what}: {self.reason}")


class AlertChanged(AlertDeskError):
    def __init__(self, alert_id: str, seen: int, revision: int) -> None:
        self.alert_id = alert_id
        self.seen = seen
        self.revision = revision
        super().__init__(
            f"alert {alert_id} is at revision {revision}, not {seen}: look at it again"
        )


class PermissionDenied(AlertDeskError):
    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class SettingNotApplied(AlertDeskError):
    def __init__(self, change_id: str, seconds: float) -> None:
        self.change_id = change_id
        super().__init__(
            f"after {seconds:g} s it was not read back: the change {change_id} is in the log and"
            " will count. Ask again with the same change_id: that changes nothing twice"
        )


class ChangeUnacknowledged(AlertDeskError):
    def __init__(self, change_id: str, reason: str) -> None:
        self.change_id = change_id
        self.reason = reason[: query_errors.REASON_MAX]
        super().__init__(
            f"the brokers did not say that they have it ({self.reason}): ask again with the"
            f" change_id {change_id}, which changes nothing twice"
        )


class AlertDeskBehind(AlertDeskError):
    def __init__(self, messages: int, seconds: float) -> None:
        self.messages = messages
        super().__init__(
            f"after {seconds:g} s the desk is {messages} messages behind what was said before:"
            " try again soon"
        )


class TooManyWatches(AlertDeskError):
    def __init__(self, watches_max: int) -> None:
        self.watches_max = watches_max
        super().__init__(
            f"{watches_max} watch here already, which is the limit: end one, ask another instance,"
            " or raise WATCHES_MAX"
        )


class Stopping(AlertDeskError):
    def __init__(self) -> None:
        super().__init__("this instance stops: go on with your resume token at another")


STATUS_CODES: Mapping[type[Exception], grpc.StatusCode] = {
    **query_errors.STATUS_CODES,
    RecordNotFound: grpc.StatusCode.NOT_FOUND,
    AmbiguousAlert: grpc.StatusCode.FAILED_PRECONDITION,
    ActionRejected: grpc.StatusCode.FAILED_PRECONDITION,
    AlertChanged: grpc.StatusCode.ABORTED,
    PermissionDenied: grpc.StatusCode.PERMISSION_DENIED,
    SettingNotApplied: grpc.StatusCode.DEADLINE_EXCEEDED,
    ChangeUnacknowledged: grpc.StatusCode.UNAVAILABLE,
    AlertDeskBehind: grpc.StatusCode.UNAVAILABLE,
    TooManyWatches: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Stopping: grpc.StatusCode.UNAVAILABLE,
}
