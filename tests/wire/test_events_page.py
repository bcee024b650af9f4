"""docs/events.md tells integrators the whole contract, and its example works."""

from __future__ import annotations

from blackjack.outcomes import RoundStatus
from blackjack.play.table import Table, fold
from casino.table.v1.event_pb2 import TableEvent
from tests.strategies import FACTS
from tests.wire.events_page import GROUPS, PAGE, blocks, example, renewed
from wire.json_lines import event_from_json, event_to_json


def test_the_reference_is_as_the_contract_says() -> None:
    """If not: python -m tests.wire.events_page."""
    page = PAGE.read_text("utf-8")
    assert renewed(page) == page


def test_every_fact_is_on_the_page_with_its_number_and_fields() -> None:
    page = PAGE.read_text("utf-8")
    members = TableEvent.DESCRIPTOR.oneofs_by_name["fact"].fields
    for member in members:
        contract = member.message_type
        assert contract is not None
        assert f"| **{contract.name}** {member.number} |" in page
        section = page.partition(f"| **{contract.name}** {member.number} |")[2]
        rows = section.split("| **")[0]
        for field in contract.fields:
            assert f"| `{field.name}` |" in rows
    assert {member.message_type and member.message_type.name for member in members} == {
        kind.__name__ for kind in FACTS
    }


def test_every_message_and_field_of_the_contract_has_a_comment() -> None:
    for file in ("event", "cards", *GROUPS):
        for block in blocks(file):
            assert block.says, block.name
            assert all(item.says for item in block.items), block.name


def test_the_example_is_one_round_that_settles_without_a_finding() -> None:
    events = [event_from_json(line) for line in example()]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    _, steps = fold(Table.new("T-07"), events)
    (settled,) = [settled for step in steps for settled in step.rounds]
    assert settled.status is RoundStatus.SETTLED
    assert [outcome.difference_cents for outcome in settled.outcomes] == [0, 0]
    assert [finding for step in steps for finding in step.findings] == []


def test_the_example_is_as_we_would_write_it() -> None:
    lines = example()
    assert [event_to_json(event_from_json(line)) for line in lines] == lines
