"""A stage with a character that stands, shared by the tests of the windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from hmpc.app.session import Session
from hmpc.app.viewers.stage import Setting, Stage

if TYPE_CHECKING:
    from hmpc.app.commands.hub import CommandHub
    from hmpc.params import Params


def make(setting: Setting, params: Params, hub: CommandHub) -> Session:
    return Session(
        setting.environment, setting.robot, parameters=setting.parameters, seed=setting.seed, params=params, hub=hub
    )


@pytest.fixture
def stage() -> Iterator[Stage]:
    opened = Stage(Session("flat"), Setting("flat"), make)
    yield opened
    opened.session.close()
