"""Sightings on their way: few messages, each subject's in order, where its state is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runtime.kafka.partitioner import partition_of
from surveillance.domain.sightings import SourcedSighting, SubjectSighting, TableStatus
from surveillance.kafka.sighting_records import MESSAGE_SIGHTINGS_MAX, Sighted, decode, messages
from wire import topics

PARTITIONS = topics.PARTITIONS[topics.SURVEILLANCE_SIGHTINGS]


def sighted(subject: str, offset: int) -> Sighted:
    return Sighted(
        SourcedSighting(
            "settled-rounds/0",
            offset,
            0,
            SubjectSighting(subject, TableStatus("BJ-07", offset, offset, is_open=True)),
        )
    )


@given(st.lists(st.text("abcdefgh:-7", min_size=1, max_size=9), max_size=400))
def test_each_goes_where_its_subject_is_kept_and_stays_in_order(subjects: list[str]) -> None:
    given = [sighted(subject, offset) for offset, subject in enumerate(subjects)]
    sent = list(messages("sightings", given))
    arrived: dict[str, list[Sighted]] = {}
    for message in sent:
        some = decode(message.value or b"", message.partition)
        assert 0 < len(some) <= MESSAGE_SIGHTINGS_MAX
        assert message.key == some[0].placed.seen.subject.encode()
        for each in some:
            subject = each.placed.seen.subject
            assert message.partition == partition_of(subject.encode(), PARTITIONS)
            arrived.setdefault(subject, []).append(each)
    assert arrived == {
        subject: [each for each in given if each.placed.seen.subject == subject]
        for subject in dict.fromkeys(subjects)
    }


def test_a_round_of_many_subjects_is_no_more_messages_than_there_are_partitions() -> None:
    given = [sighted(f"patron:{number}", number) for number in range(200)]
    assert len(list(messages("sightings", given))) == PARTITIONS
