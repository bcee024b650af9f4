"""The settings of each command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr

from runtime.kafka.brokers import KafkaSettings
from runtime.settings import Settings


class TopicsSettings(KafkaSettings):
    database_administrator_url: SecretStr
    """The PostgreSQL address of a role that may read every service's schema: a topic that any of
    them has read is not created again when it is missing."""
    topic_prefix: str = ""
    """Prefix of all topic names."""
    topic_replicas: Annotated[int, Field(ge=1)] = 1
    """On how many brokers each partition is kept. All but one of them must have a message before it
    is acknowledged: with three, one broker may be lost without an acknowledged message."""


class DatabaseRoleSettings(Settings):
    database_administrator_url: SecretStr
    """The PostgreSQL address of a role that may create roles and schemas."""
    database_url: SecretStr
    """As the service will have it: its application role is given the password in it."""
    database_migration_url: SecretStr
    """As the service will have it: its migrating role is given the password in it."""


class CertificatesSettings(Settings):
    authority_folder: Path
    """The folder of the local authority, created at the first start; keep it private."""
    identities_folder: Path
    """Under it, each holder has a folder of its own, such as service/settlement."""
