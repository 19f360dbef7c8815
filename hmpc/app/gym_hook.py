"""Registers the gymnasium environments when gymnasium is imported, and costs nothing for those who never do."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

ACTION_PERIOD = 0.1  # [s] that an action holds: a few times a step
EPISODE = 20.0  # [s] after which an episode is truncated, unless gymnasium.make says otherwise


def register_with_gymnasium() -> None:
    """Register now if gymnasium is loaded, otherwise when it is."""
    if "gymnasium" in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _WhenGymnasiumComes())


def _register() -> None:
    """Tell gymnasium about every environment; what one is made of is imported when the first is made."""
    import gymnasium

    from hmpc.registry import ENVIRONMENTS, names

    for name in names(ENVIRONMENTS):
        gymnasium.register(
            id=f"hmpc/{name.title().replace('_', '')}-v0",
            entry_point="hmpc.app.gym:HumanoidEnv",
            max_episode_steps=round(EPISODE / ACTION_PERIOD),
            kwargs={"environment": name},
        )


class _WhenGymnasiumComes(MetaPathFinder):
    """Steps in at the first import of gymnasium, once."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_register(module: ModuleType) -> None:
            load(module)
            _register()

        spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec
