"""Every tunable number of the stack: default, unit, and the section of the paper it comes from.

One frozen dataclass a tier, gathered in `Params`. A run's configuration is a `Params`
with some fields replaced, by the same dotted path in Python, YAML and on the command line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class TrackingParams:
    """Eq. 2: the wrench that brings the body back to its plan."""

    kp_force: float = 4000.0  # [N/m] Sec. 3.3
    kd_force: float = 1000.0  # [N s/m] Sec. 3.3
    kp_torque: float = 500.0  # [N m/rad] Sec. 3.3
    kd_torque: float = 100.0  # [N m s/rad] Sec. 3.3
    kd_torque_take_off: float = 300.0  # [N m s/rad] the same before a flight, of the whole body's angular momentum
    reference_mass: float = 70.0  # [kg] the gains above are for this mass and scale with it
    gravity: float = 9.81  # [m/s^2]


@dataclass(frozen=True, kw_only=True)
class ForceParams:
    """Eq. 4: the wrench shared by the contact points."""

    linear_weight: float = 1.0  # S of the force error, Sec. 3.3
    angular_weight: float = 3.0  # S of the torque error, Sec. 3.3
    regulariser: float = 1e-3  # W: weight of the squared forces against the squared wrench error, Sec. 3.3
    friction: float = 0.8  # coefficient where the surface does not tell its own
    cone_safety: float = 0.9  # share of the friction cone that is used
    load_weight: float = 1.0  # of the error of a load that a limb is asked to carry, against the weights S
    fallback_load: float = 690.0  # [N] shared by the points when Eq. 4 has no answer; about the character's weight


@dataclass(frozen=True, kw_only=True)
class FootstepParams:
    """Sec. 3.1: the long-term planner (linear inverted pendulums among stepping regions)."""

    steps: int = 6  # phases planned after the current one, Sec. 5.1
    queue: int = 5  # n most promising plans that are expanded further, Sec. 3.1
    gravity: float = 9.81  # [m/s^2]

    # Timing, where the command leaves it open: slow steps when slow, quick ones when fast.
    single_support_max: float = 0.50  # [s] up to the speed below
    single_support_min: float = 0.30  # [s]
    single_support_slope: float = 0.2  # [s per m/s] shorter by this much ...
    single_support_speed: float = 0.7  # [m/s] ... above this speed
    sideways_effort: float = 5.5  # a sideways m/s counts as so many forward ones: only every other step leads sideways
    double_support_share: float = 0.2  # of the single support, within the bounds below
    double_support_min: float = 0.05  # [s]
    double_support_max: float = 0.12  # [s]

    duration_factors: tuple[float, ...] = (1.0, 0.9, 1.1, 0.8, 1.2)  # tried where the regions leave no other choice

    # Routes over small regions, which leave the feet no choice: then time is what is left to choose.
    small_region: float = 0.25  # [m] half its longer side, at most
    routes: int = 12  # that are looked at
    route_turn: float = 0.1  # [rad] a step: they are for walks that lead straight on
    shortest_step: float = 0.42  # [s]
    longest_step: float = 0.85  # [s]
    slowest_passing: float = 0.5  # [m/s] over a foot: a slower body might fall back
    time_unit: float = 0.08  # [s] changes that cost the same: of a step's duration,
    cop_unit: float = 0.04  # [m] of a centre of pressure,
    foot_unit: float = 0.08  # [m] of a foothold
    capture_tolerance: float = 0.01  # [m] of the capture point now: a plan that needs it elsewhere is not possible

    vault_acceleration: float = 0.35  # [gravity] at most, with which the COM rises over the leg that stands

    # Where a foot may go: on a region ...
    safety_margin: float = 0.03  # [m] kept from the edges of a region, Sec. 3.1
    low_edge: float = 0.02  # [m] a foot may stand across an edge of this height: it gives way by as much as on a bump
    allow_overhang: bool = True  # step on regions that are smaller than the sole
    max_slope: float = 0.6  # tangent of the steepest region that is stepped on
    # ... and relative to the stance foot, in lengths of the leg (hip to sole).
    max_forward: float = 1.0
    max_backward: float = 0.80
    max_outward: float = 0.55
    max_up: float = 0.40
    max_up_between_rails: float = 0.34  # where higher steps are climbed from rest to rest, which is slower and safer
    max_down: float = 0.40
    descent: float = 1.47  # of forward + down_effort down: further, the ankle of the leg that stands comes to its limit
    down_effort: float = 4.0  # so many metres forward are as much for it as one down
    heel_stretch: float = 0.04  # [m] by which a raised heel lengthens a leg, and pointed toes one that lands lower ...
    toes_first_drop: float = 0.20  # [m] ... by this much or more; by less, they point less
    knee_room: float = 0.16  # [m] between the toes of a foot on a high step and the next one: the knee comes forward
    foot_clearance: float = 0.03  # [m] between the inner edges of the soles: no crossing
    reach_tolerance: float = 0.01  # [m] by which a foothold may exceed these limits, at a cost
    cruise_share: float = 0.85  # of these limits, that a steady gait may use: the rest is for keeping balance ...
    cruise_forward: float = 0.95  # ... and ahead, where a step falls short of its plan anyway
    max_lag: float = 0.5  # share of the commanded path that a plan may lose to the regions; one that loses more stops
    free_move: float = 0.02  # [m] a foothold that the regions moved by less is where the pendulum wants it
    stop_tolerance: float = 0.03  # [m] of the capture point at the end of a plan that stops
    sole_use: float = 0.8  # share of a sole that its COP may be moved in

    # Leaps, where no step is long enough.
    flights: tuple[float, ...] = (0.20, 0.25, 0.30, 0.35)  # [s] that are tried
    leap_duration_factors: tuple[float, ...] = (0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2)  # of its run-up
    leap_pace: float = 1.25  # [m/s] planned, above which a leap is considered also where steps would lead on, ...
    stumble: float = 0.75  # ... if they bring the body below this share of its speed
    leap_push: float = 0.16  # [s] at most, by which the foot that pushes off stays when the next one would have landed
    leap_reserve: float = 0.85  # share of the distance below, to which it pushes in a leap out of a steady gait
    leap_height: float = 0.85  # [standing heights] to which the COM may go down at lift-off and touch-down
    leap_behind: float = 0.40  # [m] from the hip back to the foot that leaves: a thigh goes back by 25 degrees
    leap_resolve: float = 0.04  # [m] further than that in a leap that is the next or next but one step
    leap_loss: float = 0.1  # share of the planned speed at lift-off that is missing, as measured
    leap_margin: float = 0.04  # [m] of the capture point beyond the landed foot, with what is left of the speed
    leap_speed: float = 2.0  # [m/s] upwards at lift-off, at most
    landing_rise: float = 0.3  # [m/s] with which the body is on its way up again as the step after a flight ends

    # Cost of a plan, a sum over its steps (squares of the quantities named).
    velocity_weight: float = 1.0  # [s^2/m^2] COM velocity at the end of a step
    displacement_weight: float = 4.0  # [1/m^2] COP from where the pendulum wants it
    width_weight: float = 4.0  # [1/m^2] step width
    reach_weight: float = 100.0  # [1/m^2] beyond the limits above, or hip to foot beyond the length of the leg
    leap_weight: float = 1.0  # [s^2/m^2] upward velocity at lift-off
    climb_weight: float = 10.0  # [1/m^2] rise of a step less that of the one before: even stairs are taken evenly
    cop_move_damping: float = 1.0  # metres of capture point error worth as much as one of re-planned COP, Fig. 3c


@dataclass(frozen=True, kw_only=True)
class FrbParams:
    """Sec. 3.2: the medium-term planner (floating rigid body, optimised with CMA)."""

    gravity: float = 9.81  # [m/s^2]
    time_step: float = 1.0 / 30.0  # [s] of the rollouts, Sec. 5.3
    flight_time_step: float = 1.0 / 60.0  # [s] the same of leaps
    ramp: float = 0.045  # [s] a contact force needs this long to come on or go off
    minimum_stance: float = 0.10  # [s] shortest stay of a limb on a surface
    minimum_swing: float = 0.20  # [s] shortest time between two stays of the same limb
    edge_margin: float = 0.03  # [m] between a limb's contact rectangle and the edge of its region, Sec. 3.1
    heel_stretch: float = 0.04  # [m] by which a raised heel lengthens a leg
    reach_fade: float = 0.03  # [m] the force fades out over this distance beyond a limb's reach
    foot_force_limit: float = 3.0  # [body weights]
    hand_force_limit: float = 0.45  # [body weights]

    population: int = 24  # candidates an iteration of CMA
    iterations: int = 200  # for a first plan, Sec. 3.2.2
    replan_iterations: int = 60  # from a warm start
    short_search: int = 80  # iterations up to which CMA learns variances only, no covariances
    leap_iterations: int = 200  # for a plan with a flight, and for one that begins with a landing
    newton_steps: int = 4  # of every guess towards the targets, before the iterations, in plans that walk
    newton_probe: float = 0.1  # in the units below, of finite differences
    newton_damping: float = 0.01  # cost of a step of one unit: with others to choose from, stones and stairs went worse
    patience: int = 10  # iterations after them without a better plan, at which the search is over
    better: float = 0.99  # of the cost of a plan, that a better one has at most
    newton_sigma: float = 0.05  # first standard deviation after them, in the units below
    polished_sigma: float = 0.02  # the same in tasks, where guesses have been polished
    sigma: float = 0.2  # the same otherwise
    time_unit: float = 0.01  # [s] one unit of the search space (0.03 for flight); a capture point moves by 2 m/s
    cop_unit: float = 0.03  # [m]
    line_force_unit: float = 0.10  # [body weights] of f_l
    free_force_unit: float = 0.03  # [body weights] of f_r
    hand_force_unit: float = 0.06  # [body weights] of f_r of a hand
    asymmetry: float = 0.3  # of the units, by which left and right limbs change apart in symmetric problems

    position_weight: float = 100.0  # [1/m^2] target state, Sec. 3.2.2
    velocity_weight: float = 20.0  # [s^2/m^2]
    rotation_weight: float = 40.0  # [1/rad^2]
    angular_velocity_weight: float = 4.0  # [s^2/rad^2]
    step_width_weight: float = 20.0  # [1/m^2]
    vault_weight: float = 10.0  # of the height in the middle of a step, against that of its end
    filtering_weight: float = 0.1  # per squared unit of the search space
    smooth_force_weight: float = 0.1  # per (body weight)^2 s
    smooth_torque_weight: float = 10.0  # per (body weight x COM height)^2 s
    effort_weight: float = 0.5  # per second that a knee or a hand bears all it can, in plans that know the hips ...
    walking_effort_weight: float = 0.3  # ... and in a walk with hands on rails, where steps must be met exactly
    knee_torque: float = 100.0  # [N m] that a knee bears without strain
    seat_stiffness: float = 20e3  # [N/m] of what the character sits on
    seat_damping: float = 1.5e3  # [N s/m]
    position_tolerance: float = 0.25  # [m] a plan that misses a position target by more is not used

    climb_lean: float = 4.0  # [rad/m] by which the trunk leans forward for a step up that is higher than ...
    upright_rise: float = 0.28  # [m] ... this: knees would hit the step after it
    most_lean: float = 0.45  # [rad]

    walking_steps: int = 2  # horizon of a walking plan: one stride, Sec. 3.2.2
    warm_start: bool = True  # the second half of the last plan is a guess for the first half of the next, Sec. 3.2.2
    line_force: bool = True  # f_l is searched; otherwise f_r alone, as with plain force vectors, Sec. 3.2.1
    answer_share: float = 0.5  # of a step: a plan that comes later is not followed any more

    worker_timeout: float = 10.0  # [s] without a sign of life, after which the worker beside the simulation is replaced
    worker_startup: float = 60.0  # [s] the same while it still compiles
    worker_restarts: int = 5  # after so many replacements it is given up


@dataclass(frozen=True, kw_only=True)
class SwingParams:
    """The path of a foot through the air (Sec. 4)."""

    clearance: float = 0.06  # [m] above the higher of the two footholds, and what lies between them
    edge_clearance: float = 0.03  # [m] of heel and toes above what they pass ...
    path_error: float = 0.015  # [m] by which a foot may be ahead of its path, or behind
    scuff: float = 0.01  # [m] ... less what soles sink in and slopes vary
    waits: tuple[float, ...] = (0.0, 0.1, 0.2, 0.3)  # shares of a swing, tried where a foot would catch an edge
    halt: float = 0.1  # of a swing, in which a foot that waits is back where it stood and a `path_error` further
    apex: float = 0.45  # of the swing's duration: when the foot is highest
    roll_out: float = 0.25  # of the swing's duration, in which a heel that was rising comes to rest
    landing_speed: float = 0.4  # [m/s] downwards, at touch-down and while looking for late ground
    landing_pitch: float = -0.05  # [rad] toes up at touch-down: the heel first (backwards: the toes)
    heel_height: float = 0.003  # [m] of a sole's middle as its heel feels the ground, where no edge is near
    toes_down: float = 0.38  # [rad] of a sole that lands lower than the other by the drop below or more: toes first
    toe_stretch: float = 0.04  # [m] between its middle and the ground then: less than the toes are lower, as feet lag
    toes_first_drop: float = 0.20  # [m] with smaller drops toes point less
    max_sink: float = 0.06  # [m] below the expected ground
    braking: float = 1.0  # share of the braking until touch-down in such a swing; 0: it arrives at rest
    settle: float = 0.06  # [s] before a foot arrives over its foothold, from which on it follows that until touch-down
    max_acceleration: float = 60.0  # [m/s^2] that is fed forward when a foothold moves late


@dataclass(frozen=True, kw_only=True)
class ReachParams:
    """The path of a hand or foot to a place at any height."""

    shortest: float = 0.35  # [s] for a limb to get to its next place
    clearance: float = 0.10  # [m] above the higher end of the path
    lift_share: float = 0.2  # of the duration, before the limb moves sideways
    lift_share_rise: float = 0.4  # [1/m] the same, more for every metre that the path leads up
    detour: float = 0.55  # of the rise of a path, by which a foot goes outward on its way ...
    retreat: float = 0.3  # ... and back before it goes over
    landing_share: float = 0.15  # of the duration, after it has stopped doing so
    turned: float = 0.5  # of the duration, after which the limb is turned as it will land
    landing_speed: float = 0.25  # [m/s] downwards, while looking for a late surface
    max_sink: float = 0.08  # [m] below the expected surface
    glide_clearance: float = 0.04  # [m] of a hand above the rail that it moves along: higher, its elbow would be folded
    glide_rise: float = 0.3  # of the duration, in which it gets there from the rail
    glide_over: float = 0.7  # of that time, after which it goes over the rail
    glide_fall: float = 0.4  # of the duration, in which it comes down again


@dataclass(frozen=True, kw_only=True)
class FootholdParams:
    """Where and when a swing foot may land when the body is pushed off its plan."""

    forward: float = 0.85  # [m] reach relative to the stance foot, in the heading frame
    backward: float = 0.70  # [m]
    inward: float = 0.11  # [m] between the middles of the feet
    outward: float = 0.55  # [m]
    passed: float = 0.05  # [m] a swing foot this far ahead of (or behind) the other may cross in front of (behind) it,
    crossing_clear: float = 0.28  # [m] landing at least this far ahead (or behind): a sole's length
    crossing: float = 0.20  # [m] and at most this far beyond it
    given: float = 0.005  # [m] a foot that its region keeps this far from where it belongs lands at another time,
    latest: float = 0.10  # [s] up to this much later than planned,
    slowdown: float = 0.5  # of the time that passes, by which that may be put off: the foot's path stays smooth
    slowest_capture: float = 0.5  # [m/s] of the capture point: with a slower one, waiting is of no use
    disturbed: float = 0.08  # [m] smaller corrections of a plan need no second thought
    off_gait: float = 0.12  # [m] a plan whose landing is further from the gait's than this was out of reach
    foot_speed: float = 3.5  # [m/s] mean, of a foot in a hurry
    shortest_swing: float = 0.18  # [s]
    shortest_rest: float = 0.06  # [s] from now to touch-down
    candidates: int = 9  # touch-down times that are tried
    reach_weight: float = 100.0  # [1/m^2]
    speed_weight: float = 100.0  # [1/m^2]
    time_weight: float = 1.0  # [1/s^2]


@dataclass(frozen=True, kw_only=True)
class PaceParams:
    """The slow correction of the walking velocity."""

    speed_up: float = 0.25  # [m/s] a step
    slow_down: float = 1.5  # [m/s] a step: from any walk to none at once, where tier 1 finds a way
    sidestep_change: float = 0.2  # [m/s] a step, to either side: feet that may not cross have less room there
    turn_change: float = 0.4  # [rad/s] a step
    slower_step: float = 0.03  # [s] by which a step may last longer than the one before
    calming: float = 0.8  # share of its pace that a step keeps when nothing else can be stepped
    hurried_step: float = 0.30  # [s] at most, of a step when the body falls: as quick as a foot gets from side to side
    forward_gain: float = 1.25  # planned against commanded forward velocity, before anything is learned
    gain: float = 0.12  # of a step's velocity error that is learned
    largest_error: float = 0.2  # [m/s] that counts in one step
    limit: float = 0.4  # [m/s] of what is learned
    learned_speed: float = 0.2  # [m/s] below which less of it is used ...
    learned_turn: float = 0.4  # [rad/s] ... unless it turns
    same_command: float = 0.02  # [m/s] smaller changes do not count as a new command
    settle_steps: int = 3  # at the commanded velocity, before errors count


@dataclass(frozen=True, kw_only=True)
class GuideParams:
    """Walking beside rails (a walk drifts sideways by centimetres a step; between rails there is no room for that)."""

    distance: float = 0.40  # [m] from the COM to a rail, sideways
    beside: float = 0.8  # [m] sideways, within which a rail leads the way ...
    ahead: float = 0.8  # [m] ... from so far before its beginning on
    largest_turn: float = 0.5  # [rad] between heading and rail
    sideways_gain: float = 0.5  # [1/s] of the offset
    sideways: float = 0.08  # [m/s] at most
    turn_gain: float = 0.8  # [1/s] of the angle
    turn_rate: float = 0.2  # [rad/s] at most


@dataclass(frozen=True, kw_only=True)
class ArmParams:
    """Arms that swing opposite to the legs."""

    amplitude: float = 1.0  # of the robot's own swing gains
    settle_time: float = 0.2  # [s] to come to the walking pose


@dataclass(frozen=True, kw_only=True)
class StandingParams:
    """Standing: how targets follow the command, and when a foot may leave the ground."""

    reference_time: float = 0.15  # [s] time constant with which standing targets follow the command
    shift_speed: float = 0.4  # [m/s] at most, of the standing COM over the ground
    height_speed: float = 0.3  # [m/s] at most, of the standing COM up and down
    trunk_speed: float = 1.0  # [rad/s] at most, of the trunk while standing
    joint_speed: float = 3.0  # [rad/s] at most, of arms and head while standing
    yield_margin: float = 0.1  # [m] with the capture point closer to the soles' edge the trunk begins to give way
    yield_distance: float = 0.04  # [m] with the capture point closer to its goal it never does
    lift_time: float = 0.8  # [s] to raise or lower a foot while standing
    lift_com_error: float = 0.025  # [m] a foot is lifted only when the COM is this close to the other one
    lift_com_speed: float = 0.05  # [m/s] ... and this slow
    com_offset: float = -0.01  # [m] of the COM before the middle of the feet: a little nearer to the ankles
    rest_error: float = 0.03  # [m] of the COM from the middle of the feet, of a character that stands at rest
    ground_search: float = 0.02  # [m] below where it stood, where a standing foot looks for the ground that it has lost


@dataclass(frozen=True, kw_only=True)
class PadParams:
    """Which corners of a touching sole or palm can push."""

    margin: float = 0.008  # [m] contact points lie this far inside the edge of a pad
    contact_height: float = 0.05  # [m] corners of a touching pad higher than its lowest one by more cannot push
    rolling_contact_height: float = 0.015  # [m] corners that are higher then are not on the ground yet ...
    rolling_force: float = 40.0  # [N] ... and are brought down with this much each


@dataclass(frozen=True, kw_only=True)
class LeapParams:
    """Flight: the trunk, the foot behind, and the landing."""

    take_off_lean: float = 0.45  # [rad] of the trunk, forward: a thigh goes back by 25 degrees from it, no further
    upright_time: float = 0.4  # [s] to stand upright again after landing
    lean_share: float = 0.6  # of the single support before the flight, in which it leans
    tuck: tuple[float, float, float] = (-0.55, 0.0, -0.55)  # [m] of the foot behind from its hip, in flight
    tuck_time: float = 0.15  # [s] to get it there
    landing_reach: float = 0.96  # of its length, at which a leg lands: it needs a stroke to catch the body with
    flight_reach: float = 0.98  # of its length, to which it stretches in the air: a straight one would jolt the body
    landing_speed: float = 0.6  # [m/s] downwards, of the foot that lands: a slower one may touch too early
    longest_flight: float = 0.4  # [s] in which a touch-down is looked for
    flight_samples: int = 41  # in it


@dataclass(frozen=True, kw_only=True)
class HoldParams:
    """Following plans in which hands and feet carry the body (tasks)."""

    hand_force_limit: float = 350.0  # [N] that a hand is asked for
    pressure: float = 20.0  # [N] with which a hand is pressed on a plane at least: one that bears nothing slips off
    search: float = 0.03  # [m] below its surface, where a limb looks for it again that has lost touch
    authority: float = 0.15  # how firmly a loaded limb is held in place: enough for the elbow's direction
    light_load: float = 25.0  # [N] a limb that bears less is held more firmly
    stretched: float = 0.97  # of its reach, from which on an arm lets go of what it holds
    near_place: float = 0.10  # [m] from where it should be, that a limb has arrived which touches before its time
    lost_time: float = 0.25  # [s] without touch, after which a hold counts as lost
    draw_back: float = 0.06  # [m] away from a hold that is let go of
    draw_back_time: float = 0.25  # [s]


@dataclass(frozen=True, kw_only=True)
class RailHandParams:
    """Hands that go along rails."""

    authority: float = 0.6  # how firmly a hand on a rail keeps the arm's posture and its own direction
    reserve: float = 80.0  # [N] beyond its planned load, that a hand on a rail may be asked for
    early_hold: float = 0.04  # [s] by which a hand is at a rail before it is to bear load
    inside_rail: float = 0.18  # [m] from a rail that is let go of, towards the body
    return_time: float = 0.5  # [s] to get there
    near_hold: float = 0.12  # [m] from where it should be, that a hand closes around a rail ...
    slow_hand: float = 1.0  # [m/s] ... when it is slower than this


@dataclass(frozen=True, kw_only=True)
class ExecutorParams:
    """Between the planners and the controller: how targets move (not in the paper)."""

    gravity: float = 9.81  # [m/s^2]
    moving_speed: float = 0.02  # [m/s], [rad/s] slower commands mean: stand
    start_lean: float = 0.045  # [m] a first step is taken when the capture point is this close to the stance foot
    # [s] of its pace, by which the capture point is ahead of the foot as a step of T = 0.65 s begins: T / (exp(ωT) - 1)
    start_lead: float = 0.09
    start_double_support: float = 0.15  # [s] before the first foot leaves the ground
    barred_distance: float = 0.25  # [m] stand when no more than this can be walked of the commanded way
    stop_speed: float = 0.8  # [m/s] stand only when the COM is slower: quicker, braking makes the feet slip
    level_feet: float = 0.08  # [m] of one foot ahead of the other, where a walk should end with both side by side
    stop_margin: float = 0.02  # [m] stand when the capture point is this far inside the soles
    landing_margin: float = 0.015  # [m] between a landing sole and the edge of its region
    foothold_filter: float = 0.03  # [s] low-pass of its forward part
    foothold_freeze: float = 0.05  # [s] before touch-down it stays
    ankle_control: float = 0.04  # [m] of the capture point that a stance foot is asked to bring back, forward ...
    ankle_control_sideways: float = 0.02  # [m] ... and sideways
    highest_walk: float = 0.97  # [standing heights] of the COM as a foot lands: straight legs would make it slip
    lowest_walk: float = 0.8  # [standing heights] to which the body may go down so that a foot reaches the ground
    landing_bias_gain: float = 0.3  # of a step's miss between capture point and foothold
    landing_bias_limit: float = 0.08  # [m]
    landing_bias_speed: float = 0.4  # [m/s] above which the forward part is learned in proportion to the speed
    shortest_remaining: float = 0.02  # [s] of a step that is late
    directed_speed: float = 0.3  # [m/s] from which on a foot rolls as in walking forwards (or backwards)
    max_height_error: float = 0.03  # [m] plans start at the target height unless it is further off than this
    max_climb_error: float = 0.2  # [m/s] ... and with the target's vertical speed
    max_heading_error: float = 0.3  # [rad] between the heading that is planned with and the body's
    lost_course: float = 1.0  # [rad] turned further than this off its course, it goes on nearer to where it faces
    hip_drop: float = 0.012  # [m] of the hips under the COM in the middle of a step, beyond their place when standing
    ankle_offset: float = 0.03  # [m] from the middle of the sole back to the ankle
    quick_walk: float = 1.5  # [m/s] a walk beyond this ends its steps on legs that are not quite stretched, but ...
    quick_bend: float = 0.1  # [s] ... short of that by this much times the speed beyond, ...
    uneven_bend: float = 0.06  # [s^2/m] ... by this much times its speed forward and to a side, where a turn counts ...
    turning_arm: float = 0.6  # [m] ... as speed to a side this far away, about a step, ...
    most_bend: float = 0.05  # [m] ... and by this much at most
    heel_rise: float = 0.7  # [rad/m] of a foot about to leave, per step length
    max_heel_rise: float = 0.6  # [rad]
    heel_speed: float = 1.0  # of its mean rate, with which a heel rises as the foot leaves the ground
    landing_time: float = 0.12  # [s] from touch-down, in which a foot that lands on its toes comes to lie flat
    touch_down_load: float = 20.0  # [N] that a landing foot must feel
    earliest_touch_down: float = 0.5  # of the swing: contacts before are stumbles ...
    stumble_height: float = 0.10  # [m] ... and so are those of a sole with the ground further below its middle

    standing: StandingParams = field(default_factory=StandingParams)
    pads: PadParams = field(default_factory=PadParams)
    swing: SwingParams = field(default_factory=SwingParams)
    reach: ReachParams = field(default_factory=ReachParams)
    arms: ArmParams = field(default_factory=ArmParams)
    guide: GuideParams = field(default_factory=GuideParams)
    pace: PaceParams = field(default_factory=PaceParams)
    foothold: FootholdParams = field(default_factory=FootholdParams)
    leap: LeapParams = field(default_factory=LeapParams)
    hold: HoldParams = field(default_factory=HoldParams)
    rail_hands: RailHandParams = field(default_factory=RailHandParams)


@dataclass(frozen=True, kw_only=True)
class WholeBodyParams:
    """Sec. 4: joint torques."""

    swing_kp: float = 2000.0  # [N/m] virtual spring on a swinging pad
    swing_kd: float = 120.0  # [N s/m]
    support_kd: float = 4.0  # [N m s/rad] joint damping in a supporting limb ...
    exact_support_kd: float = 1.0  # [N m s/rad] ... and in one whose forces come true, which needs less of it
    exact_damping: float = 0.05  # of the accelerations of a standing leg's joints: bounds them near a straight knee
    inertia_feedforward: float = 1.0  # share of the inertial torques that is fed forward (0: none, as in Sec. 4)
    inertia_moment_limit: float = 120.0  # [N m] that the feet are asked to give for it
    ik_rotation_weight: float = 0.3  # [m/rad] of orientation against position errors
    ik_damping: float = 0.02  # of a step of inverse kinematics
    ik_rate_damping: float = 0.05  # of joint rates: bounds them near a straight limb
    ik_iterations: int = 6  # at most, of inverse kinematics a tick, from the angles of now ...
    ik_rest_iterations: int = 20  # ... or from a rest pose


@dataclass(frozen=True, kw_only=True)
class TaskParams:
    """Sec. 5.2: motor tasks that are planned stage by stage."""

    iterations: int = 300  # of CMA for a stage (the paper: 1000 to 2000 for a task)
    polished_iterations: int = 200  # the same from a guess that has been polished
    polish: int = 8  # Gauss-Newton steps of the guess before: cheaper than CMA where balance is all
    position_tolerance: float = 0.06  # [m] of the COM at the end of a plan: one that misses by more is not followed
    speed_tolerance: float = 0.2  # [m/s] the same of its speed
    slow: float = 0.06  # [m/s] a stage is planned when the COM is slower than this
    patience: float = 1.5  # [s] after the end of a plan, in which a stage may still come to its end
    settle: float = 0.2  # [s] after the end of a plan, before its success is judged
    arrival: float = 0.045  # [m] from where a task begins, that is near enough
    arrival_at_rest: float = 0.03  # [m] the same for who has stopped, times its stops and one more
    arrival_turn: float = 0.06  # [rad] the same of the heading
    approach_speed: float = 0.4  # [m/s] of the walk there
    creep: float = 0.03  # [m/s] of its end
    approach_gain: float = 0.5  # [1/s] by which it slows down
    arrival_speed: float = 0.1  # [m/s] at which a walk may stop there
    approach_lag: float = 1.0  # [s] that a walk goes on at its speed when it is told another one
    approach_filter: float = 0.3  # [s] over which its speed is taken: about a step
    approach_turn: float = 0.5  # [rad/s] at most, to face what is to be done
    tries: int = 3  # of a stage, before the task is given up


@dataclass(frozen=True, kw_only=True)
class SafetyParams:
    """What is done when the controller has no usable answer."""

    hold_time: float = 0.02  # [s] for which the last torques stand in: a lost sample or two are not felt
    crouch_stiffness: float = 0.3  # of the posture's stiffness, by which a stopped character yields to a crouch
    stop_time: float = 4.0  # [s] in which it comes to rest, crouching or lying
    still: float = 0.1  # [m/s], [rad/s] of who lies still after a fall and can get up, at most


@dataclass(frozen=True, kw_only=True)
class Params:
    """The whole configuration, in data-flow order."""

    tracking: TrackingParams = field(default_factory=TrackingParams)
    footsteps: FootstepParams = field(default_factory=FootstepParams)
    frb: FrbParams = field(default_factory=FrbParams)
    executor: ExecutorParams = field(default_factory=ExecutorParams)
    forces: ForceParams = field(default_factory=ForceParams)
    wholebody: WholeBodyParams = field(default_factory=WholeBodyParams)
    tasks: TaskParams = field(default_factory=TaskParams)
    safety: SafetyParams = field(default_factory=SafetyParams)


def groups_of(params: Any) -> Iterator[Any]:
    """`params` and every group of parameters within it, in a fixed order."""
    yield params
    for item in fields(params):
        if is_dataclass(value := getattr(params, item.name)):
            yield from groups_of(value)
