"""Who is who in a stack: made at the first start, kept, and renewed in time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deploy.stack.errors import FolderRejected
from deploy.stack.identity import OPERATOR, Identities
from runtime.identity.authority import CERTIFICATE_LIFETIME
from runtime.identity.credentials import Credentials, issue_to
from runtime.identity.names import Name


def test_the_first_start_makes_the_authority_and_the_operators_certificate(tmp_path: Path) -> None:
    identities = Identities(tmp_path)
    identities.prepare()
    assert identities.people_key.is_file()
    own = identities.of(OPERATOR)
    assert own == tmp_path / "identity" / "operator" / "local"
    assert Credentials(OPERATOR, own).pair.authority == (own / "ca.crt").read_bytes()
    assert identities.folder.stat().st_mode & 0o077 == 0
    files = [path for path in identities.folder.rglob("*") if path.is_file()]
    assert [path for path in files if path.stat().st_mode & 0o077] == []


def test_a_later_start_renews_what_is_due_and_nothing_else(tmp_path: Path) -> None:
    identities = Identities(tmp_path)
    identities.prepare()
    now = datetime.now(UTC)
    fresh, due = Name("table", "BJ-07"), Name("table", "BJ-08")
    issue_to(identities.of(fresh), fresh, identities.authority, now=now)
    long_ago = now - CERTIFICATE_LIFETIME + timedelta(days=1)
    issue_to(identities.of(due), due, identities.authority, now=long_ago)
    (identities.folder / "table" / "notes of somebody").mkdir()
    before = {name: certificate(identities, name) for name in (OPERATOR, fresh, due)}
    identities.prepare()
    after = {name: certificate(identities, name) for name in (OPERATOR, fresh, due)}
    assert [name for name in before if before[name] != after[name]] == [due]
    left = Credentials(due, identities.of(due)).expires_at - now
    assert left > CERTIFICATE_LIFETIME - timedelta(days=1)


def certificate(identities: Identities, name: Name) -> bytes:
    return (identities.of(name) / "tls.crt").read_bytes()


def test_an_authority_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    identities = Identities(tmp_path)
    identities.prepare()
    identities.authority.chmod(0o755)
    with pytest.raises(FolderRejected, match="chmod go-rwx"):
        identities.prepare()
