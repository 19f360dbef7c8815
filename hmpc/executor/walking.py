"""Walking: the phase machine between a plan and the ground.

A step begins when a foot touches down. For the double support both feet push, the load
leaving the trailing one; then that foot swings to the next foothold, which is corrected on
the way, until it touches down in its turn, early or late.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hmpc.executor.arms import ArmSwing
from hmpc.executor.balance import pressure, vertical_start, within_ankle_control
from hmpc.executor.correction import Correction, StepFrame, gait_offset
from hmpc.executor.course import Course
from hmpc.executor.landing_bias import LandingBias
from hmpc.executor.leap import Landing, Leap
from hmpc.executor.pace import Pace
from hmpc.executor.rail_hands import RailHands
from hmpc.executor.schedule import StepSchedule, step_schedule
from hmpc.executor.swing import HeelRise, Swing
from hmpc.executor.toes import laid_flat, start_swing
from hmpc.footsteps.planner import FootstepStart
from hmpc.frb.reference import sample_plan
from hmpc.geometry import heading
from hmpc.types import FrbState, MotionTarget

if TYPE_CHECKING:
    from hmpc.footsteps.gait import Gait, StepTiming
    from hmpc.footsteps.ground import Ground
    from hmpc.params import ExecutorParams
    from hmpc.robot.model import RobotModel
    from hmpc.types import Array, BodyModel, Command, ContactRegion, FootstepPlan, FrbPlan, RobotState


class Walking:
    """Targets of a character that walks, one step after the other."""

    def __init__(
        self,
        robot: RobotModel,
        body: BodyModel,
        params: ExecutorParams,
        state: RobotState,
        stance: str,
        ground: Ground,
    ):
        self._robot, self._body, self._params, self._ground = robot, body, params, ground
        self._feet = [limb.spec.name for limb in robot.feet()]
        self._arms = ArmSwing(robot, body, params.arms, state)
        self.hands = RailHands(robot, params)
        self.pace = Pace(params.pace)
        self._t = state.t
        self._course = Course(heading(state.body.R_WB), params)
        self._landing_bias = LandingBias(params)
        self.steps = 0
        self._leap: Leap | None = None
        self._left: ContactRegion | None = None  # surface that the swing foot stood on
        self._begin(state, stance)

    def _begin(self, state: RobotState, stance: str, *, on_toes: bool = False) -> None:
        self.stance, self._on_toes = stance, on_toes
        self.swing_limb = next(foot for foot in self._feet if foot != stance)
        self.step_start = state.t
        self._swing: Swing | None = None
        self._landing = Landing(state, self._params) if self._leap is not None else None
        self._leap = None
        self._schedule: StepSchedule | None = None
        self._heel_rise: HeelRise | None = None
        self._corrected = state.t  # [s] when the foothold was last corrected

    # ----- events

    def touched_down(self, state: RobotState) -> bool:
        """Whether the swing foot has just found the ground, on time, early or late."""
        if self._swing is None or self._schedule is None:
            return False
        progress = (state.t - self._swing.start) / (self._schedule.touch_down - self._swing.start)
        foot, params = state.limbs[self.swing_limb], self._params
        loaded = foot.touching and float(foot.force_W[2]) > params.touch_down_load
        on_time = loaded and progress > params.earliest_touch_down
        return on_time and self._ground.is_under(foot.p_W, params.stumble_height)

    def next_step(self, state: RobotState) -> None:
        """The swing foot has landed: the feet change roles."""
        miss_H = self._correction.miss_H(state, state.limbs[self.swing_limb])
        self._landing_bias.learn(miss_H * (1.0, self._outward()), self.pace.forward)
        self.steps += 1
        self._left = self._region
        self._begin(state, self.swing_limb, on_toes=self._toes_point)

    def landed(self, state: RobotState) -> Array:
        """(3,) [m] where the foot that has landed will stand."""
        foot = state.limbs[self.stance]
        return laid_flat(foot, float(self._body.limb(self.stance).half_extent[0])) if self._on_toes else foot.p_W

    def _outward(self) -> float:
        """Direction of the swing foot's side: left is positive."""
        return 1.0 if self.swing_limb == self._feet[0] else -1.0

    # ----- what the planners need to know

    @property
    def heading(self) -> float:
        """[rad] that the steps are planned in."""
        return self._course.heading

    @property
    def flew(self) -> bool:
        """Whether the step began with a landing after a flight: the other foot is in the air already."""
        return self._landing is not None

    def footstep_start(self, state: RobotState, com_height: float, timing: StepTiming) -> FootstepStart:
        """The situation for the long-term planner, COM at `com_height` [m]; timing as given until a plan has set it."""
        schedule, foot = self._schedule, state.limbs[self.stance]
        stance_W = self.landed(state)
        climb = float(stance_W[2] - state.limbs[self.swing_limb].p_W[2]) / timing.duration
        height, climb = vertical_start(state.body, com_height, climb, self._params)
        double_support = timing.double_support if self.steps else self._params.start_double_support
        if self.flew:
            double_support = 0.0
        lift_off = self.step_start + double_support if schedule is None else schedule.lift_off
        touch_down = lift_off + timing.single_support if schedule is None else schedule.touch_down
        remaining = max(touch_down - state.t, self._params.shortest_remaining)
        return FootstepStart(
            t=state.t,
            com_W=np.array([*state.body.com_W[:2], height]),
            com_vel_W=np.array([*state.body.vel_W[:2], climb]),
            yaw=self._course.heading,
            stance_limb=self.stance,
            stance_foot_W=stance_W,
            stance_yaw=heading(foot.R_WL),
            swing_limb=self.swing_limb,
            remaining=remaining,
            double_support=min(max(lift_off - state.t, 0.0), remaining),
            swing_height=float(state.limbs[self.swing_limb].p_W[2]),
            cop_W=pressure(state, self._feet, self.stance),
            fall=max(-float(state.body.vel_W[2]), 0.0) if self.flew else 0.0,
        )

    def aim(self, gait: Gait, footsteps: FootstepPlan) -> None:
        """Take what the gait wants of the current step."""
        self._gait_offset_W = gait_offset(gait, footsteps, -self._outward())

    def follow(self, plan: FrbPlan, footsteps: FootstepPlan) -> None:
        """Take a new plan for the current step and those after it."""
        self._plan = plan
        self._schedule = step_schedule(plan, footsteps, self.swing_limb)
        sole, offset_W = self._body.limb(self.swing_limb).half_extent, self._gait_offset_W
        self._correction = Correction(plan, footsteps, self._schedule, offset_W, sole, self._params, flew=self.flew)
        self.pace.free = not footsteps.constrained
        self._region = footsteps.region[0]
        self._in_the_open = footsteps.in_the_open and self._left is self._region
        self._step_length = float(np.linalg.norm(footsteps.foot_W[2, :2] - footsteps.foot_W[1, :2]))

    def _correct(self, state: RobotState, body: FrbState, schedule: StepSchedule, swing: Swing) -> StepSchedule:
        """The foothold and its time for how far the body is off its plan, `body`."""
        dt, self._corrected = state.t - self._corrected, state.t
        foot, bias = state.limbs[self.swing_limb], self._landing_bias.at(self.pace.forward)
        frame = StepFrame.of(state.limbs[self.stance], schedule.yaw, self._outward())
        return self._correction.correct(state, body, foot, frame, schedule, bias, swing.start, dt)

    # ----- targets

    def update(self, state: RobotState, command: Command) -> MotionTarget:
        """Targets for this tick."""
        self._turn(state)
        schedule = self._schedule
        assert schedule is not None, "follow() a plan first"
        plan, acc = self._reference(state.t, schedule.touch_down)
        support = {self.stance: math.inf}
        swing = {}
        if self._swing is None and state.t >= schedule.lift_off:
            self._swing, self._toes_point = start_swing(
                state,
                self.stance,
                self.swing_limb,
                state.limbs[self.swing_limb].p_W if self._heel_rise is None else self._heel_rise.stood_W,
                replace(schedule, foothold_W=self._correction.foothold_W),
                self._body.limb(self.swing_limb).half_extent,
                self._forward(self.pace.forward),
                self._ground,
                self._params.swing,
                in_the_open=self._in_the_open,
            )
            self._leap = self._start_leap(state, schedule.take_off)
            self._corrected = state.t
        if self._swing is None:
            left = (schedule.lift_off - state.t) / max(schedule.lift_off - self.step_start, 1e-6)
            support[self.swing_limb] = left * self._body.mass * self._params.gravity
            if self._heel_rise is None:
                self._heel_rise = self._start_heel_rise(state, schedule.lift_off)
            swing[self.swing_limb] = self._heel_rise.target(state.t)
        else:
            if self._leap is None:
                schedule = self._schedule = self._correct(state, plan, schedule, self._swing)
            swing[self.swing_limb] = self._swing.target(
                state.t, schedule.touch_down, self._correction.foothold_W, schedule.yaw
            )
        leap = self._leap
        if leap is not None and leap.is_flight(state.t):
            touch_down = leap.touch_down(state, self._correction.foothold_W, schedule.touch_down)
            self._schedule = replace(schedule, touch_down=touch_down)
            swing = leap.feet(state, swing[self.swing_limb], self._correction.foothold_W, touch_down)
            support, acc = {}, np.array([0.0, 0.0, -self._params.gravity])
        pose = self._robot.stand_pose.copy()
        yaw_motor, pitch_motor = self._robot.head_motors
        pose[yaw_motor], pose[pitch_motor] = command.posture.head_yaw, command.posture.head_pitch
        pose_velocity = np.zeros(len(pose))
        self._arms.swing(state, pose, pose_velocity)
        hands = self.hands.update(state, pose, pose_velocity)
        if leap is not None:
            body = leap.leaning(plan, state.t)
        else:
            facing = heading(state.limbs[self.stance].R_WL)
            body = within_ankle_control(plan, state.body, facing, self._correction.omega, self._params)
            if self._landing is not None:
                body = self._landing.leaning(body, state.t)
        return MotionTarget(
            body=body,
            acc_W=acc,
            support=support | hands.support,
            swing=swing | hands.swing,
            pose=pose,
            pose_velocity=pose_velocity,
            load_W=hands.load_W,
            grip=hands.grip,
            rolling=frozenset({self.stance} if self._rolls(state.t) else ()),
            pushing=frozenset(support) - {self.stance} if leap is None else frozenset(support),
            exact=self._in_the_open,
            takes_off=leap is not None,
        )

    def _rolls(self, t: float) -> bool:
        """Whether the foot that stands has landed on its toes and comes to lie flat."""
        return self._on_toes and t < self.step_start + self._params.landing_time

    def _start_leap(self, state: RobotState, take_off: float) -> Leap | None:
        """What the stance foot does if it leaves before the other one lands."""
        if take_off == math.inf:
            return None
        limbs = (self.stance, self.swing_limb)
        return Leap(self._robot, self._body, self._params, state, limbs, take_off, self._course.heading)

    def _forward(self, speed: float) -> float:
        """1 when walking forwards, -1 backwards, in between at low speeds."""
        return min(max(speed / self._params.directed_speed, -1.0), 1.0)

    def reach_slack(self, state: RobotState) -> float:
        """How much further than its length a leg reaches at the end of its stance [m].

        Walking backwards it is the ankle, behind the middle of the sole, that must be reached. In a quick walk a leg is
        not stretched all the way: it would leave the ground behind before the other one lands. To a side and in a turn,
        where a long step follows a short one, neither is it in a slower one.
        """
        params, pace = self._params, self.pace.forward
        facing = heading(state.body.R_WB)
        speed = float(state.body.vel_W[:2] @ (math.cos(facing), math.sin(facing)))
        aside = abs(self.pace.sideways) + params.turning_arm * abs(self.pace.yaw_rate)
        bent = params.quick_bend * max(pace - params.quick_walk, 0.0) + params.uneven_bend * max(pace, 0.0) * aside
        return params.ankle_offset * min(self._forward(min(speed, pace)), 0.0) - min(bent, params.most_bend)

    def _start_heel_rise(self, state: RobotState, end: float) -> HeelRise:
        """Longer steps need a higher heel: the leg behind would be too short otherwise."""
        params, foot = self._params, self.swing_limb
        angle = max(self._forward(self.pace.forward), 0.0) * min(
            params.heel_rise * self._step_length, params.max_heel_rise
        )
        half_length = float(self._body.limb(foot).half_extent[0])
        return HeelRise(state.limbs[foot], half_length, angle, params.heel_speed, state.t, end)

    def _turn(self, state: RobotState) -> None:
        dt, self._t = state.t - self._t, state.t
        self._course.turn(heading(state.body.R_WB), self.pace.yaw_rate * dt)

    def _reference(self, t: float, touch_down: float) -> tuple[FrbState, Array]:
        """The plan now; while touch-down is late, its last velocity goes on."""
        body, acc = sample_plan(self._plan, min(t, touch_down))
        late = t - touch_down
        if late <= 0.0:
            return body, acc
        com = body.com_W + late * body.vel_W * (1.0, 1.0, 0.0)
        return FrbState(com_W=com, vel_W=body.vel_W, R_WB=body.R_WB, omega_W=body.omega_W), acc
