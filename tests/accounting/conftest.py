"""A ledger for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.accounting.books import Books, prepare
from tests.stack.databases import Databases


@pytest.fixture
def make_books(databases: Databases) -> Iterator[Callable[[], Books]]:
    made: list[Books] = []

    def make() -> Books:
        template = databases.make_template("accounting", prepare)
        made.append(Books(databases.make(template)))
        return made[-1]

    yield make
    for each in made:
        each.close()
        databases.drop(each.database)


@pytest.fixture
def books(make_books: Callable[[], Books]) -> Books:
    return make_books()
