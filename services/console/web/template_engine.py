"""Pages from templates: everything that is put into one is escaped, a missing name is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


class Templates:
    def __init__(self, named: Mapping[str, Any], filters: Mapping[str, Callable[..., Any]]) -> None:
        self._environment = Environment(
            loader=PackageLoader("console.web", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(named)
        self._environment.filters.update(filters)

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        return self._environment.get_template(name).render(values)
