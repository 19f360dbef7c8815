"""The humanoid that ships: 70 kg, 1.75 m, 34 motors (hmpc/robot/assets/humanoid.xml)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hmpc.robot.spec import CommandLimits, Gains, LimbSpec, RobotSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

_LEG_REACH = 0.925  # [m] hip to sole with a nearly straight knee (thigh 0.424 + shank 0.436 + ankle 0.075)
_ARM_REACH = 0.57  # [m] shoulder to palm with a slightly bent elbow
_KNEE_REACH = 0.45  # [m] hip to knee, and a little more: it is never out of reach of itself


def _foot(side: str) -> LimbSpec:
    return LimbSpec(
        name=f"{side}_foot",
        root_body=f"{side}_thigh",
        tip_body=f"{side}_foot",
        site=f"{side}_foot",
        geoms=(f"{side}_sole",),
        half_extent=(0.1275, 0.045),
        reach=_LEG_REACH,
        kind="foot",
    )


def _hand(side: str) -> LimbSpec:
    return LimbSpec(
        name=f"{side}_hand",
        root_body=f"{side}_upper_arm",
        tip_body=f"{side}_hand",
        site=f"{side}_hand",
        geoms=(f"{side}_palm", f"{side}_fingers"),
        half_extent=(0.045, 0.040),
        reach=_ARM_REACH,
        kind="hand",
    )


def _knee(side: str) -> LimbSpec:
    # The knee is round and rests on whichever side is down: its middle stands for all of them.
    return LimbSpec(
        name=f"{side}_knee",
        root_body=f"{side}_thigh",
        tip_body=f"{side}_thigh",
        site=f"{side}_knee",
        geoms=(f"{side}_knee",),
        half_extent=(0.01, 0.01),
        reach=_KNEE_REACH,
        kind="knee",
    )


_SEAT = LimbSpec(
    name="seat",
    root_body="pelvis",
    tip_body="pelvis",
    site="seat",
    geoms=("left_seat", "right_seat"),
    half_extent=(0.07, 0.125),
    reach=0.0,
    kind="seat",
)


def _both(**angles: float) -> dict[str, float]:
    return {f"{side}_{joint}": angle for side in ("left", "right") for joint, angle in angles.items()}


def _mirrored(angles: Mapping[str, float]) -> dict[str, float]:
    """The same pose with left and right exchanged."""
    other = {"left": "right", "right": "left"}
    aside = ("lateral", "rotation", "yaw")  # of the trunk and the head, which have no other side

    def joint_and_angle(joint: str, angle: float) -> tuple[str, float]:
        side, _, name = joint.partition("_")
        return (f"{other[side]}_{name}", angle) if side in other else (joint, -angle if name in aside else angle)

    return dict(joint_and_angle(*item) for item in angles.items())


_LAP = {
    "shoulder_flexion": 0.12,
    "shoulder_abduction": 0.02,
    "shoulder_rotation": -0.45,
    "elbow": 0.79,
    "forearm_supination": 0.14,
    "wrist_flexion": -0.53,
    "wrist_deviation": 0.12,
}  # palms on the thighs, of who sits
_BESIDE_CHEST = {
    "shoulder_flexion": -0.43,
    "shoulder_abduction": 0.27,
    "shoulder_rotation": 0.17,
    "elbow": 2.14,
    "forearm_supination": 0.29,
    "wrist_flexion": -1.41,
}  # palms down, of who lies on the front

_STAND = _both(hip_flexion=0.08, knee=0.26, ankle_dorsiflexion=0.18)
_PRONE = {**_both(knee=0.05, ankle_dorsiflexion=-0.9), **_both(**_BESIDE_CHEST), "neck_pitch": -0.5}

# Rolling over to the right, from the back to the front.
_LEG_RAISED = {
    **{"left_hip_flexion": 1.4, "left_knee": 1.5},
    **{"left_shoulder_flexion": 1.4, "left_shoulder_abduction": 0.3, "left_elbow": 0.1, "left_forearm_supination": 1.1},
    **{"right_shoulder_flexion": 2.9, "right_elbow": 0.2, "right_forearm_supination": 1.1},
}
_LEG_ACROSS = _LEG_RAISED | {
    **{"left_hip_flexion": 1.4, "left_hip_abduction": -0.5, "left_hip_rotation": 0.7, "left_knee": 0.5},
    **{"left_shoulder_flexion": 1.5, "left_shoulder_abduction": -0.5},
    **{"lumbar_rotation": -0.3, "thoracic_rotation": -0.5, "neck_yaw": -1.0},
}
_UNTWIST = _LEG_ACROSS | {"lumbar_rotation": 0.2, "thoracic_rotation": -0.3}  # the hips follow the chest
_ROLLED = {
    **{joint: angle for joint, angle in _LEG_ACROSS.items() if "shoulder" in joint or "elbow" in joint},
    **_both(knee=0.05, ankle_dorsiflexion=-0.9, forearm_supination=1.1),
    **{"left_elbow": 1.2, "neck_pitch": -0.5},
}
# On the right side, in the crouch in which a fall ends: the arm below comes out over the head, the chest off it.
_ARM_OVERHEAD = {
    **_both(hip_flexion=1.6, knee=2.2),
    **{joint: angle for joint, angle in _LEG_RAISED.items() if "shoulder" in joint or "elbow" in joint},
    **_both(forearm_supination=1.1),
    **{"lumbar_rotation": 0.2, "thoracic_rotation": 0.4, "neck_yaw": 0.3},
}
_ARMS_OUT = {
    **_both(knee=0.05, ankle_dorsiflexion=-0.9, shoulder_flexion=0.3, shoulder_abduction=1.3, shoulder_rotation=1.2),
    **_both(elbow=2.0, forearm_supination=0.2, wrist_flexion=-0.8),
    "neck_pitch": -0.5,
}

# Chest down on a platform, legs behind its edge. Angles beyond the range of a joint push against what is in the way.
_HANDS_UNDER = {"shoulder_flexion": -0.9, "elbow": 2.45, "forearm_supination": 0.3, "wrist_flexion": -1.4}
_PULL = {"shoulder_flexion": -1.9, "elbow": 2.05, "forearm_supination": 0.3, "wrist_flexion": -1.3}
_LEGS_FOLDED = _both(hip_flexion=-0.1, knee=2.0, ankle_dorsiflexion=-0.5)
_ARMS_ASIDE = _both(shoulder_flexion=0.6, shoulder_abduction=1.4, elbow=1.5, forearm_supination=0.3)
_OVER_THE_EDGE = {
    **_both(hip_flexion=1.01, knee=0.02, ankle_dorsiflexion=-0.1),
    **_both(**_HANDS_UNDER, shoulder_abduction=0.28),
    "neck_pitch": -0.75,
}
_PUSH_OFF = _OVER_THE_EDGE | {
    **_both(hip_flexion=2.45, knee=0.0, ankle_dorsiflexion=-0.9),
    **_both(shoulder_flexion=-0.6, elbow=0.73, wrist_flexion=-1.3),
}
_KICK_BACK = _PUSH_OFF | {**_both(hip_flexion=0.1, knee=0.2), **_both(**_PULL)}
_TUCK = {
    **_both(hip_flexion=2.34, knee=1.0, ankle_dorsiflexion=-0.5),
    **_both(**_HANDS_UNDER, shoulder_abduction=0.11) | _both(shoulder_flexion=-1.7, elbow=1.8),
    "neck_pitch": -0.75,
}
_UNTUCK = _TUCK | {
    **_both(hip_flexion=-0.3, knee=1.5),
    **_both(shoulder_flexion=-1.9, elbow=0.94, wrist_flexion=-1.3),
}

HUMANOID = RobotSpec(
    name="humanoid",
    description="70 kg, 1.75 m, 34 motors, anthropometry after de Leva 1996",
    mjcf=Path(__file__).parent / "assets" / "humanoid.xml",
    body_frame=("pelvis", "abdomen", "thorax"),
    limbs=(_foot("left"), _foot("right"), _hand("left"), _hand("right"), _knee("left"), _knee("right"), _SEAT),
    gains={
        "hip_flexion": Gains(kp=300.0, kd=30.0),
        "hip_abduction": Gains(kp=300.0, kd=30.0),
        "hip_rotation": Gains(kp=100.0, kd=10.0),
        "knee": Gains(kp=300.0, kd=30.0),
        "ankle_dorsiflexion": Gains(kp=150.0, kd=10.0),
        "ankle_eversion": Gains(kp=150.0, kd=10.0),
        "lumbar_flexion": Gains(kp=600.0, kd=60.0),
        "lumbar_lateral": Gains(kp=600.0, kd=60.0),
        "lumbar_rotation": Gains(kp=600.0, kd=60.0),
        "thoracic_flexion": Gains(kp=600.0, kd=60.0),
        "thoracic_lateral": Gains(kp=600.0, kd=60.0),
        "thoracic_rotation": Gains(kp=600.0, kd=60.0),
        "neck_pitch": Gains(kp=40.0, kd=4.0),
        "neck_yaw": Gains(kp=40.0, kd=4.0),
        "shoulder_flexion": Gains(kp=60.0, kd=6.0),
        "shoulder_abduction": Gains(kp=60.0, kd=6.0),
        "shoulder_rotation": Gains(kp=40.0, kd=4.0),
        "elbow": Gains(kp=40.0, kd=4.0),
        "forearm_supination": Gains(kp=8.0, kd=0.8),
        "wrist_flexion": Gains(kp=12.0, kd=1.2),
        "wrist_deviation": Gains(kp=12.0, kd=1.2),
    },
    stand=_STAND,
    arm_poses={
        "rest": _both(shoulder_abduction=0.12, shoulder_flexion=0.05, elbow=0.35, forearm_supination=1.1),
        "forward": _both(shoulder_flexion=1.45, shoulder_abduction=0.05, elbow=0.15, forearm_supination=0.2),
        "sideways": _both(shoulder_abduction=1.45, elbow=0.1, forearm_supination=0.2),
        "lap": _both(**_LAP),
        "bent": _both(shoulder_abduction=0.1, elbow=1.5, forearm_supination=0.6),
    },
    poses={
        "crouch": {
            **_both(hip_flexion=1.6, knee=2.2, ankle_dorsiflexion=0.6),
            **_both(shoulder_flexion=0.6, elbow=0.8),
        },
        "sit": {
            **_both(hip_flexion=1.40, knee=1.865, ankle_dorsiflexion=0.465),
            **_both(**_LAP),
        },
        "prone": _PRONE,
        "supine": {**_both(knee=0.05, shoulder_abduction=0.3, forearm_supination=1.1), "neck_pitch": 0.1},
        "leg raised": _LEG_RAISED,
        "leg across": _LEG_ACROSS,
        "untwist": _UNTWIST,
        "rolled": _ROLLED,
        "rolled to the left": _mirrored(_ROLLED),
        "right arm overhead": _ARM_OVERHEAD,
        "left arm overhead": _mirrored(_ARM_OVERHEAD),
        "arms out": _ARMS_OUT,
        "hands raised": _PRONE | _both(shoulder_flexion=-0.95, elbow=2.4),
        "look ahead": {**_STAND, "neck_pitch": -0.75},
        "over the edge": _OVER_THE_EDGE,
        "legs behind": _OVER_THE_EDGE | _both(hip_flexion=0.75),
        "push off": _PUSH_OFF,
        "kick back": _KICK_BACK,
        "legs folded": _KICK_BACK | _LEGS_FOLDED,
        "arms aside": {**_LEGS_FOLDED, **_ARMS_ASIDE, "neck_pitch": -0.6},
        "hands under": {**_LEGS_FOLDED, **_both(**_HANDS_UNDER, shoulder_abduction=0.11), "neck_pitch": -0.75},
        "tuck": _TUCK,
        "untuck": _UNTUCK,
        "kneel": {**_both(hip_flexion=1.3, knee=1.65, ankle_dorsiflexion=-0.8), **_both(**_BESIDE_CHEST)},
    },
    head={"yaw": "neck_yaw", "pitch": "neck_pitch"},
    spine_bend={"lumbar_flexion": 0.35, "thoracic_flexion": 0.25},
    arm_hang=_both(shoulder_flexion=1.3, elbow=0.6),
    arm_swing={f"{side}_hand": {f"{side}_shoulder_flexion": 0.8, f"{side}_elbow": 0.35} for side in ("left", "right")},
    limits=CommandLimits(forward=(-1.0, 2.0), sideways=0.4, yaw_rate=0.8, body_height=(0.75, 1.0)),
)
