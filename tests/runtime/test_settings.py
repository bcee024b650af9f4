"""Settings: typed, documented, every mistake at once, no secret printed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import BeforeValidator, PositiveInt, SecretStr, ValidationError

from runtime.addresses import Address, AddressSetting
from runtime.settings import (
    BadSettings,
    SettingField,
    Settings,
    describe,
    print_settings,
    split_commas,
)


class Example(Settings):
    greeting: str
    """Greeting at the door."""
    visitors_max: PositiveInt = 200
    """Maximum number of visitors."""
    password: SecretStr = SecretStr("hunter2")
    """What opens the
    back door."""
    listen_address: AddressSetting = Address("127.0.0.1", 80)
    """Where the house is."""
    rooms: Annotated[tuple[str, ...], BeforeValidator(split_commas)] = ("hall", "bar")
    """Which rooms are open."""
    mood: Literal["calm", "loud"] = "calm"
    """How it is inside."""
    folder: Path | None = None
    """Where the guest book lies."""


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in describe(Example):
        monkeypatch.delenv(setting.name, raising=False)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREETING", "good evening")
    monkeypatch.setenv("VISITORS_MAX", "7")
    monkeypatch.setenv("LISTEN_ADDRESS", "0.0.0.0:8080")
    monkeypatch.setenv("ROOMS", "cellar, attic")
    settings = Example.from_environment()
    assert settings.greeting == "good evening"
    assert settings.visitors_max == 7
    assert settings.listen_address == Address("0.0.0.0", 8080)
    assert settings.rooms == ("cellar", "attic")
    assert settings.folder is None


def test_every_mistake_is_reported_at_once_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISITORS_MAX", "many")
    monkeypatch.setenv("LISTEN_ADDRESS", "nowhere")
    monkeypatch.setenv("MOOD", "odd")
    with pytest.raises(BadSettings) as caught:
        Example.from_environment()
    assert {mistake.name for mistake in caught.value.mistakes} == {
        "GREETING",
        "VISITORS_MAX",
        "LISTEN_ADDRESS",
        "MOOD",
    }
    text = str(caught.value)
    assert text.startswith("4 settings are missing or wrong:")
    assert "GREETING: not set. Greeting at the door." in text
    assert "host:port" in text
    assert "'many'" in text


def test_a_slip_in_a_name_is_pointed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREETNG", "hello")
    with pytest.raises(BadSettings, match="though GREETNG is: a slip"):
        Example.from_environment()


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREETING", "")
    monkeypatch.setenv("VISITORS_MAX", "")
    with pytest.raises(BadSettings) as caught:
        Example.from_environment()
    assert [mistake.name for mistake in caught.value.mistakes] == ["GREETING"]


def test_a_secret_is_printed_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    class Strict(Example):
        password: SecretStr
        """Longer than it is."""
        token: Annotated[SecretStr, BeforeValidator(lambda _: int("not a number"))]
        """Never right."""

    monkeypatch.setenv("GREETING", "hello")
    monkeypatch.setenv("PASSWORD", "open sesame")
    monkeypatch.setenv("TOKEN", "tell nobody")
    with pytest.raises(BadSettings) as caught:
        Strict.from_environment()
    assert "tell nobody" not in str(caught.value)
    shown = repr(Example.from_environment()) + print_settings(Example)
    assert "open sesame" not in shown
    assert "hunter2" not in shown


def test_settings_do_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREETING", "hello")
    settings = Example.from_environment()
    with pytest.raises(ValidationError):
        settings.visitors_max = 8


def test_a_setting_without_help_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(TypeError, match="without a docstring: silent"):
        type("Silent", (Settings,), {"__annotations__": {"silent": int}, "silent": 1})


def test_the_settings_of_a_class_can_be_listed() -> None:
    assert describe(Example) == (
        SettingField("FOLDER", "path", "", "Where the guest book lies."),
        SettingField("GREETING", "text", None, "Greeting at the door."),
        SettingField("LISTEN_ADDRESS", "address", "127.0.0.1:80", "Where the house is."),
        SettingField("MOOD", "calm or loud", "calm", "How it is inside."),
        SettingField(
            "PASSWORD", "secret text", "(secret)", "What opens the back door.", secret=True
        ),
        SettingField("ROOMS", "text, separated by commas", "hall,bar", "Which rooms are open."),
        SettingField("VISITORS_MAX", "whole number", "200", "Maximum number of visitors."),
    )
    assert "GREETING  text, required\n    Greeting at" in print_settings(Example)


@pytest.mark.parametrize("text", ["", "host", ":80", "host:port", "host:65536", "host:-1"])
def test_an_address_without_host_or_port_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="host:port"):
        Address.parse(text)
