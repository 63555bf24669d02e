"""The command, over real sockets, for a few seconds."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from animal_conformance.commands.soak import soak
from animal_conformance.session.options import RunOptions
from animal_conformance.soak.settings import SoakOptions, terms_of
from animal_conformance.soak.worker import Place, Worker
from selftests.loopback.command import COMMAND, Ended, Running, command
from selftests.loopback.deployment import counted, free_port
from selftests.loopback.server import KEY

BRIEF = ("soak", "--users", "20", "--spawn-rate", "100/s", "--run-time", "2s", "--settle", "0.5")

WHOLE = {"report.html", "junit.xml", "trace.ndjson", "conformance.json", "summary.md"}


def soaked(*arguments: str, cwd: Path, **settings: object) -> Ended:
    """A brief soak in a process of its own, which Locust patches."""
    return command(*BRIEF, *arguments, cwd=cwd, program=COMMAND, **settings)


def started(*arguments: str, cwd: Path, env: Mapping[str, str | None]) -> Running:
    """A soak in a process of its own, which goes on beside."""
    return Running("soak", *arguments, cwd=cwd, env=env, program=COMMAND)


def master_and_workers(
    *arguments: str, cwd: Path, env: Mapping[str, str | None]
) -> tuple[Running, list[Running]]:
    """A master and two workers, in directories of their own."""
    port = ("--master-port", str(free_port()))
    master = started("--master", *arguments, *port, "--settle", "0.5", cwd=cwd, env=env)
    return master, [started("--worker", *port, cwd=cwd / name, env=env) for name in ("one", "two")]


@pytest.fixture(scope="module")
def lawful(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A soak of the reference deployment."""
    with counted() as deployment:
        return soaked("--max-creates", "40", cwd=tmp_path_factory.mktemp("lawful"), env=deployment.env)


@pytest.mark.soak
def test_a_soak_of_a_lawful_deployment_finds_nothing_and_says_that_it_is_partial(lawful: Ended) -> None:
    """Its report has what a report has, and what was measured."""
    assert (0, "conforms", "partial") == (lawful.code, lawful.report["outcome"], lawful.report["scope"])
    assert 40 >= lawful.report["run"]["creations"] > 0
    load = lawful.report["load"]
    assert {"listPets", "createPet", "getPet"} <= set(load["operations"])
    assert 0 == sum(each["broken"] for each in load["guarantees"])


def test_ids_that_are_raced_for_are_found_with_a_trace_that_shows_it(tmp_path: Path) -> None:
    """The sample can be judged again."""
    with counted("id.race") as deployment:
        ended = soaked(cwd=tmp_path, env=deployment.env)
    assert 1 == ended.code, ended.said
    assert "animal.id.unique" in ended.failed_musts
    assert "animal.id.unique" in command("report", "reports/trace.ndjson", cwd=tmp_path).output


@pytest.mark.soak
@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize(("faults", "code", "reason"), [((), 3, "interrupted"), (("id.race",), 1, "failed")])
def test_an_interruption_ends_a_soak_with_whole_reports(
    processes: str, number: signal.Signals, faults: tuple[str, ...], code: int, reason: str, tmp_path: Path
) -> None:
    """Not everything was judged, so that it is 3 where nothing failed; its workers end with it."""
    with counted(*faults) as deployment:
        options = ("--run-time", "60s", "--users", "20", "--processes", processes)
        running = started(*options, cwd=tmp_path, env=deployment.env)
        while deployment.created < 60:
            time.sleep(0.05)
        began_s = time.monotonic()
        running.signal(number)
        ended = running.end()
        assert 20 > time.monotonic() - began_s
        requests = len(deployment.requests)
        time.sleep(1)
        assert requests == len(deployment.requests)
    assert code == ended.code, ended.said
    assert reason in ended.report["reason"]
    assert int(processes) == ended.report["load"]["processes"]
    assert set(ended.files) >= WHOLE
    assert ended.trace.whole


