"""Loads the inputs that a report needs from one snapshot of the tables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, Final, NamedTuple

from accounting.domain.reports.inputs import ReportInputs, TableDay
from accounting.postgres.report_inputs.coupons import (
    fetch_coupons,
    fetch_outstanding,
    fetch_problems,
    fetch_promotions,
    fetch_redemptions,
)
from accounting.postgres.report_inputs.journal import IS_ADJUSTING
from accounting.postgres.report_inputs.measures import DAYS
from accounting.postgres.report_inputs.scope import ReportScope
from accounting.postgres.report_inputs.slips_and_cash import (
    fetch_accounts,
    fetch_debits,
    fetch_large,
    fetch_patrons,
    fetch_slips,
)
from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot, open_snapshot
from accounting.postgres.report_inputs.tables import (
    fetch_by_hand,
    fetch_corrections,
    fetch_error_slips,
    fetch_findings,
    fetch_tables,
)
from accounting.postgres.report_inputs.wagers import (
    fetch_errors,
    fetch_play,
    fetch_played,
    fetch_unseen,
)
from accounting.postgres.theory import TheoryCache
from runtime.database.pools import AsyncPool

Fetch = Callable[[DatabaseSnapshot, ReportScope], Awaitable[Any]]


async def _month(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[TableDay]:
    """The days of the same month before the days of the report."""
    before = scope.from_day - timedelta(days=1)
    first = before.replace(day=1)
    if before.month != scope.from_day.month:
        return []
    return await fetch_tables(snapshot, ReportScope(first, before, scope.table))


FETCH: Final[Mapping[str, Fetch]] = {
    "tables": fetch_tables,
    "month": _month,
    "play": fetch_play,
    "errors": fetch_errors,
    "unseen": fetch_unseen,
    "findings": fetch_findings,
    "corrections": fetch_corrections,
    "by_hand": fetch_by_hand,
    "error_slips": fetch_error_slips,
    "slips": fetch_slips,
    "coupons": fetch_coupons,
    "coupon_problems": fetch_problems,
    "redemptions": fetch_redemptions,
    "outstanding": fetch_outstanding,
    "patrons": fetch_patrons,
    "large": fetch_large,
    "debits": fetch_debits,
    "accounts": fetch_accounts,
    "promotions": fetch_promotions,
    "played": fetch_played,
}
"""Functions by the field of `ReportInputs` that they fill."""
WITH_RULES: Final = ("play", "redemptions", "played")
_CLOSED: Final = f"SELECT count(*) AS days FROM closed_days c WHERE {DAYS.format('c')}"
_ADJUSTING: Final = f"""
SELECT count(*) AS entries FROM entries e JOIN closed_days c USING (gaming_day)
WHERE {DAYS.format("e")} AND {IS_ADJUSTING}
"""


class LoadedInputs(NamedTuple):
    inputs: ReportInputs
    is_final: bool
    """Whether all days are closed."""
    adjusting: int
    """Entries of these days, at any table, posted after the close."""


async def fetch(
    pool: AsyncPool, scope: ReportScope, needs: tuple[str, ...], theories: TheoryCache
) -> LoadedInputs:
    """Load the inputs; theory is computed after the snapshot is released."""
    async with open_snapshot(pool) as snapshot:
        found: dict[str, Any] = {need: await FETCH[need](snapshot, scope) for need in needs}
        names = {row.rule_set for need in WITH_RULES if need in found for row in found[need]}
        await theories.learn(snapshot, names)
        (closed,) = await snapshot.fetch(_CLOSED, scope.values)
        (late,) = await snapshot.fetch(_ADJUSTING, scope.values)
    if "play" in found:
        found["rules"] = await theories.known({play.rule_set for play in found["play"]})
    if "redemptions" in found:
        found["costs"] = await theories.costs(found["promotions"], found["redemptions"])
    if "played" in found:
        out = {row.promotion.promotion: row.promotion for row in found["outstanding"]}
        found["shares"] = await theories.shares(out.values(), found["played"])
    is_final = closed["days"] == (scope.until_day - scope.from_day).days + 1
    return LoadedInputs(ReportInputs(**found), is_final, late["entries"])
