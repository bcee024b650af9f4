"""What can go wrong with a database.

DatabaseError
├── DatabaseUnreachable      no answer, or the login failed
├── MigrationError           the schema is not what this version was written for
│   ├── BadMigrations            the files are not numbered 1, 2, 3, ...
│   ├── MigrationChanged         a file is not the one that was applied
│   ├── MigrationPending         a file was not applied yet, and we may not
│   ├── MigrationFailed          a file's SQL failed; nothing of it remains
│   └── DatabaseIsNewer          a later version has migrated it already
└── PositionConflict         another reader has moved the position
"""

from __future__ import annotations


class DatabaseError(Exception):
    """The root of the tree."""


class DatabaseUnreachable(DatabaseError):
    """No answer, or the login failed."""

    def __init__(self, *, where: str, seconds: float, reason: str) -> None:
        self.where = where
        self.seconds = seconds
        self.reason = reason
        super().__init__(f"no database at {where} after {seconds:.0f} s: {reason}")


class MigrationError(DatabaseError):
    """The schema is not what this version was written for."""


class BadMigrations(MigrationError):
    """The files are not a numbered list."""

    def __init__(self, set_name: str, reason: str) -> None:
        self.set_name = set_name
        self.reason = reason
        super().__init__(f"migrations of {set_name}: {reason}")


class MigrationChanged(MigrationError):
    """A file is not the one that was applied."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name} has changed since it was applied: undo that, add a new file")


class MigrationPending(MigrationError):
    """Files were not applied yet, and this process may not apply them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__(
            f"not applied yet: {', '.join(names)}: set DATABASE_MIGRATION_URL, or migrate before"
        )


class MigrationFailed(MigrationError):
    """A file's SQL failed; nothing of that file remains."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"{name}: {reason}")


class DatabaseIsNewer(MigrationError):
    """A later version of the service has migrated it already."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__(f"the database has migrations this version does not know: {names}")


class PositionConflict(DatabaseError):
    """Another reader has moved the position: our work is discarded."""

    def __init__(
        self, *, consumer: str, topic: str, partition: int, expected: int, found: int
    ) -> None:
        self.consumer = consumer
        self.topic = topic
        self.partition = partition
        self.expected = expected
        self.found = found
        super().__init__(
            f"{consumer} has read {topic}/{partition} up to {found}, not to {expected}"
        )
