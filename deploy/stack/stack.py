"""A stack as a whole: up, down, and how it stands."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from confluent_kafka import KafkaException

from deploy.stack.errors import NotRunning, ServerDied, ServerSilent, TopicsRefused
from deploy.stack.kafka import Kafka, admin
from deploy.stack.postgres import Postgres
from deploy.stack.process import end, is_alive, tail
from deploy.stack.server import Server, wait_until_ready
from deploy.stack.services import SERVICES, Service, ServiceProcess
from deploy.stack.settings import Settings
from deploy.stack.state import State, load, locked, make_folder, save
from provisioning import topics

TRIES = 5
TRY_AGAIN_SECONDS = 0.5
GIVEN_SECONDS_MAX = 15.0  # somebody else's server runs already, or does not


class Condition(StrEnum):
    OK = "ok"
    STARTING = "starting"
    """It lives and does not answer yet; or does not answer any more."""
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

    def __str__(self) -> str:
        return f"{self.condition:<8}  {self.name:<16}  {self.address:<22}  {self.note}".rstrip()


def say_nothing(_line: str) -> None:
    """Report to nobody."""


class Stack:
    """What a folder holds, as the settings say; `report` is told one line for each step."""

    def __init__(
        self,
        settings: Settings,
        *,
        services: tuple[Service, ...] = SERVICES,
        report: Callable[[str], None] = say_nothing,
    ) -> None:
        self.settings = settings
        self.report = report
        self.kafka = Kafka(settings)
        self.postgres = Postgres(settings)
        self.services = [ServiceProcess(each, settings, self.environment) for each in services]

    @property
    def servers(self) -> list[Server]:
        return [self.kafka, self.postgres]

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

    def up(self, *, servers_only: bool = False) -> None:
        """Everything runs and answers afterwards. What already does is left alone."""
        folder = self.settings.folder
        make_folder(folder)
        with locked(folder):
            (folder / "log").mkdir(0o700, exist_ok=True)
            state = load(folder)
            save(folder, state)  # the password first: a cluster may be made with it
            for server in self.servers:
                self._raise_up(server, state)
            if servers_only:
                return
            self._make_topics(state)
            for service in self.services:
                self._raise_up(service, state)

    def _raise_up(self, server: Server, state: State) -> None:
        began = time.monotonic()
        address = server.address(state)
        if server.given:
            self._wait_for_given(server, state)
            note = "given"
        elif (process := state.processes.get(server.name)) and is_alive(process):
            self._wait(server, state)
            note = "was up"
        else:
            self._start(server, state)
            address = server.address(state)
            note = f"{time.monotonic() - began:.1f} s"
        self.report(str(Part(server.name, Condition.OK, address, note)))

    def _start(self, server: Server, state: State) -> None:
        """Started is written down before it is awaited, so that `down` knows of it."""
        for attempt in range(1, TRIES + 1):
            server.prepare(state)
            state.processes[server.name] = server.spawn(state)
            save(self.settings.folder, state)
            try:
                return self._wait(server, state)
            except ServerDied as died:
                if attempt == TRIES or not server.can_try_again(died.tail):
                    raise
            time.sleep(TRY_AGAIN_SECONDS)
        return None

    def _wait(self, server: Server, state: State) -> None:
        wait_until_ready(
            lambda: server.is_ready(state),
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
        note = f"{len(outcome.made)} made, {len(outcome.found)} there"
        self.report(str(Part("topics", Condition.OK, self.kafka.address(state), note)))
        for difference in outcome.differences:
            self.report(f"differs   {difference}")

    def make_topics(self, state: State | None = None) -> topics.Outcome:
        """Those of `wire.topics`; what is there is left as it is."""
        bootstrap = self.environment(state or self.state)["KAFKA_BOOTSTRAP"]
        try:
            return topics.ensure_topics(admin(bootstrap), topics.named_topics())
        except KafkaException as error:
            raise TopicsRefused(bootstrap, str(error)) from error

    def down(self, *, remove_data: bool = False) -> None:
        """Nothing of the stack runs afterwards, whatever the settings say by now.

        Ended in the reverse order of the start. Data stay, unless they are to go too.
        """
        folder = self.settings.folder
        if not folder.is_dir():
            return
        with locked(folder):
            state = load(folder)
            known = {server.name: server for server in [*self.servers, *self.services]}
            for name in reversed(list(state.processes)):
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

    def status(self) -> Iterator[Part]:
        state = self.state
        for server in [*self.servers, *self.services]:
            process = state.processes.get(server.name)
            if server.given:
                condition = Condition.OK if server.is_ready(state) else Condition.STOPPED
                yield Part(server.name, condition, server.address(state), "given")
            elif process is None:
                yield Part(server.name, Condition.STOPPED, "", "")
            else:
                alive = is_alive(process)
                ready = alive and server.is_ready(state)
                condition = Condition.OK if ready else Condition.STARTING
                yield Part(
                    server.name,
                    condition if alive else Condition.DIED,
                    server.address(state),
                    f"pid {process.pid}" if alive else last_word(tail(server.log, 1)),
                    process.pid if alive else None,
                    str(server.log),
                )


def last_word(line: str) -> str:
    return f"last said: {line:.100}" if line else ""
