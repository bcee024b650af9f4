"""Settings come from the environment, are read once, and every mistake is reported at once.

A settings class declares one field a variable; the variable is the field's name in capitals.
The docstring under a field is its help: a field without one is a mistake of the programmer and
is rejected when the class is made. An empty variable counts as unset. Secrets are `SecretStr`,
which prints as asterisks.

    class Settings(ServiceSettings, KafkaSettings):
        tables_max: int = 200
        '''How many tables may be connected at once.'''
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import Annotated, Any, Self, get_args, get_origin

from pydantic import BaseModel, ConfigDict, SecretBytes, SecretStr, ValidationError
from pydantic.fields import FieldInfo

HIDDEN = "(secret)"


class Settings(BaseModel):
    """The root of every settings class: frozen, documented, read from the environment only."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        validate_default=True,
        use_attribute_docstrings=True,
        hide_input_in_errors=True,  # a secret may be the mistake
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        silent = [name for name, field in cls.model_fields.items() if not field.description]
        if silent:
            raise TypeError(f"{cls.__name__}: settings without a docstring: {', '.join(silent)}")

    @classmethod
    def from_environment(cls, **given: str) -> Self:
        """The settings as the environment has them, or `BadSettings` with every mistake.

        Given values are not looked up there."""
        known = {name: os.environ.get(name.upper()) for name in cls.model_fields}
        found = {name: value for name, value in known.items() if value}
        try:
            return cls.model_validate(found | given)
        except ValidationError as error:
            raise BadSettings(_mistakes(cls, error)) from None


@dataclass(frozen=True, slots=True)
class SettingField:
    """One variable of the environment, as a reader of the manual needs it."""

    name: str
    kind: str
    default: str | None
    """As it would be written in the environment; None: it must be set."""
    help: str
    secret: bool = False

    @property
    def required(self) -> bool:
        return self.default is None


@dataclass(frozen=True, slots=True)
class SettingMistake:
    """One variable that is missing or cannot be read, and what to do."""

    name: str
    reason: str
    help: str


class BadSettings(ValueError):
    """The environment does not hold what the service needs; `mistakes` has all of it."""

    def __init__(self, mistakes: tuple[SettingMistake, ...]) -> None:
        self.mistakes = mistakes
        lines = [f"  {mistake.name}: {mistake.reason}. {mistake.help}" for mistake in mistakes]
        many = "1 setting is" if len(mistakes) == 1 else f"{len(mistakes)} settings are"
        super().__init__("\n".join([f"{many} missing or wrong:", *lines]))


def describe(settings: type[Settings]) -> tuple[SettingField, ...]:
    """Every variable of a settings class, sorted by name."""
    found = (_setting(name, field) for name, field in settings.model_fields.items())
    return tuple(sorted(found, key=lambda setting: setting.name))


def print_settings(settings: type[Settings]) -> str:
    """What `python -m <service> --settings` prints: a paragraph for each variable."""
    paragraphs = []
    for setting in describe(settings):
        default = (
            "required" if setting.default is None else f"default {setting.default or '(empty)'}"
        )
        head = f"{setting.name}  {setting.kind}, {default}{', secret' if setting.secret else ''}"
        paragraphs.append(f"{head}\n    {setting.help}")
    return "\n".join(paragraphs)


def split_commas(value: object) -> object:
    """A validator for tuples: `a, b` in the environment is `("a", "b")`."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _setting(name: str, field: FieldInfo) -> SettingField:
    kind = _kind(field.annotation)
    secret = "secret" in kind
    return SettingField(
        name=name.upper(),
        kind=kind,
        default=_default(field, secret=secret),
        help=" ".join((field.description or "").split()),
        secret=secret,
    )


def _kind(annotation: Any) -> str:
    if get_origin(annotation) is Annotated:
        return _kind(get_args(annotation)[0])
    if annotation in (SecretStr, SecretBytes):
        return "secret text"
    if annotation is str:
        return "text"
    arguments = [argument for argument in get_args(annotation) if argument is not type(None)]
    if get_origin(annotation) in (tuple, frozenset):
        return f"{_kind(arguments[0])}, separated by commas"
    if get_origin(annotation) is not None:
        return " or ".join(_literal_or_kind(argument) for argument in arguments)
    names = {"int": "whole number", "float": "number", "bool": "true or false"}
    name: str = annotation.__name__
    return names.get(name, name.lower())


def _literal_or_kind(argument: Any) -> str:
    return argument if isinstance(argument, str) else _kind(argument)


def _default(field: FieldInfo, *, secret: bool) -> str | None:
    if field.is_required():
        return None
    default = field.get_default(call_default_factory=True, validated_data={})
    if default is None:
        return ""
    if secret:
        return HIDDEN
    if isinstance(default, bool):
        return str(default).lower()
    if type(default) in (tuple, frozenset):  # an address is a tuple too, and writes itself
        return ",".join(str(item) for item in default)
    return str(default)


def _mistakes(settings: type[Settings], error: ValidationError) -> tuple[SettingMistake, ...]:
    described = {setting.name: setting for setting in describe(settings)}
    found = []
    for problem in error.errors(include_url=False, include_context=False):
        name = str(problem["loc"][0]).upper() if problem["loc"] else "(together)"
        setting = described.get(name)
        reason = problem["msg"].rstrip(".")
        if problem["type"] == "missing":
            near = difflib.get_close_matches(name, os.environ, n=1, cutoff=0.9)
            reason = "not set" + (f", though {near[0]} is: a slip?" if near else "")
        elif setting is not None and not setting.secret:
            reason = f"{reason}, but it is {os.environ.get(name, setting.default)!r}"
        found.append(SettingMistake(name, reason, setting.help if setting else ""))
    return tuple(found)
