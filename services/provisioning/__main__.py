"""python -m provisioning topics | database SERVICE | certificates NAME... | --settings"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from provisioning.certificates import issue, parse_name
from provisioning.config import CertificatesSettings, DatabaseRoleSettings, TopicsSettings
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
    "database": DatabaseRoleSettings,
    "certificates": CertificatesSettings,
}


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if list(arguments) == ["--settings"]:
        for command, settings in SETTINGS.items():
            print(f"{command}:\n{textwrap.indent(print_settings(settings), '  ')}")
        return 0
    parsed = _parser().parse_args(arguments)
    try:
        parsed.run(parsed)
    except BadSettings as bad:
        print(f"provisioning {parsed.command}: {bad}", file=sys.stderr)
        return ExitCode.BAD_SETTINGS
    except (
        ProvisioningError,
        DatabaseError,
        IdentityError,
        KafkaException,
        ReadingStuck,
    ) as error:
        print(f"provisioning {parsed.command}: {error}", file=sys.stderr)
        return ExitCode.FAILED
    return 0


def _topics(parsed: argparse.Namespace) -> None:
    settings = TopicsSettings.from_environment()
    # The library raises what it would log, once and not twenty times a second.
    client = AdminClient({**reaching(settings.brokers), "log_level": 0})
    wanted = named_topics(settings.topic_prefix, replicas=settings.topic_replicas)
    administrator = settings.database_administrator_url.get_secret_value()
    wait_for_server(administrator)
    remembered = find_readers(settings.brokers, administrator, settings.topic_prefix)
    for line in check_logs(client, settings.topic_prefix, remembered, accepted=parsed.accept_loss):
        print(line, file=sys.stderr)
    outcome = ensure_topics(client, wanted)
    print(f"topics: {len(outcome.created)} created, {len(outcome.existing)} exist")
    if outcome.differences:
        raise TopicsDiffer(tuple(map(str, outcome.differences)))


def _database(parsed: argparse.Namespace) -> None:
    prepare(parsed.service, DatabaseRoleSettings.from_environment())
    print(f"{parsed.service}: schema and roles exist")


def _certificates(parsed: argparse.Namespace) -> None:
    names = [parse_name(name) for name in parsed.names]
    for issued in issue(names, CertificatesSettings.from_environment()):
        print(issued)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m provisioning",
        description="Create topics, database roles and certificates. May be run again.",
        epilog="--settings alone lists the variables of each command",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    topics = commands.add_parser("topics", help="create missing topics")
    topics.add_argument(
        "--accept-loss",
        metavar="TOPIC",
        action="append",
        default=[],
        help="create TOPIC empty though stores have read one of that name; may be repeated",
    )
    topics.set_defaults(run=_topics)
    database = commands.add_parser("database", help="create a service's schema and roles")
    database.add_argument("service", help="such as round_archive")
    database.set_defaults(run=_database)
    certificates = commands.add_parser("certificates", help="issue or renew certificates")
    certificates.add_argument("names", nargs="+", help="such as service/settlement, table/BJ-07")
    certificates.set_defaults(run=_certificates)
    return parser


if __name__ == "__main__":
    sys.exit(main())
