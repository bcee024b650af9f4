"""A fact with its place in the stream, and the union of all facts."""

from __future__ import annotations

from msgspec import Struct

from blackjack.facts.device import DeviceFact
from blackjack.facts.money import MoneyFact
from blackjack.facts.patron import PatronFact
from blackjack.facts.promotion import PromotionFact
from blackjack.facts.round import RoundFact
from blackjack.facts.shoe import ShoeFact
from blackjack.facts.table import TableFact
from blackjack.facts.vocabulary import CERTAIN

Fact = TableFact | ShoeFact | RoundFact | MoneyFact | PatronFact | PromotionFact | DeviceFact


class Event(Struct, frozen=True, gc=False):
    """A fact with its place in the table's stream.

    `digest` is the hash of the event's own bytes as received and `previous` the hash it
    names for the event before; both are empty where a stream has no bytes (a text, a
    test), and then nothing is checked. `ingested_at` is 0 where no gateway was passed.
    `waited_us` is how long the event had been at its controller when it was sent, by the
    controller's clock: 0 for an event sent at once. `claimed_at` is the time of the clock
    where that is no valid time (`blackjack.play.clock`): `at` is then when the event was sent,
    by the gateway's clock. It is 0 otherwise.
    """

    table: str
    seq: int
    at: int
    fact: Fact
    device: str = ""
    confidence: int = CERTAIN
    ingested_at: int = 0
    digest: bytes = b""
    previous: bytes = b""
    waited_us: int = 0
    claimed_at: int = 0
