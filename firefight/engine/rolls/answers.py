"""Outcomes of questions without dice, which rules of several games share."""

from collections.abc import Iterable
from typing import Any

from firefight.engine.values import Values

from .result import Outcome, Result


class IsShown(Outcome):
    """A question that is simply answered."""

    SHOWN = "shown"


class Counted(Outcome):
    """A sum."""

    COUNTED = "counted"


class Allowed(Outcome):
    """Whether something may be done."""

    ALLOWED = "allowed"
    REFUSED = "refused"


def allow_or_refuse(
    subject: str, reasons: Iterable[str], rules: tuple[str, ...], details: Values | None = None, **more: Any
) -> Result:
    """Allowed where nothing speaks against it, refused with every reason otherwise.

    >>> allow_or_refuse("To ferry", ["18.3: only at night."], ("18.3",)).headline
    'To ferry: refused.'
    """
    against = tuple(reasons)
    outcome = Allowed.REFUSED if against else Allowed.ALLOWED
    details = {"allowed": not against, **(details or {})}
    return Result(f"{subject}: {outcome.word.lower()}.", outcome, details=details, effects=against, rules=rules, **more)
