"""The settings of a stack, read from the environment once."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from deploy.stack.errors import BadSettings
from deploy.stack.services import SERVICES, WORKERS_MAX

NONE = "none"
FREE_PORT = " (0 takes any free port)"
SERVICES_PORTS = 1000
"""How many ports the services may reach, from STACK_SERVICES_PORT on."""

NAMES = {
    "STACK_DIR": "the stack's folder (build/stack)",
    "STACK_CACHE_DIR": "what clones share: jars, an empty cluster (pitledger in the user's cache)",
    "STACK_NOBODY_DIR": "root only: where PostgreSQL lies if its user may not enter the stack's",
    "STACK_KAFKA_PORT": "where clients find Kafka (19092; 0 takes any free port)",
    "STACK_KAFKA_CONTROLLER_PORT": "where Kafka finds itself (0)",
    "STACK_KAFKA_HEAP_MB": "the broker's heap (384)",
    "STACK_KAFKA_JAVA_OPTIONS": "more words for the broker's Java",
    "STACK_POSTGRES_PORT": "where clients find PostgreSQL (15432; 0 takes any free port)",
    "STACK_SERVICES": "which services are started, with commas; or `none` (all)",
    "STACK_SERVICES_PORT": "the first of the services' ports (20000; 0 takes any free ones)",
    "STACK_SETTLEMENT_WORKERS": "how many processes settle (1)",
    "STACK_SURVEILLANCE_WORKERS": "how many processes watch (1)",
    "STACK_START_SECONDS_MAX": "how long a server may take to answer (120)",
    "STACK_STOP_SECONDS_MAX": "how long a server may take to end before SIGKILL (30)",
    "MAVEN_REPOSITORY": "the address of the repository to fetch jars from (jgo's default)",
    "PG_BIN": "a folder with other PostgreSQL programs than the wheel's",
    "KAFKA_BOOTSTRAP": "a Kafka to use instead of starting one",
    "DATABASE_URL": "a PostgreSQL to use instead of starting one",
    "TOPIC_PREFIX": "before the name of every topic: for several stacks on one Kafka",
}


@dataclass(frozen=True, slots=True)
class Settings:
    folder: Path
    cache: Path
    unprivileged_folder: Path
    kafka_port: int = 19092
    kafka_controller_port: int = 0
    kafka_heap_mb: int = 384
    kafka_java_options: tuple[str, ...] = ()
    postgres_port: int = 15432
    services: frozenset[str] | None = None
    """Which are started; None: all."""
    services_port: int = 20000  # below the ports that clients are given by the kernel
    workers: Mapping[str, int] = field(default_factory=dict)
    """How many workers a service has, where it can have several."""
    start_seconds_max: int = 120  # ours take five; a busy machine has taken ten times that
    stop_seconds_max: int = 30
    maven_repository: str | None = None
    pg_bin: Path | None = None
    kafka_bootstrap: str | None = None
    database_url: str | None = None
    topic_prefix: str = ""


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings that can be used, or `BadSettings` with every problem; an empty value is none."""
    given = {name: value for name, value in environment.items() if value}
    problems = [
        f"{name}={given[name]}: there is no such setting (python -m deploy.stack --help)"
        for name in sorted(given)
        if name.startswith("STACK_") and name not in NAMES
    ]

    def number(name: str, default: int, low: int, high: int, hint: str = "") -> int:
        text = given.get(name, str(default))
        if re.fullmatch(r"[0-9]{1,9}", text) and low <= int(text) <= high:
            return int(text)
        problems.append(f"{name}={text}: must be a number from {low} to {high}{hint}")
        return default

    def port(name: str, default: int) -> int:
        return number(name, default, 0, 65535, FREE_PORT)

    def folder(name: str, default: Path) -> Path:
        path = Path(given.get(name, default)).expanduser().absolute()
        if path.exists() and not path.is_dir():
            problems.append(f"{name}={path}: is no folder")
        if ":" in str(path):
            problems.append(f"{name}={path}: may hold no colon, which separates jars for Java")
        return path

    def names_of_services() -> frozenset[str] | None:
        every = {service.name for service in SERVICES}
        text = given.get("STACK_SERVICES")
        if text is None:
            return None
        named = {word.strip() for word in text.split(",")} if text != NONE else set()
        for stranger in sorted(named - every):
            known = ", ".join(sorted(every))
            problems.append(f"STACK_SERVICES={stranger}: must be among {known}, or {NONE}")
        return frozenset(named & every)

    settings = Settings(
        folder=folder("STACK_DIR", Path("build/stack")),
        cache=folder("STACK_CACHE_DIR", default_cache(given)),
        unprivileged_folder=folder("STACK_NOBODY_DIR", Path("/var/tmp/pitledger")),
        kafka_port=port("STACK_KAFKA_PORT", 19092),
        kafka_controller_port=port("STACK_KAFKA_CONTROLLER_PORT", 0),
        kafka_heap_mb=number("STACK_KAFKA_HEAP_MB", 384, 128, 65536),
        kafka_java_options=tuple(given.get("STACK_KAFKA_JAVA_OPTIONS", "").split()),
        postgres_port=port("STACK_POSTGRES_PORT", 15432),
        services=names_of_services(),
        services_port=number("STACK_SERVICES_PORT", 20000, 0, 65535 - SERVICES_PORTS, FREE_PORT),
        workers={
            service.name: number(service.workers_setting, 1, 1, WORKERS_MAX)
            for service in SERVICES
            if service.several
        },
        start_seconds_max=number("STACK_START_SECONDS_MAX", 120, 1, 3600),
        stop_seconds_max=number("STACK_STOP_SECONDS_MAX", 30, 1, 3600),
        maven_repository=given.get("MAVEN_REPOSITORY"),
        pg_bin=Path(given["PG_BIN"]).absolute() if "PG_BIN" in given else None,
        kafka_bootstrap=given.get("KAFKA_BOOTSTRAP"),
        database_url=given.get("DATABASE_URL"),
        topic_prefix=given.get("TOPIC_PREFIX", ""),
    )
    problems += [*port_problems(settings), *address_problems(settings)]
    if settings.pg_bin and not (settings.pg_bin / "postgres").is_file():
        problems.append(f"PG_BIN={settings.pg_bin}: holds no program `postgres`")
    if problems:
        raise BadSettings(tuple(problems))
    return settings


