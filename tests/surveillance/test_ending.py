"""What the end of a rebuild withdraws."""

from __future__ import annotations

from msgspec.structs import replace

from alerting.alert import Alert, AlertState
from blackjack.findings import Level
from surveillance.kafka.rebuild_completion import REASON, not_told_again

TOLD = Alert("a", 2, AlertState.STANDING, "win.big", Level.P2, "a win", "a rule", 1, 2)


def test_what_stands_of_an_earlier_generation_and_was_not_told_again_is_withdrawn() -> None:
    again = replace(TOLD, revision=1, generation=1)
    other = replace(TOLD, id="b", evidence_count=3)
    (alert,) = not_told_again([TOLD, other, again], 1)
    assert (alert.id, alert.generation, alert.revision) == ("b", 0, 3)
    assert (alert.state, alert.withdrawn_because) == (AlertState.WITHDRAWN, REASON)
    assert alert.evidence_count == 0


def test_what_is_withdrawn_already_or_of_this_generation_is_left() -> None:
    gone = replace(TOLD, revision=3, state=AlertState.WITHDRAWN)
    now = replace(TOLD, id="b", generation=2)
    assert not_told_again([TOLD, gone, now], 2) == []


def test_what_the_generation_says_later_still_counts_for_more() -> None:
    """A silence that is told when a worker listens again comes after the end."""
    (alert,) = not_told_again([TOLD], 1)
    later = replace(TOLD, generation=1, revision=1)
    assert (later.generation, later.revision) > (alert.generation, alert.revision)


def test_overtaken_revisions_do_not_count() -> None:
    late = replace(TOLD, revision=1, state=AlertState.WITHDRAWN)
    (alert,) = not_told_again([TOLD, late], 1)
    assert alert.revision == 3


def test_what_the_desk_raises_itself_is_left_to_the_desk() -> None:
    assert not_told_again([replace(TOLD, kind="surveillance.behind")], 1) == []
