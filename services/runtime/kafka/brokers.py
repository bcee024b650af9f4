"""Addresses of the brokers, and the protocol: plain text or TLS.

`Brokers` is what settings become and what every consumer, producer, reader and admin client is
made from. A bare address is good too, and means plain text: for a stack on one's own machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from runtime.settings import Settings

PLAINTEXT: Final = "plaintext"
SASL_SSL: Final = "sasl_ssl"
_SASL: Final = ("kafka_sasl_mechanism", "kafka_sasl_username", "kafka_sasl_password")
_FILES: Final = ("kafka_ca_file", "kafka_certificate_file", "kafka_key_file")


@dataclass(frozen=True, slots=True)
class Brokers:
    """Prints as its address: what else it holds may be secret."""

    bootstrap: str
    security: Mapping[str, str] = field(default_factory=dict, repr=False)
    """In the words of the library."""

    def __str__(self) -> str:
        return self.bootstrap


Bootstrap: TypeAlias = Brokers | str


def reaching(bootstrap: Bootstrap) -> dict[str, Any]:
    """The configuration that any client needs to reach these brokers."""
    if isinstance(bootstrap, str):
        return {"bootstrap.servers": bootstrap}
    return {"bootstrap.servers": bootstrap.bootstrap, **bootstrap.security}


class KafkaSettings(Settings):
    """How a service finds Kafka, and proves to it who it is."""

    kafka_bootstrap: str
    """The brokers to begin with, as host:port, separated by commas."""
    kafka_security_protocol: Literal["plaintext", "ssl", "sasl_ssl"] = "plaintext"
    """How brokers are spoken with: in plain text, over TLS, or over TLS with a user and a
    password. Plain text is for one machine, or a network that nothing else is on."""
    kafka_ca_file: Annotated[Path | None, Field(validate_default=True)] = None
    """The PEM file of the authorities by which brokers are judged; unset: the system's own."""
    kafka_certificate_file: Annotated[Path | None, Field(validate_default=True)] = None
    """The PEM file with our certificate, where the brokers require one."""
    kafka_key_file: Annotated[Path | None, Field(validate_default=True)] = None
    """The PEM file with the key of that certificate."""
    kafka_sasl_mechanism: Annotated[
        Literal["plain", "scram-sha-256", "scram-sha-512"] | None, Field(validate_default=True)
    ] = None
    """How the password is proved, with sasl_ssl."""
    kafka_sasl_username: Annotated[str | None, Field(validate_default=True)] = None
    """As whom we come, with sasl_ssl."""
    kafka_sasl_password: Annotated[SecretStr | None, Field(validate_default=True)] = None
    """The password of that user."""

    # Each by itself and not the class as a whole, so that every mistake is reported at once, under
    # the name of its variable. Fields are read in the order in which they stand above.
    @field_validator(*_SASL, *_FILES)
    @classmethod
    def _fits_the_protocol(cls, value: object, info: ValidationInfo) -> object:
        protocol = info.data.get("kafka_security_protocol")
        if protocol is None:  # itself a mistake
            return value
        if info.field_name in _SASL:
            if protocol == SASL_SSL and value is None:
                raise ValueError(f"not set, and {protocol} needs it")
            if protocol != SASL_SSL and value is not None:
                raise ValueError(f"set, and {protocol} makes no use of it")
        elif protocol == PLAINTEXT and value is not None:
            raise ValueError(f"set, and {protocol} makes no use of it")
        return value

    @field_validator("kafka_key_file")
    @classmethod
    def _is_beside_its_certificate(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        if "kafka_certificate_file" not in info.data:  # itself a mistake
            return value
        certificate = info.data["kafka_certificate_file"]
        if (value is None) != (certificate is None):
            raise ValueError("a certificate and its key are both set, or neither")
        return value

    @property
    def brokers(self) -> Brokers:
        if self.kafka_security_protocol == PLAINTEXT:
            return Brokers(self.kafka_bootstrap)
        password = self.kafka_sasl_password
        known = {
            "security.protocol": self.kafka_security_protocol,
            "ssl.ca.location": self.kafka_ca_file,
            "ssl.certificate.location": self.kafka_certificate_file,
            "ssl.key.location": self.kafka_key_file,
            "sasl.mechanism": (self.kafka_sasl_mechanism or "").upper() or None,
            "sasl.username": self.kafka_sasl_username,
            "sasl.password": None if password is None else password.get_secret_value(),
        }
        security = {name: str(value) for name, value in known.items() if value is not None}
        return Brokers(self.kafka_bootstrap, security)
