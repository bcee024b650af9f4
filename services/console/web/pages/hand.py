"""Replay of a hand: the felt after every event, owed and paid, findings, hashes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import grpc
from starlette.requests import Request
from starlette.responses import Response

from blackjack.display_names import wager_name
from blackjack.findings import Finding
from blackjack.outcomes import Payment, Result, SettledRound, WagerOutcome
from blackjack.play.felt import Felt
from blackjack.play.replayed_round import ReplayedFact
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.explanations import explain
from casino.settlement.v1.service_pb2 import ReplayRoundRequest, RoundName
from console.users.roles import SEE_HANDS
from console.web.display import times
from console.web.display.addresses import hand_address
from console.web.display.felt import SEATS, FeltDrawing, FeltLayout, draw
from console.web.errors import PageNotFound
from console.web.guard import read_route, services_of, user_of
from console.web.page import render_page
from wire.replay import ReplayAnswer, read_replay

NUMBER_LENGTH_MAX: Final = 18
UNJUDGED: Final = {
    "other": "of another filing, not settled by this game's rules",
    "undetermined": "undetermined: a card or decision is unknown",
    "unseen": "without an observed payment",
}
_MAIN_FIRST: Final = ("main", "half_back", "insurance")


@dataclass(frozen=True, slots=True)
class HandStep:
    """An event, and the picture of the table after it."""

    number: int
    seq: int
    at: datetime
    sentence: str
    picture: int
    seat: int
    """The seat that acts, or the seat of the finding."""
    findings: tuple[Finding, ...]
    withdrawn: tuple[str, ...]
    digest: str
    offset: str


@dataclass(frozen=True, slots=True)
class WagerRow:
    """A wager with the amounts owed and paid; None if unknown."""

    outcome: WagerOutcome
    title: str
    seat: str
    owed_cents: int | None
    paid_cents: int
    difference_cents: int | None
    reason: str
    remark: str

    @property
    def is_wrong(self) -> bool:
        return bool(self.difference_cents)


async def hand_page(request: Request) -> Response:
    services = services_of(request)
    table, name = request.path_params["table"], request.path_params["round"]
    replay_request = ReplayRoundRequest(
        name=RoundName(table_id=table, round=name, first_seq=_number(request, "first")),
        version=_number(request, "version"),
    )
    try:
        answer = read_replay(
            await services.clients.rounds.ReplayRound(
                replay_request, metadata=services.clients.metadata_for(user_of(request))
            )
        )
    except grpc.aio.AioRpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
        raise PageNotFound(f"finished round {name} at table {table}") from None
    replay = answer.replay
    steps, pictures = _steps(answer)
    outcomes = sorted(replay.replayed.outcomes, key=_sort_key)
    rows = [_row(outcome, replay.replayed, replay.rules) for outcome in outcomes]
    findings = sorted(
        answer.findings or _step_findings(replay.steps),
        key=lambda finding: (finding.level, finding.seq),
    )
    step = _number(request, "step") or _first_finding(steps) or len(steps)
    return await render_page(
        request,
        "hand.html",
        answer=answer,
        round=replay.emitted,
        rules=replay.rules,
        opened_at=times.from_micros(replay.emitted.opened_at),
        steps=steps,
        pictures=pictures,
        here_step=min(step, len(steps)),
        finding_step=_first_finding(steps),
        rows=rows,
        mispays=[row for row in rows if row.is_wrong],
        unjudged=_unjudged(replay.replayed.outcomes),
        findings=findings,
        step_of={step.seq: step.number for step in steps},
        link=hand_address(table, name, replay.emitted.first_seq),
    )


def _steps(answer: ReplayAnswer) -> tuple[list[HandStep], list[FeltDrawing]]:
    """Every event as a step; equal felts are drawn once."""
    replay = answer.replay
    side_bets = replay.rules.filing.side_bets if replay.rules is not None else {}
    seats = [hand.seat for step in replay.steps for hand in step.felt.hands]
    seats += [wager.seat for step in replay.steps for wager in step.felt.wagers]
    layout = FeltLayout(
        {name: side_bet.title for name, side_bet in side_bets.items()}, max([SEATS, *seats])
    )
    patrons = {seated.seat: seated.patron for seated in replay.emitted.context.patrons}
    picture_of: dict[Felt, int] = {}
    pictures: list[FeltDrawing] = []
    steps = []
    for number, step in enumerate(replay.steps, start=1):
        if step.felt not in picture_of:
            picture_of[step.felt] = len(pictures)
            pictures.append(draw(step.felt, layout, patrons))
        place = answer.places[number - 1] if answer.places else None
        steps.append(
            HandStep(
                number=number,
                seq=step.event.seq,
                at=times.from_micros(step.event.at),
                # A face-down card is named when it is turned over, not before.
                sentence=step.covered_words or step.words,
                picture=picture_of[step.felt],
                seat=step.seat or next((finding.seat for finding in step.findings), 0),
                findings=step.findings,
                withdrawn=tuple(withdrawal.reason for withdrawal in step.withdrawals),
                digest=step.event.digest.hex(),
                offset=f"{place.partition}/{place.offset}" if place is not None else "",
            )
        )
    return steps, pictures


def _row(outcome: WagerOutcome, settled: SettledRound, rules: RuleSet | None) -> WagerRow:
    side_bets = rules.filing.side_bets if rules is not None else {}
    side_bet = side_bets.get(outcome.wager)
    judged = outcome.result not in (Result.UNDETERMINED, Result.NOT_SETTLED)
    unknown = outcome.payment in (Payment.UNOBSERVED, Payment.UNDECIDED)
    return WagerRow(
        outcome=outcome,
        title=side_bet.title if side_bet is not None else wager_name(outcome.wager),
        seat=f"{outcome.seat}" + (f".{outcome.hand}" if outcome.hand > 1 else ""),
        owed_cents=outcome.net_owed if judged else None,
        paid_cents=outcome.net_paid,
        difference_cents=None if unknown else outcome.difference_cents,
        reason=explain(outcome, settled, rules),
        remark=UNJUDGED.get(_why_unjudged(outcome), ""),
    )


def _sort_key(outcome: WagerOutcome) -> tuple[int, int, int, str, bool]:
    known = outcome.wager in _MAIN_FIRST
    rank = _MAIN_FIRST.index(outcome.wager) if known else len(_MAIN_FIRST)
    return (outcome.seat, outcome.hand, rank, outcome.wager, outcome.tip)


def _why_unjudged(outcome: WagerOutcome) -> str:
    if outcome.result is Result.NOT_SETTLED:
        return "other"
    if outcome.result is Result.UNDETERMINED:
        return "undetermined"
    return "unseen" if outcome.payment is Payment.UNOBSERVED else ""


def _unjudged(outcomes: tuple[WagerOutcome, ...]) -> list[tuple[int, str]]:
    reasons = [_why_unjudged(outcome) for outcome in outcomes]
    return [(reasons.count(reason), text) for reason, text in UNJUDGED.items() if reason in reasons]


def _step_findings(steps: tuple[ReplayedFact, ...]) -> list[Finding]:
    return [finding for step in steps for finding in step.findings]


def _first_finding(steps: list[HandStep]) -> int:
    """The step of the finding to open at: findings about money first, then by priority."""
    found = [
        (not finding.cents, finding.level, -abs(finding.cents), step.number)
        for step in steps
        for finding in step.findings
    ]
    return min(found)[3] if found else 0


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) <= NUMBER_LENGTH_MAX else 0


ROUTES: Final = (read_route(SEE_HANDS, "/hands/{table}/{round:path}", hand_page),)
