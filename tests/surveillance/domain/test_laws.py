"""What stands in the end is a function of what was seen, however the sources were interleaved.

Sources keep their own order, may be read at any speed, and may be read again from anywhere they
were before. What was raised and withdrawn on the way may differ; what stands may not.
"""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from alerting.alert import Alert
from surveillance.domain.detection import LiveSubject, SubjectState
from surveillance.domain.sightings import SourcedSighting
from tests.surveillance.domain.scenes import placed
from tests.surveillance.domain.watcher import Watcher

_DECODE = msgspec.msgpack.Decoder(SubjectState).decode
TABLES = st.sampled_from(["T-1", "T-2"])
PATRONS = st.sampled_from(["P-1", "P-2"])
SERIALS = st.sampled_from(["A", "B"])
ROUNDS = st.sampled_from(["r1", "r2", "r3"])
FATES = st.sampled_from(["taken", "pushed"])
SIGNERS = st.sampled_from(["a b c d", "a b c", "a b b c"])
SLIPS = st.integers(1, 5)
CASH = st.sampled_from(["2900", "4000", "6000"])
CASH_OF_STRANGERS = st.sampled_from(["2900", "6000", "12000"])
KINDS = st.sampled_from(["payout.overpaid", "payout.unpaid", "bet.past_post"])

SAID = st.one_of(
    st.builds("{} sits {}".format, TABLES, PATRONS),
    st.builds("{} leaves {}".format, TABLES, PATRONS),
    st.builds("{} buys {} {}".format, TABLES, CASH, PATRONS),
    st.builds("{} buys 900 {} debit".format, TABLES, PATRONS),
    st.builds("{} takes {} {}".format, TABLES, CASH_OF_STRANGERS, st.integers(0, 2)),
    st.builds("{} shows {} {}".format, TABLES, SERIALS, PATRONS),
    st.builds("{} drops {}".format, TABLES, SERIALS),
    st.builds("{} plays {} {} {} {}".format, TABLES, ROUNDS, PATRONS, SERIALS, FATES),
    st.builds("{} plays {} {}".format, TABLES, ROUNDS, PATRONS),
    st.builds("{} mispays {} D-1 {}".format, TABLES, ROUNDS, st.sampled_from([500, -300])),
    st.builds("{} fill F-{} {}".format, TABLES, SLIPS, SIGNERS),
    st.builds("{} box B-1 a b".format, TABLES),
    st.builds("{} speaks".format, TABLES),
    st.builds("{} opened O-1 a b".format, TABLES),
    st.builds("{} closed C-1 a b".format, TABLES),
    st.builds("{} finds {} {}".format, TABLES, ROUNDS, KINDS),
    st.builds("{} takes_back {}".format, TABLES, ROUNDS),
    st.builds("{} short s{} D-1 {}".format, TABLES, SLIPS, st.sampled_from([20, 30, -40])),
    st.builds("{} regains s{} D-1".format, TABLES, SLIPS),
    st.builds("desk issues {} {}".format, SERIALS, PATRONS),
    st.builds("desk voids {}".format, SERIALS),
    st.builds("desk redeems {}".format, SERIALS),
    st.just("desk limits 1"),
    st.builds("cage fill F-{} {}".format, SLIPS, SIGNERS),
    st.builds("cage voids F-{}".format, SLIPS),
    st.just("cage explains F- 2 3"),
    st.sampled_from(["cage counts B-1 2900", "cage recounts B-1 4000"]),
    st.builds("cage redeems {} {}".format, CASH, PATRONS),
    st.builds("cage pays {}".format, CASH_OF_STRANGERS),
    st.builds("cage pays {} {} 1".format, CASH_OF_STRANGERS, TABLES),
    st.builds("house excludes {}".format, PATRONS),
    st.builds("house lifts {}".format, PATRONS),
    st.just("letters refuses T-1 malformed"),
)


@st.composite
def scenes(draw: st.DrawFn) -> dict[str, list[SourcedSighting]]:
    """Things that happen one after the other, near and far, in less than a day and a half, which
    is how long every detector remembers; rounds come in rising versions."""
    minute = 0.0
    lines = []
    versions: dict[str, int] = {}
    for said in draw(st.lists(SAID, max_size=30)):
        minute += draw(st.sampled_from([0.1, 0.7, 4, 20, 60]))
        speaker, verb, *rest = said.split()
        if verb in ("plays", "mispays"):
            place = f"{speaker} {rest[0]}"
            versions[place] = versions.get(place, 0) + 1
            rest.append(f"v{versions[place]}")
        lines.append(f"{speaker} {minute} {verb} {' '.join(rest)}")
    return placed("\n".join(lines))


def standing(watcher: Watcher) -> dict[str, Alert]:
    """What stands, but for how often it was told."""
    return {each.id: replace(each, revision=0) for each in watcher.standing()}


@given(scenes(), st.randoms(use_true_random=False))
def test_how_sources_interleave_changes_nothing(
    sources: dict[str, list[SourcedSighting]], chance: Random
) -> None:
    one_by_one = Watcher()
    for each in sources.values():
        one_by_one.see_all(each)
    turns = [name for name, each in sources.items() for _ in each]
    chance.shuffle(turns)
    left = {name: iter(each) for name, each in sources.items()}
    interleaved = Watcher().see_all(next(left[name]) for name in turns)
    assert standing(interleaved) == standing(one_by_one)


@given(scenes(), st.randoms(use_true_random=False))
def test_what_is_read_again_after_a_crash_changes_nothing(
    sources: dict[str, list[SourcedSighting]], chance: Random
) -> None:
    once, again = Watcher(), Watcher()
    for each in sources.values():
        once.see_all(each)
        told = len(again.told)
        for place, seen in enumerate(each):
            again.see(seen)
            back = chance.randint(0, place + 1)
            before = len(again.told)
            again.see_all(each[back : place + 1])
            assert len(again.told) == before >= told
    assert again.told == once.told
    assert again.states == once.states


@given(scenes())
def test_revisions_of_an_alert_rise_by_one_and_each_says_something_new(
    sources: dict[str, list[SourcedSighting]],
) -> None:
    watcher = Watcher()
    for each in sources.values():
        watcher.see_all(each)
    last: dict[str, Alert] = {}
    for alert in watcher.told:
        before = last.get(alert.id)
        assert alert.revision == (before.revision + 1 if before is not None else 1)
        assert before is None or replace(before, revision=alert.revision) != alert
        last[alert.id] = alert


@given(scenes())
def test_subjects_that_stay_decoded_raise_the_alerts_of_stored_ones(
    sources: dict[str, list[SourcedSighting]],
) -> None:
    """All that a detector keeps beside its memory follows from it."""
    stored, live = Watcher(), dict[str, LiveSubject]()
    for each in sources.values():
        for seen in each:
            subject = seen.seen.subject
            decoded = live.setdefault(subject, LiveSubject(subject, None))
            alerts = (*decoded.watch(seen, stored.settings), *decoded.settle(stored.settings))
            assert alerts == stored.see(seen)
            assert decoded.state.told.keys() == _DECODE(stored.states[subject]).told.keys()
