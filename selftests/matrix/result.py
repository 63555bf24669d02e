"""How the suite judged a deployment."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Result:
    """The outcome and the verdicts; ``failed`` and ``untold`` are ids of clauses.

    ``drivers`` are those that sent anything, ``alone`` those that alone found a failed clause,
    ``excluded`` the explanations that findings exclude.
    """

    name: str
    seed: int
    profile: str
    outcome: str
    reason: str = ""
    failed: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    messages: dict[str, str] = field(default_factory=dict)
    suite_faults: list[str] = field(default_factory=list)
    drivers: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    judged_again: str = ""
    seconds: float = 0.0
    requests: int = 0
    creations: int = 0
