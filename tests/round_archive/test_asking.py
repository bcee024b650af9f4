"""Each thing a person may remember of a round leads to it, and to no other."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from casino.settlement.v1 import service_pb2 as pb
from casino.settlement.v1.finding_pb2 import LEVEL_P2, Finding
from casino.settlement.v1.record_pb2 import SettlementRecord
from casino.settlement.v1.settled_round_pb2 import ROUND_STATUS_SETTLED, SettledRound
from casino.table.v1.cards_pb2 import CARD_ACE_OF_CLUBS, CARD_UNSPECIFIED
from runtime.rpc.page_tokens import write_token as forged
from tests.round_archive.house import House
from wire import topics

Holds = Callable[[SettledRound], bool]
HAND = (1, 2, 3)  # the dealer's places that are the hand


def ask(house: House, question: Callable[[Any], Awaitable[Any]], *peer: str) -> Any:
    async def asked() -> Any:
        async with house.stub(*peer) as stub:
            return await question(stub)

    return asyncio.run(asked())


def find(house: House, **criteria: Any) -> list[tuple[str, str]]:
    request = pb.FindRoundsRequest(page_size=500, **criteria)
    answer = ask(house, lambda stub: stub.FindRounds(request))
    return [(each.table_id, each.round) for each in answer.rounds]


def expected(said: list[SettledRound], holds: Holds) -> list[tuple[str, str]]:
    newest = sorted(
        said,
        key=lambda each: (at(each), each.table_id, each.round),
        reverse=True,
    )
    return [(each.table_id, each.round) for each in newest if holds(each)]


def at(said: SettledRound) -> int:
    return said.opened_at.ToNanoseconds()


def seconds(moment: Timestamp, by: int = 0) -> Timestamp:
    return Timestamp(seconds=moment.seconds + by, nanos=moment.nanos)


def held(cards: Sequence[int], hand: Sequence[int]) -> bool:
    return not Counter(cards) - Counter(hand)


def test_every_round_of_the_day_is_there_the_newest_first(
    archive: House, said: list[SettledRound]
) -> None:
    assert len(said) == 80
    assert find(archive) == expected(said, lambda _: True)


def test_each_criterion_finds_what_it_says(archive: House, said: list[SettledRound]) -> None:
    one = max(said, key=lambda each: (len(each.hands), each.round))
    wager = max(one.outcomes, key=lambda each: each.stake_cents)
    hand = max(one.hands, key=lambda each: len(each.cards))
    cards = list(hand.cards)
    dealer = [each.card for each in one.dealer if each.place in HAND]
    patron = next(each.patron for round in said for each in round.outcomes if each.patron)
    mains = [
        each
        for round in said
        for each in round.outcomes
        if each.wager == "main" and each.stake_cents > 0
    ]
    small = min(mains, key=lambda each: (each.stake_cents, each.seat))
    questions: list[tuple[dict[str, Any], Holds]] = [
        ({"table_id": one.table_id}, lambda r: r.table_id == one.table_id),
        ({"round": one.round}, lambda r: r.round == one.round),
        ({"round": one.round[:-2]}, lambda r: r.round.startswith(one.round[:-2])),
        (
            {"around": one.opened_at, "within": Duration(seconds=90)},
            lambda r: (
                abs(r.opened_at.ToNanoseconds() - one.opened_at.ToNanoseconds()) <= 90 * 10**9
            ),
        ),
        (
            {"around": one.opened_at},
            lambda r: (
                abs(r.opened_at.ToNanoseconds() - one.opened_at.ToNanoseconds()) <= 1800 * 10**9
            ),
        ),
        (
            {"from": one.opened_at, "until": seconds(one.opened_at, 300)},
            lambda r: (
                one.opened_at.ToNanoseconds()
                <= r.opened_at.ToNanoseconds()
                < seconds(one.opened_at, 300).ToNanoseconds()
            ),
        ),
        (
            {"patron": patron},
            lambda r: (
                any(each.patron == patron for each in r.outcomes)
                or any(each.patron == patron for each in r.context.patrons)
            ),
        ),
        ({"dealer": one.context.dealer}, lambda r: r.context.dealer == one.context.dealer),
        ({"seat": 7}, lambda r: any(each.seat == 7 for each in r.outcomes)),
        ({"cards": cards[:1]}, lambda r: any(held(cards[:1], list(h.cards)) for h in r.hands)),
        ({"cards": cards[:2]}, lambda r: any(held(cards[:2], list(h.cards)) for h in r.hands)),
        ({"cards": cards}, lambda r: any(held(cards, list(h.cards)) for h in r.hands)),
        (
            {"cards": cards[:1], "seat": hand.seat},
            lambda r: (
                any(each.seat == hand.seat for each in r.outcomes)
                and any(h.seat == hand.seat and held(cards[:1], list(h.cards)) for h in r.hands)
            ),
        ),
        (
            {"dealer_cards": dealer},
            lambda r: held(dealer, [each.card for each in r.dealer if each.place in HAND]),
        ),
        (
            {"stake_cents_min": wager.stake_cents},
            lambda r: any(each.stake_cents >= wager.stake_cents for each in r.outcomes),
        ),
        (
            {"stake_cents_min": 500, "stake_cents_max": 900},
            lambda r: any(500 <= each.stake_cents <= 900 for each in r.outcomes),
        ),
        (
            {"stake_cents_max": small.stake_cents, "seat": small.seat, "wager": "main"},
            lambda r: any(
                (each.seat, each.wager) == (small.seat, "main")
                and each.stake_cents <= small.stake_cents
                for each in r.outcomes
            ),
        ),
        (
            {"stake_cents_min": 1, "patron": patron},
            lambda r: any(each.patron == patron and each.stake_cents for each in r.outcomes),
        ),
        ({"wager": "skweezit"}, lambda r: any(each.wager == "skweezit" for each in r.outcomes)),
        ({"game": one.game}, lambda r: r.game == one.game),
        ({"status": ROUND_STATUS_SETTLED}, lambda r: r.status == ROUND_STATUS_SETTLED),
    ]
    for criteria, holds in questions:
        found = expected(said, holds)
        assert find(archive, **criteria) == found, criteria
        assert found, f"{criteria} asks for nothing that is there"


def findings_in_force(archive: House) -> dict[str, Finding]:
    found: dict[str, Finding] = {}
    for message in archive.broker.read(archive.topic(topics.FINDINGS)):
        record = SettlementRecord.FromString(message.value() or b"")
        if record.HasField("finding"):
            found[record.finding.id] = record.finding
        else:
            found.pop(record.withdrawal.id, None)
    return found


def test_rounds_are_found_by_what_was_found_in_them(
    archive: House, said: list[SettledRound]
) -> None:
    standing = list(findings_in_force(archive).values())
    payouts = {(f.table_id, f.round) for f in standing if f.kind.startswith("payout")}
    urgent = {(f.table_id, f.round) for f in standing if 0 < f.level <= LEVEL_P2}
    assert payouts
    assert urgent
    by_kind = expected(said, lambda r: (r.table_id, r.round) in payouts)
    assert find(archive, finding_kind="payout") == by_kind
    by_level = expected(said, lambda r: (r.table_id, r.round) in urgent)
    assert find(archive, level=LEVEL_P2) == by_level
    answer = ask(archive, lambda stub: stub.FindRounds(pb.FindRoundsRequest(page_size=500)))
    for each in answer.rounds:
        mine = [f for f in standing if (f.table_id, f.round) == (each.table_id, each.round)]
        assert list(each.finding_kinds) == sorted({f.kind for f in mine})
        assert each.level == min((f.level for f in mine), default=0)


def test_findings_are_found_by_each_criterion(archive: House) -> None:
    standing = list(findings_in_force(archive).values())
    one = next(each for each in standing if each.round and each.patron)

    def ids(**criteria: Any) -> set[str]:
        request = pb.FindFindingsRequest(page_size=500, **criteria)
        answer = ask(archive, lambda stub: stub.FindFindings(request))
        times = [each.finding.at.ToNanoseconds() for each in answer.findings]
        assert times == sorted(times, reverse=True)
        return {each.finding.id for each in answer.findings}

    assert ids() == {f.id for f in standing}
    assert ids(table_id=one.table_id) == {f.id for f in standing if f.table_id == one.table_id}
    assert ids(round=one.round) == {f.id for f in standing if f.round == one.round}
    assert ids(kind=one.kind) == {f.id for f in standing if f.kind == one.kind}
    assert ids(level=LEVEL_P2) == {f.id for f in standing if f.level <= LEVEL_P2}
    assert ids(patron=one.patron) == {f.id for f in standing if f.patron == one.patron}
    assert ids(dealer=one.dealer) == {f.id for f in standing if f.dealer == one.dealer}
    since = {"from": one.at}
    assert ids(**since) == {
        f.id for f in standing if f.at.ToNanoseconds() >= one.at.ToNanoseconds()
    }
    until = {f.id for f in standing if f.at.ToNanoseconds() < one.at.ToNanoseconds()}
    assert ids(until=one.at) == until


def test_a_round_is_shown_as_it_was_said(archive: House, said: list[SettledRound]) -> None:
    standing = findings_in_force(archive)
    for each in said[::7]:
        name = pb.RoundName(table_id=each.table_id, round=each.round)
        request = pb.GetRoundRequest(name=name)
        got = ask(archive, lambda stub, request=request: stub.GetRound(request))  # type: ignore[misc]
        assert got.round == each
        assert got.versions == each.version
        mine = {
            f.id for f in standing.values() if (f.table_id, f.round) == (name.table_id, name.round)
        }
        assert {f.finding.id for f in got.findings if not f.HasField("withdrawal")} == mine


def test_every_round_is_replayed_from_the_log_to_the_byte(
    archive: House, said: list[SettledRound]
) -> None:
    async def replay(stub: Any) -> list[str]:
        differences = []
        for each in said:
            name = pb.RoundName(table_id=each.table_id, round=each.round)
            for version in range(1, each.version + 1):
                request = pb.ReplayRoundRequest(name=name, version=version)
                answer = await stub.ReplayRound(request)
                assert answer.steps[0].seq == each.first_seq
                assert answer.steps[0].trace_id
                if not answer.same:
                    differences += [f"{each.round} v{version}", *answer.differences]
        return differences

    assert ask(archive, replay) == []


NONSENSE: list[tuple[str, Any, str, str]] = [
    ("FindRounds", pb.FindRoundsRequest(page_size=501), "INVALID_ARGUMENT", "page_size"),
    ("FindRounds", pb.FindRoundsRequest(page_token="no token"), "INVALID_ARGUMENT", "page_token"),
    ("FindRounds", pb.FindRoundsRequest(page_token="a" * 5), "INVALID_ARGUMENT", "page_token"),
    ("FindRounds", pb.FindRoundsRequest(cards=[CARD_UNSPECIFIED]), "INVALID_ARGUMENT", "cards"),
    (
        "FindRounds",
        pb.FindRoundsRequest(dealer_cards=[CARD_ACE_OF_CLUBS] * 30),
        "INVALID_ARGUMENT",
        "dealer_cards",
    ),
    ("FindRounds", pb.FindRoundsRequest(seat=1000), "INVALID_ARGUMENT", "seat"),
    ("FindRounds", pb.FindRoundsRequest(level=99), "INVALID_ARGUMENT", "level: 99"),  # type: ignore[arg-type]
    ("FindRounds", pb.FindRoundsRequest(level=-1), "INVALID_ARGUMENT", "level: -1"),  # type: ignore[arg-type]
    ("FindRounds", pb.FindRoundsRequest(status=99), "INVALID_ARGUMENT", "status: 99"),  # type: ignore[arg-type]
    ("FindFindings", pb.FindFindingsRequest(level=99), "INVALID_ARGUMENT", "level: 99"),  # type: ignore[arg-type]
    ("FindRounds", pb.FindRoundsRequest(stake_cents_min=-1), "INVALID_ARGUMENT", "stake_cents_min"),
    (
        "FindRounds",
        pb.FindRoundsRequest(stake_cents_min=2, stake_cents_max=1),
        "INVALID_ARGUMENT",
        "stake_cents_max",
    ),
    ("FindRounds", pb.FindRoundsRequest(within=Duration()), "INVALID_ARGUMENT", "within"),
    (
        "FindRounds",
        pb.FindRoundsRequest(around=Timestamp(seconds=-1)),
        "INVALID_ARGUMENT",
        "around",
    ),
    ("GetRound", pb.GetRoundRequest(), "INVALID_ARGUMENT", "name.round"),
    ("GetRound", pb.GetRoundRequest(name=pb.RoundName(round="R-0")), "NOT_FOUND", "not found"),
    (
        "ReplayRound",
        pb.ReplayRoundRequest(name=pb.RoundName(round="\0")),
        "INVALID_ARGUMENT",
        "name.round",
    ),
    ("FindRounds", pb.FindRoundsRequest(patron="a\0"), "INVALID_ARGUMENT", "patron"),
    ("FindFindings", pb.FindFindingsRequest(kind="\0"), "INVALID_ARGUMENT", "kind"),
    ("FindDeadLetters", pb.FindDeadLettersRequest(reason="\0"), "INVALID_ARGUMENT", "reason"),
    (
        "FindRounds",
        pb.FindRoundsRequest(page_token=forged(pb.FindRoundsRequest(), (1, "a\0", "x", 1))),
        "INVALID_ARGUMENT",
        "page_token",
    ),
    (
        "FindFindings",
        pb.FindFindingsRequest(page_token=forged(pb.FindFindingsRequest(), (1, "a", "\0", 1))),
        "INVALID_ARGUMENT",
        "page_token",
    ),
    ("PublishRuleSet", pb.PublishRuleSetRequest(), "INVALID_ARGUMENT", "definition"),
]


@pytest.mark.parametrize(("method", "request_", "code", "named"), NONSENSE)
def test_nonsense_is_refused_with_what_is_wrong(
    archive: House, method: str, request_: Any, code: str, named: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError, match=named) as refused:
        ask(archive, lambda stub: getattr(stub, method)(request_))
    assert refused.value.code().name == code


def test_a_version_that_is_not_there_is_said_to_be_so(
    archive: House, said: list[SettledRound]
) -> None:
    name = pb.RoundName(table_id=said[0].table_id, round=said[0].round)
    with pytest.raises(grpc.aio.AioRpcError, match="versions 1 to") as refused:
        ask(archive, lambda stub: stub.GetRound(pb.GetRoundRequest(name=name, version=99)))
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND


def test_a_token_of_another_question_is_refused(archive: House) -> None:
    first = ask(archive, lambda stub: stub.FindRounds(pb.FindRoundsRequest(page_size=2)))
    other = pb.FindRoundsRequest(page_size=2, seat=1, page_token=first.next_page_token)
    with pytest.raises(grpc.aio.AioRpcError, match="another query"):
        ask(archive, lambda stub: stub.FindRounds(other))


PUBLISH = pb.PublishRuleSetRequest()


@pytest.mark.parametrize(
    ("peer", "method", "request_", "code"),
    [
        (("table", "BJ-01"), "GetStatus", pb.GetStatusRequest(), "PERMISSION_DENIED"),
        (("service", "console"), "GetStatus", pb.GetStatusRequest(), "UNAUTHENTICATED"),
        (("service", "accounting"), "PublishRuleSet", PUBLISH, "PERMISSION_DENIED"),
        (("service", "console"), "PublishRuleSet", PUBLISH, "UNAUTHENTICATED"),
    ],
)  # fmt: skip
def test_who_may_not_ask_is_refused(
    archive: House, peer: tuple[str, str], method: str, request_: Any, code: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        ask(archive, lambda stub: getattr(stub, method)(request_), *peer)
    assert refused.value.code().name == code


def test_other_services_may_ask(archive: House) -> None:
    status = ask(archive, lambda s: s.GetStatus(pb.GetStatusRequest()), "service", "surveillance")
    assert status.rounds == 80
    assert status.tables == 8
    assert status.index_lag == 0
    assert status.events == status.settlement_lag  # nobody settled as a group here
    assert status.last_event_table
    assert not status.rebuilding
