"""The terms of a promotion, from the wire and back.

As with rule sets: what is left out means the engine's default, what is written is
complete. An empty list of wagers stays empty, since the hash of the terms covers it.
"""

from __future__ import annotations

from typing import Final

from blackjack.rulebook.promotions import Terms
from casino.table.v1 import facts_promotion_pb2
from wire.codec import derive

_TERMS: Final = derive(Terms, facts_promotion_pb2.PromotionTerms)
read_terms: Final = _TERMS.read
write_terms: Final = _TERMS.write
