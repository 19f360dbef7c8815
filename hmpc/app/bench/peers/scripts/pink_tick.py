"""Pink: one tick of whole-body inverse kinematics as a QP, a sample humanoid of 34 degrees of freedom on both feet."""

import json
import sys
import time
from importlib.metadata import version

import numpy as np
import pink
import pinocchio
from pink.tasks import ComTask, FrameTask, PostureTask

TICKS, DT = 1000, 0.002  # [s]
SWAY = 0.02  # [m] of the COM, at one turn a second
SIDEWAYS = np.array([0.0, 1.0, 0.0])
FEET = ("lleg_effector_body", "rleg_effector_body")

model = pinocchio.buildSampleModelHumanoid()
configuration = pink.Configuration(model, model.createData(), pinocchio.neutral(model))
tasks = [FrameTask(foot, position_cost=10.0, orientation_cost=10.0) for foot in FEET]
com, posture = ComTask(cost=1.0), PostureTask(cost=1e-2)
for task in (*tasks, com, posture):
    task.set_target_from_configuration(configuration)
center = com.target_com.copy()

seconds = []
for tick in range(TICKS):
    com.set_target(center + SWAY * np.sin(2.0 * np.pi * tick * DT) * SIDEWAYS)
    began = time.process_time()
    velocity = pink.solve_ik(configuration, [*tasks, com, posture], DT, solver="daqp")
    configuration.integrate_inplace(velocity, DT)
    seconds.append(time.process_time() - began)

json.dump(
    {
        "version": f"pin-pink {version('pin-pink')}, pin {version('pin')}",
        "tick": float(np.median(seconds)),
        "note": "velocities of the joints by differential inverse kinematics; no forces, no torques",
    },
    sys.stdout,
)
