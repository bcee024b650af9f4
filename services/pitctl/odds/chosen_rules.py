"""Games, rule sets and coupon terms chosen on the command line.

House rules and terms are typed as in a hand history, and read by its parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from blackjack.facts import Fact, PromotionDefined, RuleSetActivated
from blackjack.hand_history import parse
from blackjack.rulebook.filings import FILINGS, Filing, Paytable
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import NotFiled, RuleSet, compose
from pitctl.errors import InvalidArgument


def chosen_game(game: str) -> Filing:
    """The filed game of this name."""
    if game in FILINGS:
        return FILINGS[game]
    near = get_close_matches(game.lower(), FILINGS, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise InvalidArgument(f'Invalid game "{game}": filed are {", ".join(FILINGS)}.{hint}')


def chosen_wager(filing: Filing, wager: str) -> str:
    """A side bet of the game; if it has one only, it need not be named."""
    known = tuple(filing.side_bets)
    if wager in known:
        return wager
    if not wager and len(known) == 1:
        return known[0]
    given = f'Invalid wager "{wager}"' if wager else "Missing wager"
    raise InvalidArgument(f"{given}: {filing.game} has {', '.join(known)}.")


def chosen_table(filing: Filing, wager: str, decks: int, option: int) -> Paytable:
    """One option of a wager at a deck count."""
    check_decks(filing, decks)
    paytable = filing.paytable(wager, decks, option)
    if paytable is None:
        filed = ", ".join(str(table.option) for table in filing.paytables(wager, decks))
        raise InvalidArgument(f"Invalid option {option}: {wager} at {decks} decks has {filed}.")
    return paytable


def check_decks(filing: Filing, decks: int) -> None:
    if decks not in filing.decks:
        filed = ", ".join(map(str, filing.decks))
        raise InvalidArgument(f"Invalid decks {decks}: for {filing.game} filed are {filed}.")


def chosen_rules(
    filing: Filing, decks: int, rules: Sequence[str], table: Paytable | None = None
) -> RuleSet:
    """A rule set with these house rules and this paytable; the first option of all others."""
    check_decks(filing, decks)
    options = {wager: filing.paytables(wager, decks)[0].option for wager in filing.side_bets}
    if table is not None:
        options |= dict.fromkeys(table.wagers, table.option)
    chosen = " ".join(f"{wager} {option}" for wager, option in options.items())
    fact = _fact_of(f"rules {filing.game} decks {decks} {chosen}", rules)
    if not isinstance(fact, RuleSetActivated) or fact.definition is None:
        raise InvalidArgument("the rules name no rule set")
    try:
        return compose(fact.definition)
    except NotFiled as error:
        raise InvalidArgument(f"not allowed: {error}.") from None


def chosen_terms(kind: str, face: str, terms: Sequence[str]) -> Terms:
    """A coupon's terms."""
    fact = _fact_of(f"promotion coupon {kind} {face}", terms)
    if not isinstance(fact, PromotionDefined):
        raise InvalidArgument("the terms define no promotion")
    if fact.terms.problem:
        raise InvalidArgument(f"not possible: {fact.terms.problem}.")
    return fact.terms


def _fact_of(first: str, rest: Sequence[str]) -> Fact:
    """The one fact that these lines of a hand history state."""
    for line in (first, *rest):
        if not line.isprintable():
            raise InvalidArgument(f"Invalid text {line!r}: expected one line.")
    history = parse("\n  ".join((first, *rest)))
    if history.problems:
        reasons = (
            _quoted(rest, problem.line)
            + problem.message
            + (f" ({problem.hint})" if problem.hint else "")
            for problem in history.problems
        )
        raise InvalidArgument("; ".join(reasons))
    if len(history.events) != 1:
        raise InvalidArgument(f"{' '.join(rest)!r} has more than one rule or term")
    return history.events[0].fact


def _quoted(typed: Sequence[str], line: int) -> str:
    """The words that were typed; the first line is ours and is not quoted."""
    return f"{typed[line - 2]!r}: " if line >= 2 else ""
