"""The entry point of the command, and the guard of its exit code: 1 says that a deployment does not conform, and nothing else."""

from __future__ import annotations

import errno
import gc
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NoReturn

from animal_conformance.session.interruptions import EXIT_COULD_NOT_JUDGE, Interruptions, to_nowhere

# The same numbers as in judge.outcome; nothing else of the suite is imported before the guard is in place.
EXIT_USAGE: Final = 2
EXIT_SUITE_FAULT: Final = 4


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command, and end with its exit code; an interruption and a fault of the suite have codes of their own."""
    interruptions = Interruptions()
    try:
        interruptions.install()
        interruptions.code = _guarded(arguments)
        interruptions.begin_end()
    except KeyboardInterrupt:
        interruptions.begin_end()
        _say("Interrupted before anything was judged.")
        interruptions.code = EXIT_COULD_NOT_JUDGE
    # The interpreter would look through all that a run has recorded, in vain, before the process ends.
    gc.freeze()
    sys.exit(interruptions.code)


def _guarded(arguments: Sequence[str] | None) -> int:
    """The exit code of a command, however it ends, unless it is interrupted."""
    try:
        return _ended(arguments)
    except Exception as error:  # noqa: BLE001 - ours, whatever it is
        if lack := _lack(error):
            _say(lack)
            _write_to_nowhere()
            return EXIT_COULD_NOT_JUDGE
        # Imported here, so that signals are answered as soon as possible.
        import traceback  # noqa: PLC0415
        from pathlib import Path  # noqa: PLC0415

        # The places in the code, and not the error's message, which may contain a key.
        places = [
            f"{Path(each.filename).name}:{each.lineno}" for each in traceback.extract_tb(error.__traceback__)
        ]
        _say(
            "A fault in the suite, not in the deployment: "
            f"{type(error).__name__} at {', '.join(reversed(places[-3:]))}. Please report it."
        )
        return EXIT_SUITE_FAULT


def _ended(arguments: Sequence[str] | None) -> int:
    """The exit code of a command that ends by itself."""
    import click  # noqa: PLC0415 - behind the guard

    from animal_conformance.cli import main as command  # noqa: PLC0415 - as above
    from animal_conformance.commands.failing import annotate  # noqa: PLC0415 - as above

    try:
        code: int | None = command.main(arguments, "animal-conformance", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        if not isinstance(error, click.exceptions.NoArgsIsHelpError):
            annotate(error.format_message())
        return EXIT_USAGE
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 0
    except click.Abort as error:
        raise KeyboardInterrupt from error
    return code or 0


def _lack(error: Exception) -> str:
    """What this machine lacks, in a sentence; empty if that is not what went wrong."""
    if isinstance(error, MemoryError):
        return "There is not enough memory."
    number = error.errno if isinstance(error, OSError) else None
    if number in {errno.EMFILE, errno.ENFILE}:
        return "Too many files are open for this process: raise the limit with ulimit -n."
    if number in {errno.ENOSPC, errno.EDQUOT}:
        return "There is no space left on the disk: the files that were written are incomplete."
    return ""


def _write_to_nowhere() -> None:
    """Discard what is still buffered for standard output, since writing it would fail again at the end."""
    with suppress(OSError):
        to_nowhere(1)


def _say(sentence: str) -> None:
    print(f"animal-conformance: {sentence}", file=sys.stderr)  # noqa: T201 - click may be what could not be imported


if __name__ == "__main__":
    main()
