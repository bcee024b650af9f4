"""The Jinja environment: values are escaped, missing names are errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


class Templates:
    def __init__(
        self, variables: Mapping[str, Any], filters: Mapping[str, Callable[..., Any]]
    ) -> None:
        self._environment = Environment(
            loader=PackageLoader("console.web", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(variables)
        self._environment.filters.update(filters)

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        return self._environment.get_template(name).render(values)
