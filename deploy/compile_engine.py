"""Compile the engine's own source with mypyc, unchanged, into a folder beside it.

The compiled `blackjack` takes the place of the plain one wherever the folder comes first
on the path: in the image, and in the local stack once `make compiled` has built it. Modules
that define msgspec Structs stay as they are: mypyc does not pass class arguments on to a
metaclass. Needs a C compiler.

    python deploy/compile_engine.py build/compiled
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "services" / "blackjack"
MODULES = """
    cards/card cards/hand cards/shoe
    play/betting play/chip_moves play/coupons play/deal play/decisions play/dispatch
    play/event_order play/opening play/procedure play/refold play/round play/state play/table
    play/table_money play/tray play/wagers
    rulebook/citations
    settlement/main_wagers settlement/owed settlement/payments settlement/round_close
    settlement/settle_order settlement/side_plans settlement/side_wagers
    settlement/side_bets/dead_mans_hand settlement/side_bets/double_action
    settlement/side_bets/matches settlement/side_bets/skweezit settlement/side_bets/upcard_bonus
""".split()


DIGEST = "source.sha256"
"""The file beside the compiled engine that names the source it was made from."""


def is_current(target: Path) -> bool:
    """Whether `target` holds the engine compiled from today's source."""
    digest = target / DIGEST
    return digest.is_file() and digest.read_text("ascii") == source_digest()


def source_digest() -> str:
    """SHA-256 over the names and contents of all files of the engine."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in (".py", ".toml"):
            digest.update(f"{path.relative_to(SOURCE)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def compile_engine(target: Path) -> None:
    """Replace `target` with a compiled copy of the engine."""
    from mypyc.build import mypycify  # only here: the local stack needs the digest only
    from setuptools import Distribution  # type: ignore[import-untyped]
    from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

    digest = source_digest()
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SOURCE, target / "blackjack", ignore=shutil.ignore_patterns("__pycache__"))
    os.chdir(target)
    extensions = mypycify([f"blackjack/{module}.py" for module in MODULES], opt_level="3")
    command = build_ext(Distribution({"name": "blackjack", "ext_modules": extensions}))
    command.inplace = True
    command.ensure_finalized()
    command.run()
    shutil.rmtree("build", ignore_errors=True)
    (target / DIGEST).write_text(digest, "ascii")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    compile_engine(Path(sys.argv[1]).resolve())
