"""Before a seat: the way there, with one's back to it, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hmpc.geometry import rotation_z, wrap_angle
from hmpc.params import TaskParams
from hmpc.robot.humanoid import HUMANOID
from hmpc.sim.simulator import Simulator
from hmpc.tasks.approach import velocity_there
from hmpc.tasks.sit_down import SIT_DOWN
from hmpc.tasks.situation import Scene, Situation, situation
from hmpc.types import LimbState
from hmpc_envs.chair import Chair
from hmpc_envs.flat import Flat

PARAMS = TaskParams()
STEP = 0.1  # [s] of a walker on rails


def standing(chair: Chair) -> Situation:
    """On its feet where the chair is: only the feet and the seats matter for the way."""
    simulator = Simulator(Flat(), HUMANOID)
    scene = Scene(regions=chair.regions(), handholds=chair.handholds(), seats=chair.seats())
    return situation(simulator.robot, simulator.body_model, scene, simulator.observe(), {}, 9.81)


def moved(now: Situation, x: float, y: float, yaw: float) -> Situation:
    """The same character with the middle of its feet at (x, y)."""
    R, middle = rotation_z(yaw), now.between_feet_W
    there = np.array([x, y, middle[2]])

    def carried(limb: LimbState) -> LimbState:
        return replace(limb, p_W=there + R @ (limb.p_W - middle), R_WL=R @ limb.R_WL)

    body = replace(now.state.body, com_W=there + R @ (now.state.body.com_W - middle), R_WB=R @ now.state.body.R_WB)
    limbs = {name: carried(limb) for name, limb in now.state.limbs.items()}
    return replace(now, state=replace(now.state, body=body, limbs=limbs))


@pytest.mark.parametrize(("x", "y", "yaw"), [(0.0, 0.0, 0.0), (1.5, 0.3, 0.4), (0.6, -1.2, 3.0), (2.0, 0.0, -2.5)])
def test_the_way_to_a_seat_ends_before_it_with_the_back_turned_and_never_crosses_it(
    x: float, y: float, yaw: float
) -> None:
    now = standing(Chair())
    seat = now.scene.seats[0]
    for _ in range(600):
        here = moved(now, x, y, yaw)
        way = velocity_there(SIT_DOWN.approach(here), 0.0, PARAMS.arrival_at_rest, PARAMS)
        if way is None:
            break
        x, y = (here.between_feet_W + STEP * rotation_z(yaw)[:, :2] @ way[0])[:2]
        yaw += STEP * way[1]
        assert x > seat.p_W[0] + seat.half_extent[0] + 0.15  # the heels are clear of the seat
    assert way is None
    assert (x, y) == pytest.approx((0.0, 0.0), abs=0.05)
    assert abs(wrap_angle(yaw)) < 0.1


def test_who_stands_behind_the_seat_is_refused() -> None:
    refusal = SIT_DOWN.refusal(moved(standing(Chair()), -1.0, 0.0, 0.0))
    assert refusal is not None and "behind the seat" in refusal
