"""What players agree on before a match begins: which sides have a seat, which scenario and readings they play."""

from collections.abc import Mapping
from dataclasses import dataclass

from .course import Course


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to play a game. ``seats``: the sides that a player takes. ``course``: its own, where it has one.

    ``app_sides``: those that nobody plays. Nobody waits for one, since anyone with a seat makes its moves as the app
    says.
    """

    slug: str
    title: str
    seats: tuple[str, ...]
    course: Course | None = None
    app_sides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that holds for a whole match; the first one is the usual one.

    A helper's field of that name, or of the name ``field``, is filled with what was chosen; in all helpers, or in
    ``helpers`` alone. ``seldom``: players hardly ever choose anything but the usual, so that it stands folded up.
    ``only_with``: another option, and those of its choices with which this one means anything; None for any.
    """

    slug: str
    title: str
    choices: Mapping[str, str]
    field: str = ""
    helpers: tuple[str, ...] = ()
    seldom: bool = False
    only_with: tuple[str, tuple[str, ...]] | None = None

    def holds(self, options: Mapping[str, str]) -> bool:
        """Whether it means anything in a match with these options."""
        other_option, choices = self.only_with or ("", ("",))
        return options.get(other_option, "") in choices

    @property
    def usual(self) -> str:
        """The choice of those who do not say otherwise."""
        return next(iter(self.choices))

    def fills(self, helper: str, field: str) -> bool:
        """Whether a field of a helper takes what was chosen."""
        return field == (self.field or self.slug) and (not self.helpers or helper in self.helpers)
