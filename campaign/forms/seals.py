"""Forms of plots and off-map observers."""

from campaign.acts import seals
from firefight.table.forms import ActForm, Line, Number

HEX_LENGTH = 8


class Plot(ActForm):
    """Write a battery's two hexes and its turn down."""

    do = "plot"
    act = staticmethod(seals.plot)

    first = Line(HEX_LENGTH)
    second = Line(HEX_LENGTH)
    number = Number("a battery")
    turn = Number("a turn")


class Observer(ActForm):
    """Write an off-map observer down."""

    do = "observer"
    act = staticmethod(seals.observer)
    called = {"hex": "text"}

    hex = Line(HEX_LENGTH)


class Strike(ActForm):
    """Strike a sealed record out."""

    do = "withdraw"
    act = staticmethod(seals.withdraw)

    number = Number("a record")


class Open(ActForm):
    """Show a sealed record to everybody."""

    do = "open"
    act = staticmethod(seals.open_seal)

    number = Number("a record")
