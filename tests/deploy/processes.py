"""The processes that manifests may run, and what each can be told."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from provisioning.__main__ import SETTINGS as PROVISIONING
from runtime.service import ServiceSettings
from runtime.settings import SettingField, Settings, describe
from tests.deploy.places import ROOT


def _settings_of(package: str) -> type[Settings] | None:
    config = importlib.import_module(f"{package}.config")
    settings = getattr(config, "Settings", None)
    is_service = isinstance(settings, type) and issubclass(settings, ServiceSettings)
    return settings if is_service else None


NOT_DEPLOYED = {"table_simulator"}
"""A house has real tables. The image runs it all the same, where somebody wants to try."""

SERVICES: dict[str, type[Settings]] = {
    package: settings
    for package in sorted(path.parent.name for path in ROOT.glob("services/*/config.py"))
    if package not in NOT_DEPLOYED and (settings := _settings_of(package))
}
"""Every service of services/: a package whose settings are those of a service."""


def settings_of(arguments: Sequence[str]) -> dict[str, SettingField]:
    """What a container with these arguments reads from its environment, by name."""
    process, *rest = arguments
    known = PROVISIONING[rest[0]] if process == "provisioning" else SERVICES[process]
    return {setting.name: setting for setting in describe(known)}
