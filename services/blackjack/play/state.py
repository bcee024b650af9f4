"""The state of a table between two events, and the notes taken while one is applied."""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import Card
from blackjack.cards.shoe import Shoe
from blackjack.facts import Event, Observation
from blackjack.findings import Finding, Kind, Level, Withdrawal, finding_id, withdraw
from blackjack.outcomes import RoundContext, SeatPatron, SettledRound
from blackjack.play.certainty import CERTAIN_IN_A_GAP, NEEDS_RULES, may_name_hidden_card
from blackjack.play.round import Round
from blackjack.play.tray import Tray
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import Catalogue, RuleSet

CENTS_MAX: Final = 10**15
"""What a finding can put at stake; an amount beyond it is an error, and the text has it."""

FINDINGS_MAX: Final = 1_000
"""Findings that a round remembers, so that nonsense without end takes no memory without end."""


class TableState:
    """Everything that facts so far have established about one table.

    It is changed in place while facts are applied; `blackjack.play.table` sees to it that
    the copy that is changed is not shared. Parts that seldom change (patrons, devices,
    terms) is replaced whole instead, so that copies can share it.
    """

    __slots__ = (
        "adrift",
        "catalogue",
        "dealer",
        "debits",
        "devices",
        "event",
        "faulted",
        "found",
        "is_open",
        "last_digest",
        "mismatches",
        "next_seq",
        "order_is_final",
        "out_of_order",
        "patrons",
        "recent",
        "round",
        "rounds",
        "rule_set",
        "rules",
        "shoe",
        "skewed",
        "supervisor",
        "table",
        "terms",
        "tray",
        "unknown_terms_seq",
        "withdrawn",
    )

    def __init__(self, table: str, catalogue: Catalogue) -> None:
        self.table = table
        self.catalogue = catalogue
        self.next_seq = 1
        self.last_digest: bytes | None = b""
        """The hash of the last event; None where the log before it is not at hand."""
        self.recent: tuple[str, ...] = ()
        """The names of the last rounds, so that none is used again unnoticed."""
        self.adrift = False
        """Whether facts were missed between rounds, so that a round may have begun unseen."""
        self.is_open: bool | None = None
        """None until the log shows that the table was opened or closed."""
        self.rule_set = ""
        self.rules: RuleSet | None = None
        self.dealer = ""
        self.supervisor = ""
        self.patrons: dict[int, str] = {}
        self.shoe = Shoe()
        self.tray = Tray()
        self.terms: dict[str, Terms] = {}
        self.unknown_terms_seq = 0
        """The number of the last event that named unpublished terms."""
        self.devices: dict[str, tuple[Observation, ...]] = {}
        self.faulted: dict[str, tuple[Observation, ...]] = {}
        self.skewed: frozenset[str] = frozenset()
        self.mismatches: dict[str, tuple[int, ...]] = {}
        """Times of a dealer's latest payout errors, to recognize a repeated one."""
        self.debits: dict[str, tuple[tuple[int, int], ...]] = {}
        """Debit sales of the last day by patron, as times and cents."""
        self.round: Round | None = None
        self.order_is_final = False
        """Whether events are being folded again, each already where it belongs."""
        self.out_of_order = False
        """Whether the event in hand happened before others that came earlier."""
        self.event: Event | None = None
        self.found: list[Finding] = []
        self.withdrawn: list[Withdrawal] = []
        self.rounds: list[SettledRound] = []

    def fork(self) -> TableState:
        """A copy that can be changed without a trace in this one."""
        other = TableState(self.table, self.catalogue)
        other.next_seq = self.next_seq
        other.last_digest = self.last_digest
        other.recent = self.recent
        other.adrift = self.adrift
        other.is_open = self.is_open
        other.rule_set = self.rule_set
        other.rules = self.rules
        other.dealer = self.dealer
        other.supervisor = self.supervisor
        other.patrons = self.patrons
        other.shoe = self.shoe.fork()
        other.tray = self.tray.fork()
        other.terms = self.terms
        other.unknown_terms_seq = self.unknown_terms_seq
        other.devices = self.devices
        other.faulted = self.faulted
        other.skewed = self.skewed
        other.mismatches = self.mismatches
        other.debits = self.debits
        other.order_is_final = self.order_is_final
        other.out_of_order = self.out_of_order
        other.round = self.round.fork() if self.round is not None else None
        return other

    def note(
        self,
        kind: Kind,
        text: str,
        rule: str,
        *,
        detail: str = "",
        level: Level | None = None,
        seat: int = 0,
        hand: int = 0,
        wager: str = "",
        patron: str = "",
        cents: int = 0,
        subject: str | int = "",
        per_event: bool = False,
        outside_round: bool = False,
        tells_hole_card: bool = False,
    ) -> Finding:
        """Report something, with the event in hand as its proof.

        `subject` distinguishes several findings of one kind in one place; with `per_event`,
        every event that shows it counts for itself. `outside_round` is for a rejected event:
        the finding belongs to no round, and refolding does not touch it.
        """
        event = self.event
        if event is None:  # pragma: no cover - findings are only ever noted for an event
            raise RuntimeError("a finding needs the event that proves it")
        played = None if outside_round else self.round
        where = played.name if played is not None else f"#{event.seq}"
        name = finding_id(
            self.table, where, kind, seat, hand, wager, event.seq if per_event else subject
        )
        found = Finding(
            id=name,
            kind=kind,
            level=level or kind.level,
            table=self.table,
            seq=event.seq,
            at=event.at,
            text=text,
            rule=rule,
            round=played.name if played is not None else "",
            seat=seat,
            hand=hand,
            wager=wager,
            patron=patron or self.patrons.get(seat, ""),
            dealer=self.dealer,
            supervisor=self.supervisor,
            cents=max(-CENTS_MAX, min(CENTS_MAX, cents)),
            tells_hole_card=tells_hole_card or may_name_hidden_card(kind, event, played),
            detail=detail,
        )
        if outside_round:
            self.found.append(found)
            return found
        if played is not None:
            if not played.complete and kind not in CERTAIN_IN_A_GAP:
                return found
            if played.rules is None and kind in NEEDS_RULES:
                return found
            if played.findings.get(name) == found:
                return found
            if len(played.findings) < FINDINGS_MAX:
                played.findings[name] = found
        self.found.append(found)
        return found

    def revise(
        self,
        kind: Kind,
        text: str,
        rule: str,
        *,
        reason: str,
        cents: int,
        detail: str = "",
        seat: int = 0,
        hand: int = 0,
        wager: str = "",
        patron: str = "",
        subject: str = "",
    ) -> None:
        """Bring a finding with a running amount up to date, under the same id.

        With nothing left of the amount it is withdrawn, for the reason given.
        """
        played = self.round
        if played is None:  # pragma: no cover - only what happens in a round has such an amount
            return
        name = finding_id(self.table, played.name, kind, seat, hand, wager, subject)
        issued = played.findings.get(name)
        if cents <= 0:
            if issued is not None:
                self.withdraw(name, reason)
        elif issued is None or issued.cents != cents:
            self.note(
                kind,
                text,
                rule,
                detail=detail,
                seat=seat,
                hand=hand,
                wager=wager,
                patron=patron,
                cents=cents,
                subject=subject,
            )

    def withdraw(self, name: str, reason: str) -> None:
        """Take a finding of the round in progress back."""
        played = self.round
        event = self.event
        if played is None or event is None:
            return
        if (found := played.findings.pop(name, None)) is not None:
            self.withdrawn.append(withdraw(found, event.seq, reason))

    def forget_notes(self) -> None:
        """Clear the outputs of the last event, which were collected."""
        self.found.clear()
        self.rounds.clear()
        self.withdrawn.clear()

    def standing(self, name: str) -> Finding | None:
        """A finding of the round in progress that was made and not withdrawn."""
        return self.round.findings.get(name) if self.round is not None else None

    def once(self, what: str) -> bool:
        """Whether this is the first report of `what` in the round."""
        played = self.round
        if played is None:
            return True
        if what in played.noted:
            return False
        played.noted.add(what)
        return True

    def sees(self, what: Observation) -> bool:
        """Whether a device that can see this is in order, by the log."""
        if not self.faulted or not any(what in observes for observes in self.faulted.values()):
            return True
        return any(
            what in observes
            for device, observes in self.devices.items()
            if device not in self.faulted
        )

    def read(self, card: Card | None, event: Event) -> Card | None:
        """The card as far as the device is sure of it: a doubtful reading counts as none."""
        rules = self.rules
        enough = rules.spec.house.read_confidence_min if rules is not None else 900
        if card is None or event.confidence >= enough:
            return card
        self.note(
            Kind.LOW_CONFIDENCE,
            f"Card not read with confidence: {card.sign} by {event.device or 'a device'}",
            "convention 11: a doubtful reading is no reading",
            detail=f"confidence {event.confidence / 10:.1f} %, {enough / 10:.1f} % needed: the "
            "card counts as not read",
            per_event=True,
        )
        return None

    def lose_track(self) -> None:
        """Facts were missed: nothing that rests on having seen them all may be concluded."""
        if self.round is not None:
            self.round.complete = False
            self.round.reconsider()
        else:
            self.adrift = True
        self.shoe.complete = False
        self.tray.forget()

    def context(self) -> RoundContext:
        """What a round that opens now inherits."""
        shoe = self.shoe
        return RoundContext(
            rule_set=self.rule_set,
            dealer=self.dealer,
            supervisor=self.supervisor,
            patrons=tuple([SeatPatron(seat, who) for seat, who in sorted(self.patrons.items())]),
            shoe=shoe.name,
            shoe_kind=shoe.kind,
            shoe_decks=shoe.decks,
            shoe_seen=tuple(shoe.seen),
            shoe_unread=shoe.unread,
            shoe_complete=shoe.complete,
            shoe_last=shoe.last,
            shoe_run=shoe.run * (shoe.run_step or 1),
            shoe_run_reported=shoe.run_reported,
            payments_seen=self.sees(Observation.PAYMENTS),
        )

    def inherit(self, context: RoundContext) -> None:
        """Become the table that opened a round in this context."""
        self.rule_set = context.rule_set
        self.rules = self.catalogue.get(context.rule_set)
        self.dealer = context.dealer
        self.supervisor = context.supervisor
        self.patrons = {seated.seat: seated.patron for seated in context.patrons}
        shoe = Shoe(context.shoe, context.shoe_decks, context.shoe_kind, context.shoe_seen)
        shoe.unread = context.shoe_unread
        shoe.complete = context.shoe_complete
        shoe.last = context.shoe_last
        shoe.run = abs(context.shoe_run)
        shoe.run_step = 0 if context.shoe_run == 1 else (1 if context.shoe_run > 0 else -1)
        shoe.run_reported = context.shoe_run_reported
        self.shoe = shoe
        if not context.payments_seen:
            self.faulted = {"": (Observation.PAYMENTS,)}
