"""The product speaks plain American English: words, names of classes and modules, loops."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.test_tree import ROOT, SERVICES, files_of_the_tree

GLOSSARY = ROOT / "docs" / "glossary.md"
HEADING = "## Words that are not written"

TEXTS = {".css", ".env", ".html", ".js", ".md", ".proto", ".py", ".sql", ".toml", ".yaml"}
ALSO = {"Makefile", "Dockerfile", "run"}
NOT_OURS = ("services/console/web/static/vendor/", "tests/console/axe/")
LISTS_THE_WORDS = {"docs/glossary.md", "tests/test_language.py"}

ALLOWED = {
    # The operating system's error, as it spells it.
    "refuse": r"connection\w*[ _](is |was )?refused|ECONNREFUSED",
    # A message in the topic `dead-letters`; what words are made of.
    "letters": r"(dead|latin|small|capital|upper-case|lower-case|\d+|two|all)[ _-]+letters"
    r"|letters of the alphabet",
    # Digits in a filing or after a decimal point.
    "figures": r"(printed|significant)[ _]figures",
    # A question may ask what something is.
    "what is": r"what[ _]is\b[^.!:;]*\?",
    "what was": r"what[ _]was\b[^.!:;]*\?",
    # The spelling of asyncio, of gRPC, and of a wait that the operating system ends.
    "cancelled": r"\.cancelled\(|StatusCode\.cancelled|\"cancelled\"",
}
"""Contexts in which a word of the table is right, by the word's first form."""

NOT_CLEAN_YET = set(
    """
CHANGELOG.md: refuse
CHANGELOG.md: say
CONTRIBUTING.md: what is
Makefile
README.md: figures
README.md: say
README.md: what was
SECURITY.md: say
SECURITY.md: what is
deploy/Dockerfile: ask
deploy/Dockerfile: refuse
deploy/Dockerfile: say
deploy/Dockerfile: whoever
deploy/compose.yaml: speak
deploy/compose.yaml: what is
deploy/example.env: letters
deploy/main_game_tables.py: anew
deploy/main_game_tables.py: say
deploy/main_game_tables.py: what is
deploy/render.py: anew
deploy/render.py: say
deploy/render.py: what is
deploy/render.py: what was
deploy/stack
docs/alerts.md
docs/architecture.md: refuse
docs/architecture.md: say
docs/architecture.md: told
docs/decisions
docs/deployment.md
docs/events.md: favour
docs/events.md: licence
docs/findings.md: told
docs/hand-history.md: letters
docs/ingest.md: say
docs/log-file.md: say
docs/log-file.md: what was
docs/operations.md
docs/performance.md
docs/round-archive.md: letters
docs/settlement.md
docs/stack.md
docs/statistics.md
docs/surveillance.md: anew
k8s/base/accounting.yaml: anew
k8s/base/accounting.yaml: ask
k8s/base/accounting.yaml: say
k8s/base/accounting.yaml: whoever
k8s/base/alert-desk.yaml: ask
k8s/base/alert-desk.yaml: say
k8s/base/alert-desk.yaml: the desk
k8s/base/alert-desk.yaml: whoever
k8s/base/console.yaml
k8s/base/kustomization.yaml: the desk
k8s/base/kustomization.yaml: told
k8s/base/network.yaml
k8s/base/provisioning.yaml: what is
k8s/base/round-archive.yaml: anew
k8s/base/round-archive.yaml: ask
k8s/base/round-archive.yaml: say
k8s/base/round-archive.yaml: whoever
k8s/base/settlement.yaml: nobody
k8s/base/surveillance.yaml: nobody
k8s/base/surveillance.yaml: say
k8s/base/surveillance.yaml: what was
k8s/base/table-gateway.yaml: ask
k8s/base/table-gateway.yaml: nobody
k8s/base/table-gateway.yaml: say
k8s/overlays/production/kustomization.yaml: speak
k8s/rendered/production.yaml: ask
k8s/rendered/production.yaml: nobody
proto/casino/accounting: lacking
proto/casino/accounting: refuse
proto/casino/settlement: told
proto/casino/surveillance
proto/casino/table: favour
proto/casino/table: licence
pyproject.toml: say
pyproject.toml: speak
services/accounting: anew
services/accounting: ask
services/accounting: how far
services/accounting: refuse
services/accounting: say
services/accounting: the desk
services/accounting: told
services/accounting: what was
services/alert_desk
services/alerting: refuse
services/alerting: told
services/alerting: what is
services/blackjack: colour
services/blackjack: favour
services/blackjack: licence
services/blackjack: told
services/console: refuse
services/console: what was
services/pitctl: refuse
services/round_archive
services/runtime: cancelled
services/runtime: how far
services/settlement
services/surveillance
services/table_gateway: refuse
services/table_simulator: colour
services/table_simulator: favour
services/table_simulator: licence
services/wire
tests/accounting
tests/alert_desk
tests/alerting: what was
tests/bench
tests/blackjack: colour
tests/blackjack: favour
tests/blackjack: told
tests/conftest.py: favour
tests/demo: ask
tests/deploy
tests/end_to_end
tests/odds: colour
tests/paper
tests/pitctl
tests/plain.py: what is
tests/provisioning
tests/round_archive
tests/runtime
tests/scraping.py: say
tests/settlement
tests/stack
tests/surveillance
tests/table_client
tests/table_gateway
tests/table_simulator: licence
tests/test_amounts.py: ask
tests/test_amounts.py: say
tests/test_amounts.py: what is
tests/test_readme.py: what is
tests/test_tree.py: say
tests/test_tree.py: told
tests/test_tree.py: what is
tests/wire
""".split("\n")
)
"""Areas, or `area: word`, that still have banned words. An area leaves as soon as it is clean."""

