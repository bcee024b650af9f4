"""The tree stays tidy: what lies where, how long a module is, what no file may say."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SERVICES = ROOT / "services"
STACK = ROOT / "deploy" / "stack"

TOP_LEVEL = {
    ".ci",
    ".dockerignore",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "README.md",
    "SECURITY.md",
    "buf.yaml",
    "deploy",
    "docs",
    "k8s",
    "proto",
    "pyproject.toml",
    "requirements.lock",
    "services",
    "tests",
}

MODULE_LINES_MAX = 400  # what a reader can hold in mind at one sitting

PURE_PACKAGES = {"alerting", "blackjack", "bookkeeping", "odds"}  # and every <service>.domain

SERVICE_PARTS = {
    "__init__.py",
    "__main__.py",
    "config.py",
    "domain",
    "grpc",
    "kafka",
    "metrics.py",
    "postgres",
    "py.typed",
    "web",
}
EXTRA_PARTS = {
    "alert_desk": {"delivery"},  # webhooks: an HTTP client
    "console": {"users"},  # sign-in and roles, with a command of their own
    "table_simulator": {"days"},  # a day as files and bytes, also for `pitctl simulate`
}
ONE_OF_A_KIND = {"pitctl", "provisioning"}
"""Command lines: grouped by what they talk to."""

# Written in two pieces, so that this file does not say what it forbids.
REGISTRY_HOSTS = [
    "pypi" + ".org",
    "python" + "hosted.org",
    "crates" + ".io",
    "npmjs" + ".org",
    "npmjs" + ".com",
    "proxy.golang" + ".org",
    "repo.maven" + ".apache.org",
    "repo1.maven" + ".org",
    "deb.debian" + ".org",
    "security.debian" + ".org",
]
MACHINE_PATH = re.compile(rb"(?<![\w.}-])/(?:work|root|home|Users)/[\w.]")


def files_of_the_tree() -> list[Path]:
    """What is tracked, or would be with the next `git add`."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    paths = (ROOT / name for name in listed.split("\0") if name)
    return sorted({path for path in paths if path.is_file()})


def packages() -> list[Path]:
    """Every package of services/, the nested ones too."""
    modules = [path for path in files_of_the_tree() if path.is_relative_to(SERVICES)]
    return sorted({path.parent for path in modules if path.suffix == ".py"})


def children_of(folder: Path) -> set[str]:
    """Files and folders of the tree in a folder; caches of modules that moved away do not count."""
    return {
        path.relative_to(folder).parts[0]
        for path in files_of_the_tree()
        if path.is_relative_to(folder)
    }


def modules() -> list[str]:
    """Every module of services/ by its dotted name, without the packages themselves."""
    paths = [path for path in files_of_the_tree() if path.is_relative_to(SERVICES)]
    return [
        ".".join(path.relative_to(SERVICES).with_suffix("").parts)
        for path in paths
        if path.suffix == ".py" and path.name != "__init__.py"
    ]


def import_contracts() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts: dict[str, Any] = tomllib.load(file)["tool"]["importlinter"]
    return contracts


def relative_links(page: Path) -> Iterator[str]:
    prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\)", prose):
        if not re.match(r"[a-z][a-z0-9+.-]*:|#", target):
            yield target.partition("#")[0]


def test_the_top_level_holds_only_what_a_newcomer_or_a_tool_expects() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in files_of_the_tree()}
    assert names <= TOP_LEVEL


def test_no_module_is_longer_than_a_sitting() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in files_of_the_tree()
        if path.suffix == ".py" and (path.is_relative_to(SERVICES) or path.is_relative_to(STACK))
    }
    assert {name: lines for name, lines in lengths.items() if lines > MODULE_LINES_MAX} == {}


def test_every_package_says_what_it_is() -> None:
    silent = []
    for package in packages():
        opening = package / "__init__.py"
        if not (opening.is_file() and ast.get_docstring(ast.parse(opening.read_text("utf-8")))):
            silent.append(str(opening.relative_to(ROOT)))
    assert silent == []


