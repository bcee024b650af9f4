"""An offer: the wagers that one filed paytable pays at one deck count, with their exact worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from blackjack.rulebook.filings import Filing, Paytable
from blackjack.rulebook.rule_set import standard_house
from odds.shoe import CardCounts
from odds.worth import Worth, worth


class Offer(Struct, frozen=True, dict=True, eq=False):
    """One paytable at one deck count. Wagers that share a paytable share its odds too."""

    filing: Filing
    paytable: Paytable
    decks: int

    @property
    def wagers(self) -> tuple[str, ...]:
        return self.paytable.wagers

    @property
    def title(self) -> str:
        """The wagers as their layout names them."""
        return " and ".join(self.filing.side_bets[wager].title for wager in self.wagers)

    @property
    def worth(self) -> Worth:
        """The worth with a full shoe, and the house rules that the paytable requires."""
        return self.worth_at(self.decks)

    def worth_at(self, decks: int) -> Worth:
        """The same paytable with another number of decks, filed or not."""
        if decks not in self._worth_by_decks:
            self._worth_by_decks[decks] = self._work_out(decks)
        return self._worth_by_decks[decks]

    @cached_property
    def _worth_by_decks(self) -> dict[int, Worth]:
        return {}

    def _work_out(self, decks: int) -> Worth:
        filed = self.filing.side_bets[self.wagers[0]]
        chosen = dict.fromkeys(self.wagers, self.paytable.option)
        house = standard_house(self.filing.game, chosen, {self.filing.game: self.filing})
        return worth(filed, self.paytable, house, decks=self.decks, shoe=CardCounts.of_decks(decks))

    def pays_like(self, other: Offer) -> bool:
        """Whether both are of the same wagers and pay the same for every outcome."""
        mine = {row.outcome: row.pays for row in self.paytable.rows}
        theirs = {row.outcome: row.pays for row in other.paytable.rows}
        return self.wagers == other.wagers and mine == theirs


def offers(filing: Filing) -> Iterator[Offer]:
    """Every offer of a filing: wager by wager, deck count by deck count, by option."""
    for wager in filing.side_bets:
        for decks in filing.decks:
            for paytable in filing.paytables(wager, decks):
                if paytable.wagers[0] == wager:
                    yield Offer(filing, paytable, decks)
