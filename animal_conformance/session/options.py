"""The settings of a run, and their validation."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import quote, urlsplit, urlunsplit

from animal_conformance.drive.profiles import DEFAULT_SEED
from animal_conformance.record.exchange import Terms
from animal_conformance.record.inputs import KEY_BYTES, SETTINGS_BYTES, read_at_most
from animal_conformance.send.budget import TIMEOUT_S

URL_VARIABLE: Final = "ANIMAL_STORE_BASE_URL"
KEY_VARIABLE: Final = "ANIMAL_STORE_API_KEY"
# What can only be meant for a name; anything else may be an address with a part missing, and a secret in it.
NAME: Final = re.compile(r"[\w-]+")

Header: TypeAlias = tuple[str, str]


class UsageError(Exception):
    """An invalid setting; the message says what is wrong, where, and what to do."""


@dataclass(frozen=True)
class RunOptions:
    """Everything that determines a run, except the key.

    An empty ``base_url`` stands for the reference deployment, with its ``faults`` and ``variants``. If ``max_time_s`` or
    ``max_creates`` is ``None``, it is the profile's; if ``connections`` is ``None``, it is measured.
    """

    base_url: str = ""
    name: str = ""
    profile: str = "standard"
    seed: int = DEFAULT_SEED
    connections: int | None = None
    clauses: tuple[str, ...] = ()
    read_only: bool = False
    max_creates: int | None = None
    rate: float | None = None
    category_ids: tuple[int, ...] = ()
    settle_s: float = 3.0
    timeout_s: float = TIMEOUT_S
    max_time_s: float | None = None
    strict: bool = False
    certify: bool = False
    torture: bool = False
    report_dir: Path = Path("reports")
    today: date = date.min
    ca_bundle: str = ""
    client_certificate: tuple[str, ...] = ()
    insecure: bool = False
    headers: tuple[Header, ...] = ()
    baseline: Path | None = None
    expect: Path | None = None
    write_expect: Path | None = None
    faults: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    null: str = ""

    @property
    def embedded(self) -> bool:
        """Whether the run judges the reference deployment."""
        return not self.base_url

    @property
    def shown_name(self) -> str:
        """The name of the deployment in reports, besides its address."""
        return self.name or ("reference deployment" if self.embedded else "")

    def terms(self, base_url: str, profile: str, creates: int) -> Terms:
        """What verdicts on the deployment at an address depend on.

        :param creates: how many animals may be created.
        """
        return Terms(
            base_url=base_url,
            today=self.today.isoformat(),
            settle_s=self.settle_s,
            read_only=self.read_only,
            selected=self.clauses,
            profile=profile,
            creates=creates,
        )

    def as_values(self) -> dict[str, Any]:
        """The settings as JSON values, for a report."""
        values = {**asdict(self), "today": self.today.isoformat()}
        return {
            name: list(value)
            if isinstance(value, tuple)
            else str(value)
            if isinstance(value, Path)
            else value
            for name, value in values.items()
        }


def checked(options: RunOptions) -> RunOptions:
    """The settings, completed and checked for consistency; the report directory exists.

    :raises UsageError: with a sentence.
    """
    if options.base_url and (options.faults or options.variants or options.null):
        raise UsageError(
            "Faults and variants apply to the reference deployment: omit the address, or use `serve`."
        )
    written = options.write_expect
    if written and written != options.expect and written.exists() and not _expects_nothing(written):
        raise UsageError(
            f"{written} exists already: name it with --expect as well to keep its reasons, or another file."
        )
    if options.torture and options.read_only:
        raise UsageError("--torture sends create requests, which --read-only excludes: omit one of them.")
    if options.certify and (partial := _leaves_out(options)):
        raise UsageError(
            f"A certificate requires a whole run, and {partial} leaves clauses out: omit it, or --certify."
        )
    check_certificates(options)
    try:
        options.report_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"Cannot write reports to {options.report_dir}: {error.strerror}. Choose another --report-dir."
        ) from error
    # curl takes a directory by another option. Its commands are made without a look at the files, so a directory's path
    # ends with a slash.
    bundle = options.ca_bundle
    bundle = f"{bundle.rstrip('/')}/" if bundle and Path(bundle).is_dir() else bundle
    return replace(
        options,
        today=today() if options.today == date.min else options.today,
        ca_bundle=bundle,
        base_url=checked_url(options.base_url) if options.base_url else "",
    )


def check_certificates(options: RunOptions) -> None:
    """Check that the files of certificates hold what they are named for, and that all of them are of use.

    :raises UsageError: if one does not hold that, or is of no use.
    """
    if len(options.client_certificate) > 2:
        raise UsageError(
            "--client-cert is given at most twice, for a certificate and for its key, "
            f"and not {len(options.client_certificate)} times."
        )
    if not options.ca_bundle and not options.client_certificate:
        return
    from animal_conformance.session.certificates import problem_of  # noqa: PLC0415 - few runs need it

    if problem := problem_of(options.ca_bundle, options.client_certificate):
        raise UsageError(problem)


def _expects_nothing(path: Path) -> bool:
    """Whether a file is an empty list of expectations, so that nothing is lost when it is overwritten."""
    if not path.is_file():
        return False
    try:
        lines = read_at_most(path, SETTINGS_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return False
    return [each for each in lines if not each.startswith("#")] == ["[]"]


def _leaves_out(options: RunOptions) -> str:
    """The option that makes a run partial on any deployment; empty if there is none."""
    given = {
        "--clause": options.clauses,
        "--read-only": options.read_only,
        "--max-creates 0": options.max_creates == 0,
    }
    return next((option for option, left_out in given.items() if left_out), "")


def today() -> date:
    """The user's own date."""
    return date.today()  # noqa: DTZ011 - no time zone but theirs


