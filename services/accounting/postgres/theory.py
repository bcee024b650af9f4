"""What rule sets expect of their wagers, and promotions of their coupons: exact, worked out once.

A rule set is found among those that tables have told, or that are filed. One that nobody knows, or
a wager that it does not have, has no theory: figures that rest on it are empty, never guessed.
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

LOOK_SECONDS: Final = 0.5
_ALL: Final = "SELECT rule_set FROM rule_sets"
_TERMS: Final = "SELECT promotion, terms FROM promotions WHERE NOT promotion = ANY(%s)"
_DEFINED: Final = "SELECT rule_set, definition FROM rule_sets WHERE rule_set = ANY(%s)"
_log = logs.logger(__name__)
UNIT_CENTS: Final = 1_000_000
"""The stake for which a free ace is valued: its cost is a share of the wager beside it."""


class CouponUse(NamedTuple):
    """One of a promotion, on a wager, by a rule set."""

    promotion: str
    rule_set: str
    wager: str


def unit_cost(terms: Terms, rules: RuleSet, wager: str) -> float | None:
    """What one coupon costs, in cents; None where its terms do not allow it there."""
    try:
        return coupon_cost(terms, rules, wager=wager, stake_cents=UNIT_CENTS).cents
    except NoCost:
        return None


async def _ahead(work: Awaitable[object], **of: str) -> None:
    """Nobody has asked for it: where it fails, whoever asks is told, and nothing else ends."""
    try:
        await work
    except Exception:
        _log.exception("not worked out", **of)


class TheoryCache:
    """Keeps what it has worked out: a rule set never changes under its hash."""

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
        self._costs: dict[CouponUse, asyncio.Task[float | None]] = {}

    async def anticipate(self, pool: AsyncPool, stop: Stop) -> None:
        """Works out what tables play by, and then what coupons cost there, before anybody asks:
        some rules take seconds."""
        while not await stop.wait(LOOK_SECONDS):
            try:
                async with open_snapshot(pool) as snapshot:
                    names = [row["rule_set"] for row in await snapshot.ask(_ALL, [])]
                    await self.learn(snapshot, names)
                    await self._learn_terms(snapshot)
            except DatabaseUnavailable:
                continue  # the ledger's own part says so
            if fresh := sorted(self._rules.keys() - self._known.keys()):
                await _ahead(self.known(fresh[:1]), rule_set=fresh[0])
                continue
            for coupon, terms in self._unpriced():
                if stop.asked:
                    break
                await _ahead(self._unit_cost(coupon, terms), **coupon._asdict())

    async def _learn_terms(self, snapshot: DatabaseSnapshot) -> None:
        for row in await snapshot.ask(_TERMS, [sorted(self._terms)]):
            try:
                terms = read_terms(PromotionTerms.FromString(bytes(row["terms"])))
            except (DecodeError, UnreadableMessage):
                terms = None
            self._terms[row["promotion"]] = terms

    def _unpriced(self) -> list[tuple[CouponUse, Terms]]:
        """Where terms allow a coupon, by the rules that are known."""
        return [
            (coupon, terms)
            for rule_set, rules in sorted(self._rules.items())
            for promotion, terms in sorted(self._terms.items())
            if terms is not None and (not terms.games or rules.spec.game in terms.games)
            for coupon in (
                CouponUse(promotion, rule_set, wager_) for wager_ in terms.wagers or (MAIN,)
            )
            if coupon not in self._costs
        ]

    async def learn(self, snapshot: DatabaseSnapshot, names: Iterable[str]) -> None:
        """Finds rule sets. What follows from them is worked out later, without the tables."""
        wanted = set(names)
        for row in await snapshot.ask(_DEFINED, [sorted(wanted - self._rules.keys())]):
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
        """Rule sets with their theory, worked out beside the loop that answers others."""
        wanted = sorted(set(names) & self._rules.keys())
        for name in wanted:
            if name not in self._known:
                work = asyncio.to_thread(self._work_out, name)
                self._known[name] = asyncio.create_task(work)
        # Whoever else waits for the same is not to be cancelled with us.
        return {name: await asyncio.shield(self._known[name]) for name in wanted}

    async def costs(
        self, promotions: Mapping[str, PromotionSummary], redemptions: Iterable[Redemption]
    ) -> Mapping[str, Sequence[ExpectedCost]]:
        """What was redeemed was expected to cost, by promotion."""
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
        """The expected cost, in cents, of one coupon of each promotion where it is most likely to
        be used: by the rule set, among those its terms allow, that most rounds were played by."""
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
        cost = await self._unit_cost(CouponUse(promotion.promotion, rule_set, wager), terms)
        if cost is not None and terms.kind is PromotionKind.FREE_ACE:
            return cost * placed / UNIT_CENTS
        return cost

    async def _unit_cost(self, coupon: CouponUse, terms: Terms) -> float | None:
        """Worked out once, beside the loop that answers others."""
        if coupon not in self._costs:
            work = asyncio.to_thread(
                self._cost_of, terms, self._rules[coupon.rule_set], coupon.wager
            )
            self._costs[coupon] = asyncio.create_task(work)
        # Whoever else waits for the same is not to be cancelled with us.
        return await asyncio.shield(self._costs[coupon])

    def _work_out(self, name: str) -> RuleSetSummary:
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
