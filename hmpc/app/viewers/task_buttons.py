"""A button for every task that makes sense for the character where it is: stand up, sit, climb, get up, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import viser

    from hmpc.app.session import Session
    from hmpc.app.viewers.stage import Stage
    from hmpc.app.viewers.wishes import Wishes


class TaskButtons:
    """The registry knows the tasks, the place which of them suit it; without any there is nothing to see."""

    def __init__(self, gui: viser.GuiApi, wishes: Wishes, session: Session):
        self._gui, self._wishes = gui, wishes
        self._folder = gui.add_folder("Tasks")
        self._attach(session)

    def show(self, stage: Stage) -> None:
        """Say how the task goes; another place has other tasks, and so has who lies on the ground."""
        if stage.session.tasks_now() != self._names:
            for button in self._buttons:
                button.remove()
            self._words.remove()
            self._attach(stage.session)
        task = stage.session.stack.task
        self._words.content = "" if task is None else " ".join([f"*{task.progress.value}*", *task.words[-1:]])

    def _attach(self, session: Session) -> None:
        self._names = names = session.tasks_now()
        self._folder.visible = bool(names)
        with self._folder:
            self._buttons = [self._gui.add_button(name.replace("_", " ").capitalize()) for name in names]
            self._words = self._gui.add_markdown("")
        for button, name in zip(self._buttons, names, strict=True):
            self._wishes.on_click(button, lambda stage, name=name: stage.begin(name))  # type: ignore[misc]
