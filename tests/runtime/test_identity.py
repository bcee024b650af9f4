"""Certificates name who speaks; keys are for their owner only; renewal comes before expiry."""

from __future__ import annotations

import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from runtime.identity.authority import CERTIFICATE_LIFETIME, open_authority
from runtime.identity.credentials import Credentials, is_due, issue_to
from runtime.identity.errors import KeyExposed, NoAuthority, NotAName
from runtime.identity.files import KeyPair, read_pair, write_pair
from runtime.identity.names import Name

ROOT = Path(__file__).parents[2]

NOW = datetime(2026, 3, 1, 22, 41, tzinfo=UTC)
SETTLEMENT = Name("service", "settlement")
TABLE = Name("table", "BJ-07")


def certificate_of(pair: KeyPair) -> x509.Certificate:
    return x509.load_pem_x509_certificate(pair.certificate)


@pytest.mark.parametrize(
    "uri",
    [
        "spiffe://pitledger/table",
        "spiffe://pitledger/table/",
        "spiffe://pitledger/table/BJ-07/x",
        "spiffe://other/table/BJ-07",
        "spiffe://pitledger/table/BJ 07",
        "spiffe://pitledger/table/..",
        "https://pitledger/table/BJ-07",
        "spiffe://pitledger/table/BJ-07\n",
        "",
    ],
)
def test_what_is_no_name_of_ours_is_refused(uri: str) -> None:
    with pytest.raises(NotAName):
        Name.parse(uri)


def test_a_certificate_with_two_names_names_nobody() -> None:
    assert Name.among(["localhost", TABLE.uri]) == TABLE
    with pytest.raises(NotAName):
        Name.among([TABLE.uri, Name("table", "BJ-08").uri])
    with pytest.raises(NotAName, match="without a name"):
        Name.among(["localhost"])


def test_the_authority_is_made_once_by_whoever_comes_first(tmp_path: Path) -> None:
    folder = tmp_path / "authority"
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: open_authority(folder, now=NOW), range(8)))
    assert len({authority.certificate_pem for authority in made}) == 1


def test_folders_and_files_are_for_their_owner_only(tmp_path: Path) -> None:
    issue_to(tmp_path / "table", TABLE, tmp_path / "authority", now=NOW)
    for path in tmp_path.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert stat.S_IMODE((tmp_path / "authority").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "table/tls.key").stat().st_mode) == 0o600


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    issue_to(tmp_path / "table", TABLE, tmp_path / "authority", now=NOW)
    (tmp_path / "table/tls.key").chmod(0o640)
    with pytest.raises(KeyExposed, match="0640"):
        read_pair(tmp_path / "table")


def test_a_certificate_names_its_holder_and_is_signed_by_the_authority(tmp_path: Path) -> None:
    authority = open_authority(tmp_path, now=NOW)
    certificate = certificate_of(authority.issue(TABLE, now=NOW))
    certificate.verify_directly_issued_by(authority.certificate)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.UniformResourceIdentifier) == [TABLE.uri]
    assert certificate.not_valid_before_utc < NOW
    assert certificate.not_valid_after_utc == NOW + CERTIFICATE_LIFETIME


def test_only_a_service_can_serve(tmp_path: Path) -> None:
    authority = open_authority(tmp_path, now=NOW)

    def usages(name: Name) -> set[x509.ObjectIdentifier]:
        certificate = certificate_of(authority.issue(name, now=NOW))
        return set(certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value)

    assert usages(TABLE) == {ExtendedKeyUsageOID.CLIENT_AUTH}
    assert usages(SETTLEMENT) == {
        ExtendedKeyUsageOID.CLIENT_AUTH,
        ExtendedKeyUsageOID.SERVER_AUTH,
    }


def test_a_certificate_is_renewed_when_a_third_of_its_life_is_left(tmp_path: Path) -> None:
    credentials = Credentials(SETTLEMENT, tmp_path / "own", tmp_path / "authority")
    first = credentials.pair
    now = datetime.now(UTC)
    assert not credentials.refresh(now + CERTIFICATE_LIFETIME / 2)
    assert credentials.pair == first
    assert credentials.refresh(now + CERTIFICATE_LIFETIME * 3 / 4)
    assert credentials.pair != first
    assert read_pair(tmp_path / "own") == credentials.pair
    assert not is_due(credentials.pair, now + CERTIFICATE_LIFETIME * 3 / 4)


def test_a_restart_keeps_the_certificate(tmp_path: Path) -> None:
    first = Credentials(SETTLEMENT, tmp_path / "own", tmp_path / "authority")
    again = Credentials(SETTLEMENT, tmp_path / "own", tmp_path / "authority")
    assert again.pair == first.pair


def test_half_a_pair_left_by_a_crash_is_made_anew(tmp_path: Path) -> None:
    first = Credentials(SETTLEMENT, tmp_path / "own", tmp_path / "authority").pair
    other = open_authority(tmp_path / "authority").issue(SETTLEMENT, now=datetime.now(UTC))
    write_pair(tmp_path / "own", KeyPair(first.key, other.certificate, first.authority))
    healed = Credentials(SETTLEMENT, tmp_path / "own", tmp_path / "authority").pair
    assert healed not in (first, other)
    (tmp_path / "own/tls.key").unlink()
    assert Credentials(SETTLEMENT, tmp_path / "own", tmp_path / "authority").pair != healed


def test_a_folder_that_held_another_name_gets_the_right_one(tmp_path: Path) -> None:
    issue_to(tmp_path / "own", TABLE, tmp_path / "authority", now=datetime.now(UTC))
    pair = Credentials(SETTLEMENT, tmp_path / "own", tmp_path / "authority").pair
    assert "settlement" in str(certificate_of(pair).subject)


def test_without_an_authority_the_files_must_be_there_fit_and_be_valid(tmp_path: Path) -> None:
    with pytest.raises(NoAuthority, match=r"tls\.key is missing"):
        Credentials(SETTLEMENT, tmp_path / "none")
    issue_to(
        tmp_path / "old",
        SETTLEMENT,
        tmp_path / "authority",
        now=datetime.now(UTC) - timedelta(days=60),
    )
    with pytest.raises(NoAuthority, match="expired at"):
        Credentials(SETTLEMENT, tmp_path / "old")
    issue_to(tmp_path / "good", SETTLEMENT, tmp_path / "authority", now=datetime.now(UTC))
    assert Credentials(SETTLEMENT, tmp_path / "good").name == SETTLEMENT


def test_files_that_somebody_else_renewed_are_taken_up(tmp_path: Path) -> None:
    folder, authority = tmp_path / "own", tmp_path / "authority"
    issue_to(folder, SETTLEMENT, authority, now=datetime.now(UTC))
    credentials = Credentials(SETTLEMENT, folder)
    renewed = issue_to(folder, SETTLEMENT, authority, now=datetime.now(UTC))
    assert credentials.refresh(datetime.now(UTC))
    assert credentials.pair == renewed


def test_a_key_pair_does_not_print_its_key(tmp_path: Path) -> None:
    pair = issue_to(tmp_path / "own", TABLE, tmp_path / "authority", now=NOW)
    assert "PRIVATE" not in repr(pair)


def test_a_server_survives_many_clients_that_come_at_once(tmp_path: Path) -> None:
    """gRPC ended the process when it was given a configuration at every handshake."""
    command = [sys.executable, "-m", "tests.runtime.handshakes", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "720 handshakes\n"
