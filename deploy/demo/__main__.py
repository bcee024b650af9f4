"""python -m deploy.demo: `make demo`.

Exit status: 0 all planted faults, and nothing else, appear in the log and in the books; 1 there
are differences, printed in red; 2 the demonstration could not run.
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

from deploy.demo import live_tables
from deploy.demo.archived import NotIndexing, archive_of, wait_until_indexed
from deploy.demo.books_page import (
    print_explanations,
    print_reconciliation,
    print_rejections,
    print_remarks,
    print_statements,
)
from deploy.demo.disputes import most_disputed
from deploy.demo.exclusions import exclude
from deploy.demo.in_books import query_books
from deploy.demo.logged import NotSettling, NotWatching, Topics
from deploy.demo.money import planted_losses, unseen_losses
from deploy.demo.offices import (
    EntryResult,
    NotPosting,
    begins_at,
    enter_cage,
    enter_promotions,
    wait_until_posted,
)
from deploy.demo.page import print_verdict
from deploy.demo.people import print_console
from deploy.demo.reconciled import Books, compare_books, fetch
from deploy.demo.runs import PLAN, ROUNDS, TABLES, Run, next_run, start_at
from deploy.demo.tour import tour_of
from deploy.demo.watched import compare_alerts, print_alerts
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

AS_PLANNED, DIFFERENT, FAILED = 0, 1, 2
FAILURES = (
    StackError, SendingFailed, NotSettling, NotWatching, NotIndexing, NotPosting,
    ServiceUnavailable, RequestRejected,
    IdentityError, KafkaException, ReadingStuck, NoSuchTopic, OSError,
)  # fmt: skip
STALLED_SECONDS_MAX = 60.0


def main() -> int:
    try:
        return run_demo(Page(sys.stdout))
    except FAILURES as error:
        print(f"demo: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\ndemo: interrupted. Stop the stack with `make down`.", file=sys.stderr)
        return 130
    except Exception:
        # Status 1 means differences in a compared day; an unexpected error is status 2.
        traceback.print_exc()
    return FAILED


def run_demo(page: Page) -> int:
    """Run the whole demonstration, from starting the stack to the next steps."""
    settings = without_own(read_settings(os.environ))
    page.line(
        "One gaming day on twelve tables, with every fault planted that an event log can show. "
        "The tables send it, settlement and accounting process it, and this page compares the "
        "planted faults with the findings, the alerts and the reconciliation."
    )
    page.line(
        f"Starting the stack in {settings.folder}. The first start also downloads Kafka and "
        "PostgreSQL."
    )
    page.blank()
    page.flush()

    def report(line: str) -> None:
        page.line(line, hang=2)
        page.flush()

    stack = Stack(settings, report=report)
    live_tables.end(stack)
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
    with step(page, "exclusions") as taken:
        barred = exclude(desk_of(environment), day)
        taken.words = f"{count_noun(barred, 'patron')} excluded from play"
    desk = open_desk(page, accounting, day, run)
    sent = send(page, day, line)
    settle(page, topics, sent)
    archive(page, environment)
    cage = count(page, accounting, day, run)
    watch(page, topics)
    books = reconcile(page, accounting, day, desk.days | cage.days)
    findings = topics.standing(since, day.tables)
    verdict = planted_vs_found(day.truths, findings, topics.rejections(since, day.tables))
    heading(page, "Findings: planted and found")
    print_verdict(page, verdict)
    watched = compare_alerts(day.truths, topics.alerts(since))
    heading(page, "Alerts: planted and raised")
    print_alerts(page, watched)
    disputed = most_disputed(day.truths, findings, day.controllers)
    if disputed is not None:
        replay(page, disputed, environment)
    planted = planted_losses(day)
    unseen = unseen_losses(day, topics.rounds(since, day.tables), planted)
    heading(page, "Reconciliation by table")
    print_reconciliation(page, books.reconciliation)
    reconciled = compare_books(books, [*planted, *unseen])
    heading(page, "Money: planted differences in the books")
    print_explanations(page, reconciled)
    statements = query_books(accounting, day.truths, desk.days | cage.days)
    heading(page, "Coupons, slips and cash: planted faults in the books")
    print_statements(page, statements)
    tour = tour_of(topics.alerts(since), disputed, day=max(cage.days))
    live_tables.begin(stack, run)
    print_console(page, stack, tour, tables=live_tables.TABLES)
    print_next_steps(page, run, disputed, max(cage.days))
    page.blank()
    unplanned = [
        rejection for rejection in (*desk.rejections, *cage.rejections) if not rejection.is_planted
    ]
    in_books = (
        reconciled.is_clean and all(statement.words for statement in statements) and not unplanned
    )
    if is_as_planned(day, verdict) and watched.is_clean and in_books:
        page.line(
            (
                "Passed: every planted fault was found, the books show every planted cent where "
                "it belongs, and nothing else was reported.",
                "bold green",
            )
        )
        return AS_PLANNED
    page.line(
        (
            "Failed: results differ from the plan. The differences are printed above in red.",
            "bold red",
        )
    )
    return DIFFERENT


def heading(page: Page, text: str) -> None:
    page.blank()
    page.line((text, "bold"))


def is_as_planned(day: SimulatedDay, verdict: TruthComparison) -> bool:
    return verdict.is_clean and not day.unplanted


@dataclass(slots=True)
class Step:
    """One step of the demonstration; its line is printed when it is done."""

    name: str
    words: str = ""
    began: float = field(default_factory=time.monotonic)


@contextmanager
def step(page: Page, name: str) -> Iterator[Step]:
    """Print a finished step in the form in which the stack reports its services."""
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
    with step(page, "day played") as taken, progress_meter("playing", TABLES) as show_progress:
        played: list[str] = []

        def on_table(table: str) -> None:
            played.append(table)
            show_progress(len(played), "tables")

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
            f"{count_noun(count_due(day.truths, through_gateway=True), 'fault')} to find"
        )
    if day.unplanted:
        page.line(f"not planted, no suitable round: {', '.join(day.unplanted)}", indent=2, hang=2)
    return day


def open_desk(page: Page, accounting: Endpoint, day: SimulatedDay, run: Run) -> EntryResult:
    """Enter promotions and coupons before the tables play with them."""
    with (
        step(page, "promotions") as taken,
        progress_meter("entering", len(day.desk)) as show_progress,
    ):
        entered = enter_promotions(
            accounting, day, floor=run.floor_name, report=lambda done: show_progress(done, "facts")
        )
        taken.words = _entered(entered, "promotions and coupons")
    print_rejections(page, entered.rejections)
    return entered


def count(page: Page, accounting: Endpoint, day: SimulatedDay, run: Run) -> EntryResult:
    """Enter the facts of the cage and the count team, after the tables' facts are posted."""
    with step(page, "day posted") as taken, progress_meter("posting", 1) as show_progress:
        wait_until_posted(
            accounting, lambda lag: show_progress(int(not lag), f"{lag:,} messages waiting")
        )
        taken.words = "rounds, cash and findings posted"
    with (
        step(page, "cage entered") as taken,
        progress_meter("entering", len(day.cage)) as show_progress,
    ):
        entered = enter_cage(
            accounting, day, floor=run.floor_name, report=lambda done: show_progress(done, "facts")
        )
        taken.words = _entered(entered, "fills, credits, redeemed chips and counted boxes")
    print_rejections(page, entered.rejections)
    print_remarks(page, entered.remarks)
    return entered


