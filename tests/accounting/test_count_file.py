"""A count room's file: boxes that are fine are entered, problems are told by line."""

from __future__ import annotations

import grpc
import pytest

from accounting.grpc.count_file import read_counts
from casino.accounting.v1 import service_pb2 as pb
from runtime.query_errors import InvalidQuery
from tests.accounting.facts import DAY, work
from tests.accounting.house import House
from wire import topics

TITLES = "gaming_day,table,box,kind,denomination,count,team,verifier"


def a_file(*lines: str) -> str:
    return "\r\n".join([TITLES, *lines]) + "\r\n"


def load(
    house: House, csv: str, *, dry_run: bool = False, day: str = ""
) -> list[tuple[int, str, int, str]]:
    request = pb.ImportCountsRequest(csv=csv, dry_run=dry_run, gaming_day=day)
    answer = house.call("ImportCounts", request, "cage")
    return [(count.line, count.box, count.cents, count.refused) for count in answer.counts]


def test_boxes_are_entered_with_their_recounts(shared: House, table: str) -> None:
    work(shared, table)
    csv = a_file(
        f"2026-03-01,{table},B-1,currency,100,34,T-1;T-2,",
        f"2026-03-01,{table},B-1,currency,$0.25,4,,",
        f"2026-03-01,{table},B-1,coupons,25,2,,",
        f"2026-03-01,{table},B-1,currency,100,33,,V-1",
        f"2026-03-01,{table},B-2,debit,500,1,T-1;T-2,",
    )
    assert load(shared, csv, dry_run=True) == [
        (2, "B-1", 3_401_00, ""),
        (5, "B-1", 3_300_00, ""),
        (6, "B-2", 500_00, ""),
    ]
    assert shared.ask("SELECT 1 FROM cage WHERE table_id = %s", table) == []
    assert [count[3] for count in load(shared, csv)] == ["", "", ""]
    found = shared.ask(
        "SELECT kind, name, cents, signers, gaming_day, author FROM cage WHERE table_id = %s"
        " ORDER BY source_offset",
        table,
    )
    assert found == [
        ("drop_counted", "B-1", 3_401_00, ["T-1", "T-2"], DAY, "ada"),
        ("drop_counted", "B-2", 500_00, ["T-1", "T-2"], DAY, "ada"),
        ("drop_recounted", "B-1", 3_300_00, ["V-1"], DAY, "ada"),
    ]


def test_the_same_file_again_enters_nothing_twice(shared: House, table: str) -> None:
    work(shared, table)
    csv = a_file(f"2026-03-01,{table},B-1,currency,100,34,T-1;T-2,")
    assert load(shared, csv)[0][3] == ""
    assert "is already counted" in load(shared, csv)[0][3]
    assert "is already counted" in load(shared, csv, dry_run=True)[0][3]


def test_every_problem_is_told_by_its_line_and_the_rest_is_entered(
    shared: House, table: str
) -> None:
    work(shared, table)
    csv = a_file(
        f"2026-03-01,{table},B-1,currency,100,many,T-1;T-2,",
        f"2026-03-01,{table},B-1,currency,a lot,1,T-3,",
        f"2026-03-01,{table},B-2,currency,100,12,T-1;T-2,",
        "2026-03-01,NO-1,B-3,currency,100,12,T-1;T-2,",
        f"2026-03-01,{table},B-4,currency,100,12",
        f"2026-03-01,{table},B-5,jewels,100,12,T-1;T-2,",
        f"1 March,{table},B-6,currency,100,12,T-1;T-2,",
        f"2026-03-01,{table},B-7,currency,100,1,T-1;T-2,",
        f"2026-03-01,{table},B-7,currency,100,2,T-1;T-2,",
        f"2026-03-01,{table},B-8,currency,100,2,,V-1",
    )
    letters = len(shared.broker.read(shared.topic(topics.DEAD_LETTERS)))
    told = {box: refused for _, box, _, refused in load(shared, csv)}
    assert told["B-1"] == (
        "line 2: invalid count 'many': expected a number of pieces;"
        ' line 3: denomination: Invalid amount "a lot": write dollars, as in 1,250 or 12.50.;'
        " line 3: count team differs from the lines above"
    )
    assert told["B-2"] == ""
    assert told["B-3"] == (
        'line 5: Table "NO-1" not found: check its name. To register a table that reports nothing'
        " itself, enter its opener."
    )
    assert told["B-4"] == "line 6: 2 cells too few"
    assert told["B-5"] == "line 7: Invalid kind 'jewels' in a drop box count."
    assert told["B-6"].startswith('line 8: invalid gaming day "1 March"')
    assert told["B-7"] == "line 10: repeated kind and denomination"
    assert told["B-8"].startswith("line 11: Box B-8 is not counted yet")
    names = shared.ask("SELECT name FROM cage WHERE table_id = %s", table)
    assert names == [("B-2",)]
    kept = shared.broker.read(shared.topic(topics.DEAD_LETTERS))[letters:]
    assert len(kept) == 7


def test_the_day_may_stand_in_the_request_or_be_told_by_the_box(shared: House, table: str) -> None:
    work(shared, table)
    titles = "table,box,kind,denomination,count,team"
    csv = f"{titles}\n{table},B-1,currency,100,1,T-1;T-2\n"
    assert load(shared, csv, day="2026-03-03")[0][3] == ""
    csv = f"{titles}\n{table},B-{table},currency,100,1,T-1;T-2\n"
    assert load(shared, csv)[0][3] == ""
    found = shared.ask(
        "SELECT gaming_day::text FROM cage WHERE table_id = %s ORDER BY source_offset", table
    )
    assert found == [("2026-03-03",), (DAY.isoformat(),)]
    other = a_file(f"2026-03-01,{table},B-9,currency,100,34,T-1;T-2,")
    assert "differs from the file's 2026-03-03" in load(shared, other, day="2026-03-03")[0][3]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "missing columns"),
        ("table,box,kind,denomination\n", "missing columns count"),
        (f"{TITLES},color\n", "color"),
        (f"{TITLES}\n", "no lines below the header"),
        (f'{TITLES}\n"2026', "line 2"),
    ],
)
def test_a_file_that_is_none_is_refused_whole(text: str, reason: str) -> None:
    with pytest.raises(InvalidQuery, match=reason):
        read_counts(text, "")


def test_a_bad_file_is_a_bad_request(shared: House) -> None:
    with pytest.raises(grpc.aio.AioRpcError, match="missing columns") as refused:
        load(shared, "x")
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
