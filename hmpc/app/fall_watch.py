"""Who has fallen, and who only sits or holds on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.sim.falls import fall
from hmpc.sim.scenery import BAR_PREFIX
from hmpc.types import Bearing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hmpc.sim.simulator import Simulator
    from hmpc.types import RobotState


class FallWatch:
    """Looks at what touches the world beside feet and hands."""

    def __init__(self, simulator: Simulator):
        environment, body = simulator.environment, simulator.robot
        seats = [limb for limb in body.spec.limbs if limb.kind == "seat" and environment.seats()]
        self._simulator = simulator
        self._seat_geoms = {geom for limb in seats for geom in limb.geoms}
        # Where there is something to hold (also if hands may not) or to sit on, an arm or a thigh that brushes it has
        # not fallen; it counts as an unplanned contact.
        model = simulator.model
        has_bars = any(model.geom(i).name.startswith(BAR_PREFIX) for i in range(model.ngeom))
        self._tolerated = body.arm_geoms() if environment.handholds() or has_bars else set()
        self._limbs = body.arm_geoms() | body.leg_geoms()
        self._tolerated |= body.thigh_geoms() if environment.seats() else set()

    def unplanned(self, bearing: Bearing, supporting: Iterable[str]) -> list[str]:
        """Geoms of the character that touch the world and are not meant to, where it rests on the limbs named."""
        others = self._simulator.contacts.other_segments()
        if not others or bearing is Bearing.LYING:
            return []
        limbs = {limb.name: limb for limb in self._simulator.robot.spec.limbs}
        meant = self._seat_geoms.union(*(limbs[name].geoms for name in supporting))
        return [geom for geom in others if geom not in meant]

    def fall(self, state: RobotState, unplanned: list[str], bearing: Bearing) -> str | None:
        """Why the character counts as fallen; None if it does not."""
        allowed = self._tolerated | self._limbs if bearing is Bearing.KNEELING else self._tolerated
        return fall(state, self._simulator.body_model, unplanned, allowed, bearing)
