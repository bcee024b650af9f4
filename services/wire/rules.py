"""The definition of a rule set, from the wire and back.

What is left out on the wire means the engine's default, as in the canonical form; what
is written is always complete, so that a later default cannot change an old definition.
"""

from __future__ import annotations

from typing import Final

from blackjack.rulebook.house_rules import RuleSetSpec
from casino.table.v1 import rules_pb2
from wire.codec import derive

_RULE_SET: Final = derive(RuleSetSpec, rules_pb2.RuleSetDefinition)
read_rule_set: Final = _RULE_SET.read
write_rule_set: Final = _RULE_SET.write
