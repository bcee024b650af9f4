"""Whom PostgreSQL runs as: never root. And what that user may reach.

The server refuses to run as root, so root's runs as `nobody`. It is not given what it lacks by
opening folders: what it may not enter is copied to, or made in, a folder of root's own that
can be passed through and holds nothing else.
"""

from __future__ import annotations

import os
import pwd
import stat
from pathlib import Path

from deploy.stack.errors import FolderRejected
from deploy.stack.process import User


def server_user() -> User | None:
    """None is ourselves."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return User(65534, 65534)  # what Linux calls nobody where no file names it
    return User(entry.pw_uid, entry.pw_gid)


def may_enter(folder: Path, user: User) -> bool:
    """Whether modes let the user pass through a folder and all above it."""
    folder = folder.resolve()
    return all(_may_pass(parent.stat(), user) for parent in (folder, *folder.parents))


def _may_pass(status: os.stat_result, user: User) -> bool:
    if status.st_uid == user.uid:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == user.gid:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)


def make_passage(folder: Path, user: User) -> Path:
    """A folder of root's that the user may pass through and nobody but root may write to.

    Its parent may be one that everybody writes to, so what is found there is not trusted.
    """
    try:
        folder.mkdir(0o711, parents=True, exist_ok=True)
    except OSError as error:
        raise _rejected(folder, f"cannot be made ({error.strerror})") from error
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != 0 or status.st_mode & 0o022:
        raise _rejected(folder, "is not a folder that only root may write to")
    if not may_enter(folder, user):
        raise _rejected(folder, "may not be entered by the user that PostgreSQL runs as")
    return folder


def _rejected(folder: Path, reason: str) -> FolderRejected:
    return FolderRejected(folder, f"{reason}; set STACK_NOBODY_DIR to one that will do")


def give(folder: Path, user: User) -> None:
    """Make the user the owner of a tree, following no links."""
    for place, _, files in os.walk(folder):
        os.chown(place, user.uid, user.gid, follow_symlinks=False)
        for file in files:
            os.chown(os.path.join(place, file), user.uid, user.gid, follow_symlinks=False)
