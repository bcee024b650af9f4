"""The image: what it is made of, and that its own commands make processes that start.

No engine is needed: the commands of the Dockerfile that make the wheel are run as they stand, on
the files that would be sent to the engine, with other folders.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from tests.deploy import dockerfile
from tests.deploy.places import ROOT
from tests.deploy.processes import SERVICES

COMMANDS = ["pitctl", "provisioning", *SERVICES]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a venv with the wheel in it, made by the Dockerfile's own commands."""
    folder = tmp_path_factory.mktemp("image")
    context, venv = folder / "source", folder / "venv"
    context.mkdir()
    for name in dockerfile.copied_from_the_clone():
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, context / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, context)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (making,) = [line.text for line in dockerfile.read() if "hatchling" in line.text]
    uv = Path(sysconfig.get_path("scripts")) / "uv"
    for there, here in {
        "/opt/build/bin/python": sys.executable,
        "/opt/pitledger": str(venv),
        "/tmp/wheel": str(folder / "wheel"),
        "uv pip": f"{uv} pip",
    }.items():
        assert there in making
        making = making.replace(there, here)
    subprocess.run(["bash", "-euc", making], cwd=context, check=True, capture_output=True)
    return venv / "bin/python"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_argument_picks_the_process(python: Path, command: str) -> None:
    entrypoint = json.loads(next(i.text for i in dockerfile.read() if i.word == "ENTRYPOINT"))
    assert entrypoint == ["python", "-m"]
    # Our own packages come from the wheel alone: a folder on PYTHONPATH has no editable installs.
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PYTHONSAFEPATH": "1",
    }
    asked = "--help" if command == "pitctl" else "--settings"
    ran = subprocess.run(
        [python, *entrypoint[1:], command, asked],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout


def test_the_process_is_nobody_by_number() -> None:
    users = [line for line in dockerfile.read() if line.word == "USER"]
    last_stage = dockerfile.read()[-1].stage
    assert [(user.stage, user.text) for user in users] == [(last_stage, "10001:10001")]


def test_every_stage_stands_on_one_base_of_a_fixed_version() -> None:
    bases = [line.text.split()[0] for line in dockerfile.read() if line.word == "FROM"]
    named = {line.text.split()[-1] for line in dockerfile.read() if " AS " in line.text}
    (outside,) = set(bases) - named
    image, _, tag = outside.partition(":")
    assert image == "python"
    assert tag.split("-")[0].count(".") == 2, "a tag that names the patch does not move"
    assert tag.startswith(("3.11.", "3.12.")), "what pyproject.toml allows"


def test_what_is_copied_is_sent_to_the_engine_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    sent = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}
    assert sent == set(dockerfile.copied_from_the_clone())
    assert all((ROOT / name).exists() for name in sent)


def test_the_image_has_what_runs_and_not_what_develops() -> None:
    """The lock's versions and hashes; the groups of pyproject.toml say which part of it."""
    installs = [
        install.strip()
        for line in dockerfile.read()
        if line.word == "RUN"
        for install in line.text.split("&&")
        if "pip install" in install and "--no-index" not in install
    ]
    assert len(installs) == 3
    assert all("--require-hashes" in install for install in installs)
    by_uv = [install for install in installs if install.startswith("uv ")]
    assert all("--constraint requirements.lock" in install for install in by_uv)
    (running,) = [install for install in by_uv if "/opt/pitledger" in install]
    assert "--group" not in running
    assert running.endswith("--requirement pyproject.toml")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {"include-group": "build"} in project["dependency-groups"]["dev"]
