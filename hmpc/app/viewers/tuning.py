"""Every number of the controller, tunable while the character walks; saved as YAML for --config."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from hmpc.app.config import differing, parse_config, with_overrides
from hmpc.app.viewers.fields import add_field, as_text, comments_of
from hmpc.app.viewers.wishes import AtRest
from hmpc.errors import HmpcError
from hmpc.params import Params

if TYPE_CHECKING:
    import viser

    from hmpc.app.viewers.stage import Stage
    from hmpc.app.viewers.wishes import Wishes

FILE = "hmpc.yaml"


class TuningPanel:
    """One group of parameters at a time, so that the page stays light; the others keep their values."""

    def __init__(self, gui: viser.GuiApi, wishes: Wishes, params: Params):
        self._gui, self._wishes = gui, wishes
        self._group = gui.add_dropdown("group", options=tuple(group_paths()), hint="tiers and their parts")
        self._about = gui.add_markdown("")
        self._controls: dict[str, Any] = {}
        self._folder = gui.add_folder("")
        self._show(params)
        self._rest = AtRest(self._values())
        buttons = gui.add_button_group("defaults", ("This group", "All"))
        buttons.on_click(lambda _: wishes.put(self._group_to_default if buttons.value == "This group" else self._all))
        save = gui.add_button("Save as YAML", hint=f"what differs from the defaults; --config {FILE}")
        save.on_click(lambda event: wishes.put(lambda stage: self._save(stage, event.client)))
        load = gui.add_upload_button("Load YAML", mime_type=".yaml,.yml")
        load.on_upload(lambda _: wishes.put(lambda stage: self._load(stage, load.value.name, load.value.content)))

    def listen(self, stage: Stage) -> None:
        """Hand new values to the controller once they have come to rest."""
        if self._group.value != self._shown:
            self._show(stage.session.params)
            self._rest.forget(self._values())
        if self._rest.see(self._values()):
            self._take(stage)

    def _values(self) -> dict[str, Any]:
        return {f"{self._shown}.{name}": control.value for name, control in self._controls.items()}

    def _show(self, params: Params) -> None:
        """Controls for the chosen group, in place of those of the last one."""
        for control in self._controls.values():
            control.remove()
        self._shown = self._folder.label = self._group.value
        group, default = _at(params, self._shown), _at(Params(), self._shown)
        self._about.content = f"*{_first_line(group)}*"
        # Groups within the group have an entry of their own.
        kinds = bool | int | float | tuple
        names = [item.name for item in fields(group) if isinstance(getattr(group, item.name), kinds)]
        comments = comments_of(type(group))
        with self._folder:
            self._controls = {
                name: add_field(self._gui, name, getattr(group, name), getattr(default, name), comments.get(name, ""))
                for name in names
            }

    def _take(self, stage: Stage) -> None:
        """What the controls show is what counts; a list that cannot be read is refused, and shown as it was."""
        try:
            params = with_overrides(stage.session.params, self._values())
        except HmpcError as error:
            stage.notices.append(str(error))
            params = stage.session.params
        self._apply(stage, params)

    def _apply(self, stage: Stage, params: Params) -> None:
        """Take `params`, or say why not; the controls show what holds then."""
        stage.retune(params)
        group = _at(stage.session.params, self._shown)
        for name, control in self._controls.items():
            control.value = as_text(getattr(group, name))
        self._rest.forget(self._values())

    def _group_to_default(self, stage: Stage) -> None:
        default = _at(Params(), self._shown)
        values = {f"{self._shown}.{name}": getattr(default, name) for name in self._controls}
        self._apply(stage, with_overrides(stage.session.params, values))

    def _all(self, stage: Stage) -> None:
        self._apply(stage, Params())

    def _save(self, stage: Stage, client: viser.ClientHandle | None) -> None:
        """Send what differs from the defaults to the browser that asked; what is shown counts, at rest or not."""
        import yaml

        self._take(stage)
        text = yaml.safe_dump(differing(stage.session.params, Params()), sort_keys=False)
        if client is not None:
            client.send_file_download(FILE, text.encode(), save_immediately=True)

    def _load(self, stage: Stage, name: str, content: bytes) -> None:
        try:
            self._apply(stage, with_overrides(Params(), parse_config(content, name)))
        except HmpcError as error:
            stage.notices.append(str(error))


def group_paths(params: Any = None, prefix: str = "") -> list[str]:
    """Dotted paths of every group of parameters, in the order of the data: "tracking", "executor.swing", ..."""
    params = params or Params()
    groups = {item.name: getattr(params, item.name) for item in fields(params)}
    paths: list[str] = []
    for name, group in groups.items():
        if is_dataclass(group):
            paths += [prefix + name, *group_paths(group, f"{prefix}{name}.")]
    return paths


def _at(params: Params, path: str) -> Any:
    group: Any = params
    for name in path.split("."):
        group = getattr(group, name)
    return group


def _first_line(group: Any) -> str:
    return (type(group).__doc__ or "").splitlines()[0].rstrip(".")
