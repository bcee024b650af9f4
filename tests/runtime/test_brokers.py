"""How Kafka is spoken with: what settings say, all mistakes at once, and a broker over TLS."""

from __future__ import annotations

from pathlib import Path

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from provisioning.__main__ import main as provision
from runtime.identity.authority import open_authority
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Brokers, KafkaSettings, reaching
from runtime.kafka.configuration import (
    consumer_configuration,
    make_producer,
    producer_configuration,
    transactional_configuration,
)
from runtime.settings import BadSettings
from tests.runtime.database import needs_database, new_database
from tests.stack.plugin import StackMaker
from tests.stack.secure import secure_stack

SASL = {
    "KAFKA_SECURITY_PROTOCOL": "sasl_ssl",
    "KAFKA_CA_FILE": "/kafka/ca.crt",
    "KAFKA_SASL_MECHANISM": "scram-sha-512",
    "KAFKA_SASL_USERNAME": "pitledger",
    "KAFKA_SASL_PASSWORD": "open sesame",
}


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KafkaSettings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def settings(monkeypatch: pytest.MonkeyPatch, **environment: str) -> KafkaSettings:
    for name, value in {"KAFKA_BOOTSTRAP": "kafka:9092", **environment}.items():
        monkeypatch.setenv(name, value)
    return KafkaSettings.from_environment()


def mistakes(monkeypatch: pytest.MonkeyPatch, **environment: str) -> set[str]:
    with pytest.raises(BadSettings) as bad:
        settings(monkeypatch, **environment)
    assert "open sesame" not in str(bad.value)
    return {mistake.name for mistake in bad.value.mistakes}


def test_without_more_it_is_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    brokers = settings(monkeypatch).brokers
    assert reaching(brokers) == reaching("kafka:9092") == {"bootstrap.servers": "kafka:9092"}


def test_every_client_is_told_how_to_speak_and_nobody_prints_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    brokers = settings(monkeypatch, **SASL).brokers
    told = {
        "bootstrap.servers": "kafka:9092",
        "security.protocol": "sasl_ssl",
        "ssl.ca.location": "/kafka/ca.crt",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "pitledger",
        "sasl.password": "open sesame",
    }
    for configuration in (
        reaching(brokers),
        consumer_configuration(brokers, group="readers"),
        producer_configuration(brokers),
        transactional_configuration(brokers, transactional_id="worker"),
    ):
        assert told.items() <= configuration.items()
    assert str(brokers) == "kafka:9092"
    assert "open sesame" not in repr(brokers)


def test_a_certificate_of_our_own_may_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"KAFKA_CERTIFICATE_FILE": "/kafka/tls.crt", "KAFKA_KEY_FILE": "/kafka/tls.key"}
    brokers = settings(monkeypatch, KAFKA_SECURITY_PROTOCOL="ssl", **own).brokers
    assert brokers.security == {
        "security.protocol": "ssl",
        "ssl.certificate.location": "/kafka/tls.crt",
        "ssl.key.location": "/kafka/tls.key",
    }


def test_every_mistake_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = mistakes(
        monkeypatch, KAFKA_SECURITY_PROTOCOL="sasl_ssl", KAFKA_CERTIFICATE_FILE="/kafka/tls.crt"
    )
    assert found == {
        "KAFKA_KEY_FILE",
        "KAFKA_SASL_MECHANISM",
        "KAFKA_SASL_USERNAME",
        "KAFKA_SASL_PASSWORD",
    }


def test_what_plain_text_would_not_use_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {name: value for name, value in SASL.items() if name != "KAFKA_SECURITY_PROTOCOL"}
    assert mistakes(monkeypatch, **without) == set(without)


def test_a_password_is_not_sent_where_only_tls_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = mistakes(monkeypatch, **{**SASL, "KAFKA_SECURITY_PROTOCOL": "ssl"})
    assert found == {"KAFKA_SASL_MECHANISM", "KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD"}


def test_another_protocol_is_the_only_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    found = mistakes(monkeypatch, **{**SASL, "KAFKA_SECURITY_PROTOCOL": "sasl_plaintext"})
    assert found == {"KAFKA_SECURITY_PROTOCOL"}


@needs_database
def test_a_broker_over_tls_takes_who_knows_the_password_and_nobody_else(
    own_stack: StackMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, told = secure_stack(own_stack, tmp_path, monkeypatch)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TOPIC_PREFIX", "secure-")
    with new_database() as administrator:
        monkeypatch.setenv("DATABASE_ADMINISTRATOR_URL", administrator)
        assert provision(["topics"]) == 0
    brokers = KafkaSettings.from_environment().brokers
    topic = "secure-dead-letters"
    producer = make_producer(producer_configuration(brokers))
    producer.produce(topic, b"over TLS")
    assert producer.flush(20) == 0
    producer.close()
    found = [
        message.value()
        for message in topic_reader.read(brokers, topic_reader.whole(brokers, topic))
    ]
    assert found == [b"over TLS"]

    strangers = {
        "in plain text": Brokers(brokers.bootstrap),
        "with another password": Brokers(
            brokers.bootstrap, {**brokers.security, "sasl.password": "please"}
        ),
        "who trusts another authority": Brokers(
            brokers.bootstrap,
            {**brokers.security, "ssl.ca.location": str(other_authority(tmp_path))},
        ),
    }
    for who, stranger in strangers.items():
        with pytest.raises(KafkaException):
            print(who, AdminClient({**reaching(stranger), "log_level": 0}).list_topics(timeout=3))


def other_authority(folder: Path) -> Path:
    path = folder / "other.crt"
    path.write_bytes(open_authority(folder / "other").certificate_pem)
    return path
