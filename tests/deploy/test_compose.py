"""The compose file: its form by the specification's schema, its sense by what it refers to."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from runtime.identity.names import Name
from runtime.service import ServiceSettings
from tests.deploy.containers import compose, compose_containers, interpolate, is_ours
from tests.deploy.places import DEPLOY, ROOT

COMPOSE = compose()
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if is_ours(service)}
ADDRESS = re.compile(r"(?:@|^)([a-z_]+):\d+")


def test_it_is_as_the_compose_specification_says() -> None:
    schema = json.loads((ROOT / "tests/deploy/compose-spec.json").read_text("utf-8"))
    validator = Draft202012Validator(schema)
    assert [error.message for error in validator.iter_errors(COMPOSE)] == []
    broken = {**COMPOSE, "services": {"kafka": {"imagine": "apache/kafka"}}}
    assert list(validator.iter_errors(broken)), "the schema refuses what it does not know"


@pytest.mark.parametrize("name", SERVICES)
def test_every_container_is_confined(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}
    assert service.get("read_only", False) is is_ours(service)
    assert "privileged" not in service
    assert bool(service.get("cap_add")) is (name == "postgres")


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_either_ends_or_is_asked_and_restarted(name: str) -> None:
    service = SERVICES[name]
    ends = bool(OURS.get(name)) and service["command"][0] == "provisioning"
    assert service["restart"] == ("no" if ends else "unless-stopped")
    assert ("healthcheck" in service) is not ends
    for other, condition in service.get("depends_on", {}).items():
        once = SERVICES[other]["restart"] == "no"
        expected = "service_completed_successfully" if once else "service_healthy"
        assert condition == {"condition": expected}


def test_a_service_may_take_its_time_to_stop() -> None:
    limit = ServiceSettings.model_fields["stop_seconds_max"].default
    for container in compose_containers():
        if container.arguments[0] != "provisioning":
            grace = SERVICES[container.name]["stop_grace_period"]
            assert int(grace.removesuffix("s")) > limit


@pytest.mark.parametrize("name", OURS)
def test_whoever_is_addressed_is_in_reach_and_awaited(name: str) -> None:
    """Hosts in the environment are services on a network of the same name on both sides."""
    service = OURS[name]
    values = [interpolate(str(value)) for value in service.get("environment", {}).values()]
    hosts = {host for value in values for host in ADDRESS.findall(value)}
    for host in hosts:
        assert set(SERVICES[host]["networks"]) & set(service["networks"])
        assert host in awaited(name)


def awaited(name: str) -> set[str]:
    """Whatever has to be there before it, directly or not."""
    direct = set(SERVICES[name].get("depends_on", {}))
    return direct.union(*(awaited(other) for other in direct))


def test_every_network_volume_and_secret_is_declared_and_used() -> None:
    networks = {network for service in SERVICES.values() for network in service.get("networks", [])}
    assert networks == set(COMPOSE["networks"])
    secrets = {secret for service in SERVICES.values() for secret in service.get("secrets", [])}
    assert secrets == set(COMPOSE["secrets"])
    mounts = [mount for service in SERVICES.values() for mount in service.get("volumes", [])]
    sources = {m["source"] if isinstance(m, dict) else m.split(":")[0] for m in mounts}
    assert sources == set(COMPOSE["volumes"])


def test_only_what_people_and_tables_call_is_published_and_on_loopback_unless_told() -> None:
    for name, service in SERVICES.items():
        for port in service.get("ports", []):
            assert name in OURS
            assert interpolate(port).startswith("127.0.0.1:")
            web = "WEB_ADDRESS" in service["environment"]
            assert interpolate(port).endswith(":8080" if web else ":50051")


def test_each_service_sees_its_own_certificate_and_no_other() -> None:
    certificates = OURS["certificates"]
    environment = certificates["environment"]
    (mount,) = certificates["volumes"]
    volume, root = mount.split(":")
    folder = environment["IDENTITIES_FOLDER"].removeprefix(f"{root}/")
    issued = {name for name in certificates["command"] if "/" in name}
    used = set()
    for container in compose_containers():
        if "IDENTITY_FOLDER" in container.environment:
            name = str(Name("service", container.arguments[0]))
            (mount,) = SERVICES[container.name]["volumes"]
            assert mount["source"] == volume
            assert mount["target"] == container.environment["IDENTITY_FOLDER"]
            assert mount["read_only"] is True
            assert mount["volume"] == {"subpath": f"{folder}/{name}"}
            used.add(name)
    assert issued == used


def test_images_of_others_have_a_version_and_ours_the_projects() -> None:
    versions = {service["image"] for service in SERVICES.values()}
    project = re.search(
        r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE
    )
    assert project
    assert {interpolate(version) for version in versions} == {
        "apache/kafka:4.3.1",
        "postgres:18.6",
        f"pitledger:{project[1]}",
    }


def test_every_variable_of_whoever_starts_it_is_in_the_example() -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    used = set(re.findall(r"\$\{(\w+)", text)) | {
        secret["environment"] for secret in COMPOSE["secrets"].values()
    }
    example = (DEPLOY / "example.env").read_text("utf-8")
    offered = set(re.findall(r"^#? ?([A-Z_]+)=", example, re.MULTILINE))
    assert used == offered
    without_default = set(re.findall(r"^([A-Z_]+)=$", example, re.MULTILINE))
    defaulted = set(re.findall(r"\$\{(\w+):-", text))
    assert without_default == used - defaulted
