"""Our own services, a row each: what is started after the servers, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

WORKERS_MAX = 9
"""Each worker has ten ports, and a service a hundred."""


@dataclass(frozen=True, slots=True)
class Service:
    """One row of the table."""

    name: str
    """As its certificate names it, and its schema, and its package unless `arguments` say so."""
    ports: int
    """Its first port, counted from STACK_SERVICES_PORT."""
    answers: bool = True
    """Whether others call it; else it has its health and its metrics only."""
    database: bool = False
    """Whether it owns a schema, with a role that migrates and one that works."""
    several: bool = False
    """Whether it can have several workers: STACK_<NAME>_WORKERS says how many."""
    arguments: tuple[str, ...] = ()
    """What Python is asked to run."""
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def command(self) -> tuple[str, ...]:
        return self.arguments or ("-m", self.name)

    @property
    def workers_setting(self) -> str:
        return f"STACK_{self.name.upper()}_WORKERS"


SERVICES: tuple[Service, ...] = (
    Service("table_gateway", ports=0, environment={"SIMULATED_TIME": "true"}),
    Service("settlement", ports=100, answers=False, several=True),
    Service("round_archive", ports=200, database=True),
    Service(
        "surveillance",
        ports=400,
        answers=False,
        several=True,
        environment={"SIMULATED_TIME": "true"},
    ),
    Service("alert_desk", ports=500, database=True, environment={"SIMULATED_TIME": "true"}),
    # Simulated days come in any order, and the desk may be the first to say something of one.
    Service("accounting", ports=300, database=True, environment={"BOOKS_BEGIN_ON": "2026-01-01"}),
    Service("console", ports=800, database=True),
)
"""Every service of the stack; one may call those above it, whose addresses it gets."""
