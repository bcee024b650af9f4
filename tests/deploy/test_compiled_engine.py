"""A compiled engine is used only where it was made from today's source."""

from pathlib import Path

import pytest

from deploy import compile_engine


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    source = tmp_path / "blackjack"
    source.mkdir()
    (source / "hand.py").write_text("TOTAL = 21\n")
    monkeypatch.setattr(compile_engine, "SOURCE", source)
    return source


def test_an_engine_is_current_until_its_source_changes(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "compiled"
    target.mkdir()
    assert not compile_engine.is_current(target), "nothing was compiled"
    (target / compile_engine.DIGEST).write_text(compile_engine.source_digest())
    assert compile_engine.is_current(target)
    (source / "hand.py").write_text("TOTAL = 22\n")
    assert not compile_engine.is_current(target)


def test_a_file_that_is_added_or_renamed_makes_an_engine_stale(source: Path) -> None:
    before = compile_engine.source_digest()
    (source / "card.py").touch()
    added = compile_engine.source_digest()
    (source / "card.py").rename(source / "shoe.py")
    assert len({before, added, compile_engine.source_digest()}) == 3


def test_every_module_to_compile_exists() -> None:
    missing = [
        module
        for module in compile_engine.MODULES
        if not (compile_engine.SOURCE / f"{module}.py").is_file()
    ]
    assert missing == []
