"""The faults that there are, by what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hmpc.app.bench.faults import body, commands, machine, planners, sensors, worker
from hmpc.app.bench.faults.fault import Fault

FAMILIES: Mapping[str, Sequence[Fault]] = {
    "sensors": sensors.FAULTS,
    "planners": planners.FAULTS,
    "worker": worker.FAULTS,
    "body": body.FAULTS,
    "commands": commands.FAULTS,
    "machine": machine.FAULTS,
}
BESIDE = "worker"  # the family that needs a planner beside the simulation
