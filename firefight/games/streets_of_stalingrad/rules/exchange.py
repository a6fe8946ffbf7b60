"""Units for units: consolidation, replacements, withdrawals (20.0, 21.4 Replacements, 21.5 German Withdrawals)."""

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.result import Result

from .terms import Side


class Exchange(Labelled):
    """What is done."""

    EXCHANGE = "exchange", "Exchange"
    REPLACEMENT = "replacement", "Replacement"
    WITHDRAWAL = "withdrawal", "Withdrawal of another unit"


class Kind(Labelled):
    """What the unit is."""

    INFANTRY = "infantry", "infantry or engineers"
    ARMORED = "armored", "armour, armoured infantry or engineers"
    ARTILLERY = "artillery"
    LEADER = "leader"
    SPECIAL = "special", "sniper, mine dog, train, transport, repair unit, immobilized tank"


def exchange(
    *,
    charts: Book,
    what: Exchange,
    side: Side,
    kind: Kind,
    guards: bool,
    marine: bool,
    nkvd_in: bool,
    nkvd_out: bool,
    isolated: bool,
    same_type: bool,
    same_points: bool,
    points: int,
    pz: bool,
) -> Result:
    """Whether a unit may come for another or for points, and what it costs (20.3, 20.4, 20.6, 21.41 to 21.44, 21.53).

    guards, marine: the unit that comes. nkvd_in, nkvd_out: the one that comes, the one that goes. same_points: the
    same AF or DF; for a withdrawal at least as much AF. points: its AF. pz: paid with Pz points.
    """
    rules: tuple[str, ...]
    if what is Exchange.EXCHANGE:
        reasons = _bar_exchange(kind, guards, marine, nkvd_in, nkvd_out, isolated, same_type, same_points)
        rules, paid = ("20.3", "20.4", "20.6"), 0
    elif what is Exchange.REPLACEMENT:
        reasons, paid = _bar_replacement(side, kind, guards, pz), points
        rules = ("21.41", "21.42", "21.43", "21.44")
    else:
        reasons = _bar_withdrawal(side, same_type, same_points, points)
        rules, paid = ("21.52", "21.53"), 0 if same_type and same_points else points
    cost = {"af": 0 if pz or reasons else paid, "pz": paid if pz and not reasons else 0}
    return allow_or_refuse(what.word, reasons, rules, {"cost": cost})


def _bar_exchange(
    kind: Kind,
    guards: bool,
    marine: bool,
    nkvd_in: bool,
    nkvd_out: bool,
    isolated: bool,
    same_type: bool,
    same_points: bool,
) -> list[str]:
    reasons = ["20.3: the unit on the map is isolated."] if isolated else []
    if kind is Kind.LEADER:
        return reasons
    if kind is Kind.SPECIAL:
        return [*reasons, "21.43: once eliminated it is gone for good."]
    if not same_type:
        elite = " Guards and Marines come for their like alone." if guards or marine else ""
        reasons.append(f"20.4: it has to be of exactly the same type.{elite}")
    if not same_points:
        reasons.append("20.4: it has to have exactly the same AF or DF.")
    if nkvd_in != nkvd_out:
        reasons.append("20.4: NKVD units come for NKVD units alone, and only they for those.")
    return reasons


def _bar_replacement(side: Side, kind: Kind, guards: bool, pz: bool) -> list[str]:
    if kind in (Kind.LEADER, Kind.SPECIAL):
        return [
            "21.43: no points bring it back." + (" A leader may be exchanged (20.6)." if kind is Kind.LEADER else "")
        ]
    reasons = ["21.44: Guards are not replaced."] if guards else []
    if side is Side.SOVIET and pz:
        reasons.append("21.42: Pz points are German.")
    elif pz and kind is not Kind.ARMORED:
        reasons.append("21.42: Pz points are for armour, armoured infantry and armoured engineers.")
    elif not pz and kind is Kind.ARMORED:
        reasons.append("21.42: plain AF points are for infantry, engineers and artillery.")
    return reasons


def _bar_withdrawal(side: Side, same_type: bool, same_points: bool, points: int) -> list[str]:
    if side is Side.SOVIET:
        return ["21.51: withdrawals are German."]
    if (same_type and same_points) or points:
        return []
    return ["21.53: of the same or a similar type with at least as much AF, or paid with points."]
