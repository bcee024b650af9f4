"""What can go wrong with a stack, and what to do about it.

StackError
├── BadSettings       the environment cannot be used: every mistake, at once
├── StackBusy         another `up` or `down` of the same folder is at work
├── PortTaken         somebody else listens where a server shall
├── FolderRejected    a folder is not ours, or not safe
├── JarUnavailable    a jar could not be had, or is not the one of the list
├── CommandFailed     a preparation, such as `initdb`, ended badly
├── NotRunning        there is no such server to talk to
├── ServerDied        a server ended while we waited for it
├── ServerNotReady    a server lives, but did not answer in time
├── TopicsRejected    Kafka does not make or describe the topics
├── DatabaseRejected  PostgreSQL does not make a service's roles and schema
├── LogsRejected      topics are missing that have been read
├── ServicesReject    services reject a log that is not the one they have read
├── ServerSilent      a server that we were told of does not answer
└── ServerLeft        a process outlived SIGKILL
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class StackError(Exception):
    """Something an operator can act upon: `str()` says what happened and what to do next."""


@dataclass
class BadSettings(StackError):
    problems: tuple[str, ...]

    def __str__(self) -> str:
        lines = "".join(f"\n  {problem}" for problem in self.problems)
        return f"the environment cannot be used:{lines}"


@dataclass
class StackBusy(StackError):
    folder: Path
    seconds: float

    def __str__(self) -> str:
        return (
            f"another `up` or `down` has been at work in {self.folder} for {self.seconds:.0f} s: "
            "wait for it, or use another folder (STACK_DIR)"
        )


@dataclass
class PortTaken(StackError):
    port: int
    setting: str

    def __str__(self) -> str:
        return (
            f"port {self.port} of 127.0.0.1 is taken, perhaps by another stack: end that one, "
            f"or set {self.setting} (0 takes any free port)"
        )


@dataclass
class FolderRejected(StackError):
    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.folder}: {self.reason}"


@dataclass
class JarUnavailable(StackError):
    coordinate: str
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.coordinate}: {self.reason}; MAVEN_REPOSITORY names the repository to ask, "
            "KAFKA_BOOTSTRAP a Kafka that needs no jars"
        )


@dataclass
class CommandFailed(StackError):
    command: str
    status: int
    output: str

    def __str__(self) -> str:
        return f"{self.command} ended with {self.status}:\n{indented(self.output)}"


@dataclass
class NotRunning(StackError):
    name: str
    folder: Path

    def __str__(self) -> str:
        return f"{self.name} does not run in {self.folder}: python -m deploy.stack up"


@dataclass
class ServerDied(StackError):
    name: str
    log: Path
    tail: str

    def __str__(self) -> str:
        return (
            f"{self.name} ended by itself; the end of {self.log}:\n{indented(self.tail)}\n"
            "what runs goes on: mend what it says and start again, or end all of it with `down`"
        )


@dataclass
class ServerNotReady(StackError):
    name: str
    seconds: float
    log: Path
    tail: str

    def __str__(self) -> str:
        return (
            f"{self.name} did not answer within {self.seconds:.0f} s and was left running: look "
            "with `python -m deploy.stack status`, or set STACK_START_SECONDS_MAX; "
            f"the end of {self.log}:\n{indented(self.tail)}"
        )


@dataclass
class TopicsRejected(StackError):
    address: str
    reason: str

    def __str__(self) -> str:
        return f"kafka at {self.address} refuses our topics: {self.reason}"


@dataclass
class DatabaseRejected(StackError):
    service: str
    reason: str

    def __str__(self) -> str:
        return (
            f"the database refuses the roles and the schema of {self.service}: {self.reason}; "
            "DATABASE_URL must name a role that may create both"
        )


@dataclass
class LogsRejected(StackError):
    reason: str

    def __str__(self) -> str:
        return f"{self.reason}; the command: python -m deploy.stack topics"


@dataclass
class ServicesReject(StackError):
    reasons: dict[str, str]

    def __str__(self) -> str:
        lines = "".join(f"\n  {reason}" for reason in self.reasons.values())
        return (
            "services are up and refuse a log that is not the one they have read; commands need"
            f" the environment of `python -m deploy.stack env`:{lines}"
        )


@dataclass
class ServerSilent(StackError):
    name: str
    address: str

    def __str__(self) -> str:
        setting = {"kafka": "KAFKA_BOOTSTRAP", "postgres": "DATABASE_URL"}.get(self.name, "")
        return (
            f"{self.name} at {self.address} does not answer, or not to us: start it, mend "
            f"{setting}, or unset {setting} to have one started"
        )


@dataclass
class ServerLeft(StackError):
    name: str
    pid: int

    def __str__(self) -> str:
        return f"{self.name} (process {self.pid}) is still there after SIGKILL: look at it by hand"


def indented(text: str) -> str:
    return "\n".join(f"  | {line}" for line in text.rstrip().splitlines())
