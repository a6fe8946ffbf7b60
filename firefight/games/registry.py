"""The games and helpers of the settings, by their slugs, and the files of a game's own folder."""

from functools import cache
from importlib.util import find_spec

from django.conf import settings
from django.utils.module_loading import import_string

from firefight.engine.values import Json
from firefight.kit.data import read_data
from firefight.kit.fields.counters import NAMED
from firefight.kit.game import Game
from firefight.kit.helper import Helper
from firefight.kit.rehearsal import Rehearsal


@cache
def games() -> dict[str, Game]:
    """All games by slug, in the order of the settings."""
    return {slug: import_string(f"{room}.game.GAME") for slug, room in _rooms().items()}


@cache
def _rooms() -> dict[str, str]:
    """The packages of the settings by their games' slugs."""
    return {import_string(f"{room}.game.GAME").slug: room for room in settings.ASSIST_GAMES}


def data_of_game(game: str, name: str) -> Json:
    """A file of a game's own data, as plain values; nothing where it has no such file."""
    return read_data(_rooms()[game], name)


@cache
def find_rehearsal(game: str) -> Rehearsal | None:
    """How a game is rehearsed: ``REHEARSAL`` of the module of that name in its folder; None where it has none.

    The settings may name another module for it.
    """
    module = settings.ASSIST_REHEARSALS.get(game, f"{_rooms()[game]}.rehearsal")
    rehearsal: Rehearsal | None = import_string(f"{module}.REHEARSAL") if find_spec(module) else None
    return rehearsal


@cache
def helpers(game: str) -> dict[str, Helper]:
    """A game's helpers by slug; several rooms may contribute to one game."""
    lists = [*(f"{room}.helpers.HELPERS" for room in settings.ASSIST_GAMES), *settings.ASSIST_HELPERS]
    offered = [helper for path in lists for helper in import_string(path) if helper.game == game]
    by_slug: dict[str, Helper] = {}
    for helper in offered:
        _check_names(helper)
        if helper.slug in by_slug:
            raise ValueError(f"{game}: two helpers are called {helper.slug}. Give each a slug of its own.")
        by_slug[helper.slug] = helper
    return by_slug


def _check_names(helper: Helper) -> None:
    """Raise ValueError if a form gives a field a name that the frame itself sends with every roll.

    A field called "targets" would be read as the counters that a roll is about, unless its form says that it means
    its own.
    """
    counter_names = frozenset(NAMED) - {*helper.form.own_names}
    reserved = FRAME_NAMES | (counter_names if games()[helper.game].has_counters else frozenset())
    if clashing := sorted(reserved & helper.form.base_fields.keys()):
        raise ValueError(f"{helper.game}, {helper.slug}: the frame sends something of its own called {clashing}.")


# What goes with a roll besides its inputs and its dice; in games with counters NAMED, too.
FRAME_NAMES = frozenset(
    {
        "account", "act", "after", "as", "asked", "carry", "chained", "chosen", "corrects", "dice", "filled", "more",
        "offer", "shows", "step", "version", "way",
    }
)  # fmt: skip


@cache
def group_helpers(game: str, step: str = "") -> dict[str, list[Helper]]:
    """A game's helpers under their group headings, in the order they are offered; those of a ``step`` come first."""
    groups: dict[str, list[Helper]] = {}
    for helper in sorted(helpers(game).values(), key=lambda helper: step not in helper.steps):
        groups.setdefault(helper.group, []).append(helper)
    return groups
