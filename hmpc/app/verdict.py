"""What became of a run: the figures, and the environment's verdict on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.app.metrics import Summary, state_hash
from hmpc.errors import code_of
from hmpc.sim.environment import RunFacts
from hmpc.tasks.runner import Progress

if TYPE_CHECKING:
    from hmpc.app.session import Session


def summarize(session: Session) -> Summary:
    """The report of the run so far. A fall or a fault is never a success, whatever the environment says."""
    figures, data, stack = session.metrics.figures(), session.simulator.data, session.stack
    facts = RunFacts(
        seconds=session.time,
        fell=session.fall is not None,
        start_com_W=session.metrics.start_com_W,
        end_com_W=session.metrics.com_W,
        steps=figures["steps"],
        upright_since=session.metrics.upright_since,
    )
    with code_of(f"Environment {session.environment.name!r}"):
        success, reason = session.environment.success(facts)
        metrics = {name: float(value) for name, value in session.environment.metrics(facts).items()}
    if stack.barrier is not None:
        reason += f" It stopped: {stack.barrier}"
    if session.fall is not None:
        success, reason = False, f"The character fell after {session.fall.t:.2f} s: {session.fall.reason}."
        if not session.falls.down and session.metrics.upright_since is not None:
            reason += " It got up again."
    elif stack.task is not None and stack.task.progress is Progress.FAILED:
        reason = f"{reason} {stack.task.words[-1]}"
    if session.fault is not None:
        success, reason = False, session.fault
    return Summary(
        env=session.environment.name,
        robot=session.robot.name,
        seed=session.seed,
        seconds=round(session.time, 6),
        success=bool(success),
        reason=reason,
        fell=facts.fell,
        fell_at=session.fall.t if session.fall else None,
        falls=len(session.falls.all),
        distance=facts.distance,
        late_plans=stack.late_plans,
        faults=session.metrics.failures + session.guard.failures + session.ended,
        state_hash=state_hash(data.qpos, data.qvel),
        real_time_factor=session.time / max(session.cpu_seconds, 1e-9),
        metrics=metrics,
        **figures,
    )
