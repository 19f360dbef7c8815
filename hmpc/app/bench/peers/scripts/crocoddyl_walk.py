"""crocoddyl: optimal control of a sample humanoid's whole body over two seconds of walking, solved cold and warm."""

import json
import sys
import time

import crocoddyl
import numpy as np
import pinocchio
from crocoddyl.utils.biped import SimpleBipedGaitProblem

STEP, LIFT = 0.3, 0.1  # [m] length and height of a step
DT, SWING, SUPPORT = 0.02, 40, 10  # [s], nodes of a step in the air and of both feet on the ground: two steps in 2 s
ITERATIONS = 100  # at most
BEND = 0.4  # [rad] of hips and ankles, half of the knees'
SHIFT = 0.01  # [m] by which the start of the warm solve is off

humanoid = pinocchio.buildSampleModelHumanoid()
crouch = pinocchio.neutral(humanoid)
for side in ("lleg", "rleg"):
    for joint, angle in (("shoulder2", -BEND), ("elbow", 2.0 * BEND), ("wrist2", -BEND)):  # hip, knee and ankle
        crouch[humanoid.joints[humanoid.getJointId(f"{side}_{joint}_joint")].idx_q] = angle
data = humanoid.createData()
pinocchio.framesForwardKinematics(humanoid, data, crouch)
for side in ("lleg", "rleg"):  # a foot has no sole: one that lies flat on the ground
    effector = humanoid.frames[humanoid.getFrameId(f"{side}_effector_body")]
    flat = pinocchio.SE3(np.eye(3), data.oMf[humanoid.getFrameId(effector.name)].translation)
    placement = data.oMi[effector.parentJoint].actInv(flat)
    sole = pinocchio.Frame(f"{side}_sole", effector.parentJoint, 0, placement, pinocchio.FrameType.OP_FRAME)
    humanoid.addFrame(sole)
humanoid.referenceConfigurations["half_sitting"] = crouch  # where the gait's regularisation looks for it
start = np.concatenate([crouch, np.zeros(humanoid.nv)])
gait = SimpleBipedGaitProblem(humanoid, "rleg_sole", "lleg_sole")
problem = gait.createWalkingProblem(start, STEP, LIFT, DT, SWING, SUPPORT)
problem.nthreads = 1
solver = crocoddyl.SolverFDDP(problem)
solver.th_stop = 1e-4

states = [start] * (problem.T + 1)
controls = problem.quasiStatic([start] * problem.T)
began = time.process_time()
cold_done = solver.solve(states, controls, ITERATIONS, False)
cold, cold_iterations = time.process_time() - began, solver.iter

disturbed = start.copy()
disturbed[1] += SHIFT
problem.x0 = disturbed
states, controls = [disturbed, *list(solver.xs)[1:]], list(solver.us)
began = time.process_time()
warm_done = solver.solve(states, controls, ITERATIONS, False)
warm, warm_iterations = time.process_time() - began, solver.iter

version = f"crocoddyl {crocoddyl.__version__}, pinocchio {pinocchio.__version__}"
json.dump(
    {
        "version": version,
        "cold": cold,
        "warm": warm,
        "note": f"{problem.T * DT:.1f} s, {cold_iterations} and {warm_iterations} iterations, "
        f"converged: {cold_done} and {warm_done}",
    },
    sys.stdout,
)
