"""Who may ask, and who may enter which fact."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import grpc
import pytest

from accounting.grpc.access import POLICY, RECORDERS
from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.cage_event_pb2 import CageEvent, DayReconciled, SlipsExplained
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.table.v1.facts_money_pb2 import ChipsRedeemed
from tests.accounting.facts import by_hand, cage_event
from tests.accounting.house import House

DENIED = grpc.StatusCode.PERMISSION_DENIED


def redeem() -> CageEvent:
    return cage_event(chips_redeemed=ChipsRedeemed(cents=100, patron="p-1"))


def code_of(call: Callable[[], object]) -> grpc.StatusCode:
    try:
        call()
    except grpc.aio.AioRpcError as refused:
        return refused.code()
    return grpc.StatusCode.OK


@pytest.mark.parametrize("role", ["pit", "auditor", "surveillance", "administrator"])
def test_those_who_only_read_enter_nothing(shared: House, role: str) -> None:
    assert shared.call("GetStatus", pb.GetStatusRequest(), role).property
    enter = {
        "Record": pb.RecordRequest(event=redeem()),
        "RecordPromotion": pb.RecordPromotionRequest(event=PromotionEvent()),
        "ImportCounts": pb.ImportCountsRequest(csv="x"),
        "ExpireCoupons": pb.ExpireCouponsRequest(),
        "CloseDay": pb.CloseDayRequest(gaming_day="2026-03-01"),
    }
    for method, request in enter.items():
        assert code_of(lambda m=method, r=request: shared.call(m, r, role)) is DENIED, method  # type: ignore[misc]


@pytest.mark.parametrize(
    "event",
    [
        by_hand(("cage_cash", 100), ("adjustment", -100)),
        cage_event(day_reconciled=DayReconciled()),
        cage_event(slips_explained=SlipsExplained(series="Z-", first=1, last=2, reason="lost")),
    ],
)
def test_the_cage_does_not_keep_the_books(shared: House, event: CageEvent) -> None:
    assert code_of(lambda: shared.record(event, "cage")) is DENIED
    assert code_of(lambda: shared.record(event, "accounting")) is grpc.StatusCode.OK


def test_only_accounting_runs_promotions_and_closes_days(shared: House) -> None:
    assert code_of(lambda: shared.promote(PromotionEvent(), "cage")) is DENIED
    close = pb.CloseDayRequest(gaming_day="2026-03-01")
    assert code_of(lambda: shared.call("CloseDay", close, "cage")) is DENIED


def test_the_ledger_is_emptied_by_administrators_and_operators_only(shared: House) -> None:
    async def run(role: str) -> None:
        async with shared.stub("service", "console") as stub:
            call = stub.Rebuild(pb.RebuildRequest(), metadata=(shared.token(role),))
            async for _ in call:
                pass

    for role in ("accounting", "cage", "pit", "auditor", "surveillance"):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            asyncio.run(run(role))
        assert refused.value.code() is DENIED


def test_a_person_is_judged_by_their_roles_whoever_calls_for_them(shared: House) -> None:
    async def run() -> None:
        async with shared.stub("operator", "test") as stub:
            await stub.Record(
                pb.RecordRequest(event=by_hand(("cage_cash", 100), ("adjustment", -100))),
                metadata=(shared.token("cage"),),
            )

    with pytest.raises(grpc.aio.AioRpcError) as refused:
        asyncio.run(run())
    assert refused.value.code() is DENIED


def test_services_ask_and_enter_nothing(shared: House) -> None:
    async def run(method: str, request: object) -> None:
        async with shared.stub("service", "surveillance") as stub:
            await getattr(stub, method)(request)

    asyncio.run(run("GetStatus", pb.GetStatusRequest()))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        asyncio.run(run("Record", pb.RecordRequest(event=redeem())))
    assert refused.value.code() is DENIED


def test_every_method_and_every_fact_has_a_rule() -> None:
    service = pb.DESCRIPTOR.services_by_name["AccountingService"]
    assert {method.rpartition("/")[2] for method in POLICY} == {
        method.name for method in service.methods
    }
    facts = {field.name for field in CageEvent.DESCRIPTOR.oneofs_by_name["fact"].fields}
    assert facts - set(RECORDERS) == {"day_closed"}
