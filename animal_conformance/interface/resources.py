"""The location of the contract, the clauses and the drivers: in the checkout, or in the installed package."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def root() -> Path:
    """Return the directory that contains `spec/` and `tests/`.

    A checkout (or editable install) has them next to the package; the wheel contains them inside it.
    """
    checkout = _PACKAGE.parent
    if (checkout / "spec" / "openapi.yaml").is_file() and (checkout / "tests").is_dir():
        return checkout
    return _PACKAGE / "suite"


def spec_file(name: str) -> Path:
    """Return the path of a file of `spec/`, such as `openapi.yaml`."""
    path = root() / "spec" / name
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: the installation is incomplete")
    return path


def tests_dir() -> Path:
    """Return the directory of the drivers."""
    return root() / "tests"