SAME_MEANING = {
    "Settings": "what one process reads from its environment",
}
"""Class names that several packages may have, each because it means the same thing."""

NOUNS_IN_ING = {
    "accounting": "the trade",
    "batching": "of messages, as in Kafka",
    "betting": "the part of a round before the cards",
    "fencing": "of a producer, as in Kafka",
    "filing": "of a game, at the state",
    "masking": "of personal data",
    "partitioning": "of topics, as in Kafka",
    "posting": "an entry in a ledger",
    "routing": "of facts to subjects",
    "tracing": "of calls, as in OpenTelemetry",
    "warning": "a message",
    "washing": "of chips: redeemed without play",
}
"""Established nouns, alone or as the last word of a module's name."""

GERUNDS_YET = set(
    """
services/alert_desk: decoding
services/blackjack: bet_closing
services/blackjack: opening
services/round_archive: decoding
services/surveillance: counting
services/surveillance: decoding
tests/accounting: test_asking
tests/accounting: test_closing
tests/alert_desk: test_watching
tests/alert_desk: test_working
tests/bench: accounting_closing
tests/bench: watching
tests/blackjack: test_extending
tests/blackjack: test_waiting
tests/end_to_end: test_sending
tests/hand_history: test_checking
tests/hand_history: test_reading
tests/paper: reading
tests/round_archive: test_asking
tests/round_archive: test_watching
tests/runtime: numbering
tests/runtime: test_hanging
tests/runtime: test_projecting
tests/runtime: test_reading
tests/runtime: test_taking
tests/scraping.py: scraping
tests/settlement: breaking
tests/settlement: forgetting
tests/settlement: pausing
tests/settlement: test_settling
tests/settlement: test_telling
tests/stack: listening
tests/stack: looping
tests/stack: reporting
tests/surveillance: pausing
tests/surveillance: test_contributing
tests/surveillance: test_ending
tests/surveillance: test_folding
tests/surveillance: test_sorting
tests/surveillance: test_watching
tests/surveillance: test_writing
tests/table_client: test_waiting
tests/table_gateway: test_retrying
tests/table_gateway: test_waiting
""".split("\n")
)


@cache
def banned() -> dict[str, str]:
    """Every banned word of the glossary's table, with the first form in its row."""
    section = GLOSSARY.read_text("utf-8").partition(HEADING)[2]
    rows = re.findall(r"^\| (`.*?) \|", section, flags=re.MULTILINE)
    forms = [re.findall(r"`([^`]+)`", row) for row in rows]
    return {form: row[0] for row in forms for form in row}


@cache
def pattern() -> re.Pattern[str]:
    """Any banned word, also across lines, in comments, in strings and inside a name."""
    gap = r"""[\s_#*"'/>|]+(?:f")?"""
    words = sorted(banned(), key=len, reverse=True)
    phrases = "|".join(gap.join(map(re.escape, word.split())) for word in words)
    return re.compile(rf"(?<![a-z])({phrases})(?![a-z])", re.IGNORECASE)


