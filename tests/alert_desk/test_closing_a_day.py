"""Accounting asks the desk before it closes a day: what is urgent and open keeps it open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from casino.accounting.v1.service_pb2 import DAY_STATE_CLOSED
from casino.settlement.v1.finding_pb2 import LEVEL_P1, LEVEL_P2
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.work_pb2 import DECISION_CONFIRMED
from tests.accounting.facts import AT
from tests.accounting.house import House as Accounting
from tests.accounting.test_closing import close, count, look, open_items, play, reconcile
from tests.alert_desk.house import House, an_alert
from tests.stack.broker import Broker
from tests.stack.databases import Databases
from tests.stack.houses import template_of


@pytest.fixture
def accounting(
    make_house: Callable[..., House], tmp_path: Path, broker: Broker, databases: Databases
) -> Iterator[tuple[Accounting, House]]:
    """A ledger and a desk over one log."""
    desk = make_house()
    desk.start()
    database = databases.make(template_of(databases, "accounting"))
    found = Accounting(tmp_path, broker, database, ALERT_DESK_ADDRESS=str(desk.address))
    found.start()
    yield found, desk
    found.kill()
    databases.drop(database)


def test_an_open_alert_of_the_day_keeps_it_open_until_it_is_decided(
    accounting: tuple[Accounting, House],
) -> None:
    ledger, desk = accounting
    desk.tell(
        an_alert("urgent", level=LEVEL_P1, at=AT),
        an_alert("less-so", level=LEVEL_P2, at=AT),
        an_alert("another-day", level=LEVEL_P1, at=AT + 48 * 3_600_000_000),
    )
    play(ledger)
    count(ledger)
    reconcile(ledger)
    urgent = "Mispay at T1, 2026-03-01 18:00:00 PST: open P1 alert urgent"
    assert open_items(look(ledger)) == {"alerts": [urgent]}
    with pytest.raises(grpc.aio.AioRpcError, match="open P1 alert urgent") as refused:
        close(ledger)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    desk.call(pb.AcknowledgeRequest(alert_id="urgent"))
    assert open_items(look(ledger)) == {"alerts": [urgent]}
    decided = pb.DecideRequest(alert_id="urgent", decision=DECISION_CONFIRMED, reason="on tape")
    desk.call(decided)
    assert open_items(look(ledger)) == {}
    assert close(ledger).state == DAY_STATE_CLOSED


def test_a_desk_that_does_not_answer_keeps_the_day_open(
    accounting: tuple[Accounting, House],
) -> None:
    ledger, desk = accounting
    play(ledger)
    count(ledger)
    reconcile(ledger)
    desk.kill()
    (name,), ((said,),) = zip(*open_items(look(ledger)).items(), strict=True)
    assert name == "alerts"
    assert said.startswith("alert desk unavailable: ")
