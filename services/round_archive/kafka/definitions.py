"""The catalog: filed and published rule sets, and the publication of a rule set.

The topic is read whole at the start and followed from there. A publication returns once the brokers
have it; it is read back within moments. The same rule set published again in the meantime is
reported as known; of two calls at once, the second waits for the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from confluent_kafka import KafkaException, Message

from blackjack.rulebook.rule_set import FILED, Catalogue, NotFiled, RuleSet, compose
from casino.settlement.v1.service_pb2 import (
    ListRuleSetsResponse,
    PublishedRuleSet,
    PublishRuleSetResponse,
)
from casino.table.v1.rules_pb2 import RuleSetDefinition
from round_archive.grpc.errors import NotPublishable
from runtime import logs
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output, key_and_value
from runtime.kafka.topic_reader import NoSuchTopic
from runtime.positions import Position
from runtime.process import ServicePart, Stop
from runtime.query_errors import KafkaUnavailable
from wire import topics
from wire.catalogue import encode_rule_set, rule_set_key, with_definitions
from wire.errors import UnreadableMessage
from wire.rules import read_rule_set, write_rule_set

_LOOK_SECONDS: Final = 0.2
_AGAIN_SECONDS: Final = 1.0
_log = logs.logger(__name__)


class Definitions:
    """The known definitions. The catalog is replaced, never changed: read it once per use."""

    def __init__(
        self, bootstrap: Bootstrap, producer: AcknowledgedProducer, *, prefix: str = ""
    ) -> None:
        self._bootstrap = bootstrap
        self._producer = producer
        self._topic = prefix + topics.CATALOGUE
        self.catalogue = FILED
        self._publishing = asyncio.Lock()
        self._written: set[str] = set()
        """Hashes that the brokers have from here, since the topic was last read whole."""

    def part(self) -> ServicePart:
        return ServicePart("definitions", self.run)

    def run(self, stop: Stop) -> None:
        while not stop.requested:
            try:
                self._follow(stop)
            except (KafkaException, NoSuchTopic, topic_reader.ReadingStuck) as failed:
                _log.warning("catalogue not read", reason=str(failed))
                stop.sleep(_AGAIN_SECONDS)

    def _follow(self, stop: Stop) -> None:
        self._written.clear()
        whole = topic_reader.whole(self._bootstrap, self._topic)
        self.catalogue = _with_definitions(FILED, topic_reader.read(self._bootstrap, whole))
        ends = [Position(part.topic, part.partition, part.end) for part in whole]
        follower = topic_reader.follow(self._bootstrap, ends)
        try:
            while not stop.sleep(_LOOK_SECONDS):
                if news := topic_reader.news(follower):
                    self.catalogue = _with_definitions(self.catalogue, news)
        finally:
            follower.close()

    def published(self) -> ListRuleSetsResponse:
        """The rule sets that properties have published; filed ones are built in."""
        published = [rules for rules in self.catalogue if rules.hash not in FILED]
        return ListRuleSetsResponse(
            rule_sets=[
                PublishedRuleSet(
                    hash=rules.hash, name=rules.name, definition=write_rule_set(rules.spec)
                )
                for rules in sorted(published, key=lambda rules: (rules.name, rules.hash))
            ]
        )

    async def publish(self, definition: RuleSetDefinition) -> PublishRuleSetResponse:
        try:
            rules = await asyncio.to_thread(_compose, definition)
        except UnreadableMessage as error:
            raise NotPublishable(error.reason) from None
        except NotFiled as error:
            raise NotPublishable(f"no filing allows it: {error}") from None
        async with self._publishing:
            known = rules.hash in self.catalogue or rules.hash in self._written
            if not known:
                await self._write(rules)
        return PublishRuleSetResponse(hash=rules.hash, known=known)

    async def _write(self, rules: RuleSet) -> None:
        output = Output(self._topic, encode_rule_set(rules), rule_set_key(rules.hash))
        try:
            await self._producer.send([output])
        except NotWritten as failed:
            raise KafkaUnavailable(failed.error.str()) from None
        self._written.add(rules.hash)
        _log.info("rule set published", rule_set=rules.hash, name=rules.name)


def _with_definitions(catalogue: Catalogue, messages: Iterable[Message]) -> Catalogue:
    return with_definitions(catalogue, map(key_and_value, messages), _log_rejected)


def _log_rejected(key: bytes, reason: str) -> None:
    _log.warning("definition rejected", key=repr(key), reason=reason)


def _compose(definition: RuleSetDefinition) -> RuleSet:
    return compose(read_rule_set(definition))
