"""Make the kept analyses of the main game anew, or check those that are there.

Every filed game with standard house rules has one, by number of decks, for a dealer who stands
on soft 17 and for one who hits it. It takes about twenty minutes on one core.

    python deploy/main_game_tables.py                   # make all
    python deploy/main_game_tables.py --only 6-s17      # those whose name contains this
    python deploy/main_game_tables.py --check           # make them and compare, write nothing
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import structs

from blackjack.filings import Dealing
from blackjack.rule_set import FILED
from odds.main_game import MainRules, Tables, kept_tables
from odds.main_game.keeping import file_name, make_tables, written

FOLDER = Path(__file__).parents[1] / "services" / "odds" / "main_game" / "tables"
DIFFERENCE_MAX = 1e-9
"""Relative for numbers above one: a unit in the last digit that is kept."""


def games() -> dict[str, tuple[MainRules, int]]:
    """Every game that is kept, by a name for people."""
    found: dict[str, tuple[MainRules, int]] = {}
    for filed in FILED:
        if filed.filing.dealing is not Dealing.STANDARD:
            continue
        for hits_soft_17 in (False, True):
            rules = structs.replace(MainRules.of(filed), dealer_hits_soft_17=hits_soft_17)
            parts = [
                "half-back" if rules.half_back else "blackjack",
                str(filed.spec.decks),
                "h17" if hits_soft_17 else "s17",
                *(["resplit-aces"] if rules.resplit_aces else []),
            ]
            found["-".join(parts)] = (rules, filed.spec.decks)
    return dict(sorted(found.items()))


def differences(made: object, old: object, where: str = "") -> Iterator[str]:
    """Where two tables differ by more than rounding."""
    if isinstance(made, dict) and isinstance(old, dict) and made.keys() == old.keys():
        for key in made:
            yield from differences(made[key], old[key], f"{where}.{key}")
    elif isinstance(made, list) and isinstance(old, list) and len(made) == len(old):
        for place, (one, other) in enumerate(zip(made, old, strict=True)):
            yield from differences(one, other, f"{where}[{place}]")
    elif isinstance(made, float) and isinstance(old, float):
        if abs(made - old) > DIFFERENCE_MAX * max(1.0, abs(old)):
            yield f"{where}: {old} is kept, {made} was made"
    elif made != old:
        yield f"{where}: {old!r} is kept, {made!r} was made"


def check(name: str, made: Tables, old: Tables | None) -> bool:
    """Say what is wrong with a kept table, if anything."""
    if old is None:
        print(f"  {name} is not kept")
        return False
    plain = msgspec.json.decode(written(made)), msgspec.json.decode(written(old))
    found = list(differences(*plain))
    for each in found[:10]:
        print(f"  {each}")
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
