"""Facts of the table itself, from the wire and back."""

from __future__ import annotations

from typing import Final

from blackjack.facts import (
    DealerArrived,
    DealerLeft,
    RuleSetActivated,
    SupervisorAssigned,
    TableClosed,
    TableOpened,
)
from casino.table.v1 import facts_table_pb2 as pb
from wire.codec import Codec
from wire.rules import read_rule_set, write_rule_set
from wire.vocabulary import read_inventory, write_inventory


def read_table_opened(message: pb.TableOpened) -> TableOpened:
    return TableOpened(read_inventory(message.inventory), message.slip, tuple(message.signers))


def write_table_opened(fact: TableOpened) -> pb.TableOpened:
    return pb.TableOpened(
        inventory=write_inventory(fact.inventory), slip=fact.slip, signers=fact.signers
    )


def read_table_closed(message: pb.TableClosed) -> TableClosed:
    return TableClosed(read_inventory(message.inventory), message.slip, tuple(message.signers))


def write_table_closed(fact: TableClosed) -> pb.TableClosed:
    return pb.TableClosed(
        inventory=write_inventory(fact.inventory), slip=fact.slip, signers=fact.signers
    )


def read_rule_set_activated(message: pb.RuleSetActivated) -> RuleSetActivated:
    return RuleSetActivated(
        message.rule_set,
        read_rule_set(message.definition) if message.HasField("definition") else None,
    )


def write_rule_set_activated(fact: RuleSetActivated) -> pb.RuleSetActivated:
    return pb.RuleSetActivated(
        rule_set=fact.rule_set,
        definition=None if fact.definition is None else write_rule_set(fact.definition),
    )


def read_dealer_arrived(message: pb.DealerArrived) -> DealerArrived:
    return DealerArrived(message.licence)


def write_dealer_arrived(fact: DealerArrived) -> pb.DealerArrived:
    return pb.DealerArrived(licence=fact.licence)


def read_dealer_left(message: pb.DealerLeft) -> DealerLeft:
    return DealerLeft(message.licence)


def write_dealer_left(fact: DealerLeft) -> pb.DealerLeft:
    return pb.DealerLeft(licence=fact.licence)


def read_supervisor_assigned(message: pb.SupervisorAssigned) -> SupervisorAssigned:
    return SupervisorAssigned(message.licence)


def write_supervisor_assigned(fact: SupervisorAssigned) -> pb.SupervisorAssigned:
    return pb.SupervisorAssigned(licence=fact.licence)


CODECS: Final = (
    Codec(TableOpened, read_table_opened, write_table_opened),
    Codec(TableClosed, read_table_closed, write_table_closed),
    Codec(RuleSetActivated, read_rule_set_activated, write_rule_set_activated),
    Codec(DealerArrived, read_dealer_arrived, write_dealer_arrived),
    Codec(DealerLeft, read_dealer_left, write_dealer_left),
    Codec(SupervisorAssigned, read_supervisor_assigned, write_supervisor_assigned),
)
