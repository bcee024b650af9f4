"""The filed games printed for a person who sets up a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from blackjack.money import format_cents
from blackjack.rulebook.filings import Filing, Paytable
from pitctl.odds.game_catalog import (
    HouseRow,
    PaytableGroup,
    house_rows,
    option_words,
    paytable_groups,
    rule_sets,
    rules_line,
    settings,
)
from pitctl.output.exit import command_name
from pitctl.output.text import Page, count_noun

HASH_SHOWN = 12
"""Digits of a paytable's hash that are printed; `--json` has all."""


def print_overview(page: Page, filings: Sequence[Filing], decks: int) -> None:
    """Every game in a few lines."""
    for filing in filings:
        page.rule(Text.assemble((filing.title, "bold"), f", {filing.game}"))
        groups = list(paytable_groups(filing, decks))
        count = sum(len(group.decks) * len(group.tables) for group in groups)
        page.line(f"decks     {_numbers(filing.decks)}", indent=2)
        page.line(f"wagers    {', '.join(_wagers(filing))}", indent=2, hang=10)
        at = f"for {decks} decks" if decks else "over all numbers of decks"
        page.line(f"filed     {count_noun(count, 'paytable')} {at}", indent=2, hang=10)
        page.line(f"filing    {filing.filing}", indent=2)
        first = next(rule_sets(filing, decks))
        page.line(f"write     {rules_line(first)}", indent=2, hang=10)
        page.blank()
    page.line(f"`{command_name()} games GAME` shows its paytables, house rules and settings.")


def print_game(page: Page, filing: Filing, decks: int) -> None:
    """One game in full."""
    page.rule(Text.assemble((filing.title, "bold"), f", {filing.game}"))
    page.line(f"filing {filing.filing}, decks {_numbers(filing.decks)}", indent=2)
    page.blank()
    _print_wagers(page, filing)
    for group in paytable_groups(filing, decks):
        _print_paytables(page, filing, group)
    _print_house_rules(page, filing)
    _print_settings(page, filing)
    _print_writing(page, filing, decks)


def _print_wagers(page: Page, filing: Filing) -> None:
    rows = [
        (wager, "on the hand", "with the hand", filing.clauses.get(f"{wager}.required", ""))
        for wager in filing.base_wagers
    ]
    rows += [
        (
            wager,
            side_bet.title,
            side_bet.settles.value.replace("_", " "),
            f"{side_bet.clause}; wins by {filing.clause(f'{wager}.win')}",
        )
        for wager, side_bet in filing.side_bets.items()
    ]
    page.table(("wager", "", "settled", "clause"), rows)
    more = filing.more_wagers
    if more is not None:
        small = format_cents(more.small_wager_cents_max)
        page.line(
            f"Where more wagers are offered, a player makes at most {more.wagers_max}, one of them "
            f"at most {small} ({more.clause}).",
            indent=2,
        )
    allowed = (
        "may be added" if filing.allows_promotions else "may not be added: no consent is filed"
    )
    page.line(f"Promotions with extra prizes {allowed}.", indent=2)
    page.blank()


# Paytables -----------------------------------------------------------------------------


def _print_paytables(page: Page, filing: Filing, group: PaytableGroup) -> None:
    titles = " and ".join(filing.side_bets[wager].title for wager in group.wagers)
    page.rule(Text.assemble((titles, "bold"), f", {_numbers(group.decks)} {_deck(group.decks)}"))
    labels = _labels(group.tables)
    for tables in _side_by_side(page, group.tables, labels):
        page.table(
            ("pays", *map(_option, tables)),
            [
                (label, *(_odds(table, outcome) for table in tables))
                for outcome, label in labels.items()
            ],
        )
        page.blank()
    if any(table.pays_as for table in group.tables):
        page.line(f"* {_paid_as(group.tables, labels)}", indent=2, hang=2)
        page.blank()
    sources = [
        (option_words(table), table.hash[:HASH_SHOWN], table.clause) for table in group.tables
    ]
    page.table(("write", "hash", "clause"), sources)
    page.blank()