def _entered(entered: EntryResult, what: str) -> str:
    rejected = f", {len(entered.rejections)} rejected" if entered.rejections else ""
    remarks = f", {count_noun(len(entered.remarks), 'remark')}" if entered.remarks else ""
    return f"{entered.count} {what}{rejected}{remarks}"


def reconcile(page: Page, accounting: Endpoint, day: SimulatedDay, days: Iterable[str]) -> Books:
    """Fetch count win, system win and theoretical win of each table."""
    with (
        step(page, "day reconciled") as taken,
        progress_meter("reconciling", len(day.tables)) as show_progress,
    ):
        books = fetch(accounting, day.tables, days, lambda done: show_progress(done, "tables"))
        taken.words = "count win, system win and theoretical win of each table"
    return books


def send(page: Page, day: SimulatedDay, line: FloorConnection) -> Progress:
    """Send every table's day to the gateway, as fast as the gateway accepts it."""
    with step(page, "day sent") as taken:
        sent = send_over(day, line, AS_FAST_AS_POSSIBLE, stalled_seconds_max=STALLED_SECONDS_MAX)
        taken.words = (
            f"{count_noun(sent.acknowledged, 'event')} of {count_noun(sent.rounds, 'round')} "
            f"acknowledged, {sent.rejected} rejected, {sent.events_per_second:,.0f} events/s"
        )
    return sent


def settle(page: Page, topics: Topics, sent: Progress) -> None:
    with (
        step(page, "day settled") as taken,
        progress_meter("settling", sent.acknowledged) as show_progress,
    ):
        topics.wait_until_settled(
            lambda lag: show_progress(max(sent.acknowledged - lag, 0), f"{lag:,} events waiting")
        )
        taken.words = "all events settled"


def archive(page: Page, environment: dict[str, str]) -> None:
    with step(page, "day archived") as taken, progress_meter("archiving", 1) as show_progress:
        place = archive_of(environment)
        wait_until_indexed(
            place, lambda lag: show_progress(int(not lag), f"{lag:,} messages waiting")
        )
        taken.words = "rounds and findings indexed for search"


def watch(page: Page, topics: Topics) -> None:
    with step(page, "day watched") as taken, progress_meter("watching", 1) as show_progress:
        topics.wait_until_watched(
            lambda left: show_progress(int(not left), f"{left} partitions waiting")
        )
        taken.words = "surveillance has published its alerts"


def replay(page: Page, disputed: Truth, environment: dict[str, str]) -> None:
    heading(page, "A hand that a patron disputes")
    page.line(
        f"{disputed.fault} at table {disputed.table}, seat {disputed.seat}, round {disputed.round}"
    )
    page.blank()
    page.flush()
    command = [sys.executable, "-m", "pitctl", "replay", disputed.round]
    subprocess.run(command, env={**os.environ, **environment}, check=False)


def print_next_steps(page: Page, run: Run, disputed: Truth | None, gaming_day: str) -> None:
    name = disputed.round if disputed else f"{run.floor_name}001-00001"
    pitctl = "pitctl" if shutil.which("pitctl") else ".venv/bin/pitctl"
    suggested = {
        f"{pitctl} replay {name}": "replay the disputed hand",
        f"{pitctl} rounds --table {run.floor_name}001": "list the rounds of one table",
        f"{pitctl} rounds --help": "search by patron, cards, bets or finding",
        f"{pitctl} report reconciliation --day {gaming_day}": "print the reconciliation of the day",
        f"{pitctl} report --list": "list all reports; `explain` proves an amount",
        f"{pitctl} tail": "follow the live tables",
        "make down": "stop the stack and keep its data",
    }
    heading(page, "Next steps")
    width = max(map(len, suggested))
    for command, words in suggested.items():
        page.line(f"{command:<{width}}  {words}", indent=2, hang=4)


if __name__ == "__main__":
    sys.exit(main())
