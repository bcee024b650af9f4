"""Compile the engine's own source with mypyc, unchanged, into a folder beside it.

The compiled `blackjack` takes the place of the plain one wherever the folder comes first
on the path. Modules that define msgspec Structs stay as they are: mypyc does not pass
class arguments on to a metaclass. Needs a C compiler.

    python deploy/compile_engine.py build/compiled
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.command.build_ext import build_ext

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


def compile_engine(target: Path) -> None:
    """Put a compiled copy of the engine into `target`, anew."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SOURCE, target / "blackjack", ignore=shutil.ignore_patterns("__pycache__"))
    os.chdir(target)
    extensions = mypycify([f"blackjack/{module}.py" for module in MODULES], opt_level="3")
    command = build_ext(Distribution({"name": "blackjack", "ext_modules": extensions}))
    command.inplace = True
    command.ensure_finalized()
    command.run()
    shutil.rmtree("build", ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    compile_engine(Path(sys.argv[1]).resolve())
