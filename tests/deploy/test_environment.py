"""Manifests and settings speak of the same variables.

Whatever a manifest sets, the process reads; whatever the process must be told, every manifest
tells; and the values are such that the settings can be read.
"""

from __future__ import annotations

import pytest

from provisioning.__main__ import SETTINGS as PROVISIONING
from runtime.settings import Settings, describe, print_settings
from tests.deploy.containers import Container, all_containers, rendered
from tests.deploy.processes import SERVICES, settings_of

CONTAINERS = all_containers()
MANIFESTS = ["compose", *(f"k8s/{overlay}" for overlay in rendered())]
LOCAL_ONLY = {("provisioning", "certificates")}
"""A cluster has an issuer of its own."""

OF_A_NETWORK = {
    "KAFKA_CA_FILE", "KAFKA_SASL_MECHANISM", "KAFKA_SASL_PASSWORD", "KAFKA_SASL_USERNAME",
}  # fmt: skip
"""What brokers elsewhere are told, and those on a network of our own are not."""

each_container = pytest.mark.parametrize("container", CONTAINERS, ids=str)


def process(container: Container) -> tuple[str, ...]:
    """What it runs, without the names that a command is given."""
    return (
        container.arguments[:2]
        if container.arguments[0] == "provisioning"
        else (container.arguments[:1])
    )


def settings_class(container: Container) -> type[Settings]:
    first, *rest = container.arguments
    return PROVISIONING[rest[0]] if first == "provisioning" else SERVICES[first]


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_every_service_is_in_every_manifest(manifest: str) -> None:
    run = {container.arguments[0] for container in CONTAINERS if container.manifest == manifest}
    assert run - {"provisioning"} == set(SERVICES)


@each_container
def test_every_variable_of_a_manifest_is_a_setting_of_its_process(container: Container) -> None:
    assert set(container.environment) <= set(settings_of(container.arguments))


@each_container
def test_every_setting_without_a_default_is_given(container: Container) -> None:
    known = settings_of(container.arguments)
    needed = {name for name, setting in known.items() if setting.required}
    assert needed <= set(container.environment)


@each_container
def test_the_values_can_be_read(container: Container, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in settings_of(container.arguments):
        monkeypatch.delenv(name, raising=False)
    for name, value in container.environment.items():
        monkeypatch.setenv(name, value)
    read = settings_class(container).from_environment()
    assert all(hasattr(read, name.lower()) for name in container.environment)


@each_container
def test_whoever_speaks_with_kafka_elsewhere_does_so_over_tls(container: Container) -> None:
    if "KAFKA_BOOTSTRAP" in container.environment:
        elsewhere = container.manifest != "compose"
        protocol = container.environment["KAFKA_SECURITY_PROTOCOL"]
        assert protocol == ("sasl_ssl" if elsewhere else "plaintext")
        assert OF_A_NETWORK & set(container.environment) == (OF_A_NETWORK if elsewhere else set())


def test_all_manifests_tell_a_process_the_same() -> None:
    told: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for container in CONTAINERS:
        names = set(container.environment) - OF_A_NETWORK
        told.setdefault(process(container), {})[container.manifest] = names
    for command, by_manifest in told.items():
        if command not in LOCAL_ONLY:
            assert set(by_manifest) == set(MANIFESTS), command
            assert len({frozenset(names) for names in by_manifest.values()}) == 1, by_manifest


@pytest.mark.parametrize("service", SERVICES)
def test_the_list_that_a_service_prints_is_complete(service: str) -> None:
    settings = SERVICES[service]
    listed = print_settings(settings)
    heads = {line.split()[0] for line in listed.splitlines() if not line.startswith(" ")}
    assert heads == {name.upper() for name in settings.model_fields}
    assert heads == {setting.name for setting in describe(settings)}