def spaced(text: str) -> str:
    """The text with the words of CamelCase names apart, line by line as before."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)


def words_in(text: str) -> list[tuple[int, str]]:
    """The banned words of a text with their lines, but for those in a context that allows them."""
    text = spaced(text)
    found = []
    for match in pattern().finditer(text):
        word = " ".join(re.findall(r"[a-z]+", match.group().lower()))
        row = banned().get(word, word)
        context = ALLOWED.get(row)
        around = text[max(0, match.start() - 40) : match.end() + 200]
        offset = match.start() - max(0, match.start() - 40)
        if context and any(
            allowed.start() <= offset < allowed.end()
            for allowed in re.finditer(context, around, re.IGNORECASE)
        ):
            continue
        found.append((text.count("\n", 0, match.start()) + 1, row))
    return found


def area_of(name: str) -> str:
    """The part of the tree that one person keeps clean."""
    parts = name.split("/")
    if parts[0] in {"services", "tests"} and len(parts) > 2:
        return "/".join(parts[:2])
    if parts[0] == "proto":
        return "/".join(parts[:3])
    if parts[0] in {"docs", "deploy"} and len(parts) > 2:
        return "/".join(parts[:2])
    return name


def our_texts() -> list[Path]:
    names = (path.relative_to(ROOT).as_posix() for path in files_of_the_tree())
    return [
        ROOT / name
        for name in names
        if (Path(name).suffix in TEXTS or Path(name).name in ALSO)
        and not name.startswith(NOT_OURS)
        and name not in LISTS_THE_WORDS
    ]


def banned_by_area() -> dict[str, dict[str, list[str]]]:
    """Area -> word -> where it stands."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in our_texts():
        name = path.relative_to(ROOT).as_posix()
        places = [(0, row) for _, row in words_in(path.name)] + words_in(path.read_text("utf-8"))
        for line, row in places:
            found.setdefault(area_of(name), {}).setdefault(row, []).append(f"{name}:{line}")
    return found


def test_no_text_has_a_word_that_the_glossary_replaces() -> None:
    wrong = {
        f"{word!r} in {area}": places
        for area, words in banned_by_area().items()
        for word, places in words.items()
        if not {area, f"{area}: {word}"} & NOT_CLEAN_YET
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("No user is signed in.", []),
        ("Nobody is signed in.", ["nobody"]),
        ("def test_nobody_is_signed_in()", ["nobody"]),
        ("class NotToldYet:", ["told"]),
        ('"the fact was set "\n    "aside by"', ["set aside"]),
        ("# what\n    # is posted", ["what is"]),
        ("What is a fold?", []),
        ("connection refused", []),
        ("the gateway refused it", ["refuse"]),
        ("a dead letter, two dead letters, dead_letters", []),
        ("the letters of today", ["letters"]),
        ("asks, tasks, masks", ["ask"]),
    ],
)
def test_the_check_finds_words_in_names_and_across_lines(text: str, words: list[str]) -> None:
    assert [word for _, word in words_in(text)] == words


def test_every_allowed_context_belongs_to_a_word_of_the_table() -> None:
    assert set(ALLOWED) <= set(banned().values())


def classes_of_the_services() -> Counter[str]:
    """How many modules of services/ define a class of each name at their top."""
    return Counter(
        node.name.lstrip("_")
        for path in files_of_the_tree()
        if path.suffix == ".py" and path.is_relative_to(SERVICES)
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    )


def test_a_class_name_means_one_thing_in_all_services() -> None:
    names = {name for name, modules in classes_of_the_services().items() if modules > 1}
    assert names - set(SAME_MEANING) == set()


def gerunds() -> set[str]:
    """Modules of ours named by a verb in -ing, as area and name."""
    names = {path.relative_to(ROOT) for path in files_of_the_tree() if path.suffix == ".py"}
    return {
        f"{area_of(name.as_posix())}: {name.stem}"
        for name in names
        if (last := name.stem.rpartition("_")[2]).endswith("ing") and last not in NOUNS_IN_ING
    }


def test_a_module_is_named_by_a_noun() -> None:
    assert gerunds() - GERUNDS_YET == set()
