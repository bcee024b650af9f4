"""A place in a line's tokens, with the ways to go on and to report errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from blackjack.hand_history.context import Context
from blackjack.hand_history.lexer import Token, TokenKind, UnreadableLine


def did_you_mean(found: str, options: Iterable[str]) -> str:
    """The nearest of the options, if one is near."""
    close = get_close_matches(found.lower()[:40], list(options), n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else ""


class Cursor:
    """Reads a line from left to right; whatever does not fit raises `Unreadable`."""

    def __init__(self, tokens: Sequence[Token], context: Context) -> None:
        self._tokens = tokens
        self._at = 0
        self.context = context

    @property
    def token(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._tokens)

    @property
    def column(self) -> int:
        """Where the next token stands, or where it would stand."""
        if self.token is not None:
            return self.token.column
        return self._tokens[-1].end if self._tokens else 1

    def skip(self) -> None:
        self._at += 1

    def sees(self, *words: str) -> bool:
        """Whether these keywords come next."""
        ahead = self._tokens[self._at : self._at + len(words)]
        return len(ahead) == len(words) and all(map(Token.is_word, ahead, words))

    def words_ahead(self, count: int) -> tuple[str, ...]:
        """The next words in small letters, fewer where the line ends or something else comes."""
        words: list[str] = []
        for token in self._tokens[self._at : self._at + count]:
            if token.kind is not TokenKind.WORD:
                break
            words.append(token.text.lower())
        return tuple(words)

    def accept(self, *words: str) -> bool:
        """Go past these keywords if they come next."""
        if self.sees(*words):
            self._at += len(words)
            return True
        return False

    def accept_comma(self) -> bool:
        if self.token is not None and self.token.kind is TokenKind.COMMA:
            self._at += 1
            return True
        return False

    def require(self, *words: str) -> None:
        """Go past these keywords, or name the first that is missing."""
        for word in words:
            if not self.accept(word):
                raise self.unexpected(repr(word), [word])

    def word(self, expected: str, options: Iterable[str] = ()) -> Token:
        """The next token, which must be a word without quotes."""
        token = self.token
        if token is None or token.kind is not TokenKind.WORD:
            raise self.unexpected(expected, options)
        self._at += 1
        return token

    def text(self, expected: str) -> str:
        """A text: one word, or anything in quotes."""
        token = self.token
        if token is None or token.kind not in (TokenKind.WORD, TokenKind.QUOTED):
            raise self.unexpected(expected)
        if token.kind is TokenKind.WORD and "," in token.text:
            raise self.unexpected(expected)
        self._at += 1
        return token.text

    def unexpected(self, expected: str, options: Iterable[str] = ()) -> UnreadableLine:
        """Why the line cannot go on with the next token."""
        token = self.token
        if token is None:
            return UnreadableLine(self.column, f"expected {expected}, but the line ends here")
        message = f"expected {expected}, found {_shortened(token.raw)}"
        hint = did_you_mean(token.text, options)
        if token.kind is TokenKind.WORD and "," in token.text:
            hint = "put a blank after the comma of a list"
        return UnreadableLine(token.column, message, hint)

    def unexpected_token(
        self, token: Token, expected: str, options: Iterable[str] = ()
    ) -> UnreadableLine:
        """The same for a token that was taken already."""
        self._at = self._tokens.index(token)
        return self.unexpected(expected, options)


def _shortened(raw: str) -> str:
    return repr(raw if len(raw) <= 40 else raw[:37] + "...")
