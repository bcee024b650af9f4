"""The errors are those that the docstring draws, and each says what to do next."""

from __future__ import annotations

import re

from deploy.stack import errors


def test_the_tree_in_the_docstring_is_true() -> None:
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    defined = [kind.__name__ for kind in errors.StackError.__subclasses__()]
    assert sorted(drawn) == sorted(defined)
