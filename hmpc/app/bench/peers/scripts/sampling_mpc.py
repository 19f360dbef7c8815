"""mujoco.rollout: one update of a predictive sampling controller, the humanoid that stands, on one thread."""

import json
import sys
import time
from importlib.metadata import version

import mujoco
import mujoco.rollout
import numpy as np

SAMPLES, HORIZON, KNOTS = 64, 0.5, 5  # candidates, [s], values of every torque over the horizon
NOISE = 0.1  # of the torque limits
UPDATES = 10

model = mujoco.MjModel.from_binary_path(sys.argv[1])
data = mujoco.MjData(model)
data.qpos[:] = np.load(sys.argv[2])
steps = round(HORIZON / model.opt.timestep)
size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
state = np.empty(size)
mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
rng, nominal = np.random.default_rng(0), np.zeros((KNOTS, model.nu))
limit = np.abs(model.actuator_ctrlrange).max(axis=1)
height = data.qpos[2]

seconds = []
for _ in range(UPDATES):
    began = time.process_time()
    knots = nominal + NOISE * limit * rng.normal(size=(SAMPLES, KNOTS, model.nu))
    knots[0] = nominal
    control = np.repeat(knots, -(-steps // KNOTS), axis=1)[:, :steps]
    states, _ = mujoco.rollout.rollout(model, data, np.tile(state, (SAMPLES, 1)), control)
    cost = np.square(states[:, :, 3] - height).mean(axis=1) + 1e-3 * np.square(control / limit).mean(axis=(1, 2))
    nominal = knots[np.nanargmin(cost)]
    seconds.append(time.process_time() - began)

json.dump(
    {
        "version": f"mujoco {version('mujoco')}",
        "update": float(np.median(seconds)),
        "note": f"{SAMPLES} candidates over {HORIZON} s of whole-body physics",
    },
    sys.stdout,
)
