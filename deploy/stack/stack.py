"""A stack as a whole: up, down, and how it stands."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from confluent_kafka import KafkaException

from deploy.stack.errors import (
    LogsRejected,
    NotRunning,
    ServerDied,
    ServerSilent,
    ServicesReject,
    TopicsRejected,
)
from deploy.stack.identity import Identities
from deploy.stack.kafka import Kafka, admin
from deploy.stack.postgres import Postgres
from deploy.stack.process import ProcessId, end, is_alive, start, tail
from deploy.stack.server import Server, wait_until_ready
from deploy.stack.service_process import ServiceProcess
from deploy.stack.services import SERVICES, WORKERS_MAX, Service
from deploy.stack.settings import Settings
from deploy.stack.state import State, load, locked, make_folder, save
from provisioning.errors import ProvisioningError
from provisioning.kafka import topics
from provisioning.kafka.log_readers import check_logs, find_readers
from runtime.kafka.topic_reader import ReadingStuck

TRIES = 5
TRY_AGAIN_SECONDS = 0.5
LAST_LINES = 5  # of one that ended by itself: enough to see why, and little enough to see all
GIVEN_SECONDS_MAX = 15.0  # somebody else's server runs already, or does not


class Condition(StrEnum):
    OK = "ok"
    UNREADY = "unready"
    """It lives, and does not serve yet; or waits for a server that is away."""
    DIED = "died"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Part:
    """How one server or service stands."""

    name: str
    condition: Condition
    address: str
    note: str
    pid: int | None = None
    log: str | None = None
    tail: str = ""
    """The end of the log of one that ended by itself."""

    def __str__(self) -> str:
        return f"{self.condition:<8}  {self.name:<16}  {self.address:<22}  {self.note}".rstrip()


def without_own(settings: Settings) -> Settings:
    """A server is not given where it is the stack's own, as in a shell that has its `env`."""
    state = load(settings.folder)
    own = replace(settings, kafka_bootstrap=None, database_url=None)
    if settings.kafka_bootstrap == Kafka(own).address(state):
        settings = replace(settings, kafka_bootstrap=None)
    if settings.database_url == Postgres(own).url(state):
        settings = replace(settings, database_url=None)
    return settings


def print_nothing(_line: str) -> None:
    """Report to nobody."""


