"""`python -m provisioning certificates NAME...`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from provisioning.__main__ import SETTINGS, main
from runtime.identity.credentials import Credentials
from runtime.identity.errors import KeyExposed
from runtime.identity.files import read_pair
from runtime.identity.names import Name
from runtime.settings import describe


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUTHORITY_FOLDER", str(tmp_path / "authority"))
    monkeypatch.setenv("IDENTITIES_FOLDER", str(tmp_path / "identities"))
    return tmp_path / "identities"


def test_a_service_reads_what_was_issued_to_it_without_the_authority(folder: Path) -> None:
    assert main(["certificates", "service/table_gateway", "table/BJ-07"]) == 0
    gateway = Credentials(Name("service", "table_gateway"), folder / "service/table_gateway")
    table = Credentials(Name("table", "BJ-07"), folder / "table/BJ-07")
    assert gateway.pair.authority == table.pair.authority
    assert not list(folder.rglob("authority.key"))


def test_what_is_still_good_is_left_as_it_is(folder: Path) -> None:
    assert main(["certificates", "table/BJ-07"]) == 0
    first = read_pair(folder / "table/BJ-07")
    assert main(["certificates", "table/BJ-07", "table/BJ-08"]) == 0
    assert read_pair(folder / "table/BJ-07") == first


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["BJ-07", "table/", "table/../authority", "Table/BJ-07"])
def test_what_is_no_name_gets_no_certificate(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certificates", name]) == 1
    assert "no name of ours" in capsys.readouterr().err


def test_every_variable_of_every_command_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--settings"]) == 0
    listed = capsys.readouterr().out
    for settings in SETTINGS.values():
        for setting in describe(settings):
            assert f"  {setting.name}  " in listed


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_mounted_key_may_be_read_by_the_pods_group_and_by_nobody_else(folder: Path) -> None:
    """A cluster's secret belongs to root; to whoever runs the service it is another's file."""
    assert main(["certificates", "table/BJ-07"]) == 0
    key = folder / "table/BJ-07/tls.key"
    os.chown(key, 65534, 65534)
    key.chmod(0o440)
    read_pair(folder / "table/BJ-07")
    key.chmod(0o444)
    with pytest.raises(KeyExposed, match="0444"):
        read_pair(folder / "table/BJ-07")
