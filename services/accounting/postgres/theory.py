"""The exact expectation of wagers by rule set and of coupons by promotion, computed once.

A rule set is one that a table reported, or a filed one. An unknown rule set, or a wager outside
it, has no theory: amounts that depend on it are empty, never guessed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from accounting.domain.reports.inputs import (
    ExpectedCost,
    PromotionSummary,
    Redemption,
    RuleSetRounds,
    RuleSetSummary,
    WagerExpectation,
)
from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot, open_snapshot
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.promotions import PromotionKind, Terms
from blackjack.rulebook.rule_set import FILED, NotFiled, RuleSet, compose
from casino.table.v1.facts_promotion_pb2 import PromotionTerms
from casino.table.v1.rules_pb2 import RuleSetDefinition
from odds.coupons import NoCost, coupon_cost
from odds.round_theory import WagerTheory, theory_of
from runtime import logs
from runtime.database.pools import AsyncPool
from runtime.process import Stop
from runtime.query_errors import DatabaseUnavailable
from wire.errors import UnreadableMessage
from wire.promotions import read_terms
from wire.rules import read_rule_set

POLL_SECONDS: Final = 0.5
_ALL: Final = "SELECT rule_set FROM rule_sets"
_TERMS: Final = "SELECT promotion, terms FROM promotions WHERE NOT promotion = ANY(%s)"
_DEFINED: Final = "SELECT rule_set, definition FROM rule_sets WHERE rule_set = ANY(%s)"
_log = logs.logger(__name__)
UNIT_CENTS: Final = 1_000_000
"""The stake at which a free ace is valued: its cost is a share of the wager beside it."""


class CouponPlacement(NamedTuple):
    """A coupon of a promotion on a wager of a rule set."""

    promotion: str
    rule_set: str
    wager: str


def unit_cost(terms: Terms, rules: RuleSet, wager: str) -> float | None:
    """The expected cost of one coupon, in cents; None if its terms do not allow the wager."""
    try:
        return coupon_cost(terms, rules, wager=wager, stake_cents=UNIT_CENTS).cents
    except NoCost:
        return None


async def _precompute(work: Awaitable[object], **of: str) -> None:
    """Await work that no report waits for yet. If it fails, a later report gets the error."""
    try:
        await work
    except Exception:
        _log.exception("theory not precomputed", **of)


class TheoryCache:
    """Caches theory and coupon costs: a rule set never changes under its hash."""

    def __init__(
        self,
        *,
        theory: Callable[[RuleSet], Mapping[str, WagerTheory]] = theory_of,
        cost: Callable[[Terms, RuleSet, str], float | None] = unit_cost,
    ) -> None:
        self._theory = theory
        self._cost_of = cost
        self._rules: dict[str, RuleSet] = {}
        self._known: dict[str, asyncio.Task[RuleSetSummary]] = {}
        self._terms: dict[str, Terms | None] = {}
        self._costs: dict[CouponPlacement, asyncio.Task[float | None]] = {}

    async def anticipate(self, pool: AsyncPool, stop: Stop) -> None:
        """Compute the theory of rule sets in play, then coupon costs, before a report needs them:
        some rule sets take seconds."""
        while not await stop.wait(POLL_SECONDS):
            try:
                async with open_snapshot(pool) as snapshot:
                    names = [row["rule_set"] for row in await snapshot.fetch(_ALL, [])]
                    await self.learn(snapshot, names)
                    await self._learn_terms(snapshot)
            except DatabaseUnavailable:
                continue  # the projector logs it
            if fresh := sorted(self._rules.keys() - self._known.keys()):
                await _precompute(self.known(fresh[:1]), rule_set=fresh[0])
                continue
            for coupon, terms in self._unpriced():
                if stop.requested:
                    break
                await _precompute(self._unit_cost(coupon, terms), **coupon._asdict())

    async def _learn_terms(self, snapshot: DatabaseSnapshot) -> None:
        for row in await snapshot.fetch(_TERMS, [sorted(self._terms)]):
            try:
                terms = read_terms(PromotionTerms.FromString(bytes(row["terms"])))
            except (DecodeError, UnreadableMessage):
                terms = None
            self._terms[row["promotion"]] = terms

    def _unpriced(self) -> list[tuple[CouponPlacement, Terms]]:
        """Coupon uses that terms allow, by known rule sets, without a cost yet."""
        return [
            (coupon, terms)
            for rule_set, rules in sorted(self._rules.items())
            for promotion, terms in sorted(self._terms.items())
            if terms is not None and (not terms.games or rules.spec.game in terms.games)
            for coupon in (
                CouponPlacement(promotion, rule_set, wager_) for wager_ in terms.wagers or (MAIN,)
            )
            if coupon not in self._costs
        ]

    async def learn(self, snapshot: DatabaseSnapshot, names: Iterable[str]) -> None:
        """Load rule sets. Their theory is computed later, without the database."""
        wanted = set(names)
        for row in await snapshot.fetch(_DEFINED, [sorted(wanted - self._rules.keys())]):
            try:
                definition = RuleSetDefinition.FromString(bytes(row["definition"]))
                self._rules[row["rule_set"]] = compose(read_rule_set(definition))
            except (DecodeError, UnreadableMessage, NotFiled):
                continue
        for name in wanted - self._rules.keys():
            filed = FILED.get(name)
            if filed is not None:
                self._rules[name] = filed

    async def known(self, names: Iterable[str]) -> Mapping[str, RuleSetSummary]:
        """Rule sets with their theory, computed in a thread beside the event loop."""
        wanted = sorted(set(names) & self._rules.keys())
        for name in wanted:
            if name not in self._known:
                work = asyncio.to_thread(self._compute, name)
                self._known[name] = asyncio.create_task(work)
        # Shielded: others may wait for the same task.
        return {name: await asyncio.shield(self._known[name]) for name in wanted}

    async def costs(
        self, promotions: Mapping[str, PromotionSummary], redemptions: Iterable[Redemption]
    ) -> Mapping[str, Sequence[ExpectedCost]]:
        """The expected costs of redeemed coupons, by promotion."""
        costs: dict[str, list[ExpectedCost]] = {}
        for redemption in redemptions:
            cost = await self._cost(
                promotions.get(redemption.promotion),
                redemption.rule_set,
                redemption.wager,
                redemption.placed,
            )
            costs.setdefault(redemption.promotion, []).append(ExpectedCost(redemption, cost))
        return costs

    async def shares(
        self, promotions: Iterable[PromotionSummary], played: Sequence[RuleSetRounds]
    ) -> Mapping[str, float | None]:
        """The expected cost, in cents, of one coupon of each promotion, by the most played rule
        set that its terms allow."""
        shares: dict[str, float | None] = {}
        for promotion in promotions:
            terms = promotion.terms
            if terms is None:
                continue
            wager = terms.wagers[0] if terms.wagers else MAIN
            for rounds in played:
                if terms.games and rounds.game not in terms.games:
                    continue
                cost = await self._cost(promotion, rounds.rule_set, wager, terms.face_cents)
                if cost is not None:
                    shares[promotion.promotion] = cost
                    break
        return shares

    async def _cost(
        self, promotion: PromotionSummary | None, rule_set: str, wager: str, placed: int
    ) -> float | None:
        rules = self._rules.get(rule_set)
        if promotion is None or promotion.terms is None or rules is None:
            return None
        terms = promotion.terms
        if terms.kind is PromotionKind.POINT_MULTIPLIER:
            return 0.0
        cost = await self._unit_cost(CouponPlacement(promotion.promotion, rule_set, wager), terms)
        if cost is not None and terms.kind is PromotionKind.FREE_ACE:
            return cost * placed / UNIT_CENTS
        return cost

    async def _unit_cost(self, coupon: CouponPlacement, terms: Terms) -> float | None:
        """The cost of one coupon, computed once, in a thread beside the event loop."""
        if coupon not in self._costs:
            work = asyncio.to_thread(
                self._cost_of, terms, self._rules[coupon.rule_set], coupon.wager
            )
            self._costs[coupon] = asyncio.create_task(work)
        # Shielded: others may wait for the same task.
        return await asyncio.shield(self._costs[coupon])

    def _compute(self, name: str) -> RuleSetSummary:
        rules = self._rules[name]
        return RuleSetSummary(
            game=rules.spec.game,
            title=rules.filing.title,
            decks=rules.spec.decks,
            options=dict(rules.spec.paytables),
            theory={
                wager: WagerExpectation(theory.edge, theory.variance, theory.covariance)
                for wager, theory in self._theory(rules).items()
            },
        )
