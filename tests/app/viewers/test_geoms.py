"""A model in the browser: the right shapes, in the right places, and nothing that should not be seen."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest
import viser

from hmpc.app.viewers import shapes
from hmpc.app.viewers.geoms import WORLD, Geoms
from hmpc.app.viewers.light import _FIRST_PICTURE, Shadows
from hmpc.app.viewers.server import free_port, web_server

MODEL = """
<mujoco>
  <asset>
    <material name="red" rgba="1 0 0 1"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <geom type="box" size="1 2 3" pos="5 0 0"/>
    <body pos="0 0 1">
      <freejoint/>
      <geom type="capsule" size="0.1 0.3" material="red"/>
      <geom type="sphere" size="0.2" group="3"/>
      <geom type="cylinder" size="0.1 0.3" rgba="1 1 1 0"/>
      <geom type="mesh" mesh="wedge" rgba="0 1 0 1"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def server() -> Iterator[viser.ViserServer]:
    with web_server("127.0.0.1", free_port("127.0.0.1", 28180)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("shape", "volume", "roundness"),
    [(shapes.box(), 8.0, 1e-6), (shapes.sphere(), 4.0 / 3.0 * np.pi, 0.08), (shapes.cylinder(), 2.0 * np.pi, 0.03)],
)
def test_solid_shapes_enclose_their_volume(shape: shapes.Shape, volume: float, roundness: float) -> None:
    a, b, c = np.moveaxis(shape.vertices[shape.faces].astype(float), 1, 0)
    enclosed = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0  # positive only if every face looks outwards
    assert enclosed == pytest.approx(volume, rel=roundness)


def test_what_can_be_seen_is_drawn_where_it_is(server: viser.ViserServer) -> None:
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    geoms = Geoms(server.scene, model)
    data.qpos[:] = [1.0, 2.0, 3.0, np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0]  # lying along y
    mujoco.mj_kinematics(model, data)
    geoms.show(data, center_W=np.array([1.0, 0.0, 0.0]))

    nodes: dict[str, Any] = server.scene._handle_from_node_name
    drawn = [node for node in nodes.values() if isinstance(node, viser.BatchedMeshHandle)]
    assert len(drawn) == 3, "box, tube and ends of the capsule; no collision geom, nothing transparent"
    box, tube, ends = sorted(drawn, key=lambda node: (len(node.batched_positions), node.batched_scales[0, 0] < 0.5))
    np.testing.assert_allclose(box.batched_scales, [[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(tube.batched_positions, [[1.0, 2.0, 3.0]], atol=1e-6)
    np.testing.assert_allclose(np.sort(ends.batched_positions[:, 1]), [1.7, 2.3], atol=1e-6)
    assert ends.batched_colors.tolist() == [[255, 0, 0]] * 2
    np.testing.assert_allclose(nodes[WORLD].position, [-1.0, 0.0, 0.0])
    (mesh,) = (node for name, node in nodes.items() if "mesh" in name)
    np.testing.assert_allclose(mesh.position, [1.0, 2.0, 3.0])


def test_shadows_come_to_a_browser_that_has_shown_something(server: viser.ViserServer) -> None:
    now, told = [0.0], []
    shadows = Shadows(server.gui, clock=lambda: now[0])
    browser: Any = SimpleNamespace(
        scene=SimpleNamespace(configure_default_lights=lambda cast_shadow: told.append(cast_shadow))
    )
    shadows.show({1: browser})
    assert told == []
    now[0] = _FIRST_PICTURE
    for _ in range(2):
        shadows.show({1: browser, 2: browser})
    assert told == [True], "one browser has been there for long enough"
    shadows._box.value = False
    shadows.show({1: browser, 2: browser})
    assert told == [True, False]
