"""PlaCo: footsteps and the motion of the COM for a walk, planned and planned again on the way."""

import json
import sys
import tempfile
import time
from importlib.metadata import version

import numpy as np
import placo

STEPS, STEP = 6, 0.2  # number and length [m] of the steps
REPEATS = 50

LEG = {  # joint -> axis, [m] from the one above it
    "hip_yaw": ("z", 0.0),
    "hip_roll": ("x", 0.0),
    "hip_pitch": ("y", 0.0),
    "knee": ("y", -0.4),
    "ankle_pitch": ("y", -0.4),
    "ankle_roll": ("x", 0.0),
}
INERTIAL = '<inertial><mass value="{}"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'


def joint(name, parent, child, xyz, kind="fixed", axis="x"):
    axes = " ".join("1" if letter == axis else "0" for letter in "xyz")
    limit = '<limit lower="-2" upper="2" effort="200" velocity="10"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}"/><axis xyz="{axes}"/>{limit}</joint>'
    )


def urdf():
    """A trunk on two legs of 0.8 m, with the frames that PlaCo looks for."""
    parts = [f'<link name="trunk">{INERTIAL.format(40.0)}</link>']
    for side, y in (("left", 0.1), ("right", -0.1)):
        parent = "trunk"
        for name, (axis, drop) in LEG.items():
            child, xyz = f"{side}_{name}_link", f"0 {y} -0.1" if parent == "trunk" else f"0 0 {drop}"
            parts.append(f'<link name="{child}">{INERTIAL.format(2.0)}</link>')
            parts.append(joint(f"{side}_{name}", parent, child, xyz, "revolute", axis))
            parent = child
        parts.append(f'<link name="{side}_foot"/>')
        parts.append(joint(f"{side}_sole", parent, f"{side}_foot", "0 0 0"))
    return f'<robot name="legs">{"".join(parts)}</robot>'


with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
    file.write(urdf())
    file.flush()
    robot = placo.HumanoidRobot(file.name)
robot.update_kinematics()

parameters = placo.HumanoidParameters()
parameters.single_support_duration, parameters.single_support_timesteps = 0.4, 10
parameters.double_support_ratio, parameters.startend_double_support_ratio = 0.25, 1.5
parameters.planned_timesteps, parameters.walk_com_height, parameters.walk_foot_height = 48, 0.75, 0.05
parameters.walk_max_dx_forward, parameters.feet_spacing, parameters.zmp_margin = 0.3, 0.2, 0.02
parameters.foot_length, parameters.foot_width, parameters.zmp_reference_weight = 0.2, 0.1, 1e-6

planner = placo.FootstepsPlannerRepetitive(parameters)
planner.configure(STEP, 0.0, 0.0, STEPS)
walk = placo.WalkPatternGenerator(robot, parameters)


def plan():
    left, right = (placo.flatten_on_floor(T) for T in (robot.get_T_world_left(), robot.get_T_world_right()))
    footsteps = planner.plan(placo.HumanoidRobot_Side.left, left, right)
    supports = placo.FootstepsPlanner.make_supports(footsteps, 0.0, True, parameters.has_double_support(), True)
    return supports, walk.plan(supports, robot.com_world(), 0.0)


def timed(function):
    """Median of the seconds that a call takes."""
    seconds = []
    for _ in range(REPEATS):
        began = time.process_time()
        function()
        seconds.append(time.process_time() - began)
    return float(np.median(seconds))


supports, trajectory = plan()
on_the_way = trajectory.t_start + 0.5 * parameters.single_support_duration
while not walk.can_replan_supports(trajectory, on_the_way):
    on_the_way += 0.1


def replan():
    return walk.replan(walk.replan_supports(planner, trajectory, on_the_way, 0.0), trajectory, on_the_way)


replan()
json.dump(
    {
        "version": f"placo {version('placo')}",
        "plan": timed(plan),
        "replan": timed(replan),
        "note": f"{STEPS} steps, {parameters.planned_timesteps} timesteps of the COM",
    },
    sys.stdout,
)