@pytest.mark.soak
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize(("processes", "run_time"), [("1", "10m"), ("2", "10m"), ("1", "12s"), ("2", "12s")])
def test_a_soak_ends_by_itself_where_the_deployment_is_gone(
    processes: str, run_time: str, how: signal.Signals, tmp_path: Path
) -> None:
    """It is killed, or accepts connections and answers nobody; half a minute later that is told.

    No restart takes longer. It is waited for where the time of the soak is over before.
    """
    with subprocess.Popen(
        [*COMMAND, "serve", "--json"], stdout=subprocess.PIPE, cwd=tmp_path, text=True
    ) as served:
        assert served.stdout is not None
        ready = json.loads(served.stdout.readline())
        env = {"ANIMAL_STORE_BASE_URL": ready["base_url"], "ANIMAL_STORE_API_KEY": ready["api_key"]}
        swarm = ("--users", "10", "--settle", "0.5", "--processes", processes)
        options = ("--run-time", run_time, *swarm, "--timeout", "10")
        running = started(*options, cwd=tmp_path / "soak", env=env)
        time.sleep(8)
        served.send_signal(how)
        began_s = time.monotonic()
        ended = running.end()
        served.kill()
        took_s = time.monotonic() - began_s
    assert 3 == ended.code, ended.said
    assert "has not answered any request for 3" in ended.report["reason"]
    assert 60 > took_s
    trouble = "refused" if how is signal.SIGKILL else "timeout"
    assert trouble in ended.report["load"]["errors"]
    assert set(ended.files) >= WHOLE
    assert ended.trace.whole


@pytest.mark.soak
def test_a_soak_that_has_lost_all_of_its_workers_is_not_green(tmp_path: Path) -> None:
    """And a worker that came when there were enough of them says why it goes."""
    with counted() as deployment:
        master, (worker, surplus) = master_and_workers(
            *("--run-time", "60s", "--users", "5"), cwd=tmp_path, env=deployment.env
        )
        while worker.poll() is None is surplus.poll():
            time.sleep(0.05)
        left, sent_away = (surplus, worker) if surplus.poll() is None else (worker, surplus)
        refused = sent_away.end()
        while deployment.created < 5:
            time.sleep(0.05)
        left.signal(signal.SIGKILL)
        ended = master.end()
        left.end()
    assert (3, True) == (refused.code, "has all of its workers" in refused.said), refused.said
    assert 3 == ended.code, ended.said
    assert "All workers were lost" in ended.report["reason"]
    assert 1 == ended.report["load"]["processes"]


@pytest.mark.soak
def test_a_worker_that_is_killed_takes_only_its_last_seconds_with_it(tmp_path: Path) -> None:
    """Master and two workers, as three processes over sockets: an id given twice by both is found, and the loss is told."""
    with counted("id.race") as deployment:
        master, workers = master_and_workers(
            *("--expect-workers", "2", "--run-time", "12s", "--users", "20"), cwd=tmp_path, env=deployment.env
        )
        while deployment.created < 60:
            time.sleep(0.05)
        workers[0].signal(signal.SIGKILL)
        ended, others = master.end(), [each.end() for each in workers]
    assert 1 == ended.code, ended.said
    assert "animal.id.unique" in ended.failed_musts
    assert 1 == len(ended.report["load"]["lost_workers_s"])
    assert "with what it did in its last seconds" in ended.said
    assert [-signal.SIGKILL, 0] == [each.code for each in others]


@pytest.mark.parametrize(
    "limits",
    [
        ("--run-time", "24h", "--max-creates", "2000"),
        ("--run-time", "1h", "--max-creates", "50"),
        ("--max-creates", "0"),
        ("--max-creates", "1"),
        ("--max-creates", "2", "--processes", "4"),
    ],
)
def test_a_worker_begins_with_however_few_creations(limits: tuple[str, ...]) -> None:
    """And has not ended when the search for a category is over; what is left over is for the first workers."""
    context = soak.make_context("soak", [*limits])
    creates = context.params["max_creates"]
    workers = context.params["processes"]
    options = SoakOptions(RunOptions(max_creates=creates), run_time_s=context.params["run_time_s"])
    with counted() as deployment:
        terms = terms_of(options, deployment.url)
        for index in range(workers):
            worker = Worker(options, terms, KEY, Place(index, workers, time.time()), lambda _: None)
            assert worker.begin() is None
            assert "" == worker.ended
            assert worker.client.read_only == (index >= creates)
            worker.finish(0.0)
        assert min(workers, creates) == deployment.created


@pytest.mark.soak
def test_a_threshold_of_the_users_own_is_1_and_no_clause(tmp_path: Path) -> None:
    """Nothing else failed."""
    with counted() as deployment:
        ended = soaked("--p95", "0.01ms", "--error-rate", "50%", cwd=tmp_path, env=deployment.env)
    assert (1, "conforms", set()) == (ended.code, ended.report["outcome"], ended.failed_musts)
    assert {False, True} == {each["kept"] for each in ended.report["load"]["thresholds"]}
    assert "at most 0.01 ms are allowed" in ended.said
    for name in ("summary.md", "junit.xml", "report.html"):
        written = (tmp_path / "reports" / name).read_text(encoding="utf-8")
        assert "at most 0.01 ms are allowed" in written
    assert 'name="run.thresholds"' in (tmp_path / "reports" / "junit.xml").read_text(encoding="utf-8")