class Stack:
    """What a folder holds, as the settings say; `report` is told one line for each step."""

    def __init__(
        self,
        settings: Settings,
        *,
        services: tuple[Service, ...] = SERVICES,
        report: Callable[[str], None] = print_nothing,
    ) -> None:
        self.settings = settings
        self.report = report
        self.kafka = Kafka(settings)
        self.postgres = Postgres(settings)
        self.identities = Identities(settings.folder)
        self._every_service = [
            ServiceProcess(service, worker, settings, self.addresses)
            for service in services
            for worker in range(WORKERS_MAX if service.several else 1)
        ]

    @property
    def servers(self) -> list[Server]:
        return [self.kafka, self.postgres]

    @property
    def services(self) -> list[ServiceProcess]:
        """Those that the settings ask for."""
        asked = self.settings
        return [
            service
            for service in self._every_service
            if (asked.services is None or service.service.name in asked.services)
            and service.worker < asked.workers.get(service.service.name, 1)
        ]

    @property
    def state(self) -> State:
        return load(self.settings.folder)

    @property
    def kafka_bootstrap(self) -> str:
        return self.environment(self.state)["KAFKA_BOOTSTRAP"]

    @property
    def database_url(self) -> str:
        return self.environment(self.state)["DATABASE_URL"]

    def environment(self, state: State) -> dict[str, str]:
        """What a client of the servers needs to know."""
        for server in self.servers:
            if not server.given and server.name not in state.processes:
                raise NotRunning(server.name, self.settings.folder)
        return {
            "KAFKA_BOOTSTRAP": self.kafka.address(state),
            "DATABASE_URL": self.postgres.url(state),
        }

    def addresses(self, state: State) -> dict[str, str]:
        """The same, and where the services answer that were started so far."""
        started = [process for process in self._every_service if process.name in state.processes]
        return self.environment(state) | {
            f"{process.service.name.upper()}_ADDRESS": process.address(state)
            for process in started
            if process.service.answers
        }

    def operator_environment(self, state: State) -> dict[str, str]:
        """What somebody who types commands needs to know: where everything is, and his folders."""
        prefix = self.settings.topic_prefix
        named = {"TOPIC_PREFIX": prefix} if prefix else {}
        return {**self.addresses(state), **named, **self.identities.environment_of_operator()}

    def up(self, *, servers_only: bool = False) -> None:
        """Everything runs and answers afterwards. What already does is left alone."""
        folder = self.settings.folder
        make_folder(folder)
        with locked(folder):
            (folder / "log").mkdir(0o700, exist_ok=True)
            state = load(folder)
            save(folder, state)  # the password first: a cluster may be made with it
            self._start_together(self.servers, state)
            if servers_only:
                return
            self._make_topics(state)
            if self.services:
                self.identities.prepare()
            self._start_together(self.services, state)

    def _start_together(self, servers: Sequence[Server], state: State) -> None:
        """Start what does not run, then wait for each in order: they load side by side.

        One that rejects its log does not keep the others from starting: an operator may need
        them to resolve it.
        """
        began = time.monotonic()
        were_alive = {server.name for server in servers if self._is_alive(server, state)}
        for server in servers:
            if not server.given and server.name not in were_alive:
                self._spawn(server, state)
        reasons: dict[str, str] = {}
        for server in servers:
            condition = Condition.OK
            try:
                note = self._finish_start(server, state, was_alive=server.name in were_alive)
                note = note or f"{time.monotonic() - began:.1f} s"
            except ServicesReject as rejected:
                reasons |= rejected.reasons
                condition, note = Condition.UNREADY, "refuses its log"
            self.report(str(Part(server.name, condition, server.address(state), note)))
        if reasons:
            raise ServicesReject(reasons)

    def _is_alive(self, server: Server, state: State) -> bool:
        process = state.processes.get(server.name)
        return process is not None and is_alive(process)

    def _finish_start(self, server: Server, state: State, *, was_alive: bool) -> str:
        """Wait until it answers; one that was just about to end is started again.

        Returns what to report of it, if it did not have to be started.
        """
        if server.given:
            self._wait_for_given(server, state)
            return "given"
        if was_alive:
            try:
                self._wait(server, state)
                return "was up"
            except ServerDied:
                self._spawn(server, state)
        self._wait_or_try_again(server, state)
        return ""

    def _spawn(self, server: Server, state: State) -> None:
        """It is recorded before it begins, so that `down` ends it whatever happens."""
        before = server.address(state)
        server.prepare(state)
        self._report_move(server, before, state)
        server.spawn(state, partial(self._record, server.name, state))

    def _wait_or_try_again(self, server: Server, state: State) -> None:
        for attempt in range(1, TRIES + 1):
            try:
                return self._wait(server, state)
            except ServerDied as died:
                if attempt == TRIES or not server.can_try_again(died.tail):
                    raise
            time.sleep(TRY_AGAIN_SECONDS)
            self._spawn(server, state)
        return None

    def _report_move(self, server: Server, before: str, state: State) -> None:
        """Whoever knew the old address is told: its port is somebody else's for good."""
        after = server.address(state)
        if after == before or before.endswith(":0"):
            return
        self.report(f"moved     {server.name:<16}  {after:<22}  no longer {before}")
        names = {known_server.name for known_server in self.servers}
        alive = [name for name, process in state.processes.items() if is_alive(process)]
        if server.name in names and not names.issuperset(alive):
            self.report("          what runs already still asks there: `down`, then `up`")

    def _record(self, name: str, state: State, process: ProcessId) -> None:
        state.processes.pop(name, None)  # the order in the state is that of the starts
        state.processes[name] = process
        save(self.settings.folder, state)

    def _wait(self, server: Server, state: State) -> None:
        def is_ready() -> bool:
            if server.is_ready(state):
                return True
            if (rejection := server.rejection()) is not None:
                raise ServicesReject({server.name: rejection})
            return False

        wait_until_ready(
            is_ready,
            state.processes[server.name],
            name=server.name,
            log=server.log,
            seconds_max=self.settings.start_seconds_max,
        )

    def _wait_for_given(self, server: Server, state: State) -> None:
        deadline = time.monotonic() + GIVEN_SECONDS_MAX
        while not server.is_ready(state):
            if time.monotonic() > deadline:
                raise ServerSilent(server.name, server.address(state))
            time.sleep(0.2)

    def _make_topics(self, state: State) -> None:
        outcome = self.make_topics(state)
        note = f"{len(outcome.created)} created, {len(outcome.existing)} exist"
        self.report(str(Part("topics", Condition.OK, self.kafka.address(state), note)))
        for difference in outcome.differences:
            self.report(f"differs   {difference}")

    def make_topics(
        self, state: State | None = None, *, accepted: Collection[str] = ()
    ) -> topics.TopicsOutcome:
        """Those of `wire.topics`; what is there is left as it is.

        A topic that is missing and was read is created only if its loss is `accepted`.
        """
        known = self.environment(state or self.state)
        bootstrap, prefix = known["KAFKA_BOOTSTRAP"], self.settings.topic_prefix
        client = admin(bootstrap)
        try:
            remembered = find_readers(bootstrap, known["DATABASE_URL"], prefix)
            for line in check_logs(client, prefix, remembered, accepted=accepted):
                self.report(f"differs   {line}")
            return topics.ensure_topics(client, topics.named_topics(prefix))
        except (KafkaException, ReadingStuck) as error:
            raise TopicsRejected(bootstrap, str(error)) from error
        except ProvisioningError as error:
            raise LogsRejected(str(error)) from error

    def down(self, *, remove_data: bool = False) -> None:
        """Nothing of the stack runs afterwards, whatever the settings say by now.

        Ended in the reverse order of the start. Data stay, unless they are to go too.
        """
        folder = self.settings.folder
        if not folder.is_dir():
            return
        with locked(folder):
            state = load(folder)
            known: dict[str, Server] = {server.name: server for server in self.servers}
            known |= {process.name: process for process in self._every_service}
            for name in ending_order(
                state.processes, servers=[server.name for server in self.servers]
            ):
                self._end(name, known.get(name), state)
            if remove_data:
                shutil.rmtree(self.postgres.home, ignore_errors=True)
                shutil.rmtree(folder)

    def _end(self, name: str, server: Server | None, state: State) -> None:
        began = time.monotonic()
        process = state.processes[name]
        was_alive = is_alive(process)
        limit = self.settings.stop_seconds_max
        if server:
            end(process, name=name, seconds_max=limit, ask=server.stop_signal)
        else:  # a service that the table no longer names
            end(process, name=name, seconds_max=limit)
        del state.processes[name]
        save(self.settings.folder, state)
        took = f"{time.monotonic() - began:.1f} s" if was_alive else "was not up"
        address = server.address(state) if server else ""
        self.report(str(Part(name, Condition.STOPPED, address, took)))

    def start_beside(
        self, name: str, command: Sequence[str], *, directory: Path, environment: Mapping[str, str]
    ) -> None:
        """A process that is no service, and ends with the stack like one."""
        folder = self.settings.folder
        with locked(folder):
            state = load(folder)
            start(
                command,
                log=folder / "log" / f"{name}.log",
                record=partial(self._record, name, state),
                directory=directory,
                environment=environment,
            )

    def end_beside(self, name: str) -> None:
        """Before the stack does; nothing where it does not run."""
        folder = self.settings.folder
        if not folder.is_dir():
            return
        with locked(folder):
            state = load(folder)
            if name in state.processes:
                self._end(name, None, state)

    def status(self) -> Iterator[Part]:
        """The servers, the services that the settings ask for, and those that run besides."""
        state = self.state
        asked = {started.name for started in self.services}
        yield from (self._part(server, state) for server in self.servers)
        for service in self._every_service:
            if service.name in asked or service.name in state.processes:
                yield self._part(service, state)

    def _part(self, server: Server, state: State) -> Part:
        process = state.processes.get(server.name)
        address, log = server.address(state), str(server.log)
        if server.given:
            condition = Condition.OK if server.is_ready(state) else Condition.STOPPED
            return Part(server.name, condition, address, "given")
        if process is None:
            return Part(server.name, Condition.STOPPED, "", "")
        if not is_alive(process):
            note = "ended by itself; `up` starts it again"
            last = tail(server.log, LAST_LINES)
            return Part(server.name, Condition.DIED, address, note, log=log, tail=last)
        note, condition = f"pid {process.pid}", Condition.OK
        if not server.is_ready(state):
            condition = Condition.UNREADY
            note += f"; starts, or waits for what it needs: {server.log}"
        return Part(server.name, condition, address, note, process.pid, log)


def ending_order(started: Iterable[str], *, servers: Sequence[str]) -> list[str]:
    """Services before the servers they stand on, the latest started first.

    >>> ending_order(["kafka", "postgres", "gateway", "settlement"], servers=["kafka", "postgres"])
    ['settlement', 'gateway', 'postgres', 'kafka']
    >>> ending_order(["postgres", "gateway", "kafka"], servers=["kafka", "postgres"])
    ['gateway', 'kafka', 'postgres']
    """
    latest_first = list(reversed(list(started)))
    return sorted(latest_first, key=lambda name: name in servers)
