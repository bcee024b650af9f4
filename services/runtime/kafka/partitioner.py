"""The partition of a key, as with `murmur2_random`, Java and aiokafka: for code that needs it
before sending."""

from __future__ import annotations

_MULTIPLIER = 0x5BD1E995
_SEED = 0x9747B28C
_WORD = 0xFFFFFFFF


def partition_of(key: bytes, partitions: int) -> int:
    """The partition of a message with this key, among so many.

    >>> partition_of(b"BJ-07", 12)
    10
    """
    return (murmur2(key) & 0x7FFFFFFF) % partitions


def murmur2(key: bytes) -> int:
    """The hash of 32 bits, unsigned.

    >>> murmur2(b"foobar") - 2**32  # as Kafka's own tests have it
    -790332482
    """
    length = len(key)
    value = _SEED ^ length
    whole = length & ~3
    for start in range(0, whole, 4):
        word = int.from_bytes(key[start : start + 4], "little") * _MULTIPLIER & _WORD
        word = (word ^ word >> 24) * _MULTIPLIER & _WORD
        value = value * _MULTIPLIER & _WORD ^ word
    if whole < length:
        value = (value ^ int.from_bytes(key[whole:], "little")) * _MULTIPLIER & _WORD
    value = (value ^ value >> 13) * _MULTIPLIER & _WORD
    return value ^ value >> 15
