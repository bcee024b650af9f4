"""How one fact is read from its message and written to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf.message import Message

from blackjack.facts import Fact


class Codec(NamedTuple):
    """A fact with its two directions. `Any`: each pair knows its own types."""

    fact: type[Fact]
    read: Callable[[Any], Fact]
    write: Callable[[Any], Message]

    @property
    def member(self) -> str:
        """The name in the contract's `oneof fact`.

        >>> from wire.facts_round import CODECS
        >>> CODECS[0].fact.__name__, CODECS[0].member
        ('CardDealt', 'card_dealt')
        """
        return re.sub(r"(?<!^)(?=[A-Z])", "_", self.fact.__name__).lower()
