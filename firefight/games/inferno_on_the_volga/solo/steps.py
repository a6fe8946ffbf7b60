"""What a task of the pile is: what it waits for, what it does, and why something may not be chosen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from firefight.engine.course.conducting import Answer, Wanted
from firefight.engine.values import Json

from .play import Play


def _nothing(play: Play, task: Json) -> Wanted:
    return None


def _no_reason(play: Play, task: Json, choice: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Step:
    """A kind of task. ``is_secret``: its dice are unseen; ``explains``: why something may not be chosen."""

    does: Callable[[Play, Json, Answer], None]
    wants: Callable[[Play, Json], Wanted] = _nothing
    explains: Callable[[Play, Json, str], str] = _no_reason
    is_secret: bool = False


Steps = Mapping[str, Step]
