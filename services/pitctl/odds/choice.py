"""What a person chooses on the command line: a game, its rules, a coupon's terms.

House rules and terms are said in the words of the hand history, and read by its parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from blackjack.facts import Fact, PromotionDefined, RuleSetActivated
from blackjack.hand_history import parse
from blackjack.rulebook.filings import FILINGS, Filing, Paytable
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import NotFiled, RuleSet, compose


class CannotChoose(ValueError):
    """A choice that is not to be had, and what is."""


def chosen_game(game: str) -> Filing:
    """The filed game of this name."""
    if game in FILINGS:
        return FILINGS[game]
    near = get_close_matches(game.lower(), FILINGS, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise CannotChoose(f"{game!r} is not filed; filed are {', '.join(FILINGS)}.{hint}")


def chosen_wager(filing: Filing, wager: str) -> str:
    """A side bet of the game; if it has one only, it need not be named."""
    known = tuple(filing.side_bets)
    if wager in known:
        return wager
    if not wager and len(known) == 1:
        return known[0]
    which = f"{wager!r} is no side bet of {filing.game}" if wager else "name the wager"
    raise CannotChoose(f"{which}; it has {', '.join(known)}.")


def chosen_table(filing: Filing, wager: str, decks: int, option: int) -> Paytable:
    """One option of a wager at a deck count."""
    check_decks(filing, decks)
    paytable = filing.paytable(wager, decks, option)
    if paytable is None:
        filed = ", ".join(str(table.option) for table in filing.paytables(wager, decks))
        raise CannotChoose(f"{wager} has no option {option} at {decks} decks; filed are {filed}.")
    return paytable


def check_decks(filing: Filing, decks: int) -> None:
    if decks not in filing.decks:
        filed = ", ".join(map(str, filing.decks))
        raise CannotChoose(f"{decks} decks are not filed for {filing.game}; filed are {filed}.")


def chosen_rules(
    filing: Filing, decks: int, rules: Sequence[str], table: Paytable | None = None
) -> RuleSet:
    """A rule set with these house rules and this paytable; the first option of all others."""
    check_decks(filing, decks)
    options = {wager: filing.paytables(wager, decks)[0].option for wager in filing.side_bets}
    if table is not None:
        options |= dict.fromkeys(table.wagers, table.option)
    chosen = " ".join(f"{wager} {option}" for wager, option in options.items())
    fact = _said(f"rules {filing.game} decks {decks} {chosen}", rules)
    if not isinstance(fact, RuleSetActivated) or fact.definition is None:
        raise CannotChoose("the rules name no rule set")
    try:
        return compose(fact.definition)
    except NotFiled as refused:
        raise CannotChoose(f"not allowed: {refused}.") from None


def chosen_terms(kind: str, face: str, terms: Sequence[str]) -> Terms:
    """A coupon's terms."""
    fact = _said(f"promotion coupon {kind} {face}", terms)
    if not isinstance(fact, PromotionDefined):
        raise CannotChoose("the terms define no promotion")
    if fact.terms.problem:
        raise CannotChoose(f"not possible: {fact.terms.problem}.")
    return fact.terms


def _said(first: str, rest: Sequence[str]) -> Fact:
    """The one fact that these lines of a hand history state."""
    for each in (first, *rest):
        if not each.isprintable():
            raise CannotChoose(f"{each!r} is not one line of words")
    history = parse("\n  ".join((first, *rest)))
    if history.problems:
        said = (
            f"{_quoted(rest, each.line)}{each.message}{f' ({each.hint})' if each.hint else ''}"
            for each in history.problems
        )
        raise CannotChoose("; ".join(said))
    if len(history.events) != 1:
        raise CannotChoose(f"{' '.join(rest)!r} says more than one thing")
    return history.events[0].fact


def _quoted(typed: Sequence[str], line: int) -> str:
    """The words that were typed; the first line is ours and is not quoted."""
    return f"{typed[line - 2]!r}: " if line >= 2 else ""
