"""python -m provisioning topics | database SERVICE | certificates NAME... | --settings"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from provisioning.certificates import issue, parse_name
from provisioning.config import CertificatesSettings, DatabaseSettings, TopicsSettings
from provisioning.errors import ProvisioningError, TopicsDiffer
from provisioning.kafka.log_readers import check_logs, find_readers
from provisioning.kafka.topics import ensure_topics, named_topics
from provisioning.postgres.roles import prepare
from runtime.database.connection import wait_for_server
from runtime.database.errors import DatabaseError
from runtime.identity.errors import IdentityError
from runtime.kafka.brokers import reaching
from runtime.kafka.topic_reader import ReadingStuck
from runtime.process import ExitCode
from runtime.settings import BadSettings, Settings, print_settings

SETTINGS: dict[str, type[Settings]] = {
    "topics": TopicsSettings,
    "database": DatabaseSettings,
    "certificates": CertificatesSettings,
}


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if list(arguments) == ["--settings"]:
        for command, settings in SETTINGS.items():
            print(f"{command}:\n{textwrap.indent(print_settings(settings), '  ')}")
        return 0
    asked = _parser().parse_args(arguments)
    try:
        asked.carry_out(asked)
    except BadSettings as bad:
        print(f"provisioning {asked.command}: {bad}", file=sys.stderr)
        return ExitCode.BAD_SETTINGS
    except (
        ProvisioningError,
        DatabaseError,
        IdentityError,
        KafkaException,
        ReadingStuck,
    ) as error:
        print(f"provisioning {asked.command}: {error}", file=sys.stderr)
        return ExitCode.FAILED
    return 0


def _topics(asked: argparse.Namespace) -> None:
    settings = TopicsSettings.from_environment()
    # What the library would log comes as an error too, once and not twenty times a second.
    client = AdminClient({**reaching(settings.brokers), "log_level": 0})
    wanted = named_topics(settings.topic_prefix, replicas=settings.topic_replicas)
    administrator = settings.database_administrator_url.get_secret_value()
    wait_for_server(administrator)
    remembered = find_readers(settings.brokers, administrator, settings.topic_prefix)
    for line in check_logs(client, settings.topic_prefix, remembered, accepted=asked.accept_loss):
        print(line, file=sys.stderr)
    outcome = ensure_topics(client, wanted)
    print(f"topics: {len(outcome.made)} made, {len(outcome.found)} there")
    if outcome.differences:
        raise TopicsDiffer(tuple(str(each) for each in outcome.differences))


def _database(asked: argparse.Namespace) -> None:
    prepare(asked.service, DatabaseSettings.from_environment())
    print(f"{asked.service}: schema and roles are there")


def _certificates(asked: argparse.Namespace) -> None:
    names = [parse_name(name) for name in asked.names]
    for issued in issue(names, CertificatesSettings.from_environment()):
        print(issued)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m provisioning",
        description="Make what must be there before a service starts. May be run again.",
        epilog="--settings alone lists the variables of each command",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    topics = commands.add_parser("topics", help="make the topics that are missing")
    topics.add_argument(
        "--accept-loss",
        metavar="TOPIC",
        action="append",
        default=[],
        help="create TOPIC empty though stores have read one of that name; may be repeated",
    )
    topics.set_defaults(carry_out=_topics)
    database = commands.add_parser("database", help="make a service's schema and roles")
    database.add_argument("service", help="such as round_archive")
    database.set_defaults(carry_out=_database)
    certificates = commands.add_parser("certificates", help="issue or renew certificates")
    certificates.add_argument("names", nargs="+", help="such as service/settlement, table/BJ-07")
    certificates.set_defaults(carry_out=_certificates)
    return parser


if __name__ == "__main__":
    sys.exit(main())