def find_address(
    given: str | None, environment: Mapping[str, str], *, otherwise: str = "to judge the reference deployment"
) -> str:
    """The address that was given, or else the one in the environment; empty only where there is neither.

    :param otherwise: what leaving it out is for.
    :raises UsageError: if it is there, and empty: whoever left a variable unset did not mean another deployment.
    """
    example = "or give the full base address, such as https://staging.example/v1."
    if given is not None:
        if not given.strip():
            raise UsageError(f"The address is empty: leave it out {otherwise}, {example}")
        return given
    address = environment.get(URL_VARIABLE)
    if address is not None and not address.strip():
        raise UsageError(f"{URL_VARIABLE} is set, and empty: unset it {otherwise}, {example}")
    return address or ""


def checked_url(text: str) -> str:
    """A base address without a trailing slash.

    :raises UsageError: if it is not an http or https address, or has a part that a base address must not have.
    """
    example = "Give the full base address, such as https://staging.example/v1."
    # urlsplit drops some invisible characters, and what is left is another address.
    if not text.strip().isprintable():
        raise UsageError(
            f"The address {_without_secrets(text)!r} has characters that no address may have. {example}"
        )
    try:
        parts = urlsplit(text.strip())
        _ = parts.port
    except ValueError as error:
        # The words of urlsplit's own error are left out: they may quote a part of a password.
        raise UsageError(
            f"{_without_secrets(text)!r} is not a valid address: its host or port cannot be read"
            f"{' (a slash before the @ is written %2F)' if '@' in text else ''}. {example}"
        ) from error
    if "://" not in text:
        if NAME.fullmatch(text.strip()):
            raise UsageError(
                f"{text.strip()!r} is neither an address nor a deployment that settings name: they are read from "
                f"animal-conformance.toml, or pyproject.toml, here or above. {example}"
            )
        raise UsageError(f"The address {_without_secrets(text)!r} has no scheme. {example}")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(f"{_without_secrets(text)!r} is not an http or https address. {example}")
    # An empty label, or one of more than 63 characters (RFC 1035 section 2.3.1); a full stop may end the name.
    labels = parts.hostname.removesuffix(".").split(".")
    if re.search(r"[\s%{}<>\"\\^`|]", parts.hostname) or not all(0 < len(each) <= 63 for each in labels):
        raise UsageError(
            f"{_without_secrets(text)!r} is not a valid address: its host cannot be read. {example}"
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            f"The address must not contain a user or password. Put the key into {KEY_VARIABLE} or a file."
        )
    if parts.query or parts.fragment:
        raise UsageError(f"The address must not have a query or fragment. {example}")
    if re.search(r"%(?![0-9A-Fa-f]{2})", parts.path):
        raise UsageError(f"{_without_secrets(text)!r} has a % without two hexadecimal digits. {example}")
    path = quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~|{}")
    if base := re.fullmatch(r"(.*)/pets(/[^/]*)?", path):
        right = urlunsplit((parts.scheme, parts.netloc, base[1], "", ""))
        raise UsageError(f"{_without_secrets(text)!r} is the address of an operation. Did you mean {right}?")
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _without_secrets(text: str) -> str:
    """What was given for an address, without the parts in which people leave keys."""
    without = re.sub(r"^([a-z]+://)?.*@", r"\1...@", text.strip(), flags=re.IGNORECASE | re.DOTALL)
    return re.split(r"[?#]", without)[0]


def checked_key(text: str, source: str) -> str:
    """A key, without surrounding white space.

    :raises UsageError: if it cannot be sent in a header.
    """
    key = text.strip()
    if not key:
        raise UsageError(f"{source} contains no key.")
    for place, character in enumerate(key, start=1):
        if not character.isascii() or not character.isprintable():
            what = (
                "a line break"
                if character in "\r\n"
                else "a control character"
                if character.isascii()
                else "not ASCII"
            )
            raise UsageError(
                f"The key from {source} contains a character that is not allowed in an Authorization header: "
                f"character {place} is {what}."
            )
    return key


def find_key(api_key_file: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The key, from a file or from the environment.

    :raises UsageError: if there is none.
    """
    if api_key_file:
        try:
            return checked_key(
                read_at_most(Path(api_key_file), KEY_BYTES).decode("utf-8-sig"), f"the file {api_key_file}"
            )
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise UsageError(f"Cannot read the key file {api_key_file}: {reason}.") from error
    if environment.get(KEY_VARIABLE):
        return checked_key(environment[KEY_VARIABLE], KEY_VARIABLE)
    raise UsageError(f"No API key given. Set {KEY_VARIABLE}, or name a file with --api-key-file.")
