"""What a supervisor decides about a round, from the wire and back."""

from __future__ import annotations

from typing import Final

from blackjack.facts import (
    Irregularity,
    IrregularityRuled,
    RoundVoided,
    Ruling,
    SettlementCorrected,
)
from casino.table.v1 import facts_round_pb2 as pb
from wire.codec import Codec
from wire.vocabulary import enumeration, write_hand

IRREGULARITIES, IRREGULARITY_NUMBERS = enumeration("irregularity", Irregularity, pb.Irregularity)
RULINGS, RULING_NUMBERS = enumeration("ruling", Ruling, pb.Ruling)


def read_irregularity_ruled(message: pb.IrregularityRuled) -> IrregularityRuled:
    """Here hand 0 stays 0: it means every hand of the seat."""
    return IrregularityRuled(
        IRREGULARITIES[message.irregularity],
        RULINGS[message.ruling],
        message.supervisor,
        message.seat,
        message.hand,
        message.wager,
        message.note,
    )


def write_irregularity_ruled(fact: IrregularityRuled) -> pb.IrregularityRuled:
    return pb.IrregularityRuled(
        irregularity=IRREGULARITY_NUMBERS[fact.irregularity],
        ruling=RULING_NUMBERS[fact.ruling],
        supervisor=fact.supervisor,
        seat=fact.seat,
        hand=fact.hand,
        wager=fact.wager,
        note=fact.note,
    )


def read_round_voided(message: pb.RoundVoided) -> RoundVoided:
    return RoundVoided(message.reason, message.supervisor)


def write_round_voided(fact: RoundVoided) -> pb.RoundVoided:
    return pb.RoundVoided(reason=fact.reason, supervisor=fact.supervisor)


def read_settlement_corrected(message: pb.SettlementCorrected) -> SettlementCorrected:
    return SettlementCorrected(
        message.round,
        message.seat,
        message.wager,
        message.cents,
        message.reason,
        message.supervisor,
        message.hand or 1,
        message.tip,
    )


def write_settlement_corrected(fact: SettlementCorrected) -> pb.SettlementCorrected:
    return pb.SettlementCorrected(
        round=fact.round,
        seat=fact.seat,
        wager=fact.wager,
        cents=fact.cents,
        reason=fact.reason,
        supervisor=fact.supervisor,
        hand=write_hand(fact.hand),
        tip=fact.tip,
    )


CODECS: Final = (
    Codec(IrregularityRuled, read_irregularity_ruled, write_irregularity_ruled),
    Codec(RoundVoided, read_round_voided, write_round_voided),
    Codec(SettlementCorrected, read_settlement_corrected, write_settlement_corrected),
)
