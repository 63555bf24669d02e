"""What judging costs under load: a plain Locust user that checks a status, and the soak's user with and without judging.

Both are given the same mixture of requests as far as possible: the plain user lists and gets. Only the processor time
of the users' process is measured, not that of the deployment or of other programs.
"""

from __future__ import annotations

# isort: off
from animal_conformance.soak import swarm
from locust import HttpUser, task

# isort: on
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from locust.env import Environment

from animal_conformance.judge.hearing import Hearing
from animal_conformance.judge.knowledge.ledger import Ledger
from animal_conformance.reference.embedded import EmbeddedDeployment
from animal_conformance.session.options import RunOptions, checked
from animal_conformance.soak.master import Master
from animal_conformance.soak.settings import SoakOptions
from animal_conformance.soak.windows import Window

USERS = 20
RUN_S = 15.0
ROUNDS = 3
KINDS = {
    "plain": "Locust's HttpUser with a status check",
    "unjudged": "a soak that judges nothing",
    "judged": "a soak",
}


def main() -> None:
    """Print a row for each kind of user, and what judging costs compared to the plain one; or measure one named kind."""
    if len(sys.argv) > 1:
        with EmbeddedDeployment() as deployment:
            requests, cpu_s = _measured(sys.argv[1], deployment)
        print(requests / RUN_S, 1000 * cpu_s / requests)
        return
    rounds = [{kind: _in_a_process(kind) for kind in KINDS} for _ in range(ROUNDS)]
    print("| users | requests per second | ms of processor time per request |\n|---|---|---|")
    for kind, sentence in KINDS.items():
        rate, cpu_ms = (median(each[kind][at] for each in rounds) for at in range(2))
        print(f"| {sentence} | {rate:.0f} | {cpu_ms:.2f} |")
    shares = [(each["judged"][1] - each["unjudged"][1]) / each["plain"][1] for each in rounds]
    told = ", ".join(f"{share:.0%}" for share in sorted(shares))
    print(f"\nJudging costs, as a share of what the plain user costs, in {ROUNDS} rounds: {told}.")


def _in_a_process(kind: str) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.soak_cost", kind]
    rate, cpu_ms = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(rate), float(cpu_ms)


def _measured(kind: str, deployment: EmbeddedDeployment) -> tuple[int, float]:
    """How many requests were sent, and the processor time that went into them."""
    began_s = time.process_time()
    if kind == "plain":
        requests = _plain(deployment)
    else:
        if kind == "unjudged":
            Window.hear = lambda self, _: iter([Hearing(Ledger(self.terms), {})])  # type: ignore[method-assign, assignment]
        requests = _soaked(deployment)
    return requests, time.process_time() - began_s


def _plain(deployment: EmbeddedDeployment) -> int:
    class Plain(HttpUser):
        host = deployment.base_url

        def on_start(self) -> None:
            self.client.trust_env = False
            self.client.headers["Authorization"] = f"Bearer {deployment.api_key}"

        @task
        def visit(self) -> None:
            for path in ("/pets", "/pets?limit=5&status=sold", "/pets/7"):
                with self.client.get(path, name=path, catch_response=True) as answer:
                    if answer.status_code != 200:
                        answer.failure("not 200")

    environment = Environment(user_classes=[Plain])
    runner = environment.create_local_runner()
    runner.start(USERS, USERS)
    time.sleep(RUN_S)
    runner.quit()
    count: int = environment.stats.total.num_requests
    return count


def _soaked(deployment: EmbeddedDeployment) -> int:
    with tempfile.TemporaryDirectory(prefix="soak-") as directory:
        run = checked(RunOptions(report_dir=Path(directory), settle_s=1.0))
        options = SoakOptions(run, users=USERS, spawn_rate=USERS, run_time_s=RUN_S)
        master = Master(options, deployment.base_url)
        swarm.run_here(master, options, deployment.api_key, lambda: False)
        return master.requests


if __name__ == "__main__":
    main()