def test_a_deployment_has_a_name_as_in_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its settings, of which the settling time is that of a run, which never shortens that of a soak."""
    (tmp_path / "animal-conformance.toml").write_text(
        'settle = 1\n[deployments.staging]\nurl = "https://animals.example/v1"\nrate = "5/s"\n',
        encoding="utf-8",
    )
    planned = command("soak", "staging", "--plan", cwd=tmp_path)
    assert (0, True) == (planned.code, "Settings from" in planned.complaints), planned.said
    assert "https://animals.example/v1 under load" in planned.said
    assert "at most 5 requests per second" in planned.said
    monkeypatch.chdir(tmp_path)
    for given, settle_s in (((), 10.0), (("--settle", "2"), 2.0)):
        assert settle_s == soak.make_context("soak", ["staging", *given]).params["settle_s"]


def test_workers_of_a_master_are_not_started_by_it(tmp_path: Path) -> None:
    """They would be told another address, and be more than are expected."""
    ended = command("soak", "--master", "--processes", "2", "--yes", cwd=tmp_path)
    assert (2, True) == (ended.code, "soak --worker" in ended.complaints), ended.said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--master", "--worker"), "--master has workers run the users, and --worker runs them for a master"),
        (("http://127.0.0.1:9/v1", "--worker"), "leave out the address"),
        (("--worker", "--users", "3", "--processes", "2"), "leave out --users, --processes"),
        (("--worker", "--clause", "list", "--plan"), "leave out --clause, --plan"),
    ],
)
def test_a_worker_is_told_nothing_that_its_master_sends(
    options: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    """It would not be heeded, and its user would not know."""
    ended = command("soak", *options, cwd=tmp_path)
    assert (2, True) == (ended.code, said in ended.said), ended.said


def test_a_worker_says_what_it_waits_for_and_can_be_ended(tmp_path: Path) -> None:
    """Where there is no master yet; what is in the environment and in a settings file is no mistake."""
    port = free_port()
    (tmp_path / "animal-conformance.toml").write_text('rate = "5/s"\n', encoding="utf-8")
    env = {"ANIMAL_STORE_BASE_URL": "http://127.0.0.1:9/v1"}
    running = started("--worker", "--master-port", str(port), cwd=tmp_path, env=env)
    end_s = time.monotonic() + 30
    while b"Waiting" not in running.complaints_so_far and time.monotonic() < end_s:
        time.sleep(0.05)
    running.signal(signal.SIGINT)
    ended = running.end()
    assert f"Waiting up to 5 minutes for a master at 127.0.0.1:{port}" in ended.said
    assert (3, True) == (ended.code, "Interrupted before a master came." in ended.said), ended.said


def test_a_port_that_is_in_use_is_told_before_anything_is_sent(tmp_path: Path) -> None:
    """In a sentence."""
    with counted() as deployment, socket.socket() as used:
        used.bind(("127.0.0.1", 0))
        used.listen()
        port = str(used.getsockname()[1])
        ended = soaked("--web-port", port, cwd=tmp_path, env=deployment.env)
        assert (2, []) == (ended.code, deployment.requests), ended.said
    assert f"Port {port} of this machine is in use: choose another --web-port." in ended.said


@pytest.mark.soak
def test_a_report_that_cannot_be_written_does_not_take_the_verdict_with_it(tmp_path: Path) -> None:
    """It is told; what is not all written is not green; and a job reads its summary as that of a run."""
    summary = tmp_path / "summary"
    (tmp_path / "reports" / "report.html").mkdir(parents=True)
    with counted() as deployment:
        ended = soaked(cwd=tmp_path, env={**deployment.env, "GITHUB_STEP_SUMMARY": str(summary)})
    assert (3, "conforms") == (ended.code, ended.report["outcome"]), ended.said
    assert "report.html" in ended.complaints
    assert "No violation" in ended.said
    assert "animal" in summary.read_text(encoding="utf-8")


def test_an_address_that_is_not_of_this_machine_is_meant_only_if_that_is_said(tmp_path: Path) -> None:
    """Nobody is there to be asked; and a plan sends nothing."""
    elsewhere = "https://animals.example/v1"
    ended = command("soak", elsewhere, cwd=tmp_path / "load")
    assert (2, True) == (ended.code, "--yes" in ended.complaints), ended.said
    planned = command("soak", elsewhere, "--plan", "--users", "7", cwd=tmp_path / "plan")
    assert (0, True) == (planned.code, "7 users" in planned.output), planned.said