def test_no_file_names_a_package_registry() -> None:
    named = [
        (str(path.relative_to(ROOT)), host)
        for path in files_of_the_tree()
        for host in REGISTRY_HOSTS
        if host.encode() in path.read_bytes()
    ]
    assert named == []


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    named = [
        (str(path.relative_to(ROOT)), found.group().decode())
        for path in files_of_the_tree()
        if (found := MACHINE_PATH.search(path.read_bytes()))
    ]
    assert named == []


@pytest.mark.parametrize(
    ("text", "is_machine_path"),
    [
        (b"cd " + b"/wo" + b"rk/main", True),
        (b'"' + b"/ro" + b"ot/.cache", True),
        (b"services/home/page", False),
        (b"example.test/home/page", False),
    ],
)
def test_a_machine_path_is_told_from_a_relative_one(text: bytes, is_machine_path: bool) -> None:
    assert bool(MACHINE_PATH.search(text)) is is_machine_path


def test_every_relative_link_of_a_page_leads_somewhere() -> None:
    pages = [path for path in files_of_the_tree() if path.suffix == ".md"]
    dead = [
        (str(page.relative_to(ROOT)), link)
        for page in pages
        for link in relative_links(page)
        if not (page.parent / link).exists()
    ]
    assert dead == []


def test_the_import_contracts_know_every_package() -> None:
    """Otherwise a new package could import what it likes, and `make imports` would not see it."""
    top = {package.relative_to(SERVICES).parts[0] for package in packages()}
    assert set(import_contracts()["root_packages"]) == top


def test_the_contract_of_purity_covers_every_pure_package() -> None:
    names = {".".join(package.relative_to(SERVICES).parts) for package in packages()}
    pure = (names & PURE_PACKAGES) | {name for name in names if re.fullmatch(r"\w+\.domain", name)}
    purity = next(c for c in import_contracts()["contracts"] if c["name"].startswith("Pure"))
    assert set(purity["source_modules"]) == pure


def test_the_contract_of_purity_forbids_every_other_module_of_ours() -> None:
    purity = next(c for c in import_contracts()["contracts"] if c["name"].startswith("Pure"))
    covered = {*purity["source_modules"], *purity["forbidden_modules"]}
    missing = [
        name
        for name in modules()
        if not any(name == known or name.startswith(f"{known}.") for known in covered)
    ]
    assert missing == []


def test_every_service_has_the_same_parts() -> None:
    odd = {}
    for service in sorted(path.parent for path in SERVICES.glob("*/__main__.py")):
        names = children_of(service)
        if service.name not in ONE_OF_A_KIND and (extra := names - SERVICE_PARTS):
            odd[service.name] = sorted(extra - EXTRA_PARTS.get(service.name, set()))
    assert {name: extra for name, extra in odd.items() if extra} == {}


def test_the_layers_place_every_package() -> None:
    """A package that no layer names would be free of the contract."""
    layers = next(c for c in import_contracts()["contracts"] if c["type"] == "layers")["layers"]
    placed = set(re.findall(r"\w+", " ".join(layers)))
    assert set(import_contracts()["root_packages"]) <= placed


def map_of(package: Path) -> set[str]:
    """The names that a package's docstring lists, one a line, each with what it holds."""
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or ""
    return set(re.findall(r"^ *([a-z_]+)(?:/|\.py)? {2,}\S", text, flags=re.MULTILINE))


def contents_of(package: Path) -> set[str]:
    names = {name.removesuffix(".py") for name in children_of(package)}
    return {name for name in names if not name.startswith("__") and "." not in name}


def test_the_map_of_a_package_is_complete() -> None:
    wrong = {
        str(package.relative_to(SERVICES)): sorted(named ^ contents_of(package))
        for package in packages()
        if (named := map_of(package)) and named != contents_of(package)
    }
    assert wrong == {}
