"""python -m deploy.demo: `make demo`.

Exit status: 0 all that was planted was found and nothing else was, in the log and in the books;
1 it was not, and how; 2 the demonstration could not be held.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from confluent_kafka import KafkaException

from deploy.demo import playing
from deploy.demo.archived import NotIndexing, archive_of, wait_until_indexed
from deploy.demo.books_page import (
    print_explanations,
    print_reconciliation,
    print_refusals,
    print_remarks,
    print_said,
)
from deploy.demo.disputes import most_disputed
from deploy.demo.exclusions import exclude
from deploy.demo.in_books import ask_books
from deploy.demo.logged import NotSettling, NotWatching, Topics
from deploy.demo.money import planted_losses, unseen_losses
from deploy.demo.offices import (
    Entered,
    NotPosting,
    begins_at,
    enter_cage,
    enter_promotions,
    wait_until_posted,
)
from deploy.demo.page import print_verdict
from deploy.demo.people import print_console
from deploy.demo.reconciled import Books, fetch, hold_against
from deploy.demo.runs import PLAN, ROUNDS, TABLES, Run, next_run, start_at
from deploy.demo.tour import tour_of
from deploy.demo.watched import hold_alerts_against, print_watched
from deploy.stack.errors import StackError
from deploy.stack.identity import Identities
from deploy.stack.settings import read_settings
from deploy.stack.stack import Stack, without_own
from pitctl.accounting.client import ACCOUNTING
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.connection.channel import Endpoint
from pitctl.errors import RequestRejected, ServiceUnavailable
from pitctl.output.progress import progress_meter
from pitctl.output.text import Page, count_noun
from pitctl.stack.simulate_live import SendingFailed, send_over
from runtime.addresses import Address
from runtime.identity.errors import IdentityError
from runtime.kafka.topic_reader import NoSuchTopic, ReadingStuck
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.feed import AS_FAST_AS_POSSIBLE
from table_simulator.days.truth_file import truth_lines
from table_simulator.domain.truth import Truth, TruthComparison, count_due, planted_vs_found
from table_simulator.grpc.floor_sender import FloorConnection, Progress

AS_PLANNED, OTHERWISE, NOT_HELD = 0, 1, 2
FAILURES = (
    StackError, SendingFailed, NotSettling, NotWatching, NotIndexing, NotPosting,
    ServiceUnavailable, RequestRejected,
    IdentityError, KafkaException, ReadingStuck, NoSuchTopic, OSError,
)  # fmt: skip
STALLED_SECONDS_MAX = 60.0


def main() -> int:
    try:
        return hold(Page(sys.stdout))
    except FAILURES as error:
        print(f"demo: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\ndemo: interrupted; `make down` ends the stack", file=sys.stderr)
        return 130
    except Exception:
        # Status 1 says that the day was judged, and not as planned: this is another matter.
        traceback.print_exc()
    return NOT_HELD


def hold(page: Page) -> int:
    """The whole of it, from the stack to what to try next."""
    settings = without_own(read_settings(os.environ))
    page.line(
        "A gaming day on a floor of twelve tables, with every fault in it that a log can show: "
        "sent by the tables, settled from Kafka, posted into the books, and what was planted held "
        "against what is found and what the reconciliation explains."
    )
    page.line(
        f"Starting the stack in {settings.folder}: seconds, but for the downloads of a first time."
    )
    page.blank()
    page.flush()

    def report(line: str) -> None:
        page.line(line, hang=2)
        page.flush()

    stack = Stack(settings, report=report)
    playing.end(stack)
    stack.up()
    environment = stack.operator_environment(stack.state)
    run = next_run(settings.folder)
    topics = Topics(environment["KAFKA_BOOTSTRAP"], settings.topic_prefix)
    accounting = accounting_of(environment)
    day = play(page, run, start_at(begins_at(accounting)))
    since = topics.ends()
    identities = Identities(settings.folder)
    line = FloorConnection(
        Address.parse(environment["TABLE_GATEWAY_ADDRESS"]),
        identities.folder / "table",
        run.journals,
        identities.authority,
    )
    with step(page, "list of excluded") as taken:
        barred = exclude(desk_of(environment), day)
        taken.words = f"{count_noun(barred, 'patron')} may not play"
    desk = open_desk(page, accounting, day, run)
    sent = send(page, day, line)
    settle(page, topics, sent)
    archive(page, environment)
    cage = count(page, accounting, day, run)
    watch(page, topics)
    books = reconcile(page, accounting, day, desk.days | cage.days)
    findings = topics.standing(since, day.tables)
    verdict = planted_vs_found(day.truths, findings, topics.rejections(since, day.tables))
    page.blank()
    print_verdict(page, verdict)
    watched = hold_alerts_against(day.truths, topics.alerts(since))
    page.blank()
    print_watched(page, watched)
    disputed = most_disputed(day.truths, findings, day.controllers)
    if disputed is not None:
        replay(page, disputed, environment)
    planted = planted_losses(day)
    unseen = unseen_losses(day, topics.rounds(since, day.tables), planted)
    page.blank()
    print_reconciliation(page, books.reconciliation)
    page.blank()
    reconciled = hold_against(books, [*planted, *unseen])
    print_explanations(page, reconciled)
    page.blank()
    said = ask_books(accounting, day.truths, desk.days | cage.days)
    print_said(page, said)
    say_what_next(page, run, disputed, max(cage.days))
    tour = tour_of(topics.alerts(since), disputed, day=max(cage.days))
    playing.begin(stack, run)
    print_console(page, stack, tour, tables=playing.TABLES)
    page.blank()
    surprises = [
        rejection for rejection in (*desk.refusals, *cage.refusals) if not rejection.is_planted
    ]
    in_books = reconciled.is_clean and all(statement.words for statement in said) and not surprises
    if is_as_planned(day, verdict) and watched.is_clean and in_books:
        page.line(
            (
                "All that was planted was found, every cent of it is where the books must have it, "
                "and nothing else is.",
                "bold green",
            )
        )
        return AS_PLANNED
    page.line(("Not all is as it was planned: see what is red above.", "bold red"))
    return OTHERWISE


def is_as_planned(day: SimulatedDay, verdict: TruthComparison) -> bool:
    return verdict.is_clean and not day.unplanted


@dataclass(slots=True)
class Step:
    """One line of the demonstration, said when it is done."""

    name: str
    words: str = ""
    began: float = field(default_factory=time.monotonic)


@contextmanager
def step(page: Page, name: str) -> Iterator[Step]:
    """Said as the stack says what it started."""
    taken = Step(name)
    yield taken
    seconds = time.monotonic() - taken.began
    page.line(f"{'ok':<8}  {name:<16}  {taken.words}, {seconds:.1f} s", hang=28)
    page.flush()


def accounting_of(environment: dict[str, str]) -> Endpoint:
    return ACCOUNTING.find(environment["ACCOUNTING_ADDRESS"], environment["IDENTITY_FOLDER"])


def desk_of(environment: dict[str, str]) -> Endpoint:
    return ALERT_DESK.find(environment["ALERT_DESK_ADDRESS"], environment["IDENTITY_FOLDER"])


def play(page: Page, run: Run, begins: int) -> SimulatedDay:
    with step(page, "day played") as taken, progress_meter("playing", TABLES) as tell:
        played: list[str] = []

        def on_table(table: str) -> None:
            played.append(table)
            tell(len(played), "tables")

        day = simulate(
            seed=run.seed,
            tables=TABLES,
            rounds=ROUNDS,
            plan=PLAN,
            start_at=begins,
            floor_name=run.floor_name,
            on_table=on_table,
        )
        run.truth.write_bytes(truth_lines(day.truths))
        taken.words = (
            f"{TABLES} tables of five games, {ROUNDS} rounds each, seed {run.seed}; "
            f"{count_noun(count_due(day.truths, through_gateway=True), 'thing')} to be found in it"
        )
    if day.unplanted:
        page.line(f"found no place: {', '.join(day.unplanted)}", indent=2, hang=2)
    return day


def open_desk(page: Page, accounting: Endpoint, day: SimulatedDay, run: Run) -> Entered:
    """Promotions and coupons are there before anybody plays with them."""
    with step(page, "desk entered") as taken, progress_meter("entering", len(day.desk)) as tell:
        entered = enter_promotions(
            accounting, day, floor=run.floor_name, report=lambda done: tell(done, "facts")
        )
        taken.words = _entered(entered, "promotions and coupons")
    print_refusals(page, entered.refusals)
    return entered


def count(page: Page, accounting: Endpoint, day: SimulatedDay, run: Run) -> Entered:
    """The cage and the count room, when the books have what the tables reported."""
    with step(page, "day posted") as taken, progress_meter("posting", 1) as tell:
        wait_until_posted(accounting, lambda lag: tell(int(not lag), f"{lag:,} messages wait"))
        taken.words = "rounds, cash and findings are in the books"
    with step(page, "cage entered") as taken, progress_meter("entering", len(day.cage)) as tell:
        entered = enter_cage(
            accounting, day, floor=run.floor_name, report=lambda done: tell(done, "facts")
        )
        taken.words = _entered(entered, "fills, credits, redeemed chips and counted boxes")
    print_refusals(page, entered.refusals)
    print_remarks(page, entered.remarks)
    return entered


def _entered(entered: Entered, what: str) -> str:
    refused = f", {len(entered.refusals)} refused" if entered.refusals else ""
    remarks = f", {count_noun(len(entered.remarks), 'remark')}" if entered.remarks else ""
    return f"{entered.count} {what}{refused}{remarks}"


def reconcile(page: Page, accounting: Endpoint, day: SimulatedDay, days: Iterable[str]) -> Books:
    """What was counted, what the rounds say and what the odds expect, of each table."""
    with (
        step(page, "day reconciled") as taken,
        progress_meter("reconciling", len(day.tables)) as tell,
    ):
        books = fetch(accounting, day.tables, days, lambda done: tell(done, "tables"))
        taken.words = "what was counted, what the rounds say and what the odds expect"
    return books


def send(page: Page, day: SimulatedDay, line: FloorConnection) -> Progress:
    """Every table sends its day to the gateway, as fast as that takes it."""
    with step(page, "day sent") as taken:
        sent = send_over(day, line, AS_FAST_AS_POSSIBLE, stalled_seconds_max=STALLED_SECONDS_MAX)
        taken.words = (
            f"{count_noun(sent.acknowledged, 'event')} of {count_noun(sent.rounds, 'round')} "
            f"acknowledged, {sent.rejected} rejected, {sent.events_per_second:,.0f} events/s"
        )
    return sent


def settle(page: Page, topics: Topics, sent: Progress) -> None:
    with step(page, "day settled") as taken, progress_meter("settling", sent.acknowledged) as tell:
        topics.wait_until_settled(
            lambda lag: tell(max(sent.acknowledged - lag, 0), f"{lag:,} events wait")
        )
        taken.words = "settlement has settled all of it"


def archive(page: Page, environment: dict[str, str]) -> None:
    with step(page, "day archived") as taken, progress_meter("archiving", 1) as tell:
        place = archive_of(environment)
        wait_until_indexed(place, lambda lag: tell(int(not lag), f"{lag:,} messages wait"))
        taken.words = "its rounds and findings can be searched"


def watch(page: Page, topics: Topics) -> None:
    with step(page, "day watched") as taken, progress_meter("watching", 1) as tell:
        topics.wait_until_watched(lambda left: tell(int(not left), f"{left} partitions wait"))
        taken.words = "surveillance has told its alerts"


def replay(page: Page, disputed: Truth, environment: dict[str, str]) -> None:
    page.blank()
    page.line(
        f"A hand that a guest disputes: {disputed.fault} at {disputed.table}, "
        f"seat {disputed.seat} ({disputed.round})"
    )
    page.blank()
    page.flush()
    command = [sys.executable, "-m", "pitctl", "replay", disputed.round]
    subprocess.run(command, env={**os.environ, **environment}, check=False)


def say_what_next(page: Page, run: Run, disputed: Truth | None, gaming_day: str) -> None:
    name = disputed.round if disputed else f"{run.floor_name}001-00001"
    pitctl = "pitctl" if shutil.which("pitctl") else ".venv/bin/pitctl"
    suggested = {
        f"{pitctl} replay {name}": "that hand again",
        f"{pitctl} rounds --table {run.floor_name}001": "what one table played",
        f"{pitctl} rounds --help": "search: patron, cards, bets, findings",
        f"{pitctl} report reconciliation --day {gaming_day}": "the books of the whole day",
        f"{pitctl} report --list": "other reports, and `explain` for a figure",
        f"{pitctl} tail": "live: the tables that play on",
        "make down": "end the stack; its data stay",
    }
    page.blank()
    page.line("What to try next:")
    width = max(map(len, suggested))
    for command, words in suggested.items():
        page.line(f"{command:<{width}}  {words}", indent=2, hang=4)


if __name__ == "__main__":
    sys.exit(main())
