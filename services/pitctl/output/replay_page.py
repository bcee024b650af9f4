"""A replayed round for people: what happened, what lay on the felt, what was owed and paid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from rich.text import Text

from blackjack.facts import (
    BetsClosed,
)
from blackjack.findings import Finding
from blackjack.money import format_cents
from blackjack.outcomes import HandCards, Payment, Result, WagerOutcome
from blackjack.play.felt import BARE, Felt
from blackjack.play.replayed_round import ReplayedFact
from pitctl.output.chapters import Chapter, Part, chapters, goes_without_saying, with_their_cards
from pitctl.output.felt_page import print_dealer, print_felt, print_seat, wagers_of
from pitctl.output.round_page import LEVEL_STYLES, print_findings, print_heading
from pitctl.output.text import Page, clock, counted, plain
from pitctl.output.wager_rows import print_wagers
from wire.replay import ReplayAnswer

_ALWAYS_TOLD: Final = (Part.BETS, Part.DEAL)
_UNJUDGED: Final = {
    "other": "of another filing, which this game's rules do not judge",
    "undetermined": "undetermined: something they depend on is not known",
    "unseen": "whose payment no device could see",
}


def _unjudged(outcome: WagerOutcome) -> str:
    """Why it is not known whether a wager was paid rightly; empty where it is."""
    if outcome.result is Result.NOT_SETTLED:
        return "other"
    if outcome.result is Result.UNDETERMINED:
        return "undetermined"
    return "unseen" if outcome.payment is Payment.UNOBSERVED else ""


class ReplayPage:
    """Prints one replay."""

    def __init__(self, page: Page, answer: ReplayAnswer) -> None:
        self._page = page
        self._answer = answer
        self._replay = answer.replay
        rules = answer.replay.rules
        side_bets = rules.filing.side_bets if rules is not None else {}
        self._titles = {wager: each.title for wager, each in side_bets.items()}

    # The whole round ---------------------------------------------------------------------

    def print_story(self) -> None:
        """The round at its key moments, then the reckoning."""
        self._print_title()
        missing = self._missing()
        before = BARE
        for chapter in chapters(self._replay.steps, last_seq=self._replay.emitted.last_seq):
            self._print_chapter(chapter, before, missing)
            before = chapter.steps[-1].felt
        self.print_reckoning()

    def print_every(self) -> None:
        """Every fact, and the felt after each that changed it."""
        self._print_title()
        missing = self._missing()
        before = BARE
        for step in self._replay.steps:
            self._page.blank()
            self._print_step(step, missing)
            if step.felt != before:
                print_felt(self._page, step.felt, self._titles)
            before = step.felt
        self.print_reckoning()

    def print_brief(self) -> None:
        """The end of the round and the reckoning."""
        self._print_title()
        self.print_reckoning()

    def print_one(self, number: int) -> None:
        """The table after one step, counted from 1."""
        steps = self._replay.steps
        step = steps[number - 1]
        self._print_title()
        self._page.blank()
        self._page.line((f"step {number} of {len(steps)}", "bold"), indent=2)
        self._print_step(step, {})
        self._page.blank()
        print_felt(self._page, step.felt, self._titles)
        own = [*step.findings]
        if own:
            print_findings(self._page, own, self._proof)

    def print_reckoning(self) -> None:
        """What lay there at the end, owed against paid, what was found, and the comparison."""
        page, replay = self._page, self._replay
        page.blank()
        page.line(("at the end", "bold"), indent=2)
        print_felt(page, replay.steps[-1].felt, self._titles)
        if replay.replayed.outcomes:
            page.blank()
            page.line(("owed against paid", "bold"), indent=2)
            print_wagers(page, replay.replayed, None, replay.rules, self._title)
        standing = self._standing()
        print_findings(page, standing, self._proof)
        if not standing:
            page.blank()
            page.line(("nothing was found in this round", "green"), indent=2)
        page.blank()
        self._print_comparison()

    # Parts -------------------------------------------------------------------------------

    def _print_title(self) -> None:
        emitted = self._replay.emitted
        title = Text(f"{plain(emitted.table)}, round {plain(emitted.round)}", "bold")
        versions = self._answer.versions
        if versions > 1:
            title.append(f", version {emitted.version} of {versions}", "bold yellow")
        self._page.rule(title)
        print_heading(self._page, emitted, self._replay.rules)
        self._page.blank()
        for sentence, style in self._short_answer():
            self._page.line((sentence, style), indent=2, hang=2)

    def _short_answer(self) -> Iterator[tuple[str, str]]:
        """What a patron who asks is told: who has too much or too little, and how much."""
        off = [each for each in self._replay.replayed.outcomes if each.difference_cents]
        for each in off:
            name = f"seat {each.seat}" + (f" hand {each.hand}" if each.hand > 1 else "")
            cents = each.difference_cents
            yield (
                f"{name} {self._title(each.wager)}: owed {format_cents(each.net_owed)}, got "
                f"{format_cents(each.net_paid)}: {format_cents(abs(cents))} too "
                f"{'much' if cents > 0 else 'little'} for the player",
                "bold red",
            )
        for reason, words in _UNJUDGED.items():
            count = sum(_unjudged(each) == reason for each in self._replay.replayed.outcomes)
            if count:
                yield f"{counted(count, 'wager')} {words}", "yellow"
        if not off and any(not _unjudged(each) for each in self._replay.replayed.outcomes):
            yield "every wager that can be judged was paid what it was owed", "green"
        for finding in sorted(self._standing(), key=lambda each: (each.level, each.seq)):
            yield f"found: {finding.level.name} {finding.kind.value}", "bold"

    def _print_chapter(self, chapter: Chapter, before: Felt, missing: dict[int, str]) -> None:
        """Its facts, and what they changed on the felt: a hand that stood is as it was."""
        page, felt = self._page, chapter.steps[-1].felt
        told = [
            step
            for step in chapter.steps
            if step.event.seq in missing or not goes_without_saying(chapter, step)
        ]
        if not told and chapter.part not in _ALWAYS_TOLD:
            return
        page.blank()
        began = clock(chapter.steps[0].event.at)
        page.line((chapter.title, "bold"), (f"  {began}", "dim"), indent=2)
        if chapter.part is Part.BETS:
            self._print_bets(felt)
        for step in with_their_cards(told, missing):
            self._print_step(step, missing)
        match chapter.part:
            case Part.DEAL:
                print_felt(page, felt, self._titles)
            case Part.SEAT if _held(before, chapter.seat) != _held(felt, chapter.seat):
                print_seat(page, felt, chapter.seat, self._titles)
            case Part.DEALER | Part.SPOTS:
                print_dealer(page, felt, self._titles)
            case Part.BETS | Part.PEEK | Part.SEAT | Part.PAYMENTS | Part.AFTER:
                pass

    def _print_bets(self, felt: Felt) -> None:
        """What each seat has placed, on one line."""
        seats = sorted({each.seat for each in felt.wagers})
        for seat in seats:
            own = wagers_of(felt, seat)
            said = [
                f"{self._title(each.wager)} {format_cents(each.stake_cents)}"
                + (" for the dealer" if each.tip else "")
                + (f" with coupon {each.coupon}" if each.coupon else "")
                for each in own
            ]
            who = next((each.patron for each in own if each.patron), "")
            parts: list[str | Text | tuple[str, str]] = [f"seat {seat}  {', '.join(said)}"]
            if who:
                parts.append((f"  {plain(who)}", "dim"))
            self._page.line(*parts, indent=4, hang=4)

    def _print_step(self, step: ReplayedFact, missing: dict[int, str]) -> None:
        page = self._page
        event = step.event
        if event.seq in missing:
            page.line((missing[event.seq], "bold yellow"), indent=4)
        where = f"{event.seq:>7}  {clock(event.at)}  "
        words = Text(plain(step.words), _style(step))
        page.line((where, "dim"), words, indent=2, hang=len(where))
        for finding in step.findings:
            self._print_mark(finding, indent=2 + len(where))
        for withdrawal in step.withdrawals:
            told = f"a finding is withdrawn: {withdrawal.reason}"
            page.line((plain(told), "green"), indent=2 + len(where), hang=2)

    def _print_mark(self, finding: Finding, indent: int) -> None:
        level = (f" {finding.level.name} ", LEVEL_STYLES[finding.level])
        self._page.line(level, (f" {finding.kind.value}", "bold"), indent=indent)

    def _print_comparison(self) -> None:
        page, answer = self._page, self._answer
        emitted = self._replay.emitted
        facts = counted(len(self._replay.steps), "fact")
        said = f"events {emitted.first_seq} to {emitted.last_seq} of {emitted.table}, {facts}"
        where = self._where()
        page.line((plain(said + where), "dim"), indent=2, hang=2)
        if answer.same:
            sign = "✓" if page.has_signs else "="
            page.line(
                (f"{sign} the log gives what was said of it, byte for byte", "bold green"), indent=2
            )
            page.line((f"SHA-256 {answer.emitted_digest.hex()}", "dim"), indent=4)
            return
        sign = "✗" if page.has_signs else "!"
        page.line((f"{sign} the log gives something else than was said", "bold red"), indent=2)
        page.line((f"emitted   {answer.emitted_digest.hex()}", "dim"), indent=4)
        page.line((f"replayed  {answer.replayed_digest.hex()}", "dim"), indent=4)
        for each in self._replay.differences:
            page.line(plain(each), indent=4, hang=2)

    def _where(self) -> str:
        places = self._answer.places
        if not places:
            return ""
        offsets = [each.offset for each in places]
        return f", partition {places[0].partition}, offsets {min(offsets)} to {max(offsets)}"

    # What is known -----------------------------------------------------------------------

    def _standing(self) -> list[Finding]:
        """What stands about the round: as the archive has it, or as the replay gives it."""
        if self._answer.findings:
            return list(self._answer.findings)
        standing: dict[str, Finding] = {}
        for step in self._replay.steps:
            standing.update((each.id, each) for each in step.findings)
            for withdrawal in step.withdrawals:
                standing.pop(withdrawal.id, None)
        return [each for each in standing.values() if each.round == self._replay.emitted.round]

    def _proof(self, seq: int) -> str:
        said = {step.event.seq: step.words for step in self._replay.steps}.get(seq, "")
        return f"event {seq}" + (f" ({said})" if said else "")

    def _missing(self) -> dict[int, str]:
        """Before which events others are missing, in words."""
        return dict(self._holes())

    def _holes(self) -> Iterator[tuple[int, str]]:
        emitted = self._replay.emitted
        numbers = [each.event.seq for each in self._replay.steps]
        own = [each for each in numbers if each <= emitted.last_seq]
        for before, seq in zip(chain((emitted.first_seq - 1,), own), own, strict=False):
            if seq == before + 2:
                yield seq, f"event {seq - 1} is missing from the log"
            elif seq > before + 1:
                yield seq, f"events {before + 1} to {seq - 1} are missing from the log"

    def _title(self, wager: str) -> str:
        return self._titles.get(wager) or wager.replace("_", " ")


def _held(felt: Felt, seat: int) -> list[HandCards]:
    return [each for each in felt.hands if each.seat == seat]


def _style(step: ReplayedFact) -> str:
    if step.findings:
        return "bold red"
    return "bold" if isinstance(step.event.fact, BetsClosed) else ""
