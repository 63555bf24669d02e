"""The deployment as a process: how it starts, what it says, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from animal_conformance.reference.embedded import DeploymentError, EmbeddedDeployment

_COMMAND = [sys.executable, "-m", "animal_conformance.reference"]
_ROOT = Path(__file__).parents[2]


def _environment(**added: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANIMAL_STORE_")}
    return {**kept, "PYTHONPATH": str(_ROOT), **added}


def _gone(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_an_embedded_deployment_answers_and_ends() -> None:
    """Within the context it answers; behind it, it is gone."""
    with EmbeddedDeployment() as deployment:
        headers = {"Authorization": f"Bearer {deployment.api_key}"}
        assert requests.get(deployment.base_url + "/pets", headers=headers, timeout=5).status_code == 200
        pid = deployment.pid
    assert _gone(pid)


def test_a_key_for_the_run_has_letters_of_both_cases_and_digits() -> None:
    """Keys are made anew, and long enough."""
    keys = []
    for _ in range(2):
        with EmbeddedDeployment() as deployment:
            keys.append(deployment.api_key)
    assert keys[0] != keys[1]
    for key in keys:
        assert len(key) >= 24
        assert any(map(str.islower, key))
        assert any(map(str.isupper, key))
        assert any(map(str.isdigit, key))


def test_a_given_key_is_used_and_not_on_the_command_line() -> None:
    """Everybody on the machine can read a command line."""
    key = "aGivenKey0123456789"
    with EmbeddedDeployment(api_key=key) as deployment:
        assert deployment.api_key == key
        command = Path(f"/proc/{deployment.pid}/cmdline").read_bytes()
    assert key.encode() not in command


def test_a_key_in_the_environment_of_the_caller_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to another deployment."""
    monkeypatch.setenv("ANIMAL_STORE_API_KEY", "ofAnother0123")
    with EmbeddedDeployment() as deployment:
        assert deployment.api_key != "ofAnother0123"


def test_an_embedded_deployment_takes_a_catalogue_and_a_base_path() -> None:
    """The arguments reach the process."""
    with EmbeddedDeployment(catalogue=3, base_path="/a/b/v1") as deployment:
        assert deployment.base_url.endswith("/a/b/v1")
        headers = {"Authorization": f"Bearer {deployment.api_key}"}
        assert len(requests.get(deployment.base_url + "/pets", headers=headers, timeout=5).json()) == 3


def test_an_unknown_fault_is_one_sentence_with_a_suggestion() -> None:
    """DeploymentError is a sentence for a person."""
    with pytest.raises(
        DeploymentError, match=r"^There is no fault named 'list.filter.leek': did you mean list\.filter\.leak"
    ):
        EmbeddedDeployment(faults=["list.filter.leek"]).start()


def test_a_deployment_ends_with_a_parent_that_is_killed() -> None:
    """Its standard input ends with the parent."""
    program = (
        "import time\n"
        "from animal_conformance.reference.embedded import EmbeddedDeployment\n"
        "print(EmbeddedDeployment().start().pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=_environment()
    ) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        parent.kill()
    assert _gone(pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_quickly_and_cleanly(number: signal.Signals) -> None:
    """No traceback, and status 0, also with a connection open."""
    with subprocess.Popen(
        [*_COMMAND, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=_environment()
    ) as process:
        assert process.stdout
        assert process.stderr
        ready = json.loads(process.stdout.readline())
        with requests.Session() as session:
            session.get(ready["base_url"] + "/pets", timeout=5)
            process.send_signal(number)
            assert process.wait(20) == 0  # an open connection alone would hold it for 75
        assert process.stderr.read() == ""


def test_for_a_person_it_says_what_to_paste() -> None:
    """The address and the key as lines for a shell, and what is different."""
    with subprocess.Popen(
        [*_COMMAND, "--port", "0", "--fault", "auth.open", "--variant", "key.shell"],
        stdout=subprocess.PIPE, text=True, env=_environment(PYTHONUNBUFFERED="1"),
    ) as process:  # fmt: skip
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(8)]
        process.terminate()
    text = "".join(lines)
    assert "export ANIMAL_STORE_BASE_URL=http://127.0.0.1:" in text
    assert "export ANIMAL_STORE_API_KEY='" in text
    assert "auth.open" in text
    assert "key.shell" in text
    assert "Ctrl-C" in text


def test_a_database_in_a_file_keeps_its_animals(tmp_path: Path) -> None:
    """The catalogue is put into an empty store only."""
    database = str(tmp_path / "animals.db")
    ids = []
    for _ in range(2):
        with EmbeddedDeployment(database=database, catalogue=3) as deployment:
            headers = {"Authorization": f"Bearer {deployment.api_key}"}
            payload = {"name": "a\0b", "categoryId": 1}
            response = requests.post(deployment.base_url + "/pets", json=payload, headers=headers, timeout=5)
            ids.append(response.json()["id"])
            first = requests.get(f"{deployment.base_url}/pets/{ids[0]}", headers=headers, timeout=5).json()
            assert first["name"] == "a\0b"
    assert ids == [4, 5]


def test_a_key_file_gives_the_key(tmp_path: Path) -> None:
    """Its white space does not count."""
    file = tmp_path / "key"
    file.write_text("fromAFile0123\n", encoding="utf-8")
    with subprocess.Popen(
        [*_COMMAND, "--json", "--api-key-file", str(file)],
        stdout=subprocess.PIPE,
        text=True,
        env=_environment(),
    ) as process:
        assert process.stdout
        assert json.loads(process.stdout.readline())["api_key"] == "fromAFile0123"
        process.terminate()
