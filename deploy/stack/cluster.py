"""A new cluster of PostgreSQL: an empty one is made once, kept, and copied from then on.

Copying takes a tenth of the time of making, which tests notice. A kept cluster has no password
and lets nobody in; each copy gets its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import tempfile
from pathlib import Path

from deploy.stack.process import Command, User, run
from deploy.stack.programs import Programs
from deploy.stack.user import give

NAME = "pitledger"
"""Of the database, and of the role that owns it and may make others."""

ACCESS = """\
# By TCP from this machine and with a password; nobody else, no other way.
host all all 127.0.0.1/32 scram-sha-256
"""


def make_cluster(
    home: Path, *, password: str, programs: Programs, user: User | None, cache: Path
) -> None:
    """Put a cluster at `home/data`, in one move: half of one is never taken for a whole."""
    draft = home / "data.new"
    shutil.rmtree(draft, ignore_errors=True)
    kept = cache / f"cluster-{mark_of(programs)}"
    if kept.is_dir():
        shutil.copytree(kept, draft, symlinks=True)
        if user:
            give(draft, user)
    else:
        initialise(draft, programs, user)
        keep(draft, kept)
    publish(f"ALTER ROLE {NAME} PASSWORD '{password}';", draft, programs, user)
    command: Command = [programs.bin / "initdb", "--sync-only", "-D", draft]
    run(command, environment=programs.environment, user=user)
    draft.rename(home / "data")


def initdb_options(programs: Programs) -> list[str]:
    """Text sorts by code point on every machine, and checksums guard every page."""
    major = int((re.search(r"\d+", programs.version) or ["0"])[0])
    locale = ["--locale=C"]
    if major >= 17:
        locale += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return [
        *("--username", NAME, "--encoding=UTF8", "--data-checksums", "--auth=reject"),
        *("--no-instructions", *locale),
    ]


def mark_of(programs: Programs) -> str:
    words = "\0".join((programs.version, ACCESS, *initdb_options(programs)))
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def initialise(data: Path, programs: Programs, user: User | None) -> None:
    options = [*initdb_options(programs), "--no-sync"]  # it is synchronised before it is used
    command: Command = [programs.bin / "initdb", "-D", data, *options]
    run(command, environment=programs.environment, user=user)
    (data / "pg_hba.conf").write_text(ACCESS, "utf-8")
    publish(f"CREATE DATABASE {NAME};", data, programs, user)


def publish(statement: str, data: Path, programs: Programs, user: User | None) -> None:
    """Run one statement with no server and no network; a statement that fails ends it badly."""
    options = ["-c", "exit_on_error=on", "postgres"]
    run(
        [programs.bin / "postgres", "--single", "-D", data, *options],
        environment=programs.environment,
        user=user,
        stdin=f"{statement}\n",
    )


def keep(data: Path, kept: Path) -> None:
    """Remember a cluster for the next ones. Where that cannot be, the next one is made too."""
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent, prefix=kept.name) as scratch:
            draft = shutil.copytree(data, Path(scratch) / "draft", symlinks=True)
            draft.rename(kept)
