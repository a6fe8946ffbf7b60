"""What a side has written down under seal: its orders, a plot of a battery, an off-map observer."""

from dataclasses import dataclass

from firefight.engine.values import Json, Values

from .orders import Order


@dataclass(frozen=True, slots=True)
class SealedOrders:
    """Orders for the firefight ahead (20.5.3, 20.5.4).

    ``fixed``: the card gives the order. ``group`` and ``box``: the Attack that was paid for, by its ID on the roster.
    """

    order: Order
    bonus: bool = False
    fixed: bool = False
    price: int = 0
    group: str = ""
    box: int | None = None

    def to_json(self) -> Json:
        """As plain values."""
        plain = {"order": self.order.value, "bonus": self.bonus, "fixed": self.fixed, "price": self.price}
        paid = {"group": self.group or None, "box": self.box}
        return plain | {name: value for name, value in paid.items() if value is not None}


@dataclass(frozen=True, slots=True)
class SealedPlot:
    """A plotted battery's two hexes and its turn (17.4.8)."""

    hexes: tuple[str, str]
    turn: int

    def to_json(self) -> Json:
        """As plain values."""
        return {"hexes": list(self.hexes), "turn": self.turn}


@dataclass(frozen=True, slots=True)
class SealedObserver:
    """The hex of an off-map observer (17.2.6)."""

    hex: str

    def to_json(self) -> Json:
        """As plain values."""
        return {"hex": self.hex} if self.hex else {}


Sealed = SealedOrders | SealedPlot | SealedObserver


def read_sealed(plain: Values) -> Sealed:
    """What was sealed, from plain values."""
    if "order" in plain:
        paid = {name: plain[name] for name in ("group", "box") if name in plain}
        return SealedOrders(Order(plain["order"]), plain["bonus"], plain["fixed"], plain["price"], **paid)
    if "hexes" in plain:
        first, second = plain["hexes"]
        return SealedPlot((first, second), plain["turn"])
    return SealedObserver(plain.get("hex", ""))


def write_sealed(sealed: Sealed) -> Json:
    """What was sealed, as plain values."""
    return sealed.to_json()
