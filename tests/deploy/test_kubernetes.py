"""The rendered manifests: valid by the API's schemas, and true in what they refer to."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from kubernetes_validate import SchemaNotFoundError, latest_version, validate

from deploy import render
from runtime.health import READY
from runtime.identity.names import Name
from runtime.service import ServiceSettings
from tests.deploy.containers import Object, kubernetes_containers, pod_templates, rendered
from tests.deploy.places import KUBERNETES, ROOT
from tests.deploy.processes import SERVICES

OVERLAYS = rendered()
KAFKA_CLIENT = "kafka-client"
"""The secret with the brokers' authority, and who we are to them."""
WITHOUT_SCHEMA = {"Certificate"}  # cert-manager's, not of the API itself
PEOPLE_KEYS = {"PEOPLE_KEY": "people-key", "PEOPLE_SIGNING_KEY": "people-signing-key"}
"""The secrets with the key that knows people's tokens, and with the one that signs them."""
USES = {
    "pitledger.internal/asks-ledger": {"ACCOUNTING_ADDRESS"},
    "pitledger.internal/asks-rounds": {"ROUND_ARCHIVE_ADDRESS"},
    "pitledger.internal/has-metrics": {"METRICS_ADDRESS"},
    "pitledger.internal/uses-kafka": {"KAFKA_BOOTSTRAP"},
    "pitledger.internal/uses-postgres": {"DATABASE_URL", "DATABASE_ADMINISTRATOR_URL"},
}
"""The labels that network policies go by, and the variables of those who need what they allow."""

each_overlay = pytest.mark.parametrize("resources", OVERLAYS.values(), ids=OVERLAYS)
each_workload = pytest.mark.parametrize(
    ("resource", "pod"),
    [
        pytest.param(resource, template["spec"], id=f"{overlay}-{resource['metadata']['name']}")
        for overlay, resources in OVERLAYS.items()
        for resource, template in pod_templates(resources)
    ],
)


def of_kind(resources: list[Object], kind: str) -> dict[str, Object]:
    return {
        resource["metadata"]["name"]: resource for resource in resources if resource["kind"] == kind
    }


def labels_of_pods(resources: list[Object]) -> list[dict[str, str]]:
    return [template["metadata"]["labels"] for _, template in pod_templates(resources)]


def selects(selector: dict[str, str], labels: dict[str, str]) -> bool:
    return selector.items() <= labels.items()


def environment_of(container: Object) -> dict[str, Any]:
    return {variable["name"]: variable for variable in container["env"]}


def test_every_overlay_is_rendered_from_what_is_there() -> None:
    assert [overlay.name for overlay in render.overlays()] == list(OVERLAYS)
    assert [render.problem(overlay) for overlay in render.overlays()] == [None] * len(OVERLAYS)


