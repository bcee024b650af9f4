"""The parts of a round on a page: what it was played by, its hands in words, what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from alerting.kinds import format_amount
from blackjack.cards.card import Card, card
from blackjack.cards.hand import total_of
from blackjack.findings import Finding, Level, Withdrawal
from blackjack.outcomes import HandCards, RoundStatus, SettledRound
from blackjack.rulebook.rule_set import RuleSet
from pitctl.output.text import Page, moment, plain

LEVEL_STYLES: Final = {
    Level.P1: "bold white on red",
    Level.P2: "bold red",
    Level.P3: "bold yellow",
    Level.P4: "bold cyan",
}
_ANY_ACE: Final = card("AS")
STATUS_WORDS: Final = {
    RoundStatus.VOID: "void: every stake goes back",
    RoundStatus.INCOMPLETE: "incomplete: facts are missing, and it is settled anew if they come",
    RoundStatus.UNRESOLVED: "unresolved: it is settled once its rule set is known",
}


def print_heading(page: Page, settled: SettledRound, rules: RuleSet | None) -> None:
    """What a round was played by, when and by whom, and why it is said again if it is."""
    if settled.version > 1:
        cause = f"supersedes version {settled.version - 1}: {settled.cause}"
        page.line((plain(cause), "yellow"), indent=2, hang=2)
    if settled.status in STATUS_WORDS:
        page.line((STATUS_WORDS[settled.status], "bold yellow"), indent=2, hang=2)
    context = settled.context
    if rules is not None:
        page.line(rules.name, (f"  rule set {rules.hash[:12]}", "dim"), indent=2, hang=2)
    else:
        named = f"rule set {context.rule_set[:12]}" if context.rule_set else "no rule set"
        page.line((f"{plain(named)}: not known", "bold yellow"), indent=2)
    said = [moment(settled.opened_at)]
    said += [f"dealer {context.dealer}"] if context.dealer else []
    said += [f"supervisor {context.supervisor}"] if context.supervisor else []
    said += [f"events {settled.first_seq} to {settled.last_seq}"]
    page.line((plain(", ".join(said)), "dim"), indent=2, hang=2)


def print_findings(page: Page, findings: Iterable[Finding], proof: Callable[[int], str]) -> None:
    """The most urgent first, each with its rule and, by number, the event that proves it."""
    for finding in sorted(findings, key=lambda each: (each.level, each.seq)):
        page.blank()
        level = (f" {finding.level.name} ", LEVEL_STYLES[finding.level])
        page.line(level, (f" {finding.kind.value}", "bold"), f"  {finding.text}", indent=2, hang=5)
        said = [f"proved by {proof(finding.seq)}"]
        said += [f"dealer {finding.dealer}"] if finding.dealer else []
        said += [f"patron {finding.patron}"] if finding.patron else []
        amount = format_amount(finding.cents, finding.kind).text
        said += [f"amount {amount}"] if finding.cents else []
        if finding.detail:
            page.line((plain(finding.detail), ""), indent=7, hang=2)
        page.line((f"rule: {plain(finding.rule)}", ""), indent=7, hang=2)
        page.line((plain(", ".join(said)), "dim"), indent=7, hang=2)


def print_withdrawals(page: Page, withdrawals: Iterable[tuple[Withdrawal, Finding | None]]) -> None:
    for withdrawal, finding in withdrawals:
        page.blank()
        what = f"{finding.kind.value}  {finding.text}" if finding else withdrawal.id
        page.line((" withdrawn ", "black on green"), f"  {what}", indent=2, hang=5)
        why = f"because of event {withdrawal.seq}: {withdrawal.reason}"
        page.line((plain(why), "dim"), indent=7, hang=2)


def how_played(held: HandCards, *, counts: bool) -> str:
    """What a player's hand counts, and how it was played."""
    cards = (_ANY_ACE, *held.cards[1:]) if held.free_ace else held.cards
    said = [worth_of(cards, from_split=held.from_split)] if counts else []
    said += ["free ace"] if held.free_ace else []
    said += ["doubled"] if held.doubled else []
    said += ["surrendered"] if held.surrendered else []
    said += ["void"] if held.void else []
    return ", ".join(each for each in said if each)


def worth_of(held: Sequence[Card | None], *, from_split: bool = False) -> str:
    """What a hand counts, unless a card was not read."""
    cards = [each for each in held if each is not None]
    if not cards or len(cards) != len(held):
        return ""
    total, soft = total_of(cards)
    if total > 21:
        return f"{total}, bust"
    if total == 21 and len(cards) == 2 and not from_split:
        return "blackjack"
    return f"soft {total}" if soft else str(total)
