"""The index after repeats and withdrawals: each once, and the same when remade."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from msgspec import structs

from blackjack.rulebook.rule_set import FILED
from casino.settlement.v1 import service_pb2 as pb
from casino.settlement.v1.finding_pb2 import LEVEL_P2, Withdrawal
from casino.settlement.v1.settled_round_pb2 import (
    ROUND_STATUS_INCOMPLETE,
    WagerOutcome,
)
from runtime.kafka.records import Headers, Output
from tests.round_archive.house import House
from tests.round_archive.said import a_finding, a_round, ask, frames, get, rebuilt
from tests.scraping import scrape
from tests.stack.foreign import write_with_a_bad_header
from tests.stack.service_house import PARTITIONS, eventually
from wire import topics
from wire.rules import write_rule_set


def test_a_later_version_is_in_force_and_the_earlier_stay(shared: House, table: str) -> None:
    first = a_round("R-1", table=table, status=ROUND_STATUS_INCOMPLETE)
    second = a_round("R-1", table=table, version=2, cause="late event 8")
    shared.say_round(first, offset=14)
    assert get(shared, "R-1", table_id=table).round == first
    shared.say_round(second, offset=40)
    shared.say_round(first, offset=14)  # a repeat
    found = get(shared, "R-1", table_id=table)
    assert (found.round, found.versions) == (second, 2)
    assert get(shared, "R-1", version=1, table_id=table).round == first
    assert list(found.conflicting) == []
    incomplete = pb.FindRoundsRequest(status=ROUND_STATUS_INCOMPLETE, table_id=table)
    assert list(ask(shared, "FindRounds", incomplete).rounds) == []
    assert len([row for row in shared.dump()["round_versions"] if row[0] == table]) == 2


def test_other_bytes_under_a_version_are_told_and_kept(shared: House, table: str) -> None:
    first = a_round("R-1", table=table)
    other = a_round("R-1", table=table, cause="of another mind")
    shared.say_round(first)
    shared.say_round(other)
    found = get(shared, "R-1", table_id=table)
    assert found.round == first
    assert list(found.conflicting) == [other]
    assert "other bytes under the same version" in shared.log


def test_an_id_used_again_is_another_round_with_findings_of_its_own(
    shared: House, table: str
) -> None:
    shared.say_round(a_round("again", table=table))
    shared.say_finding(a_finding("F-1", table=table, round="again", seq=7))
    shared.say_round(a_round("again", table=table, first_seq=9_000))
    shared.say_finding(a_finding("F-1", table=table, round="again", seq=9_003))
    with pytest.raises(grpc.aio.AioRpcError, match="first_seq 9000") as refused:
        get(shared, "again", table_id=table)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    for first_seq, seq in ((5, 7), (9_000, 9_003)):
        found = get(shared, "again", first_seq=first_seq)
        assert found.round.first_seq == first_seq
        assert [each.finding.seq for each in found.findings] == [seq]
        assert not any(each.HasField("withdrawal") for each in found.findings)
    shared.say_round(a_round("again", table=f"{table}-2"))
    with pytest.raises(grpc.aio.AioRpcError, match=f"table {table}-2"):
        get(shared, "again")


def test_a_finding_is_withdrawn_found_again_and_found_by_another_event(
    shared: House, table: str
) -> None:
    def standing(**asked: Any) -> list[pb.FoundFinding]:
        request = pb.FindFindingsRequest(table_id=table, **asked)
        return list(ask(shared, "FindFindings", request).findings)

    shared.say_round(a_round("R-1", table=table))
    shared.say_finding(a_finding("F-1", table=table), offset=10)
    gone = Withdrawal(id="F-1", table_id=table, seq=12, reason="late event 8", round="R-1")
    shared.say_finding(gone, offset=20)
    assert standing() == []
    (shown,) = standing(with_withdrawn=True)
    assert shown.withdrawal == gone
    shared.say_finding(a_finding("F-1", table=table), offset=10)  # a repeat from before
    assert standing() == []
    shared.say_finding(a_finding("F-1", table=table, seq=9), offset=30)
    assert [each.finding.seq for each in standing()] == [9]
    shared.say_finding(a_finding("F-1", table=table, seq=11, text="otherwise"), offset=50)
    assert [each.finding.text for each in standing()] == ["otherwise"]
    assert len(standing(with_withdrawn=True)) == 3


def test_what_tells_the_hole_card_is_masked_until_the_round_is_over(
    shared: House, table: str
) -> None:
    request = pb.FindFindingsRequest(table_id=table)
    secret = a_finding("F-1", table=table, tells_hole_card=True, level=LEVEL_P2)
    shared.say_finding(secret)
    (found,) = ask(shared, "FindFindings", request).findings
    assert found.masked
    assert "18 was paid" not in found.finding.text
    assert "hidden until the hole card is shown" in found.finding.text
    assert (found.finding.cents, found.finding.detail) == (0, "")
    assert found.finding.kind == secret.kind
    shared.say_round(a_round("R-1", table=table))
    (found,) = ask(shared, "FindFindings", request).findings
    assert (found.finding, found.masked) == (secret, False)
    (found,) = get(shared, "R-1", table_id=table).findings
    assert (found.finding, found.masked) == (secret, False)


def test_what_no_codec_reads_is_skipped_and_the_rest_goes_on(shared: House, table: str) -> None:
    rounds, findings = shared.topic(topics.SETTLED_ROUNDS), shared.topic(topics.FINDINGS)
    forged = a_round(
        "R" * 4_000,
        table=table,
        outcomes=[WagerOutcome(seat=2**32 - 1, stake_cents=2**63 - 1, wager="\0")] * 3,
    )
    before = shared.log.count("message skipped")
    shared.say(
        [
            Output(rounds, b"\xff\xff", b"BJ-01"),
            Output(rounds, None, b"BJ-01"),
            Output(findings, b"nonsense", b"BJ-01"),
            Output(findings, b"", b"BJ-01"),
            Output(findings, b"", None),  # without a key it is in no table's partition
        ]
    )
    shared.say_round(forged)
    shared.say_round(a_round("R-1", table=table))
    assert get(shared, "R-1", table_id=table).round.round == "R-1"
    assert get(shared, forged.round).round == forged
    assert shared.log.count("message skipped") == before + 4


def test_pages_hold_each_round_once_while_more_arrive(shared: House, table: str) -> None:
    for number in range(7):
        shared.say_round(a_round(f"R-{number}", table=table, first_seq=100 * number + 1))
    seen: list[str] = []
    token = ""
    while True:
        request = pb.FindRoundsRequest(page_size=2, page_token=token, table_id=table)
        answer = ask(shared, "FindRounds", request)
        seen += [each.round for each in answer.rounds]
        count = len(seen)
        shared.say_round(a_round(f"new-{count}", table=table, first_seq=10_000 + count))
        shared.say_round(a_round(f"old-{count}", table=table, first_seq=101 + count))
        token = answer.next_page_token
        if not token:
            break
    mine = [each for each in seen if each.startswith("R-")]
    assert mine == [f"R-{number}" for number in reversed(range(7))]
    assert len(set(seen)) == len(seen)


def test_dead_letters_are_found_by_table_and_reason(shared: House, table: str) -> None:
    topic = shared.topic(topics.DEAD_LETTERS)
    known: Headers = [
        ("source-topic", b"table-events"), ("source-partition", b"3"), ("source-offset", b"17"),
        ("code", b"unreadable"), ("reason", b"unreadable: the bytes are no TableEvent"),
    ]  # fmt: skip
    refused: Headers = [
        ("code", b"chain-broken"), ("reason", b"event 9 names another"), ("table", table.encode()),
        ("peer", b"table/BJ-02"),
    ]  # fmt: skip
    shared.say([Output(topic, b"one", b"BJ-01", headers=known)])
    shared.say([Output(topic, b"two", b"BJ-02", headers=refused)])
    shared.say([Output(topic, b"x" * 900_000, b"\xff") for _ in range(4)])
    everything = ask(shared, "FindDeadLetters", pb.FindDeadLettersRequest())
    assert 0 < len(everything.dead_letters) < 6  # an answer holds no more bytes
    rest = pb.FindDeadLettersRequest(page_token=everything.next_page_token)
    more = ask(shared, "FindDeadLetters", rest)
    assert len(everything.dead_letters) + len(more.dead_letters) == 6
    (one,) = ask(shared, "FindDeadLetters", pb.FindDeadLettersRequest(reason="unre")).dead_letters
    assert (one.value, one.code, one.source) == (b"one", "unreadable", "table-events/3/17")
    (two,) = ask(shared, "FindDeadLetters", pb.FindDeadLettersRequest(table_id=table)).dead_letters
    assert (two.value, two.code, two.peer) == (b"two", "chain-broken", "table/BJ-02")
    assert ask(shared, "GetStatus", pb.GetStatusRequest()).dead_letters == 6


def test_a_published_rule_set_is_known_to_all(shared: House) -> None:
    spec = next(iter(FILED)).spec
    own = structs.replace(spec, limits=structs.replace(spec.limits, smallest_chip_cents=250))
    request = pb.PublishRuleSetRequest(definition=write_rule_set(own))
    first = ask(shared, "PublishRuleSet", request)
    assert not first.known
    assert ask(shared, "PublishRuleSet", request).known, "also before it was read back"

    def listed() -> list[Any]:
        known = ask(shared, "ListRuleSets", pb.ListRuleSetsRequest()).rule_sets
        return [each.definition for each in known if each.hash == first.hash]

    eventually(lambda: bool(listed()))
    assert listed() == [request.definition]


def test_of_the_same_rule_set_published_at_once_one_alone_was_not_known(shared: House) -> None:
    spec = next(iter(FILED)).spec
    own = structs.replace(spec, limits=structs.replace(spec.limits, smallest_chip_cents=500))
    request = pb.PublishRuleSetRequest(definition=write_rule_set(own))

    async def publish() -> list[bool]:
        async with shared.stub() as stub:
            answers = await asyncio.gather(*(stub.PublishRuleSet(request) for _ in range(5)))
            return [each.known for each in answers]

    assert sorted(asyncio.run(publish())) == [False, True, True, True, True]


def test_a_rebuilt_index_has_the_same_rows(house: House) -> None:
    house.settle(frames(1, tables=5, rounds=8))
    asyncio.run(house.indexed())
    before = house.dump()
    assert any(row[3] > 1 for row in before["round_versions"]), "no round has a second version"
    told = rebuilt(house)
    assert told[-1].done == told[-1].total > 0
    assert house.dump() == before
    assert not ask(house, "GetStatus", pb.GetStatusRequest()).rebuilding


def test_how_far_the_index_is_behind_and_when_it_was_written_is_told(house: House) -> None:
    before = scrape(house.metrics)
    assert before.value("round_archive_last_write_timestamp_seconds") == 0
    house.say([Output(house.topic(topics.SETTLED_ROUNDS), b"no round", b"BJ-01")])

    def is_written() -> bool:
        told = scrape(house.metrics)
        written = told.value("round_archive_last_write_timestamp_seconds")
        read = {"service": "round_archive", "reader": "index"}.items()
        lags = [
            value
            for (name, labels), value in told.items()
            if name == "reader_unread_messages" and read <= {*labels}
        ]
        return written > 0 and lags == [0] * (3 * PARTITIONS + 1)

    eventually(is_written)
    told = scrape(house.metrics)
    assert told.value("round_archive_skipped_total", topic=topics.SETTLED_ROUNDS) == 1
    expiry = told.value("round_archive_certificate_expiry_timestamp_seconds")
    assert expiry > told.value("round_archive_last_write_timestamp_seconds")


def test_headers_that_nobody_can_read_stop_no_archive(house: House) -> None:
    for name in (topics.SETTLED_ROUNDS, topics.FINDINGS, topics.DEAD_LETTERS, topics.TABLE_EVENTS):
        write_with_a_bad_header(house.broker.bootstrap, house.topic(name), b"x", key=b"BJ-01")
    house.say_round(a_round("after"))

    async def ask() -> None:
        await house.indexed()
        async with house.stub() as stub:
            status = await stub.GetStatus(pb.GetStatusRequest())
            assert (status.events, status.last_event_table) == (1, "BJ-01")
            found = await stub.FindRounds(pb.FindRoundsRequest())
            assert [each.round for each in found.rounds] == ["after"]

    asyncio.run(ask())
    assert house.process is not None
    assert house.process.poll() is None
