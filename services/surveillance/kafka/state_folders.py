"""Where a worker keeps its copy of states: a folder that belongs to one changelog and no other.

A changelog that was deleted and made again has another id. What was kept of the old one would be
taken for a part of the new one, so it is removed.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from confluent_kafka import TopicCollection
from confluent_kafka.admin import AdminClient

from runtime.kafka.brokers import Bootstrap, reaching

SECONDS_MAX: Final = 30.0
_NAME: Final = "states-"


def folder_of(bootstrap: Bootstrap, changelog: str, parent: Path) -> Path:
    """Made if it is not there; those of other changelogs are gone afterwards."""
    client = AdminClient(reaching(bootstrap))
    asked = client.describe_topics(TopicCollection([changelog]), request_timeout=SECONDS_MAX)
    topic_id = asked[changelog].result(SECONDS_MAX).topic_id
    own = parent / f"{_NAME}{topic_id}"
    for other in parent.glob(f"{_NAME}*"):
        if other != own:
            shutil.rmtree(other)
    own.mkdir(parents=True, exist_ok=True)
    return own
