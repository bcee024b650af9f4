"""Errors of the alert desk and their status codes.

AlertDeskError
├── RecordNotFound         no such alert, case, hold, deadline or webhook
├── AmbiguousAlert         several alerts begin with the given id
├── ActionRejected         the workflow, or the state of a case, does not allow it now
├── AlertChanged           the alert has a newer revision than the person saw
├── PermissionDenied       the person does not have the role
├── SettingNotApplied      a setting is in the log, but not in the tables yet
├── ChangeUnacknowledged   it is not known whether a setting is in the log
└── AlertDeskBehind        the tables have not read all earlier messages

Errors of any query are in `runtime.query_errors`, those of watches in `runtime.rpc.live_watch`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import grpc

from runtime import query_errors
from runtime.rpc import live_watch


class AlertDeskError(Exception):
    """The root of the tree."""


class RecordNotFound(AlertDeskError):
    def __init__(self, what: str, name: str) -> None:
        self.what = what
        self.name = name
        super().__init__(f'{what} "{name}" not found')


class AmbiguousAlert(AlertDeskError):
    def __init__(self, begins: str, found: Sequence[str]) -> None:
        self.begins = begins
        self.found = ", ".join(found)
        super().__init__(f'alert_id "{begins}" is ambiguous; it matches {self.found}')


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
            f"alert {alert_id} has changed from revision {seen} to {revision}: review it again"
        )


class PermissionDenied(AlertDeskError):
    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"permission denied: {reason}")


class SettingNotApplied(AlertDeskError):
    def __init__(self, change_id: str, seconds: float) -> None:
        self.change_id = change_id
        super().__init__(
            f"change {change_id} is in the log, but was not read back within {seconds:g} s: it will"
            " be applied; a call with the same change_id returns it and changes nothing twice"
        )


class ChangeUnacknowledged(AlertDeskError):
    def __init__(self, change_id: str, reason: str) -> None:
        self.change_id = change_id
        self.reason = reason[: query_errors.REASON_MAX]
        super().__init__(
            f"unavailable: the brokers did not acknowledge the change ({self.reason}): call again"
            f" with change_id {change_id}, which changes nothing twice"
        )


class AlertDeskBehind(AlertDeskError):
    def __init__(self, messages: int, seconds: float) -> None:
        self.messages = messages
        super().__init__(
            f"unavailable: the alert desk is still {messages} messages behind after {seconds:g} s:"
            " try again soon"
        )


STATUS_CODES: Mapping[type[Exception], grpc.StatusCode] = {
    **query_errors.STATUS_CODES,
    **live_watch.STATUS_CODES,
    RecordNotFound: grpc.StatusCode.NOT_FOUND,
    AmbiguousAlert: grpc.StatusCode.FAILED_PRECONDITION,
    ActionRejected: grpc.StatusCode.FAILED_PRECONDITION,
    AlertChanged: grpc.StatusCode.ABORTED,
    PermissionDenied: grpc.StatusCode.PERMISSION_DENIED,
    SettingNotApplied: grpc.StatusCode.DEADLINE_EXCEEDED,
    ChangeUnacknowledged: grpc.StatusCode.UNAVAILABLE,
    AlertDeskBehind: grpc.StatusCode.UNAVAILABLE,
}
