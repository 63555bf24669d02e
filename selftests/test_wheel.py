"""The wheel holds everything that a run needs, and runs far from any checkout.

The dependencies are those of this environment, for speed; with WHEEL_TEST=full they are installed as well, from
what the wheel declares.
"""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from animal_conformance import __version__
from animal_conformance.interface.clauses import load_clauses

ROOT = Path(__file__).parent.parent
FULL = os.environ.get("WHEEL_TEST") == "full"
SCRIPTS = "Scripts" if os.name == "nt" else "bin"

# On one worker, where workers are told groups: each of them would build and install anew.
pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution, and the wheel from it, so that both are known to be complete."""
    directory = tmp_path_factory.mktemp("dist")
    succeed(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(directory), str(ROOT)], directory
    )
    [path] = directory.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment of its own; returns the directory of its commands."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home)
    python = home / SCRIPTS / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python), "install"]
    if FULL:
        succeed([*pip, "--quiet", "-c", str(ROOT / "constraints.txt"), str(wheel)], home)
    else:
        succeed([*pip, "--quiet", "--no-deps", str(wheel)], home)
        [packages] = home.glob("**/site-packages")
        (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return home / SCRIPTS


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Return an empty directory, far from the checkout."""
    directory = tmp_path / "elsewhere"
    directory.mkdir()
    return directory


def succeed(command: list[str], directory: Path) -> str:
    """Run a command that has to succeed; returns what it printed."""
    ours = ("ANIMAL_STORE", "PYTEST", "PYTHON")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        command,
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def files_below(directory: str) -> set[str]:
    """Return the files of a directory of the checkout, as they are named from there."""
    paths = (ROOT / directory).rglob("*")
    return {
        path.relative_to(ROOT).as_posix()
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_package_the_drivers_and_the_contract(wheel: Path) -> None:
    """And nothing else: neither the selftests nor the configuration of a checkout."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    suite = {f"animal_conformance/suite/{name}" for name in files_below("spec") | files_below("tests")}
    assert files_below("animal_conformance") | suite == names


def test_the_wheel_carries_its_licence_and_its_command(wheel: Path) -> None:
    """What an installer and a lawyer look for."""
    information = f"animal_conformance-{__version__}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        commands = archive.read(f"{information}/entry_points.txt").decode()
        licence = archive.read(f"{information}/licenses/LICENSE")
    assert "animal-conformance = animal_conformance.__main__:main" in commands
    assert (ROOT / "LICENSE").read_bytes() == licence


def test_an_installed_suite_reads_its_own_contract(scripts: Path, elsewhere: Path) -> None:
    """Not that of a checkout which happens to be near."""
    program = "from animal_conformance.interface.resources import spec_file, tests_dir; print(spec_file('openapi.yaml'), tests_dir())"
    for path in succeed([str(scripts / "python"), "-c", program], elsewhere).split():
        assert Path(path).is_relative_to(scripts.parent)


def test_an_installed_suite_explains_itself(scripts: Path, elsewhere: Path) -> None:
    """The help names the commands."""
    text = succeed([str(scripts / "animal-conformance"), "--help"], elsewhere)
    assert [] == [command for command in ("run", "serve", "clauses") if command not in text]


def test_an_installed_suite_lists_its_clauses(scripts: Path, elsewhere: Path) -> None:
    """Every one of them."""
    text = succeed([str(scripts / "animal-conformance"), "clauses"], elsewhere)
    assert [] == [clause.id for clause in load_clauses().clauses if clause.id not in text]


def test_an_installed_suite_judges_the_built_in_deployment(scripts: Path, elsewhere: Path) -> None:
    """It conforms; and the run leaves its reports behind, and nothing beside them."""
    succeed([str(scripts / "animal-conformance"), "run", "--profile", "smoke"], elsewhere)
    report = json.loads((elsewhere / "reports" / "conformance.json").read_text(encoding="utf-8"))
    assert "conforms" == report["outcome"]
    assert ["reports"] == [path.name for path in elsewhere.iterdir()]
