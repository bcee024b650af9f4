"""Render each overlay of k8s/ into k8s/rendered, or say whether what lies there is still right.

    python deploy/render.py            # needs kubectl or kustomize; KUSTOMIZE names the command
    python deploy/render.py --check    # needs neither

Kustomize comes in no wheel, so what it makes is kept in the repository: it is what the checks
read, what a reviewer sees change, and what can be applied as it is. Each file begins with a digest
of itself and of all that it was rendered from, so that one that is stale, or was changed by hand,
is found on a machine without kustomize too. Where there is one, the check renders anew and
compares what both say.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "k8s"
RENDERED = SOURCES / "rendered"
COMMANDS = (("kubectl", "kustomize"), ("kustomize", "build"))
DIGEST = "# sha256:"
HEAD_LINES = 2


def overlays() -> list[Path]:
    return sorted(path.parent for path in SOURCES.glob("overlays/*/kustomization.yaml"))


def kept(overlay: Path) -> Path:
    return RENDERED / f"{overlay.name}.yaml"


def digest(overlay: Path, made: str) -> str:
    """Of every file that the overlay can be made of, by name and content, and of what was made."""
    folders = [SOURCES / "base", SOURCES / "components", overlay]
    summed = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*.yaml")):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        summed.update(f"{path.relative_to(SOURCES).as_posix()} {content}\n".encode())
    summed.update(made.encode())
    return summed.hexdigest()


def kustomize() -> tuple[str, ...] | None:
    """The command that renders, or None where this machine has none."""
    if given := os.environ.get("KUSTOMIZE"):
        return tuple(shlex.split(given))
    return next((command for command in COMMANDS if shutil.which(command[0])), None)


def render(command: tuple[str, ...], overlay: Path) -> str:
    arguments = [*command, str(overlay)]
    return subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True).stdout


def write(command: tuple[str, ...], overlay: Path) -> None:
    made = render(command, overlay)
    RENDERED.mkdir(exist_ok=True)
    kept(overlay).write_text(f"{head(overlay, made)}{made}", "utf-8")


def head(overlay: Path, made: str) -> str:
    return (
        f"# Rendered from k8s/overlays/{overlay.name} by `make render`: change that, not this.\n"
        f"{DIGEST}{digest(overlay, made)}\n"
    )


def problem(overlay: Path) -> str | None:
    """Why what is kept of this overlay is not to be believed, or None."""
    if not kept(overlay).exists():
        return "was never rendered"
    text = kept(overlay).read_text("utf-8")
    made = "".join(text.splitlines(keepends=True)[HEAD_LINES:])
    if text != head(overlay, made) + made:
        return "was rendered from other files than these, or changed by hand"
    command = kustomize()
    # Versions of kustomize write the same objects in other lines.
    if command and resources(render(command, overlay)) != resources(text):
        return f"is not what `{' '.join(command)}` makes"
    return None


def resources(text: str) -> list[Any]:
    found = [resource for resource in yaml.safe_load_all(text) if resource]
    return sorted(found, key=lambda resource: (resource["kind"], resource["metadata"]["name"]))


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        problems = [(overlay, found) for overlay in overlays() if (found := problem(overlay))]
        for overlay, found in problems:
            print(f"{kept(overlay).relative_to(ROOT)} {found}: make render")
        return 1 if problems else 0
    command = kustomize()
    if command is None:
        print("neither kubectl nor kustomize is here: install one, or set KUSTOMIZE")
        return 1
    for overlay in overlays():
        write(command, overlay)
    return 0


if __name__ == "__main__":
    sys.exit(main())
