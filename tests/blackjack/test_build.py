"""Which engine is under test: the plain source, or with `make test-compiled` the compiled one."""

from __future__ import annotations

import os

import blackjack.play.table


def test_the_engine_under_test_is_the_requested_one() -> None:
    compiled = not str(blackjack.play.table.__file__).endswith(".py")
    assert compiled is bool(os.environ.get("EXPECT_COMPILED"))
