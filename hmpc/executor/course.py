"""The heading that a walk keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hmpc.geometry import wrap_angle

if TYPE_CHECKING:
    from hmpc.params import ExecutorParams


class Course:
    """The integral of the commanded turns; a body that a push or a bump has turned off it comes back bit by bit.

    `heading` [rad] is what the next steps are planned in: on the way back to the course, never far from where the
    body faces.
    """

    def __init__(self, facing: float, params: ExecutorParams):
        self._params = params
        self._course = self.heading = facing

    def turn(self, facing: float, by: float) -> None:
        """The body now faces `facing` [rad], and a turn `by` [rad] was commanded since the last time."""
        limit, lost = self._params.max_heading_error, self._params.lost_course
        off = wrap_angle(self._course + by - facing)
        self._course = facing + min(max(off, -lost), lost)
        self.heading = facing + min(max(off, -limit), limit)
