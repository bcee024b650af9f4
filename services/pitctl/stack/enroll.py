"""`pitctl enrol`: a table's certificate, issued by the authority at hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pitctl.output.exit import called
from pitctl.output.text import plain
from pitctl.stack.local_stack import environment
from runtime.identity.credentials import Credentials, issue_to
from runtime.identity.errors import IdentityError, NotAName
from runtime.identity.names import Name

TABLE = "table"


class CannotEnrol(Exception):
    """Why nobody was let in."""


def run(tables: Sequence[str], *, folder: str, renew: bool, as_json: bool) -> None:
    authority = _authority()
    names = [_name(table) for table in tables]
    for name in names:
        place = (Path(folder) if folder else authority.parent / TABLE) / name.name
        expires_at = _issue(name, place.absolute(), authority, renew=renew)
        if as_json:
            said = {"table": name.name, "folder": str(place), "expires": expires_at.isoformat()}
            print(json.dumps(said))
        else:
            print(plain(f"{name.name:<8}  good until {expires_at:%Y-%m-%d}  {place}"))


def _authority() -> Path:
    given = environment().get("AUTHORITY_FOLDER")
    if not given:
        raise CannotEnrol(
            f"no authority to sign it: start the local stack ({called()} up), "
            "or set AUTHORITY_FOLDER"
        )
    if not Path(given).is_dir():
        raise CannotEnrol(f"AUTHORITY_FOLDER={given}: there is no such folder")
    return Path(given)


def _name(table: str) -> Name:
    try:
        return Name(TABLE, table)
    except NotAName:
        raise CannotEnrol(
            f"{table!r} names no table: letters, digits, hyphens, dots and underlines"
        ) from None


def _issue(name: Name, folder: Path, authority: Path, *, renew: bool) -> datetime:
    try:
        if renew:
            issue_to(folder, name, authority, now=datetime.now(UTC))
        return Credentials(name, folder, authority).expires_at
    except (IdentityError, OSError) as error:
        raise CannotEnrol(f"{name.name}: {error}") from None
