"""From a line to its tokens, each with its column; and how a text is quoted.

Tokens are parted by blanks. A comma parts the items of a list, unless it stands between
digits: 1,250.50 is one token, and so is 25,00, which is then rejected as an amount rather
than taken for two items. `//` begins a remark anywhere outside quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final


class TokenKind(Enum):
    WORD = "word"
    QUOTED = "quoted text"
    COMMA = "comma"
    AT = "@"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is the token's value, `raw` is what stands in the line."""

    kind: TokenKind
    text: str
    raw: str
    column: int

    @property
    def end(self) -> int:
        return self.column + len(self.raw)

    def is_word(self, word: str) -> bool:
        """Whether this is the keyword; case does not matter, quotes do."""
        return self.kind is TokenKind.WORD and self.text.lower() == word


class UnreadableLine(Exception):
    """A place in a line that cannot be read. It never leaves this package."""

    def __init__(self, column: int, message: str, hint: str = "") -> None:
        self.column = column
        self.message = message
        self.hint = hint
        super().__init__(message)


_BLANKS: Final = " \t\r"
_WITH_COMMAS: Final = re.compile(
    r"(?:[0-9]+[x×])?[+-]?\$?[0-9]+,[0-9][0-9,.]*(?<=[0-9])(?=[ \t\r,]|//|$)"
)
_WORD: Final = re.compile(r"(?:(?!//)[^ \t\r,\"@])+")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_ESCAPED: Final = {value: key for key, value in _ESCAPES.items()}
_CODE_LENGTHS: Final = {"x": 2, "u": 4, "U": 8}
_HEXADECIMAL: Final = frozenset("0123456789abcdefABCDEF")


def tokens_of(line: str) -> list[Token]:
    """The tokens of one line; `Unreadable` where a quote is broken."""
    tokens: list[Token] = []
    at = 0
    while at < len(line):
        sign = line[at]
        if sign in _BLANKS:
            at += 1
            continue
        if line.startswith("//", at):
            break
        token = _token_at(line, at, sign)
        tokens.append(token)
        at += len(token.raw)
    return tokens


def _token_at(line: str, at: int, sign: str) -> Token:
    column = at + 1
    if sign == ",":
        return Token(TokenKind.COMMA, ",", ",", column)
    if sign == "@":
        return Token(TokenKind.AT, "@", "@", column)
    if sign == '"':
        return _quoted(line, at)
    match = _WITH_COMMAS.match(line, at) or _WORD.match(line, at)
    if match is None:  # cannot be: what no token begins with is handled above
        raise UnreadableLine(column, f"{sign!r} cannot stand here")
    return Token(TokenKind.WORD, match[0], match[0], column)


def _quoted(line: str, start: int) -> Token:
    value: list[str] = []
    at = start + 1
    while at < len(line):
        sign = line[at]
        if sign == '"':
            return Token(TokenKind.QUOTED, "".join(value), line[start : at + 1], start + 1)
        if sign == "\\":
            meant, at = _escape(line, at)
            value.append(meant)
        else:
            value.append(sign)
            at += 1
    raise UnreadableLine(start + 1, 'the quoted text has no end; expected a closing "')


def _escape(line: str, at: int) -> tuple[str, int]:
    letter = line[at + 1 : at + 2]
    if letter in _ESCAPES:
        return _ESCAPES[letter], at + 2
    digits = line[at + 2 : at + 2 + _CODE_LENGTHS.get(letter, 0)]
    if digits and len(digits) == _CODE_LENGTHS[letter] and set(digits) <= _HEXADECIMAL:
        code = int(digits, 16)
        if code <= 0x10FFFF:
            return chr(code), at + 2 + len(digits)
    raise UnreadableLine(at + 1, r"expected \n, \t, \r, \", \\, \xHH, \uHHHH or \UHHHHHHHH")


def quote(text: str) -> str:
    """A text in quotes, with everything escaped that does not print."""
    return '"' + "".join(_sign(character) for character in text) + '"'


def _sign(sign: str) -> str:
    if sign in _ESCAPED:
        return "\\" + _ESCAPED[sign]
    if sign.isprintable():
        return sign
    code = ord(sign)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def write_text(text: str) -> str:
    """A text as it is, or quoted where it has blanks, odd characters, or nothing."""
    return text if _PLAIN.fullmatch(text) else quote(text)
