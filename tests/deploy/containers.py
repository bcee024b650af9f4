"""What the manifests run, container by container, with what each is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from tests.deploy.places import DEPLOY, KUBERNETES

PASSWORD = "secret"
SECRET = "postgresql://somebody:secret@server:5432/pitledger"
"""Stands for what only a secret holds; every secret of ours is such an address."""
Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Container:
    """One process of ours. `environment` holds values as the process would find them."""

    manifest: str
    name: str
    arguments: tuple[str, ...]
    environment: dict[str, str]

    def __str__(self) -> str:
        return f"{self.manifest}: {' '.join(self.arguments)}"


def compose() -> Object:
    loaded: Object = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return loaded


def rendered() -> dict[str, list[Object]]:
    """The resources of each overlay, as they would be applied."""
    return {
        path.stem: [
            resource for resource in yaml.safe_load_all(path.read_text("utf-8")) if resource
        ]
        for path in sorted((KUBERNETES / "rendered").glob("*.yaml"))
    }


def is_ours(service: Object) -> bool:
    """Whether a service of the compose file runs our image."""
    return "build" in service


def compose_containers() -> Iterator[Container]:
    for name, service in compose()["services"].items():
        if is_ours(service):
            environment = {
                variable: interpolate(str(value))
                for variable, value in service.get("environment", {}).items()
            }
            yield Container("compose", name, tuple(service["command"]), environment)


def interpolate(value: str) -> str:
    """As an engine would, with PASSWORD for what has no default.

    >>> interpolate("${LOG_LEVEL:-info} ${PASSWORD:?needed}")
    'info secret'
    """
    return re.sub(r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda found: found[2] or PASSWORD, value)


def pod_templates(resources: list[Object]) -> Iterator[tuple[Object, Object]]:
    """Every resource that makes pods, with what it makes them of."""
    for resource in resources:
        if resource["kind"] in {"Deployment", "StatefulSet", "Job"}:
            yield resource, resource["spec"]["template"]


def kubernetes_containers(overlay: str, resources: list[Object]) -> Iterator[Container]:
    for resource, template in pod_templates(resources):
        (container,) = template["spec"]["containers"]
        environment = {
            variable["name"]: _value(variable, resources) for variable in container["env"]
        }
        name = resource["metadata"]["name"]
        yield Container(f"k8s/{overlay}", name, tuple(container["args"]), environment)


def _value(variable: Object, resources: list[Object]) -> str:
    if "value" in variable:
        return str(variable["value"])
    ((kind, source),) = variable["valueFrom"].items()
    match kind:
        case "configMapKeyRef":
            maps = {
                resource["metadata"]["name"]: resource["data"]
                for resource in resources
                if resource["kind"] == "ConfigMap"
            }
            return str(maps[source["name"]][source["key"]])
        case "secretKeyRef":
            return SECRET
        case "fieldRef":
            return "settlement-0"
        case _:
            raise LookupError(kind)


def all_containers() -> list[Container]:
    found = list(compose_containers())
    for overlay, resources in rendered().items():
        found += kubernetes_containers(overlay, resources)
    return found
