"""The heading of a walk: as commanded, and found again after a push."""

from __future__ import annotations

import math

import pytest

from hmpc.executor.course import Course
from hmpc.params import ExecutorParams

PARAMS = ExecutorParams()


def test_the_course_is_the_integral_of_the_commanded_turns() -> None:
    course, facing = Course(3.0, PARAMS), 3.0
    for _ in range(100):
        course.turn(facing, 0.01)
        facing = course.heading  # the body follows
    assert math.remainder(course.heading - 4.0, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)


def test_a_body_that_was_turned_comes_back_to_its_course_in_small_turns() -> None:
    course, facing, turns = Course(0.0, PARAMS), 0.8, []
    for _ in range(10):
        course.turn(facing, 0.0)
        turns.append(abs(course.heading - facing))
        facing += 0.5 * (course.heading - facing)
    assert max(turns) <= PARAMS.max_heading_error + 1e-9
    assert facing == pytest.approx(0.0, abs=0.05)


def test_a_course_that_is_lost_is_given_up() -> None:
    course = Course(0.0, PARAMS)
    course.turn(2.5, 0.0)  # turned by a push
    course.turn(2.5 - PARAMS.lost_course, 0.0)
    assert course.heading == pytest.approx(2.5 - PARAMS.lost_course)
