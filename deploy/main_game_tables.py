"""Make the kept analyses of the main game anew, or check those that are there.

Every filed game with standard house rules has one, by number of decks, for a dealer who stands
on soft 17 and for one who hits it. All take about fourteen minutes on one core.

    python deploy/main_game_tables.py                   # make all
    python deploy/main_game_tables.py --only 6-s17      # those whose name contains this
    python deploy/main_game_tables.py --check           # make them and compare, write nothing
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from odds.main_game import StrategyTables, kept_tables
from odds.main_game.analysis_files import differences, games, make_tables, written
from odds.main_game.kept_analyses import file_name

FOLDER = Path(__file__).parents[1] / "services" / "odds" / "main_game" / "tables"


def check(name: str, made: StrategyTables, old: StrategyTables | None) -> bool:
    """Say what is wrong with a kept table, if anything."""
    if old is None:
        print(f"  {name} is not kept")
        return False
    found = differences(made, old)
    for mistake in found[:10]:
        print(f"  {mistake}")
    return not found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="games whose name contains it")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args()
    chosen = {name: game for name, game in games().items() if options.only in name}
    sound = bool(chosen)
    for number, (name, (rules, decks)) in enumerate(chosen.items(), 1):
        print(f"{number:3}/{len(chosen)}  {name:<30}", end="", flush=True)
        began = time.monotonic()
        made = make_tables(rules, decks)
        seconds = time.monotonic() - began
        print(f"edge {made.analysis.edge:9.5%}  {seconds:5.0f} s", flush=True)
        if options.check:
            sound &= check(name, made, kept_tables(rules, decks))
        else:
            FOLDER.mkdir(exist_ok=True)
            (FOLDER / file_name(rules, decks)).write_bytes(written(made))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
