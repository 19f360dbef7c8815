"""Controls made from declarations, and the small things around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import viser
import yaml

from hmpc.app.config import differing, parse_config, with_overrides
from hmpc.app.viewers.budget import bars
from hmpc.app.viewers.charts import stays, timeline
from hmpc.app.viewers.fields import add_field, add_parameter, comments_of
from hmpc.app.viewers.history import History, Sample
from hmpc.app.viewers.stage import Stage
from hmpc.app.viewers.tuning import TuningPanel, group_paths
from hmpc.app.viewers.wishes import REST, AtRest, Wishes
from hmpc.params import FrbParams, Params, TrackingParams
from hmpc.registry import list_environments


@pytest.fixture
def gui() -> Any:
    server = viser.ViserServer(host="127.0.0.1", port=28480, verbose=False)
    yield server.gui
    server.stop()


def test_hints_are_the_comments_of_the_source() -> None:
    assert comments_of(TrackingParams)["kp_force"] == "[N/m] Sec. 3.3"
    assert set(comments_of(FrbParams)) == {name for name in FrbParams.__dataclass_fields__}


def test_every_parameter_of_every_environment_has_a_control(gui: Any) -> None:
    for info in list_environments():
        for item in info.parameters:
            control = add_parameter(gui, item, item.default)
            item.check(control.value)


def test_every_number_of_the_controller_has_a_control(gui: Any) -> None:
    wishes = Wishes()
    panel: Any = TuningPanel(gui, wishes, Params())
    assert {"tracking", "executor.swing", "wholebody"} <= set(group_paths())
    for path in group_paths():
        panel._group.value = path
        panel._show(Params())
        assert with_overrides(Params(), panel._values()) == Params()


def test_a_tuned_number_reaches_the_controller_when_it_rests_and_can_be_saved(gui: Any, stage: Stage) -> None:
    panel: Any = TuningPanel(gui, Wishes(), stage.session.params)
    now = [0.0]
    panel._rest._clock = lambda: now[0]
    panel._controls["kp_force"].value = 3500.0
    panel.listen(stage)
    assert stage.session.params.tracking.kp_force == 4000.0
    now[0] += 2.0 * REST
    panel.listen(stage)
    assert stage.session.params.tracking.kp_force == 3500.0
    text = yaml.safe_dump(differing(stage.session.params, Params()))
    assert parse_config(text.encode(), "hmpc.yaml") == {"tracking.kp_force": 3500.0}
    panel._group_to_default(stage)
    assert stage.session.params == Params() and panel._controls["kp_force"].value == 4000.0
    panel._load(stage, "hmpc.yaml", text.encode())
    assert stage.session.params.tracking.kp_force == 3500.0
    panel._load(stage, "bad.yaml", b"tracking: {kp_farce: 1}")
    assert "kp_farce" in stage.notices[-1] and stage.session.params.tracking.kp_force == 3500.0


def test_a_list_of_numbers_is_typed_and_a_bad_one_is_refused(gui: Any, stage: Stage) -> None:
    panel: Any = TuningPanel(gui, Wishes(), stage.session.params)
    panel._group.value = "footsteps"
    panel.listen(stage)
    control, usual = panel._controls["duration_factors"], Params().footsteps.duration_factors
    for text, expected in (("1.0, 0.8", (1.0, 0.8)), ("fast", (1.0, 0.8)), ("", (1.0, 0.8))):
        control.value = text
        panel._take(stage)
        assert stage.session.params.footsteps.duration_factors == expected != usual
        assert control.value == "1.0, 0.8"
    assert len(stage.notices) == 2 and "duration_factors" in stage.notices[0]


def test_a_default_of_zero_and_a_switch_have_controls(gui: Any) -> None:
    assert add_field(gui, "zero", 0.0, 0.0, "").value == 0.0
    assert add_field(gui, "switch", True, True, "").value is True
    assert add_field(gui, "far", 500.0, 1.0, "").value == 500.0  # beyond the usual range, from a file


def test_a_value_is_told_once_when_it_has_come_to_rest() -> None:
    now = [0.0]
    rest = AtRest(1.0, clock=lambda: now[0])
    told = []
    for t, value in ((0.1, 2.0), (0.2, 3.0), (0.3, 3.0), (0.2 + REST, 3.0), (0.3 + REST, 3.0)):
        now[0] = t
        told.append(rest.see(value))
    assert told == [False, False, False, True, False]


def test_stays_are_the_times_between_touch_down_and_lift_off(stage: Stage) -> None:
    history = History()
    history.limbs = ("left_foot", "right_foot")
    for k in range(20):
        touching = (k % 10 < 5, True)
        history.samples.append(Sample(0.1 * k, np.zeros(3), np.zeros(3), 1.0, np.zeros(2), touching))
    left = stays(history, "left_foot")
    np.testing.assert_allclose(left, [(0.0, 0.5), (1.0, 1.5)])
    np.testing.assert_allclose(stays(history, "right_foot"), [(0.0, 1.9)])
    assert timeline(history, stage.session).count("<rect") <= 4


def test_the_timeline_shows_knees_only_when_they_touch(stage: Stage) -> None:
    history = History()
    history.limbs = ("left_hand", "left_knee")
    for knee, shown in ((False, False), (True, True)):
        history.samples.append(Sample(0.1 * knee, np.zeros(3), np.zeros(3), 1.0, np.zeros(2), (False, knee)))
        drawn = timeline(history, stage.session)
        assert "left hand" in drawn and ("left knee" in drawn) == shown


def test_units_stand_beside_the_numbers_of_the_controller(gui: Any) -> None:
    assert add_field(gui, "kp_force", 4000.0, 4000.0, "[N/m] Sec. 3.3").label == "kp_force [N/m]"
    assert add_field(gui, "iterations", 100, 100, "of CMA").label == "iterations"


def test_history_forgets_what_is_long_ago_and_begins_anew_after_a_reset(stage: Stage) -> None:
    stage.play_frame()
    stage.play_frame()
    times = [sample.t for sample in stage.history.samples]
    assert times == sorted(set(times)) and len(times) >= 2
    stage.reset()
    stage.play_frame()
    assert stage.history.samples[0].t < times[-1]


def test_a_bar_turns_red_when_its_budget_is_spent() -> None:
    assert "#e03131" in bars({"physics": 1.2}) and "#e03131" not in bars({"physics": 0.2})
    assert "120 %" in bars({"physics": 1.2})