def _side_by_side(
    page: Page, tables: Sequence[Paytable], labels: Mapping[str, str]
) -> Iterator[Sequence[Paytable]]:
    """As many options as fit beside each other, then the next ones below."""
    room = page.columns - 2 - max(map(len, labels.values()))
    shown: list[Paytable] = []
    used = 0
    for table in tables:
        width = 2 + max(len(cell) for cell in (_option(table), *(_odds(table, o) for o in labels)))
        if shown and used + width > room:
            yield shown
            shown, used = [], 0
        shown.append(table)
        used += width
    yield shown


def _option(table: Paytable) -> str:
    return f"option {table.option}"


def _labels(tables: Sequence[Paytable]) -> Mapping[str, str]:
    """Every outcome of these tables with its label, as the fullest of them orders it."""
    labels: dict[str, str] = {}
    for table in sorted(tables, key=lambda each: -len(each.rows)):
        for row in table.rows:
            labels.setdefault(row.outcome, row.label)
    return labels


def _odds(table: Paytable, outcome: str) -> str:
    row = table.row(outcome)
    if row is None:
        return ""
    return f"{row.pays}{' *' if outcome in table.pays_as else ''}"


def _paid_as(tables: Sequence[Paytable], labels: Mapping[str, str]) -> str:
    """Outcomes without a row of their own, and the row that pays them."""
    pairs = dict.fromkeys(pair for table in tables for pair in table.pays_as.items())
    words = (f"{labels.get(outcome, outcome)} as {labels[paid]}" for outcome, paid in pairs)
    return f"has no row of its own: {', '.join(words)}"


# Rules and settings --------------------------------------------------------------------


def _print_house_rules(page: Page, filing: Filing) -> None:
    page.rule(Text("House rules", "bold"))
    page.line("One line each, indented under `rules`; standard rules need no line.", indent=2)
    page.blank()
    page.table(
        ("standard", "alternative"), [(row.standard, _instead(row)) for row in house_rows(filing)]
    )
    page.blank()


def _instead(row: HouseRow) -> str:
    if not row.fixed_by:
        return ", ".join(row.others)
    if row.paytables:
        return f"fixed with {', '.join(row.paytables)} ({row.fixed_by})"
    return f"fixed ({row.fixed_by})"


def _print_settings(page: Page, filing: Filing) -> None:
    page.rule(Text("Limits and chips", "bold"))
    rows = [(setting.words, setting.default, setting.allowed) for setting in settings(filing)]
    page.table(("setting", "default", "allowed"), rows)
    page.blank()


def _print_writing(page: Page, filing: Filing, decks: int) -> None:
    page.rule(Text("In a hand history", "bold"))
    first: dict[int, str] = {}
    for rule_set in rule_sets(filing, decks):
        first.setdefault(rule_set.spec.decks, rule_set.hash)
        if first[rule_set.spec.decks] != rule_set.hash:
            continue
        page.line(rules_line(rule_set), indent=2)
        page.line((f"rule set {rule_set.hash}", "dim"), indent=4)
    page.blank()
    page.line("Another rule set, with settings of its own:", indent=2)
    page.line(rules_line(next(rule_sets(filing, decks))), indent=4)
    for line in example_settings(filing):
        page.line(line, indent=6)


def example_settings(filing: Filing) -> Iterator[str]:
    """Example lines under `rules`: a limit, and a house rule that is free."""
    wager = (*filing.base_wagers, *filing.side_bets)[0]
    yield f"limit {wager} min 10.00 max 200.00"
    free = [
        row.others[0] for row in house_rows(filing) if isinstance(row.value, bool) if row.others
    ]
    yield from free[:1]


def _wagers(filing: Filing) -> list[str]:
    sides = (f"{wager} ({side_bet.title})" for wager, side_bet in filing.side_bets.items())
    return [*filing.base_wagers, *sides]


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _deck(decks: Sequence[int]) -> str:
    return "deck" if tuple(decks) == (1,) else "decks"