def default_cache(environment: Mapping[str, str]) -> Path:
    """Outside of the clone, so that every clone of a user shares it."""
    base = environment.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path(os.path.expanduser("~")) / ".cache") / "pitledger"


def port_problems(settings: Settings) -> list[str]:
    seen: dict[int, str] = {}
    problems = []
    for name, port in (
        ("STACK_KAFKA_PORT", settings.kafka_port),
        ("STACK_KAFKA_CONTROLLER_PORT", settings.kafka_controller_port),
        ("STACK_POSTGRES_PORT", settings.postgres_port),
    ):
        if port and seen.setdefault(port, name) != name:
            problems.append(f"{name}={port}: {seen[port]} is the same port")
    return problems


def address_problems(settings: Settings) -> list[str]:
    problems = []
    bootstrap, url = settings.kafka_bootstrap, settings.database_url
    if bootstrap and not re.fullmatch(r"[^\s,/]+:\d{1,5}(,[^\s,/]+:\d{1,5})*", bootstrap):
        problems.append(f"KAFKA_BOOTSTRAP={bootstrap}: must be host:port, several with commas")
    if url and urlsplit(url).scheme not in {"postgresql", "postgres"}:
        problems.append("DATABASE_URL: must begin with postgresql://")  # it may hold a password
    if settings.maven_repository:
        address = urlsplit(settings.maven_repository)
        if address.scheme not in {"https", "http", "file"}:
            problems.append("MAVEN_REPOSITORY: must begin with https://, http:// or file://")
        elif address.username or address.password:
            problems.append("MAVEN_REPOSITORY: may hold no user name or password")
    return problems
