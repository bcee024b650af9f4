"""`docs/alerts.md` has a row for every kind of alert, and a detector or the desk raises each."""

from __future__ import annotations

import re
from pathlib import Path

from alerting.kinds import KINDS, DecidedBy
from alerting.thresholds import THRESHOLDS
from surveillance.domain.registry import DETECTORS

PAGE = Path(__file__).parents[3] / "docs" / "alerts.md"
ROW = re.compile(
    r"^\| `(?P<kind>[a-z_.]+)` \| [^|]+ \| (?P<levels>P\d(?:/P\d)*)(?P<label> advantage)? "
    r"\| (?P<decided_by>\w+) \| [^|]+ \|$",
    re.MULTILINE,
)
THRESHOLD = re.compile(r"^\| `(?P<name>\w+)` \| (?P<default>\d+) \|", re.MULTILINE)


def rows() -> dict[str, re.Match[str]]:
    found = list(ROW.finditer(PAGE.read_text()))
    assert len({each["kind"] for each in found}) == len(found)
    return {each["kind"]: each for each in found}


def test_every_kind_has_a_row_and_a_detector_and_there_are_no_others() -> None:
    raised = [kind for detector in DETECTORS for kind in detector.kinds]
    raised += [name for name, kind in KINDS.items() if kind.decided_by is DecidedBy.DESK]
    assert sorted(raised) == sorted(KINDS) == sorted(rows())


def test_a_row_says_the_level_the_label_and_who_decides() -> None:
    for kind, row in rows().items():
        stated = KINDS[kind]
        assert f"P{stated.level.value}" in row["levels"].split("/"), kind
        assert row["decided_by"] == stated.decided_by.value, kind
        assert (row["label"] or "").strip() == stated.label, kind


def test_the_memories_of_detectors_have_different_names() -> None:
    assert len({each.name for each in DETECTORS}) == len(DETECTORS)


def test_every_threshold_is_listed_with_its_default() -> None:
    listed = {row["name"]: int(row["default"]) for row in THRESHOLD.finditer(PAGE.read_text())}
    assert listed == {name: each.default for name, each in THRESHOLDS.items()}


def test_a_default_lies_within_its_bounds() -> None:
    for each in THRESHOLDS.values():
        assert each.least <= each.default <= each.most