@pytest.mark.parametrize("changed", ["base/settlement.yaml", "rendered/production.yaml"])
def test_a_stale_or_altered_rendering_is_found_without_kustomize(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "k8s"
    shutil.copytree(KUBERNETES, copied)
    monkeypatch.setattr(render, "SOURCES", copied)
    monkeypatch.setattr(render, "RENDERED", copied / "rendered")
    monkeypatch.setattr(render, "kustomize", lambda: None)
    (overlay,) = render.overlays()
    assert render.problem(overlay) is None
    text = (copied / changed).read_text("utf-8")
    (copied / changed).write_text(text.replace("replicas: 2", "replicas: 3"), "utf-8")
    assert render.problem(overlay) == (
        "was rendered from other files than these, or changed by hand"
    )


@each_overlay
def test_everything_is_valid_by_the_schemas_of_the_api(resources: list[Object]) -> None:
    unknown = set()
    for resource in resources:
        try:
            validate(resource, latest_version(), strict=True)
        except SchemaNotFoundError:
            unknown.add(resource["kind"])
    assert unknown <= WITHOUT_SCHEMA


@each_overlay
def test_everything_is_in_one_namespace_under_a_name_of_its_own(resources: list[Object]) -> None:
    spaces = {
        resource["metadata"].get("namespace")
        for resource in resources
        if resource["kind"] != "Namespace"
    }
    assert spaces == set(of_kind(resources, "Namespace"))
    names = [(resource["kind"], resource["metadata"]["name"]) for resource in resources]
    assert len(names) == len(set(names))


@each_overlay
def test_every_selector_selects_somebody(resources: list[Object]) -> None:
    pods = labels_of_pods(resources)
    selectors = [
        *(service["spec"]["selector"] for service in of_kind(resources, "Service").values()),
        *(
            workload["spec"]["selector"]["matchLabels"]
            for kind in ("PodDisruptionBudget", "Deployment", "StatefulSet")
            for workload in of_kind(resources, kind).values()
        ),
        *(
            policy["spec"]["podSelector"].get("matchLabels", {})
            for policy in of_kind(resources, "NetworkPolicy").values()
        ),
    ]
    for selector in selectors:
        assert any(selects(selector, labels) for labels in pods), selector
    for resource, template in pod_templates(resources):
        if resource["kind"] != "Job":
            own = resource["spec"]["selector"]["matchLabels"]
            assert [labels for labels in pods if selects(own, labels)] == [
                template["metadata"]["labels"]
            ]


@each_overlay
def test_every_port_that_is_named_is_there(resources: list[Object]) -> None:
    for service in of_kind(resources, "Service").values():
        for port in service["spec"]["ports"]:
            assert_named(port["targetPort"], service["spec"]["selector"], resources)
    for policy in of_kind(resources, "NetworkPolicy").values():
        selector = policy["spec"]["podSelector"].get("matchLabels", {})
        for rule in policy["spec"].get("ingress", []):
            for port in rule["ports"]:
                assert_named(port["port"], selector, resources)


def assert_named(port: str, selector: dict[str, str], resources: list[Object]) -> None:
    for _, template in pod_templates(resources):
        if selects(selector, template["metadata"]["labels"]):
            (container,) = template["spec"]["containers"]
            assert port in {container_port["name"] for container_port in container["ports"]}


@each_overlay
def test_a_policy_forbids_everything_and_the_others_say_who_may(resources: list[Object]) -> None:
    policies = of_kind(resources, "NetworkPolicy")
    everything = [
        policy["spec"]
        for policy in policies.values()
        if not {"ingress", "egress"} & set(policy["spec"])
    ]
    assert everything == [{"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}]
    for name, policy in policies.items():
        spec = policy["spec"]
        for direction, peers in (("ingress", "from"), ("egress", "to")):
            for rule in spec.get(direction, []):
                assert rule[peers], f"{name} names its peers"
                assert rule["ports"], f"{name} names its ports"
            if direction in spec:
                assert spec[direction], f"{name}: the overlay says where its peers are"
                assert spec["policyTypes"] == [direction.capitalize()]


@each_overlay
def test_a_pod_may_reach_what_it_is_told_of_and_nothing_else(resources: list[Object]) -> None:
    for _, template in pod_templates(resources):
        (container,) = template["spec"]["containers"]
        told = set(environment_of(container))
        labels = set(template["metadata"]["labels"])
        for label, variables in USES.items():
            assert (label in labels) is bool(variables & told), (container["name"], label)


@each_workload
def test_a_pod_is_confined(resource: Object, pod: Object) -> None:
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False
    assert {key: pod["securityContext"][key] for key in ("runAsNonRoot", "runAsUser")} == {
        "runAsNonRoot": True,
        "runAsUser": 10001,
    }
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(container["resources"]["limits"]) == {"cpu", "memory"}
    assert set(container["resources"]["requests"]) == {"cpu", "memory"}
    assert "command" not in container, "the argument picks the process"
    assert ":" in container["image"], resource["metadata"]["name"]


@each_overlay
def test_every_account_is_there_and_has_no_token(resources: list[Object]) -> None:
    accounts = of_kind(resources, "ServiceAccount")
    assert all(account["automountServiceAccountToken"] is False for account in accounts.values())
    used = {template["spec"]["serviceAccountName"] for _, template in pod_templates(resources)}
    assert used == set(accounts)


@each_workload
def test_probes_ask_where_the_service_answers(resource: Object, pod: Object) -> None:
    (container,) = pod["containers"]
    if resource["kind"] == "Job":
        assert not {"startupProbe", "livenessProbe", "readinessProbe"} & set(container)
        return
    environment = environment_of(container)
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for name, variable in (
        ("health", "HEALTH_ADDRESS"),
        ("metrics", "METRICS_ADDRESS"),
        ("rpc", "RPC_ADDRESS"),
        ("web", "WEB_ADDRESS"),
    ):
        assert (name in ports) is (variable in environment)
        if name in ports:
            assert environment[variable]["value"] == f"0.0.0.0:{ports[name]}"
    health = {"port": ports["health"]}
    assert container["startupProbe"]["grpc"] == health
    assert container["livenessProbe"]["grpc"] == health
    assert container["readinessProbe"]["grpc"] == {**health, "service": READY}


@each_workload
def test_a_service_may_take_its_time_to_stop_and_is_spread(resource: Object, pod: Object) -> None:
    if resource["kind"] != "Job":
        limit = ServiceSettings.model_fields["stop_seconds_max"].default
        assert pod["terminationGracePeriodSeconds"] > limit
        own = resource["spec"]["selector"]["matchLabels"]
        spread = pod["topologySpreadConstraints"]
        assert {constraint["topologyKey"] for constraint in spread} == {
            "kubernetes.io/hostname",
            "topology.kubernetes.io/zone",
        }
        assert all(constraint["labelSelector"]["matchLabels"] == own for constraint in spread)


@each_workload
def test_a_worker_has_the_name_of_a_pod_that_comes_back(resource: Object, pod: Object) -> None:
    (container,) = pod["containers"]
    package = container["args"][0]
    if package in SERVICES:
        is_worker = "worker_name" in SERVICES[package].model_fields
        assert (resource["kind"] == "StatefulSet") is is_worker
        if is_worker:
            name = environment_of(container)["WORKER_NAME"]
            assert name["valueFrom"] == {"fieldRef": {"fieldPath": "metadata.name"}}


@each_workload
def test_a_key_is_readable_by_its_pod_alone(resource: Object, pod: Object) -> None:
    (container,) = pod["containers"]
    folder = environment_of(container).get("IDENTITY_FOLDER", {}).get("value")
    mounts = {mount["mountPath"]: mount for mount in container.get("volumeMounts", [])}
    authority = environment_of(container).get("KAFKA_CA_FILE", {}).get("value")
    expected: dict[str, Object] = {}
    if folder:
        secret = f"{resource['metadata']['name']}-identity"
        expected[folder] = {"secretName": secret, "defaultMode": 0o400}
    if authority:
        file = PurePosixPath(authority)
        items = [{"key": file.name, "path": file.name}]  # and not the password beside it
        known = {"secretName": KAFKA_CLIENT, "defaultMode": 0o400, "items": items}
        expected[str(file.parent)] = known
    for variable, secret in PEOPLE_KEYS.items():
        if path := environment_of(container).get(variable, {}).get("value"):
            file = PurePosixPath(path)
            items = [{"key": file.name, "path": file.name}]
            known = {"secretName": secret, "defaultMode": 0o400, "items": items}
            expected[str(file.parent)] = known
    given = {volume["name"]: volume for volume in pod.get("volumes", [])}
    if states := environment_of(container).get("STATE_FOLDER", {}).get("value"):
        mounted = mounts.pop(str(PurePosixPath(states).parent))
        assert given.pop(mounted["name"])["emptyDir"]["sizeLimit"]
    assert set(mounts) == set(expected)
    if expected:
        assert pod["securityContext"]["fsGroup"] == 10001
        volumes = {name: volume["secret"] for name, volume in given.items()}
        assert len(volumes) == len(expected)
        for path, mounted in mounts.items():
            assert mounted["readOnly"] is True
            assert volumes[mounted["name"]] == expected[path]


def secrets_of(pod: Object) -> set[str]:
    volumes = pod.get("volumes", [])
    return {volume["secret"]["secretName"] for volume in volumes if "secret" in volume}


@each_overlay
def test_certificates_name_the_services_as_we_know_them(resources: list[Object]) -> None:
    issued = {
        certificate["spec"]["secretName"]: certificate["spec"]
        for certificate in of_kind(resources, "Certificate").values()
    }
    used = {}
    for _, template in pod_templates(resources):
        for secret in secrets_of(template["spec"]):
            if secret in {KAFKA_CLIENT, *PEOPLE_KEYS.values()}:
                continue  # no certificates
            (container,) = template["spec"]["containers"]
            used[secret] = Name("service", container["args"][0])
    assert set(issued) == set(used)
    for secret, name in used.items():
        assert issued[secret]["uris"] == [name.uri]
        assert issued[secret]["dnsNames"] == [name.host]
        assert set(issued[secret]["usages"]) >= {"client auth", "server auth"}


@each_overlay
def test_every_setting_of_the_map_is_used_and_every_secret_is_told_of(
    resources: list[Object],
) -> None:
    (settings,) = of_kind(resources, "ConfigMap").values()
    used, secrets = set(), set()
    for _, template in pod_templates(resources):
        (container,) = template["spec"]["containers"]
        for variable in container["env"]:
            source = variable.get("valueFrom", {})
            if found := source.get("configMapKeyRef"):
                assert found["name"] == settings["metadata"]["name"]
                used.add(found["key"])
            if found := source.get("secretKeyRef"):
                assert found["key"] == variable["name"]
                secrets.add(found["name"])
        secrets |= secrets_of(template["spec"])
    assert used == set(settings["data"])
    page = (ROOT / "docs/deployment.md").read_text("utf-8")
    assert all(f"`{secret}`" in page for secret in secrets)


@each_overlay
def test_all_containers_run_the_same_image(resources: list[Object]) -> None:
    images = {
        template["spec"]["containers"][0]["image"] for _, template in pod_templates(resources)
    }
    assert len(images) == 1
    names = {container.name for container in kubernetes_containers("", resources)}
    assert {name.replace("_", "-") for name in SERVICES} <= names


@each_overlay
def test_what_runs_for_long_may_lose_one_pod_at_a_time(resources: list[Object]) -> None:
    budgets = of_kind(resources, "PodDisruptionBudget")
    long_running = {*of_kind(resources, "Deployment"), *of_kind(resources, "StatefulSet")}
    assert set(budgets) == long_running
    assert all(budget["spec"]["maxUnavailable"] == 1 for budget in budgets.values())
