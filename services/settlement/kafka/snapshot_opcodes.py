"""Which words of the pickle language a snapshot may use: those that build values, and no more.

Left out is all that could reach beyond the table: `BUILD`, which sets attributes of whatever is
on the stack, a card or a rule set that all tables share among it; the explicit `PUT`s, which take
a number from the bytes and allocate so much memory; names, classes and extensions by any way but
`STACK_GLOBAL`, which `find_class` answers; persistent ids and buffers. The pickler needs none of
them. The walk costs about as much as the reading itself, and a table is read once in the life of
a worker.
"""

from __future__ import annotations

import pickle
from typing import Final

_PLAIN: Final = (
    pickle.MEMOIZE, pickle.EMPTY_TUPLE, pickle.EMPTY_LIST, pickle.EMPTY_DICT, pickle.EMPTY_SET,
    pickle.NONE, pickle.NEWTRUE, pickle.NEWFALSE, pickle.STACK_GLOBAL, pickle.REDUCE, pickle.TUPLE,
    pickle.TUPLE1, pickle.TUPLE2, pickle.TUPLE3, pickle.MARK, pickle.APPEND, pickle.APPENDS,
    pickle.SETITEM, pickle.SETITEMS, pickle.ADDITEMS, pickle.FROZENSET,
)  # fmt: skip
_FIXED: Final = {
    pickle.PROTO: 1, pickle.FRAME: 8, pickle.BININT: 4, pickle.BININT1: 1, pickle.BININT2: 2,
    pickle.BINGET: 1, pickle.LONG_BINGET: 4,
}  # fmt: skip
_COUNTED: Final = {
    pickle.LONG1: 1, pickle.SHORT_BINUNICODE: 1, pickle.SHORT_BINBYTES: 1,
    pickle.BINUNICODE: 4, pickle.BINBYTES: 4,
}  # fmt: skip
"""These say first, in so many bytes, how many follow."""

_STEPS: Final = [0] * 256
"""How far it is to the next word; negative for one with a count of so many bytes, 0 for none."""
for _word in _PLAIN:
    _STEPS[_word[0]] = 1
for _word, _size in _FIXED.items():
    _STEPS[_word[0]] = 1 + _size
for _word, _size in _COUNTED.items():
    _STEPS[_word[0]] = -_size
_STOP: Final = pickle.STOP[0]


def foreign_word(data: bytes) -> str:
    """What a pickle has beside words that build values; nothing, if it has nothing else."""
    at, end, steps = 0, len(data), _STEPS
    while at < end:
        word = data[at]
        step = steps[word]
        if step > 0:
            at += step
        elif step < 0:
            text = at + 1 - step
            at = text + int.from_bytes(data[at + 1 : text], "little")
        elif word == _STOP:
            return "" if at + 1 == end else f"bytes after its end, at {at + 1}"
        else:
            return f"the word {bytes([word])!r} at {at}"
    return "no end"
