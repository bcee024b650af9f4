"""Statuses, outcomes and levels, as they are typed and shown."""

from __future__ import annotations

from typing import Final

from alerting.kinds import format_amount
from blackjack.findings import Level
from casino.settlement.v1.finding_pb2 import Level as LevelNumber
from casino.surveillance.v1.alert_pb2 import Alert
from casino.surveillance.v1.case_pb2 import CasePerson, DeadlineRule
from casino.surveillance.v1.settings_pb2 import ExclusionBasis
from casino.surveillance.v1.work_pb2 import Decision, WorkedAlert, WorkState
from pitctl.alert_desk.options import AlertStatus, BasisName, DeadlineRuleName, OutcomeName
from pitctl.errors import InvalidArgument
from pitctl.output.text import escape
from wire.vocabulary import LEVELS

OPEN: Final = (
    WorkState.WORK_STATE_NEW,
    WorkState.WORK_STATE_ACKNOWLEDGED,
    WorkState.WORK_STATE_IN_REVIEW,
)
_RULES: Final = {
    DeadlineRuleName.HOURS_24: DeadlineRule.DEADLINE_RULE_24_HOURS,
    DeadlineRuleName.HOURS_72: DeadlineRule.DEADLINE_RULE_72_HOURS,
    DeadlineRuleName.BUSINESS_DAYS_3: DeadlineRule.DEADLINE_RULE_THREE_BUSINESS_DAYS,
}


def read_level(text: str) -> LevelNumber.ValueType:
    if not text:
        return LevelNumber.LEVEL_UNSPECIFIED
    try:
        return LevelNumber.Value(f"LEVEL_{text.upper()}")
    except ValueError:
        raise InvalidArgument(f'Invalid level "{text}": expected P1, P2, P3 or P4.') from None


def read_states(state: AlertStatus) -> list[WorkState.ValueType]:
    if state is AlertStatus.ALL:
        return []
    return (
        list(OPEN) if state is AlertStatus.OPEN else [WorkState.Value(_name("WORK_STATE", state))]
    )


def read_decision(decided: OutcomeName) -> Decision.ValueType:
    return Decision.Value(_name("DECISION", decided))


def read_basis(basis: BasisName) -> ExclusionBasis.ValueType:
    return ExclusionBasis.Value(_name("EXCLUSION_BASIS", basis))


def read_rule(rule: DeadlineRuleName) -> DeadlineRule.ValueType:
    return _RULES[rule]


def read_person(text: str) -> CasePerson:
    """Parse a person such as dealer:D-17."""
    role, colon, name = text.partition(":")
    if not colon or not role.strip() or not name.strip():
        raise InvalidArgument(
            f'Invalid person "{text}": expected ROLE:NAME, such as dealer:D-17 or patron:P-204.'
        )
    return CasePerson(role=role.strip(), name=name.strip())


def level_of(worked: WorkedAlert) -> Level:
    """The level of an alert; one of a later contract counts as the most urgent."""
    return LEVELS.get(worked.alert.level, Level.P1)


def state_words(worked: WorkedAlert) -> str:
    work = worked.work
    if work.decision:
        return decision_words(work.decision)
    name = _words(WorkState.Name(work.state), "WORK_STATE_")
    return "reopened" if work.reopened and name == "new" else name


def decision_words(decision: Decision.ValueType) -> str:
    return _words(Decision.Name(decision), "DECISION_")


def basis_words(basis: ExclusionBasis.ValueType) -> str:
    return _words(ExclusionBasis.Name(basis), "EXCLUSION_BASIS_")


def where(worked: WorkedAlert) -> str:
    """The round or table with the seat, or else the person or coupon."""
    alert = worked.alert
    place = alert.round or alert.table_id
    if place:
        return escape(f"{place} seat {alert.seat}" if alert.seat else place)
    return escape(alert.patron or alert.dealer or alert.coupon)


def amount_words(alert: Alert) -> str:
    """The amount, where there is one."""
    return format_amount(alert.cents, alert.kind).text if alert.cents else ""


def left(seconds: int) -> str:
    """Write the time left, or the delay.

    >>> left(90_061), left(3_900), left(59), left(-7_200)
    ('1 d 1 h left', '1 h 5 min left', '0 min left', '2 h late')
    """
    minutes, late = abs(seconds) // 60, seconds < 0
    days, hours, rest = minutes // 1_440, minutes // 60 % 24, minutes % 60
    parts = [f"{days} d"] if days else []
    parts += [f"{hours} h"] if hours else []
    parts += [f"{rest} min"] if not days and (rest or not hours) else []
    return f"{' '.join(parts)} {'late' if late else 'left'}"


def _name(prefix: str, word: str) -> str:
    return f"{prefix}_{word.upper().replace('-', '_')}"


def _words(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower().replace("_", " ")
