"""`pitctl enroll`: a table's certificate, issued by the authority at hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pitctl.errors import CommandError
from pitctl.output.exit import command_name
from pitctl.output.text import escape
from pitctl.stack.local_stack import environment
from runtime.identity.credentials import Credentials, issue_to
from runtime.identity.errors import IdentityError, NotAName
from runtime.identity.names import Name

TABLE = "table"


class EnrollmentFailed(CommandError):
    """A table cannot get a certificate."""


def run(tables: Sequence[str], *, folder: str, renew: bool, as_json: bool) -> None:
    authority = _authority()
    names = [_name(table) for table in tables]
    for name in names:
        place = (Path(folder) if folder else authority.parent / TABLE) / name.name
        expires_at = _issue(name, place.absolute(), authority, renew=renew)
        if as_json:
            fields = {"table": name.name, "folder": str(place), "expires": expires_at.isoformat()}
            print(json.dumps(fields))
        else:
            print(escape(f"{name.name:<8}  valid until {expires_at:%Y-%m-%d}  {place}"))


def _authority() -> Path:
    given = environment().get("AUTHORITY_FOLDER")
    if not given:
        raise EnrollmentFailed(
            f"no certificate authority: start the local stack ({command_name()} up), "
            "or set AUTHORITY_FOLDER"
        )
    if not Path(given).is_dir():
        raise EnrollmentFailed(f"Invalid AUTHORITY_FOLDER {given}: no such folder.")
    return Path(given)


def _name(table: str) -> Name:
    try:
        return Name(TABLE, table)
    except NotAName:
        raise EnrollmentFailed(
            f'Invalid table "{table}": expected ASCII characters A to Z, a to z, digits and . _ -'
        ) from None


def _issue(name: Name, folder: Path, authority: Path, *, renew: bool) -> datetime:
    try:
        if renew:
            issue_to(folder, name, authority, now=datetime.now(UTC))
        return Credentials(name, folder, authority).expires_at
    except (IdentityError, OSError) as error:
        raise EnrollmentFailed(f"{name.name}: {error}") from None
