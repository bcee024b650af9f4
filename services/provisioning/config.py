"""What each command can be told."""

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
    """What the names of all topics begin with."""
    topic_replicas: Annotated[int, Field(ge=1)] = 1
    """On how many brokers each partition is kept. All but one of them must have a message before
    its writer is told: with three, one broker may be lost and nothing acknowledged is."""


class DatabaseSettings(Settings):
    database_administrator_url: SecretStr
    """The PostgreSQL address of a role that may create roles and schemas."""
    database_url: SecretStr
    """As the service will have it: its application role is given the password in it."""
    database_migration_url: SecretStr
    """As the service will have it: its migrating role is given the password in it."""


class CertificatesSettings(Settings):
    authority_folder: Path
    """The folder of the local authority, made at the first start; nobody else may read it."""
    identities_folder: Path
    """Under it, each holder has a folder of its own, such as service/settlement."""
