"""The names of the topics are stated once."""

from __future__ import annotations

from wire import topics


def test_every_topic_is_in_the_list_once() -> None:
    stated = [
        value for name, value in vars(topics).items() if name.isupper() and isinstance(value, str)
    ]
    assert len(stated) == len(set(stated))
    assert set(stated) == topics.ALL


def test_no_topic_is_both_kept_for_ever_and_compacted() -> None:
    assert not topics.KEPT_FOR_EVER & topics.COMPACTED
