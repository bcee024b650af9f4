"""A replayed round for people: facts, the layout, owed against paid, findings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from rich.text import Text

from blackjack.display_names import finding_name, wager_name
from blackjack.facts import (
    BetsClosed,
)
from blackjack.findings import Finding
from blackjack.money import format_cents
from blackjack.outcomes import HandCards, Payment, Result, WagerOutcome
from blackjack.play.felt import BARE, Felt
from blackjack.play.replayed_round import ReplayedFact
from pitctl.output.felt_page import print_dealer, print_felt, print_seat, wagers_of
from pitctl.output.round_page import LEVEL_STYLES, print_findings, print_heading
from pitctl.output.round_phases import (
    Chapter,
    RoundPhase,
    chapters_of,
    is_in_picture,
    merge_drawn_cards,
)
from pitctl.output.text import Page, count_noun, escape, format_clock
from pitctl.output.wager_rows import print_wagers
from wire.replay import ReplayAnswer

_ALWAYS_SHOWN: Final = (RoundPhase.BETS, RoundPhase.DEAL)
_UNJUDGED: Final = {
    "other": "of another filing, not judged by this game's rules",
    "undetermined": "undetermined: a fact they depend on is unknown",
    "unseen": "with a payment that no device could see",
}


def _unjudged(outcome: WagerOutcome) -> str:
    """Why it is unknown whether a wager was paid correctly; empty where it is known."""
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
        self._titles = {wager: side_bet.title for wager, side_bet in side_bets.items()}

    # The whole round ---------------------------------------------------------------------

    def print_story(self) -> None:
        """The round at its key moments, then the payments."""
        self._print_title()
        missing = self._missing()
        before = BARE
        for chapter in chapters_of(self._replay.steps, last_seq=self._replay.emitted.last_seq):
            self._print_chapter(chapter, before, missing)
            before = chapter.steps[-1].felt
        self.print_payments()

    def print_every(self) -> None:
        """Every fact, and the layout after each that changed it."""
        self._print_title()
        missing = self._missing()
        before = BARE
        for step in self._replay.steps:
            self._page.blank()
            self._print_step(step, missing)
            if step.felt != before:
                print_felt(self._page, step.felt, self._titles)
            before = step.felt
        self.print_payments()

    def print_brief(self) -> None:
        """The end of the round and the payments."""
        self._print_title()
        self.print_payments()

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

    def print_payments(self) -> None:
        """The layout at the end, owed against paid, the findings, and the comparison."""
        page, replay = self._page, self._replay
        page.blank()
        page.line(("at the end", "bold"), indent=2)
        print_felt(page, replay.steps[-1].felt, self._titles)
        if replay.replayed.outcomes:
            page.blank()
            page.line(("owed against paid", "bold"), indent=2)
            print_wagers(page, replay.replayed, None, replay.rules, self._title)
        findings = self._standing_findings()
        print_findings(page, findings, self._proof)
        if not findings:
            page.blank()
            page.line(("no findings in this round", "green"), indent=2)
        page.blank()
        self._print_comparison()

    # Parts -------------------------------------------------------------------------------

    def _print_title(self) -> None:
        emitted = self._replay.emitted
        title = Text(f"{escape(emitted.table)}, round {escape(emitted.round)}", "bold")
        versions = self._answer.versions
        if versions > 1:
            title.append(f", version {emitted.version} of {versions}", "bold yellow")
        self._page.rule(title)
        print_heading(self._page, emitted, self._replay.rules)
        self._page.blank()
        for sentence, style in self._summary():
            self._page.line((sentence, style), indent=2, hang=2)

    def _summary(self) -> Iterator[tuple[str, str]]:
        """Who was paid too much or too little, how much, and the findings."""
        off = [wager for wager in self._replay.replayed.outcomes if wager.difference_cents]
        for wager in off:
            name = f"seat {wager.seat}" + (f" hand {wager.hand}" if wager.hand > 1 else "")
            cents = wager.difference_cents
            yield (
                f"{'Overpaid' if cents > 0 else 'Underpaid'} {format_cents(abs(cents))}: {name} "
                f"{self._title(wager.wager)} was owed {format_cents(wager.net_owed)} and paid "
                f"{format_cents(wager.net_paid)}",
                "bold red",
            )
        for reason, words in _UNJUDGED.items():
            count = sum(_unjudged(wager) == reason for wager in self._replay.replayed.outcomes)
            if count:
                yield f"{count_noun(count, 'wager')} {words}", "yellow"
        if not off and any(not _unjudged(wager) for wager in self._replay.replayed.outcomes):
            yield "every wager that can be judged was paid as owed", "green"
        for finding in sorted(
            self._standing_findings(), key=lambda found: (found.level, found.seq)
        ):
            yield f"finding: {finding.level.name} {finding_name(finding.kind)}", "bold"

    def _print_chapter(self, chapter: Chapter, before: Felt, missing: dict[int, str]) -> None:
        """The facts of a chapter, and the layout where they changed it."""
        page, felt = self._page, chapter.steps[-1].felt
        visible = [
            step
            for step in chapter.steps
            if step.event.seq in missing or not is_in_picture(chapter, step)
        ]
        if not visible and chapter.part not in _ALWAYS_SHOWN:
            return
        page.blank()
        began = format_clock(chapter.steps[0].event.at)
        page.line((chapter.title, "bold"), (f"  {began}", "dim"), indent=2)
        if chapter.part is RoundPhase.BETS:
            self._print_bets(felt)
        for step in merge_drawn_cards(visible, missing):
            self._print_step(step, missing)
        match chapter.part:
            case RoundPhase.DEAL:
                print_felt(page, felt, self._titles)
            case RoundPhase.SEAT if _held(before, chapter.seat) != _held(felt, chapter.seat):
                print_seat(page, felt, chapter.seat, self._titles)
            case RoundPhase.DEALER | RoundPhase.SPOTS:
                print_dealer(page, felt, self._titles)
            case (
                RoundPhase.BETS
                | RoundPhase.PEEK
                | RoundPhase.SEAT
                | RoundPhase.PAYMENTS
                | RoundPhase.AFTER
            ):
                pass

    def _print_bets(self, felt: Felt) -> None:
        """The wagers of each seat, on one line."""
        seats = sorted({wager.seat for wager in felt.wagers})
        for seat in seats:
            own = wagers_of(felt, seat)
            bets = [
                f"{self._title(wager.wager)} {format_cents(wager.stake_cents)}"
                + (" for the dealer" if wager.tip else "")
                + (f" with coupon {wager.coupon}" if wager.coupon else "")
                for wager in own
            ]
            who = next((wager.patron for wager in own if wager.patron), "")
            parts: list[str | Text | tuple[str, str]] = [f"seat {seat}  {', '.join(bets)}"]
            if who:
                parts.append((f"  {escape(who)}", "dim"))
            self._page.line(*parts, indent=4, hang=4)

    def _print_step(self, step: ReplayedFact, missing: dict[int, str]) -> None:
        page = self._page
        event = step.event
        if event.seq in missing:
            page.line((missing[event.seq], "bold yellow"), indent=4)
        where = f"{event.seq:>7}  {format_clock(event.at)}  "
        words = Text(escape(step.words), _style(step))
        page.line((where, "dim"), words, indent=2, hang=len(where))
        for finding in step.findings:
            self._print_mark(finding, indent=2 + len(where))
        for withdrawal in step.withdrawals:
            notice = f"finding withdrawn: {withdrawal.reason}"
            page.line((escape(notice), "green"), indent=2 + len(where), hang=2)

    def _print_mark(self, finding: Finding, indent: int) -> None:
        level = (f" {finding.level.name} ", LEVEL_STYLES[finding.level])
        self._page.line(level, (f" {finding_name(finding.kind)}", "bold"), indent=indent)

    def _print_comparison(self) -> None:
        page, answer = self._page, self._answer
        emitted = self._replay.emitted
        facts = count_noun(len(self._replay.steps), "fact")
        words = f"events {emitted.first_seq} to {emitted.last_seq} of {emitted.table}, {facts}"
        where = self._where()
        page.line((escape(words + where), "dim"), indent=2, hang=2)
        if answer.same:
            sign = "✓" if page.has_signs else "="
            page.line(
                (f"{sign} the log gives the published result, byte for byte", "bold green"),
                indent=2,
            )
            page.line((f"SHA-256 {answer.emitted_digest.hex()}", "dim"), indent=4)
            return
        sign = "✗" if page.has_signs else "!"
        page.line((f"{sign} the log gives another result than was published", "bold red"), indent=2)
        page.line((f"emitted   {answer.emitted_digest.hex()}", "dim"), indent=4)
        page.line((f"replayed  {answer.replayed_digest.hex()}", "dim"), indent=4)
        for difference in self._replay.differences:
            page.line(escape(difference), indent=4, hang=2)

    def _where(self) -> str:
        places = self._answer.places
        if not places:
            return ""
        offsets = [place.offset for place in places]
        return f", partition {places[0].partition}, offsets {min(offsets)} to {max(offsets)}"

    # Findings -----------------------------------------------------------------------

    def _standing_findings(self) -> list[Finding]:
        """The standing findings of the round, from the archive or else from the replay."""
        if self._answer.findings:
            return list(self._answer.findings)
        standing: dict[str, Finding] = {}
        for step in self._replay.steps:
            standing.update((finding.id, finding) for finding in step.findings)
            for withdrawal in step.withdrawals:
                standing.pop(withdrawal.id, None)
        return [
            finding for finding in standing.values() if finding.round == self._replay.emitted.round
        ]

    def _proof(self, seq: int) -> str:
        words = {step.event.seq: step.words for step in self._replay.steps}.get(seq, "")
        return f"event {seq}" + (f" ({words})" if words else "")

    def _missing(self) -> dict[int, str]:
        """The missing events, in words, by the event after them."""
        return dict(self._holes())

    def _holes(self) -> Iterator[tuple[int, str]]:
        emitted = self._replay.emitted
        numbers = [step.event.seq for step in self._replay.steps]
        own = [number for number in numbers if number <= emitted.last_seq]
        for before, seq in zip(chain((emitted.first_seq - 1,), own), own, strict=False):
            if seq == before + 2:
                yield seq, f"event {seq - 1} is missing from the log"
            elif seq > before + 1:
                yield seq, f"events {before + 1} to {seq - 1} are missing from the log"

    def _title(self, wager: str) -> str:
        return self._titles.get(wager) or wager_name(wager)


def _held(felt: Felt, seat: int) -> list[HandCards]:
    return [hand for hand in felt.hands if hand.seat == seat]


def _style(step: ReplayedFact) -> str:
    if step.findings:
        return "bold red"
    return "bold" if isinstance(step.event.fact, BetsClosed) else ""
