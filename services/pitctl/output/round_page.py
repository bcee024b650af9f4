"""The parts of a round on a page: its rules, its hands in words, its findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.text import Text

from alerting.kinds import format_amount
from blackjack.cards.card import Card, card
from blackjack.cards.hand import total_of
from blackjack.display_names import finding_name
from blackjack.findings import Finding, Level, Withdrawal
from blackjack.outcomes import HandCards, RoundStatus, SettledRound
from blackjack.rulebook.rule_set import RuleSet
from pitctl.output.text import Page, escape, format_moment

LEVEL_STYLES: Final = {
    Level.P1: "bold white on red",
    Level.P2: "bold red",
    Level.P3: "bold yellow",
    Level.P4: "bold cyan",
}
_ANY_ACE: Final = card("AS")
STATUS_WORDS: Final = {
    RoundStatus.VOID: "void: every stake is returned",
    RoundStatus.INCOMPLETE: "incomplete: facts are missing; it is settled again if they arrive",
    RoundStatus.UNRESOLVED: "unresolved: it is settled once its rule set is known",
}


def print_heading(page: Page, settled: SettledRound, rules: RuleSet | None) -> None:
    """The rules, time and staff of a round, and the cause of a later version."""
    if settled.version > 1:
        cause = f"supersedes version {settled.version - 1}: {settled.cause}"
        page.line((escape(cause), "yellow"), indent=2, hang=2)
    if settled.status in STATUS_WORDS:
        page.line((STATUS_WORDS[settled.status], "bold yellow"), indent=2, hang=2)
    context = settled.context
    if rules is not None:
        page.line(rules.name, (f"  rule set {rules.hash[:12]}", "dim"), indent=2, hang=2)
    else:
        named = f"rule set {context.rule_set[:12]}" if context.rule_set else "no rule set"
        page.line((f"{escape(named)}: unknown", "bold yellow"), indent=2)
    words = [format_moment(settled.opened_at)]
    words += [f"dealer {context.dealer}"] if context.dealer else []
    words += [f"supervisor {context.supervisor}"] if context.supervisor else []
    words += [f"events {settled.first_seq} to {settled.last_seq}"]
    page.line((escape(", ".join(words)), "dim"), indent=2, hang=2)


def print_findings(page: Page, findings: Iterable[Finding], proof: Callable[[int], str]) -> None:
    """Findings, most urgent first, each with its rule and the event that proves it."""
    for finding in sorted(findings, key=lambda finding: (finding.level, finding.seq)):
        page.blank()
        level = (f" {finding.level.name} ", LEVEL_STYLES[finding.level])
        page.line(level, " ", finding_title(finding), indent=2, hang=5)
        words = [f"proved by {proof(finding.seq)}"]
        words += [f"dealer {finding.dealer}"] if finding.dealer else []
        words += [f"patron {finding.patron}"] if finding.patron else []
        amount = format_amount(finding.cents, finding.kind).text
        words += [f"amount {amount}"] if finding.cents else []
        if finding.detail:
            page.line((escape(finding.detail), ""), indent=7, hang=2)
        page.line((f"rule: {escape(finding.rule)}", ""), indent=7, hang=2)
        page.line((escape(", ".join(words)), "dim"), indent=7, hang=2)


def print_withdrawals(page: Page, withdrawals: Iterable[tuple[Withdrawal, Finding | None]]) -> None:
    for withdrawal, finding in withdrawals:
        page.blank()
        title = finding_title(finding) if finding else withdrawal.id
        page.line((" withdrawn ", "black on green"), "  ", title, indent=2, hang=5)
        why = f"because of event {withdrawal.seq}: {withdrawal.reason}"
        page.line((escape(why), "dim"), indent=7, hang=2)


def finding_title(finding: Finding) -> Text:
    """The kind and the sentence of a finding; a sentence that starts with the kind is enough."""
    kind = finding_name(finding.kind)
    rest = finding.text.removeprefix(kind)
    return Text.assemble((kind, "bold"), escape(rest if rest != finding.text else f"  {rest}"))


def how_played(held: HandCards, *, counts: bool) -> str:
    """The total of a player's hand, and how it was played."""
    cards = (_ANY_ACE, *held.cards[1:]) if held.free_ace else held.cards
    words = [worth_of(cards, from_split=held.from_split)] if counts else []
    words += ["free ace"] if held.free_ace else []
    words += ["doubled"] if held.doubled else []
    words += ["surrendered"] if held.surrendered else []
    words += ["void"] if held.void else []
    return ", ".join(word for word in words if word)


def worth_of(held: Sequence[Card | None], *, from_split: bool = False) -> str:
    """The total of a hand, unless a card was not read."""
    cards = [known for known in held if known is not None]
    if not cards or len(cards) != len(held):
        return ""
    total, soft = total_of(cards)
    if total > 21:
        return f"{total}, bust"
    if total == 21 and len(cards) == 2 and not from_split:
        return "blackjack"
    return f"soft {total}" if soft else str(total)
