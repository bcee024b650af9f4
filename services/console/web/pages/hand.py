"""One hand as it happened: the felt after every fact, owed against paid, and what proves it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import grpc
from starlette.requests import Request
from starlette.responses import Response

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
    "other": "of another filing, which this game's rules do not judge",
    "undetermined": "undetermined: something they depend on is not known",
    "unseen": "whose payment no device could see",
}
_MAIN_FIRST: Final = ("main", "half_back", "insurance")


@dataclass(frozen=True, slots=True)
class HandStep:
    """A fact, and which picture shows the table after it."""

    number: int
    seq: int
    at: datetime
    words: str
    picture: int
    seat: int
    """Whom it concerns: whose turn it is, or about whom something was found."""
    findings: tuple[Finding, ...]
    withdrawn: tuple[str, ...]
    digest: str
    offset: str


@dataclass(frozen=True, slots=True)
class WagerRow:
    """A wager, what it was owed and what it got; None where that is not known."""

    outcome: WagerOutcome
    title: str
    place: str
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
    asked_for = ReplayRoundRequest(
        name=RoundName(table_id=table, round=name, first_seq=_number(request, "first")),
        version=_number(request, "version"),
    )
    try:
        answer = read_replay(
            await services.clients.rounds.ReplayRound(
                asked_for, metadata=services.clients.metadata_for(user_of(request))
            )
        )
    except grpc.aio.AioRpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
        raise PageNotFound(
            f"finished round {name} at table {table}; a hand is shown when its round is over"
        ) from None
    replay = answer.replay
    steps, pictures = _steps(answer)
    outcomes = sorted(replay.replayed.outcomes, key=_place)
    rows = [_row(outcome, replay.replayed, replay.rules) for outcome in outcomes]
    findings = sorted(
        answer.findings or _found(replay.steps), key=lambda each: (each.level, each.seq)
    )
    asked = _number(request, "step") or _first_finding(steps) or len(steps)
    return await render_page(
        request,
        "hand.html",
        answer=answer,
        round=replay.emitted,
        rules=replay.rules,
        opened_at=times.at(replay.emitted.opened_at),
        steps=steps,
        pictures=pictures,
        here_step=min(asked, len(steps)),
        finding_step=_first_finding(steps),
        rows=rows,
        short_answer=[each for each in rows if each.is_wrong],
        unjudged=_unjudged(replay.replayed.outcomes),
        findings=findings,
        step_of={each.seq: each.number for each in steps},
        link=hand_address(table, name, replay.emitted.first_seq),
    )


def _steps(answer: ReplayAnswer) -> tuple[list[HandStep], list[FeltDrawing]]:
    """Every fact; felts that are the same are drawn once."""
    replay = answer.replay
    side_bets = replay.rules.filing.side_bets if replay.rules is not None else {}
    seats = [each.seat for step in replay.steps for each in step.felt.hands]
    seats += [each.seat for step in replay.steps for each in step.felt.wagers]
    layout = FeltLayout(
        {name: each.title for name, each in side_bets.items()}, max([SEATS, *seats])
    )
    patrons = {each.seat: each.patron for each in replay.emitted.context.patrons}
    places: dict[Felt, int] = {}
    pictures: list[FeltDrawing] = []
    steps = []
    for number, step in enumerate(replay.steps, start=1):
        if step.felt not in places:
            places[step.felt] = len(pictures)
            pictures.append(draw(step.felt, layout, patrons))
        place = answer.places[number - 1] if answer.places else None
        steps.append(
            HandStep(
                number=number,
                seq=step.event.seq,
                at=times.at(step.event.at),
                # What lies face down is told when it is turned over, and not before.
                words=step.covered_words or step.words,
                picture=places[step.felt],
                seat=step.seat or next((each.seat for each in step.findings), 0),
                findings=step.findings,
                withdrawn=tuple(each.reason for each in step.withdrawals),
                digest=step.event.digest.hex(),
                offset=f"{place.partition}/{place.offset}" if place is not None else "",
            )
        )
    return steps, pictures


def _row(outcome: WagerOutcome, settled: SettledRound, rules: RuleSet | None) -> WagerRow:
    side_bets = rules.filing.side_bets if rules is not None else {}
    title = side_bets[outcome.wager].title if outcome.wager in side_bets else ""
    judged = outcome.result not in (Result.UNDETERMINED, Result.NOT_SETTLED)
    unknown = outcome.payment in (Payment.UNOBSERVED, Payment.UNDECIDED)
    return WagerRow(
        outcome=outcome,
        title=title or outcome.wager.replace("_", " ").capitalize(),
        place=f"{outcome.seat}" + (f".{outcome.hand}" if outcome.hand > 1 else ""),
        owed_cents=outcome.net_owed if judged else None,
        paid_cents=outcome.net_paid,
        difference_cents=None if unknown else outcome.difference_cents,
        reason=explain(outcome, settled, rules),
        remark=UNJUDGED.get(_why_unjudged(outcome), ""),
    )


def _place(outcome: WagerOutcome) -> tuple[int, int, int, str, bool]:
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
    reasons = [_why_unjudged(each) for each in outcomes]
    return [
        (reasons.count(reason), words) for reason, words in UNJUDGED.items() if reason in reasons
    ]


def _found(steps: tuple[ReplayedFact, ...]) -> list[Finding]:
    return [each for step in steps for each in step.findings]


def _first_finding(steps: list[HandStep]) -> int:
    """What is about money comes first: that is what a patron asks about. Then the most urgent."""
    found = [
        (not each.cents, each.level, -abs(each.cents), step.number)
        for step in steps
        for each in step.findings
    ]
    return min(found)[3] if found else 0


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) <= NUMBER_LENGTH_MAX else 0


ROUTES: Final = (read_route(SEE_HANDS, "/hands/{table}/{round:path}", hand_page),)
