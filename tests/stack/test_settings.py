"""Settings come from the environment, and every mistake in it is told at once."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from deploy.stack.__main__ import main
from deploy.stack.errors import BadSettings
from deploy.stack.services import SERVICES
from deploy.stack.settings import NAMES, SERVICES_PORTS, read_settings


def test_without_any_setting_the_stack_lies_in_the_build_folder() -> None:
    settings = read_settings({})
    assert settings.folder == Path("build/stack").absolute()
    assert (settings.kafka_port, settings.postgres_port) == (19092, 15432)
    assert settings.kafka_bootstrap is settings.database_url is settings.maven_repository is None


def test_an_empty_value_is_no_value() -> None:
    assert read_settings(dict.fromkeys(NAMES, "")) == read_settings({})


def test_clones_share_a_cache_in_the_users_folder() -> None:
    settings = read_settings({"XDG_CACHE_HOME": "/somewhere/cache"})
    assert settings.cache == Path("/somewhere/cache/pitledger")


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = {
        "STACK_DIR": str(tmp_path / "file"),
        "STACK_CACHE_DIR": "/a:b",
        "STACK_KAFKA_PROT": "9092",
        "STACK_KAFKA_PORT": "nine",
        "STACK_KAFKA_CONTROLLER_PORT": "4000",
        "STACK_POSTGRES_PORT": "4000",
        "STACK_KAFKA_HEAP_MB": "64",
        "STACK_START_SECONDS_MAX": "0",
        "STACK_SERVICES": "settlement,roulette",
        "STACK_SERVICES_PORT": "65000",
        "STACK_SETTLEMENT_WORKERS": "10",
        "KAFKA_BOOTSTRAP": "somewhere",
        "DATABASE_URL": "mysql://user:secret@somewhere/db",
        "MAVEN_REPOSITORY": "https://user:secret@example.test/maven",
        "PG_BIN": str(tmp_path),
    }
    with pytest.raises(BadSettings) as bad:
        read_settings(environment)
    told = [problem.partition(":")[0].partition("=")[0] for problem in bad.value.problems]
    assert sorted(told) == sorted(set(environment) - {"STACK_KAFKA_CONTROLLER_PORT"})
    assert "STACK_POSTGRES_PORT=4000: STACK_KAFKA_CONTROLLER_PORT is the same port" in str(
        bad.value
    )
    assert "secret" not in str(bad.value)


@pytest.mark.parametrize("port", ["-1", "65536", "1.5", "٣", " 9", "99999999999"])
def test_a_port_is_a_number_that_a_port_can_have(port: str) -> None:
    with pytest.raises(BadSettings):
        read_settings({"STACK_KAFKA_PORT": port})


@pytest.mark.parametrize("address", ["a:1", "a:1,b:2", "[::1]:9092"])
def test_one_or_several_brokers_can_be_given(address: str) -> None:
    assert read_settings({"KAFKA_BOOTSTRAP": address}).kafka_bootstrap == address


def test_the_command_tells_mistakes_and_starts_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("STACK_DIR", str(tmp_path / "stack"))
    monkeypatch.setenv("STACK_KAFKA_PORT", "nine")
    monkeypatch.setenv("STACK_POSTGRES_PORT", "ten")
    assert main(["up"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "up: the environment cannot be used:",
        "  STACK_KAFKA_PORT=nine: must be a number from 0 to 65535 (0 takes any free port)",
        "  STACK_POSTGRES_PORT=ten: must be a number from 0 to 65535 (0 takes any free port)",
    ]
    assert not (tmp_path / "stack").exists()


def test_the_page_names_every_setting() -> None:
    page = (Path(__file__).parents[2] / "docs" / "stack.md").read_text("utf-8")
    assert [name for name in NAMES if f"| `{name}` |" not in page] == []


def test_the_page_names_every_service_with_its_ports() -> None:
    page = (Path(__file__).parents[2] / "docs" / "stack.md").read_text("utf-8")
    rows = [
        line for line in page.splitlines() if re.match(r"\| `\w+`(, worker 0)? \| *\d* \|", line)
    ]
    first = read_settings({}).services_port
    for service in SERVICES:
        (row,) = [row for row in rows if row.startswith(f"| `{service.name}`")]
        ports = [first + service.ports + place for place in range(3)]
        assert re.findall(r"\b\d{5}\b", row) == [
            str(port) for port in ports[0 if service.answers else 1 :]
        ]


def test_no_two_services_have_a_port_in_common_and_each_setting_is_named() -> None:
    firsts = sorted(service.ports for service in SERVICES)
    assert all(after - before >= 100 for before, after in pairwise(firsts))
    assert firsts[-1] + 100 <= SERVICES_PORTS
    assert {configured.workers_setting for configured in SERVICES if configured.several} <= set(
        NAMES
    )


def test_the_help_names_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert [name for name in NAMES if name not in shown] == []
