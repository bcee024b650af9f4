"""How bad an error of the library is."""

from __future__ import annotations

from confluent_kafka import KafkaError, KafkaException

from runtime import logs

_log = logs.logger(__name__)


def is_fatal(error: KafkaError) -> bool:
    """The client will not come back from it.

    A consumer reports such an error as a message whose code is `_FATAL` and for which it does not
    set `fatal()`: a caller that checks only that loops for ever without reading anything.
    """
    return error.fatal() or error.code() == KafkaError._FATAL


def error_of(failed: KafkaException) -> KafkaError:
    error = failed.args[0]
    return error if isinstance(error, KafkaError) else KafkaError(KafkaError._FAIL, str(failed))


class ConsumerLost(Exception):
    """The consumer has ended for good: another has its name, or may not read any more."""

    def __init__(self, error: KafkaError) -> None:
        self.error = error
        super().__init__(f"{error.name()}: {error.str()}")


class OutOfRange(KafkaException):
    """The log does not have the position that a consumer is to read from."""


def check_consumed(error: KafkaError) -> None:
    """What a consumer reports between messages: passing, or the end."""
    if is_fatal(error):
        raise ConsumerLost(error)
    if error.code() == KafkaError._AUTO_OFFSET_RESET:
        raise OutOfRange(error)
    if error.code() != KafkaError._PARTITION_EOF:
        _log.warning("consumer", code=error.name(), reason=error.str())
