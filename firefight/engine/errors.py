"""What can go wrong in a rule, told apart by cause so that a page can say what would be right."""

from collections.abc import Iterable


class RuleError(ValueError):
    """Something a player can mend; the message is written for them."""

    @property
    def by_field(self) -> dict[str, list[str]]:
        """What is wrong, by the input's name as forms have it; "" for no single one."""
        return {"": [str(self)]}


class BadDie(RuleError):
    """A die shows a face that it does not have."""

    def __init__(self, message: str, die: str = "die"):
        super().__init__(message)
        self.die = die


class BadInput(RuleError):
    """The inputs do not fit together. ``problems`` maps each input's name to its message."""

    def __init__(self, problems: dict[str, str]):
        super().__init__(" ".join(problems.values()))
        self.problems = problems

    @property
    def by_field(self) -> dict[str, list[str]]:
        return {name: [message] for name, message in self.problems.items()}


class OpenQuestion(BadInput):
    """The answer depends on what the inputs leave open: a page asks as they are filled in, before any roll."""


class MissingChart(RuleError):
    """A roll needs a chart, or a cell of it, that the chart book does not hold.

    ``chart`` and ``cell`` are what players call them. ``blanks``: the chart's name and the cell's, for a match to ask
    for the blank cell.
    """

    def __init__(self, chart: str, cell: str = "", blank: tuple[str, str] | None = None):
        missing = f"cell {cell} of the chart “{chart}”" if cell else f"the chart “{chart}”"
        super().__init__(f"This roll needs {missing}, which is blank in the chart book in use.")
        self.chart = chart
        self.cell = cell
        self.blanks: tuple[tuple[str, str], ...] = (blank,) if blank else ()


class BlankCells(RuleError):
    """The app is to roll, and a face may need a cell that is blank: refused before any die is drawn."""

    def __init__(self, reasons: Iterable[str], blanks: Iterable[tuple[str, str]] = ()):
        first, *rest = reasons
        more = f" The same holds for {len(rest)} more." if rest else ""
        super().__init__(f"{first}{more} So the app does not roll: fill the chart in, or roll real dice and type them.")
        self.blanks = tuple(blanks)
