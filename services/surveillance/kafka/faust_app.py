"""Faust within our process: it reads, shares partitions out, and restores states.

It is started and stopped as one of our parts, in our event loop, without its web server and its
own command line. All that is written goes through a producer of ours, so that its own stays idle
(`surveillance.kafka.states` says why).
"""

from __future__ import annotations

import logging
import ssl
from pathlib import Path
from typing import Final

import faust
from faust.types.auth import CredentialsT

from runtime.kafka.configuration import LogThrottle
from surveillance.config import Settings
from surveillance.kafka.recovery import Tables
from surveillance.kafka.transport import Transport
from wire import topics

GROUP: Final = "surveillance"
"""The consumer group, and with it what the changelog's name begins with."""
SIEVE: Final = "sieve"
"""Behind the group's name: the group that reads table events."""
STATES: Final = "states"
SESSION_SECONDS: Final = 6.0
"""A dead worker's partitions wait this long for another; the library's default is a minute."""
COMMIT_SECONDS: Final = 1.0


def make_app(settings: Settings, *, folder: Path | None) -> faust.App:
    """The application, without agents yet; with `folder` its states are kept there, too."""
    _hold_back()
    app = faust.App(
        settings.topic_prefix + GROUP,
        broker=";".join(f"kafka://{each}" for each in settings.kafka_bootstrap.split(",")),
        broker_credentials=_credentials(settings),
        broker_session_timeout=SESSION_SECONDS,
        broker_heartbeat_interval=SESSION_SECONDS / 3,
        broker_rebalance_timeout=SESSION_SECONDS,
        broker_commit_interval=COMMIT_SECONDS,
        consumer_group_instance_id=f"{settings.topic_prefix}{GROUP}-{settings.worker_name}",
        consumer_auto_offset_reset="earliest",
        processing_guarantee="at_least_once",
        store="memory://" if folder is None else "rocksdb://?driver=rocksdict",
        datadir=folder or Path(),
        stream_wait_empty=False,
        table_standby_replicas=0,
        topic_allow_declare=False,
        topic_disable_leader=True,
        topic_partitions=topics.PARTITIONS[topics.SURVEILLANCE_SIGHTINGS],
        key_serializer="raw",
        value_serializer="raw",
        web_enabled=False,
        TableManager=Tables,
    )
    app.transport = Transport(app.conf.broker_consumer, app)
    return app


def _hold_back() -> None:
    """What the libraries say, without their daily life, and nothing more than once in a while."""
    own = ("surveillance.kafka.recovery", "surveillance.kafka.transport")
    for name in ("aiokafka", "faust", "mode", *own):
        logging.getLogger(name).setLevel(logging.WARNING)
    seldom = LogThrottle()
    for module in ("", ".conn", ".cluster", ".consumer.fetcher", ".consumer.group_coordinator"):
        library = logging.getLogger(f"aiokafka{module}")
        library.addFilter(lambda record: seldom.is_time_for(record.msg))


def _credentials(settings: Settings) -> CredentialsT | None:
    if settings.kafka_security_protocol == "plaintext":
        return None
    context = ssl.create_default_context(cafile=settings.kafka_ca_file)
    if settings.kafka_certificate_file is not None:
        context.load_cert_chain(settings.kafka_certificate_file, settings.kafka_key_file)
    if settings.kafka_security_protocol == "ssl":
        return faust.SSLCredentials(context)
    password = settings.kafka_sasl_password
    return faust.SASLCredentials(
        username=settings.kafka_sasl_username,
        password=None if password is None else password.get_secret_value(),
        mechanism=(settings.kafka_sasl_mechanism or "").upper(),
        ssl_context=context,
    )
