"""How long the texts of an event may be.

A table keeps its last rounds, its coupons and its staff in memory and in its snapshot, and says
of them in rounds and findings: what a device could write without end would grow there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from google.protobuf.message import Message

from wire.errors import UnreadableMessage

NAME_MAX: Final = 256
"""Characters of a name: of a table, a device, a person, a round, a wager, a slip, a serial."""
SENTENCE_MAX: Final = 1024
"""Characters of what a person typed."""
LIST_MAX: Final = 1024
"""Entries of a list: signers, chips, cards. The largest shoe's whole order has about half."""
SENTENCES: Final = frozenset({"reason", "note", "fault"})
"""The fields that hold what a person typed."""


def check_texts(message: Message) -> None:
    """Raises `UnreadableMessage` where a text or a list, at any depth, is longer than it may be."""
    for field, value in message.ListFields():
        if isinstance(value, Mapping):
            values = [*value.keys(), *value.values()]
        else:
            values = list(value) if field.is_repeated else [value]
        if len(values) > LIST_MAX:
            raise UnreadableMessage(f"{field.name} has {len(values)} entries, more than {LIST_MAX}")
        most = SENTENCE_MAX if field.name in SENTENCES else NAME_MAX
        for part in values:
            if isinstance(part, Message):
                check_texts(part)
            elif isinstance(part, str) and len(part) > most:
                raise UnreadableMessage(
                    f"{field.name} has {len(part)} characters, more than {most}"
                )
