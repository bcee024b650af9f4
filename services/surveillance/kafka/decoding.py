"""Bytes of the topics to the facts that are sorted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Final

from faust.types import Message

from alerting.office_facts import DeadLetter
from alerting.settings import ExclusionLifted, PatronExcluded
from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import RoundStatus
from blackjack.play.clock import nearest_valid
from blackjack.rulebook.rule_set import Catalogue, RuleSet
from runtime import logs
from surveillance.domain.facts import JudgedRound, RoutableFact
from surveillance.kafka.rejections import header
from surveillance.kafka.routing import Read
from wire import headers, topics
from wire.catalogue import check_definition
from wire.errors import NotARecord
from wire.office_facts import decode_cage_fact, decode_desk_fact
from wire.setting_changes import decode_change
from wire.settlement import decode_record, decode_round

NOT_PLAYED: Final = (RoundStatus.INCOMPLETE, RoundStatus.UNRESOLVED)
"""Their rules need not be known to anybody, so that it would be idle to wait for them."""
RULES_SECONDS_MAX: Final = 30.0
"""How long is waited for a rule set that settlement knew and we do not know yet."""
_log = logs.logger(__name__)


class Reading:
    """How each topic is read; `catalogue` is asked for what is known by now."""

    def __init__(self, catalogue: Callable[[], Catalogue]) -> None:
        self._catalogue = catalogue
        self._unknown: set[str] = set()
        """Rule sets that were waited for in vain: not again for every round."""
        self.by_topic: Mapping[str, Read] = {
            topics.FINDINGS: self._finding,
            topics.SETTLED_ROUNDS: self._round,
            topics.PROMOTION_EVENTS: self._promotion_event,
            topics.CAGE_EVENTS: self._cage_event,
            topics.DEAD_LETTERS: self._dead_letter,
            topics.SURVEILLANCE_SETTINGS: self._exclusion,
            topics.CATALOGUE: self._definition,
            topics.SURVEILLANCE_DEFINITIONS: self._definition,
        }

    async def _finding(self, message: Message) -> RoutableFact | None:
        record = decode_record(message.value or b"")
        if not isinstance(record, Finding | Withdrawal):
            raise NotARecord("neither a finding nor a withdrawal")
        check_key(message, record.table)
        return record

    async def _round(self, message: Message) -> RoutableFact | None:
        settled = decode_round(message.value or b"")
        check_key(message, settled.table)
        name = settled.context.rule_set
        if settled.status in NOT_PLAYED:
            return JudgedRound(settled, self._catalogue().get(name))
        return JudgedRound(settled, await self._rules(name))

    async def _rules(self, name: str) -> RuleSet | None:
        """The sieve may still be on its way to the event that brings them along."""
        rules = self._catalogue().get(name)
        if rules is not None or not name or name in self._unknown:
            return rules
        until = time.monotonic() + RULES_SECONDS_MAX
        while rules is None and time.monotonic() < until:
            await asyncio.sleep(0.2)
            rules = self._catalogue().get(name)
        if rules is None:
            _log.warning("rules unknown", rule_set=name)
            self._unknown.add(name)
        return rules

    async def _promotion_event(self, message: Message) -> RoutableFact | None:
        return decode_desk_fact(message.value or b"")

    async def _cage_event(self, message: Message) -> RoutableFact | None:
        return decode_cage_fact(message.value or b"")

    async def _exclusion(self, message: Message) -> RoutableFact | None:
        setting = decode_change(message.value or b"").setting
        return setting if isinstance(setting, PatronExcluded | ExclusionLifted) else None

    async def _definition(self, message: Message) -> RoutableFact | None:
        """Whoever needs definitions reads them elsewhere, and leaves out what it cannot read: here
        that is told."""
        if message.value is not None:  # else it was deleted
            check_definition(message.key, message.value)
        return None

    async def _dead_letter(self, message: Message) -> RoutableFact | None:
        return DeadLetter(
            at=nearest_valid(int((message.timestamp or 0) * 1_000_000)),
            code=_text(message, headers.CODE),
            reason=_text(message, headers.REASON),
            table=_text(message, headers.TABLE),
            peer=_text(message, headers.PEER),
            author=_text(message, headers.AUTHOR),
            id=f"{message.partition}/{message.offset}",
            topic=_text(message, headers.SOURCE_TOPIC),
            origin=_origin(message),
        )


def check_key(message: Message, table: str) -> None:
    """Raises `NotARecord` unless the key is that of the table which the record is about."""
    if not table or message.key != table.encode():
        raise NotARecord(f"it is about table {table!r}, and its key is {message.key!r}"[:200])


def _origin(message: Message) -> str:
    """The same for two letters of one message, and for copies of a letter."""
    place = (headers.SOURCE_TOPIC, headers.SOURCE_PARTITION, headers.SOURCE_OFFSET)
    source = [_text(message, name) for name in place]
    if not all(source):
        source = [_text(message, name) for name in (headers.DIGEST, headers.INGESTED_AT)]
    return "/".join(source) if all(source) else ""


def _text(message: Message, name: str) -> str:
    return (header(message, name) or b"")[: headers.BYTES_MAX].decode(errors="replace")
