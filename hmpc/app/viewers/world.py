"""Where the character is: the environment with its parameters, the robot, the seed; swapped without a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hmpc.app.viewers.fields import add_parameter
from hmpc.app.viewers.stage import Setting
from hmpc.app.viewers.wishes import AtRest
from hmpc.registry import list_environments, list_robots
from hmpc.sim.parameters import Parameter, parameters_of

if TYPE_CHECKING:
    import viser

    from hmpc.app.viewers.stage import Stage

_MOST_SEED = 2**31 - 1


class WorldPanel:
    """Lists of environments and robots, and controls for whatever the environment declares."""

    def __init__(self, gui: viser.GuiApi, stage: Stage):
        self._gui = gui
        setting = stage.setting
        shipped = {info.name: info for info in list_environments()}
        self._about = {name: info.description for name, info in shipped.items()}
        self._declared = {name: info.parameters for name, info in shipped.items()}
        if setting.environment not in shipped:  # package.module:Name
            environment = stage.session.environment
            self._about[setting.environment] = environment.description
            self._declared[setting.environment] = parameters_of(environment)
        robots = {setting.robot, *(robot.name for robot in list_robots())}
        self._environment: Any = gui.add_dropdown(
            "environment", options=tuple(self._about), initial_value=setting.environment
        )
        self._description = gui.add_markdown("")
        self._controls: dict[str, Any] = {}
        self._folder = gui.add_folder("Parameters")
        self._robot: Any = gui.add_dropdown("robot", options=tuple(sorted(robots)), initial_value=setting.robot)
        self._seed: Any = gui.add_number(
            "seed", setting.seed, min=0, max=_MOST_SEED, step=1, hint="of everything random; begins again"
        )
        self._show(setting)
        self._rest = AtRest(self._setting())

    def listen(self, stage: Stage) -> bool:
        """Swap what is on stage when the controls ask for it; True if that happened."""
        if self._environment.value != self._shown:
            # Another environment has other parameters: show these, at their defaults.
            self._show(Setting(self._environment.value, {}, self._robot.value, self._seed.value))
        wanted = self._setting()
        if not self._rest.see(wanted) or wanted == stage.setting:
            return False
        done = stage.swap(wanted)
        if not done:
            self._environment.value = stage.setting.environment
            self._robot.value, self._seed.value = stage.setting.robot, stage.setting.seed
            self._show(stage.setting)
            self._rest.forget(self._setting())
        return done

    def _setting(self) -> Setting:
        """What the controls ask for; parameters at their defaults go without saying."""
        defaults = {item.name: item.default for item in self._parameters}
        values = {name: control.value for name, control in self._controls.items()}
        changed = {name: value for name, value in values.items() if value != defaults[name]}
        return Setting(self._shown, changed, self._robot.value, int(self._seed.value))

    def _show(self, setting: Setting) -> None:
        """Controls for the parameters of an environment, in place of those of the last one."""
        for control in self._controls.values():
            control.remove()
        self._shown = setting.environment
        self._parameters: tuple[Parameter, ...] = self._declared[setting.environment]
        self._description.content = f"*{self._about[setting.environment]}*"
        with self._folder:
            self._controls = {
                item.name: add_parameter(self._gui, item, setting.parameters.get(item.name, item.default))
                for item in self._parameters
            }
