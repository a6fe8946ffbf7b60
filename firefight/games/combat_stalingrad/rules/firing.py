"""What counters bring to an attack on the FFT: firepower by range, guns by caliber, columns of their own (18.1).

Who may fire together, and line of sight, are the players' business.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from firefight.engine.board.counters import WAY, AskedValue, LackingValues, Piece, counter_sources
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.result import Source
from firefight.engine.text import count_of

from .counters import MOST_HEXES, NUMBERS, Counter, CounterKind, OwnColumn, at_range, describe_value
from .fire import Weapon
from .marks import Mark, is_unit
from .sides import Side
from .units import State

MG_FF, MG_RANGE = 4, 8  # of each MG that fires apart (23.2: the light MG 34; 19.3.1: AFV use all of theirs)
MOVE_SIDE_FF = {1: 2, 2: 1}  # of SW teams and crews on their 1-2 side (errata 1)


class Arms(Labelled):
    """What the firers of one attack fire with."""

    FF = "ff", "firepower"
    ALL = "all", "firepower and machine-guns"
    MGS = "mgs", "machine-guns alone"
    GUN = "gun", "gun, by caliber"
    FLAMETHROWER = "flamethrower", "flamethrower"
    DEMO_CHARGE = "demo_charge", "demo charge"


WEAPONS = {
    Arms.FF: Weapon.FIREPOWER,
    Arms.ALL: Weapon.FIREPOWER,
    Arms.MGS: Weapon.FIREPOWER,
    Arms.GUN: Weapon.CALIBER,
    Arms.FLAMETHROWER: Weapon.FLAMETHROWER,
    Arms.DEMO_CHARGE: Weapon.DEMO_CHARGE,
}
_IN_SUM = (Arms.FF, Arms.ALL, Arms.MGS)


@dataclass(frozen=True, slots=True)
class Share:
    """What one firer adds to an attack: factors, or the caliber of its gun. ``words``: how it comes to that.

    ``hexes``: the range at which its factors count.
    """

    name: str
    ff: int = 0
    caliber: int | None = None
    state: State = State.GOOD_ORDER
    words: str = ""
    origins: tuple[str, ...] = ()
    hexes: int | None = None


@dataclass(frozen=True, slots=True)
class FireAttack:
    """One attack of some counters with the same arms. ``ff``: their sum, each halved for itself (18.2.3).

    ``state``: of whoever fires a gun or a weapon with a column of its own, which the FFT's roll halves.
    """

    arms: Arms
    shares: tuple[Share, ...]

    @property
    def weapon(self) -> Weapon:
        """What fires, as the roll knows it."""
        return WEAPONS[self.arms]

    @property
    def ff(self) -> int | None:
        """The factors, None for what has a column of its own."""
        return sum(share.ff for share in self.shares) if self.arms in _IN_SUM else None

    @property
    def inputs(self) -> dict[str, object]:
        """The inputs of the roll."""
        if self.arms in _IN_SUM:
            return {"weapon": self.weapon.value, "ff": self.ff, "state": State.GOOD_ORDER.value}
        [share] = self.shares
        caliber = {} if share.caliber is None else {"caliber": share.caliber}
        return {"weapon": self.weapon.value, "state": share.state.value, **caliber}

    @property
    def label(self) -> str:
        """What players choose: "machine-guns alone, 4 FF"."""
        return self.arms.word if self.ff is None else f"{self.arms.word}, {self.ff} FF"

    @property
    def words(self) -> str:
        """How it comes to its firepower: "Rifle squad #1: 5 FF; Maxim M1910 #2: 3 FF (Pinned Down), at 2 hexes"."""
        ranges = {share.hexes for share in self.shares}
        is_one_range = len(ranges) == 1 and len(self.shares) > 1
        words = "; ".join(
            f"{share.name}: {share.words}{'' if is_one_range else _say_range(share.hexes)}" for share in self.shares
        )
        at_range = _say_range(ranges.pop()) if is_one_range else ""
        return f"{words},{at_range}" if at_range else words

    @property
    def sources(self) -> tuple[Source, ...]:
        """Whose values decide: the counters', like those of a chart."""
        return counter_sources(origin for share in self.shares for origin in share.origins)


def _say_range(hexes: int | None) -> str:
    return f" at {count_of(hexes, 'hex', 'hexes')}" if hexes else ""


def counter_firepower(counter: Counter, marks: Collection[str], hexes: int) -> int | None:
    """The FF of one counter at a range, without MGs that fire apart; None if nobody knows it (18.1, 18.2.3).

    A reduced squad fires with its smaller side, an SW team or a crew on its 1-2 side as errata 1 says. Pinned Down
    halves, fractions down. ``why_silent`` says which counters cannot fire at all.
    """
    if Mark.MOVE_SIDE in marks:
        return _halve_pinned(MOVE_SIDE_FF.get(hexes, 0), marks)
    full = counter.find_ff(_is_half(marks), hexes)
    return None if full is None else _halve_pinned(full, marks)


def shown_firepower(piece: Piece) -> int | None:
    """The FF that a counter shows, as it now is: what players add up before a range is known; None for none."""
    kind, marks = piece.kind, piece.counter.state
    if why_silent(piece) or Mark.MOVE_SIDE in marks:
        return None
    ff = kind.half_ff if _is_half(marks) else kind.ff
    return None if ff is None else _halve_pinned(ff, marks)


def mg_firepower(counter: Counter, marks: Collection[str], hexes: int) -> int:
    """The FF of the MGs that fire apart: an AFV's, 4 each, and the light MG 34 of a German squad (23.2)."""
    is_in_reach = hexes <= MG_RANGE and not _is_half(marks)
    return _halve_pinned((counter.mgs or 0) * MG_FF, marks) if is_in_reach else 0


def why_silent(piece: Piece) -> str:
    """Why a counter cannot fire at all, as a sentence; "" if it can."""
    kind: Counter = piece.kind
    name, marks = piece.counter.name, piece.counter.state
    if not piece.counter.in_play:
        return f"{name} is not in play."
    if not is_unit(kind.kind):
        return f"{name} is not a unit that fires."
    for mark, reason in _SILENT.items():
        if mark in marks:
            return f"{name} {reason}"
    return ""


_SILENT = {
    Mark.WIA: "is WIA and does not fire (18.2.5).",
    Mark.DISRUPTED: "is Disrupted and does not fire (18.2.4).",
    Mark.CLOSE_COMBAT: "is in Close Combat and does not fire (19.1.3).",
    Mark.F_KILLED: "is F-KILLED: none of its weapons fires.",
    Mark.EXITED: "has left the map in this firefight (20.11.1).",
}


def find_attacks(firers: Sequence[Piece], ranges: Sequence[int | None]) -> list[FireAttack]:
    """Every way in which these counters can fire together, the likeliest first.

    ranges: of each firer, 1 or more hexes; None where nobody knows it. Raises BadInput with every reason why they
    cannot, LackingValues for what has to be asked first.
    """
    if not firers:
        raise BadInput({"firers": "Choose who fires."})
    reasons = [reason for piece in firers if (reason := why_silent(piece))]
    if reasons:
        raise BadInput({"firers": " ".join(reasons)})
    aimed = list(zip(firers, ranges, strict=True))
    _ask_for(aimed)
    order = (Arms.GUN, Arms.FLAMETHROWER, Arms.DEMO_CHARGE, Arms.FF, Arms.ALL, Arms.MGS)
    attacks = [attack for arms in order if (attack := _find_attack(aimed, arms))]
    if not attacks:
        raise BadInput({"firers": _why_not_together(aimed)})
    return attacks


# A firer and its range.
Aimed = tuple[Piece, int | None]


def _find_attack(aimed: Sequence[Aimed], arms: Arms) -> FireAttack | None:
    """The attack of all of them with these arms; None if one of them has none, or they have to fire one by one."""
    if arms not in _IN_SUM and len(aimed) > 1:
        return None
    shares: list[Share] = []
    for piece, hexes in aimed:
        share = _share(piece, arms, hexes)
        if share is None:
            return None
        shares.append(share)
    return FireAttack(arms, tuple(shares))


def without_doubles(attacks: Sequence[FireAttack]) -> list[FireAttack]:
    """The attacks that differ in what is rolled, for players to choose from."""
    by_roll: dict[tuple[object, ...], FireAttack] = {}
    for attack in attacks:
        by_roll.setdefault((attack.weapon, attack.ff), attack)
    return list(by_roll.values())


def _share(piece: Piece, arms: Arms, hexes: int | None) -> Share | None:
    if arms in _IN_SUM:
        return _sum_share(piece, arms, hexes) if hexes else None
    kind, marks, name = piece.kind, piece.counter.state, piece.counter.name
    if Mark.MOVE_SIDE in marks:
        return None
    state = State.PINNED if Mark.PINNED in marks else State.GOOD_ORDER
    halved = ", halved: Pinned Down" if state is State.PINNED else ""
    if arms is Arms.GUN:
        words = f"{kind.caliber} mm{halved}"
        return Share(name, 0, kind.caliber, state, words, (kind.find_origin("caliber"),)) if kind.caliber else None
    has_column = kind.weapon is not None and kind.weapon.value == arms.value
    return Share(name, 0, None, state, f"{arms.word}{halved}", (kind.find_origin("weapon"),)) if has_column else None


def _sum_share(piece: Piece, arms: Arms, hexes: int) -> Share | None:
    """What a counter adds to a sum of factors: its own, with all of its MGs; the MGs where it has none of its own."""
    kind, marks = piece.kind, piece.counter.state
    factors = 0 if arms is Arms.MGS else counter_firepower(kind, marks, hexes) or 0
    mgs = mg_firepower(kind, marks, hexes) if arms is not Arms.FF or not factors else 0
    if not factors and not mgs and (arms is Arms.MGS or not _reaches(kind, marks, hexes)):
        return None
    origins = [_find_ff_origin(kind, marks, hexes)] if factors else []
    origins += [kind.find_origin("mgs"), _MG_ORIGINS[Side(piece.counter.side)]] if mgs else []
    why = [Mark.PINNED.word] if Mark.PINNED in marks else []
    if mgs and (factors or not _is_vehicle(kind)):
        why.append(f"MG {mgs}" if factors else "MG alone")
    words = f"{factors + mgs} FF" + (f" ({', '.join(why)})" if why else "")
    return Share(piece.counter.name, factors + mgs, words=words, origins=tuple(origins), hexes=hexes)


def _find_ff_origin(kind: Counter, marks: Collection[str], hexes: int) -> str:
    return "text" if Mark.MOVE_SIDE in marks else kind.find_origin(at_range(_is_half(marks), hexes))


# The text gives the MG 34 its 4 (23.2), and no other.
_MG_ORIGINS = {Side.GERMAN: "text", Side.RUSSIAN: "house"}


def _reaches(kind: Counter, marks: Collection[str], hexes: int) -> bool:
    """Whether a counter has factors at a range, even if Pinned Down leaves it none of them."""
    rested = [mark for mark in marks if mark != Mark.PINNED]
    return bool(counter_firepower(kind, rested, hexes) or mg_firepower(kind, rested, hexes))


def _is_half(marks: Collection[str]) -> bool:
    """Whether the smaller side is up: of a squad alone, since nothing else is ever reduced (18.1.2)."""
    return Mark.REDUCED in marks


def _is_vehicle(kind: Counter) -> bool:
    return kind.kind is CounterKind.VEHICLE


def _halve_pinned(ff: int, marks: Collection[str]) -> int:
    return ff // 2 if Mark.PINNED in marks else ff


def _fires_factors(kind: Counter) -> bool:
    """Whether a counter has factors that may be asked for, rather than a caliber or a column of its own."""
    if kind.kind in (CounterKind.SQUAD, CounterKind.LEADER):
        return True
    has_ff = any(name.startswith("fire@") for name, _ in kind.owner_values)
    return has_ff or not (kind.caliber or kind.weapon)


# What is asked

RANGE = AskedValue("range", "Range in hexes", 1, MOST_HEXES)


def _ask_for(aimed: Sequence[Aimed]) -> None:
    """Raise LackingValues for the range and for what the counters lack, all at once."""
    is_alone = len(aimed) == 1
    has_ranges = all(hexes is not None or (is_alone and _fires_without_range(piece)) for piece, hexes in aimed)
    questions = [] if has_ranges else [RANGE]
    questions += [ask_value(piece, name) for piece, hexes in aimed for name in _find_lacking(piece, hexes)]
    if questions:
        raise LackingValues(questions)


def ask_value(piece: Piece, name: str) -> AskedValue:
    """The question for a value of a counter."""
    return AskedValue.of(piece, name, describe_value(name), 0, NUMBERS.get(name, (0, 200))[1])


def _fires_without_range(piece: Piece) -> bool:
    return Mark.MOVE_SIDE not in piece.counter.state and bool(piece.kind.caliber or piece.kind.weapon)


def _find_lacking(piece: Piece, hexes: int | None) -> list[str]:
    """The values that have to be known before a counter can fire, by name."""
    kind, marks = piece.kind, piece.counter.state
    if Mark.MOVE_SIDE in marks:
        return []
    if kind.kind is CounterKind.GUN:
        return [] if kind.caliber is not None or kind.fire else ["caliber"]
    if _is_vehicle(kind) and not kind.fire:
        is_blank = kind.caliber is None and kind.mgs is None and not kind.weapon
        return ["caliber", "mgs"] if is_blank else []
    lacking = []
    if kind.kind is CounterKind.SW_TEAM and not (kind.fire or kind.weapon) and kind.caliber is None:
        lacking.append("caliber")
    if hexes and _fires_factors(kind) and kind.find_ff(_is_half(marks), hexes) is None:
        lacking.append(at_range(_is_half(marks), hexes))
    return lacking


# Why not


def _why_not_together(aimed: Sequence[Aimed]) -> str:
    """Why counters that can fire cannot do so in one attack, each with its reason."""
    reasons = [_why_alone(piece, hexes, len(aimed) > 1) for piece, hexes in aimed]
    return " ".join(dict.fromkeys(filter(None, reasons)))


def _why_alone(piece: Piece, hexes: int | None, is_mixed: bool) -> str:
    """Why a counter adds nothing to a sum of factors; "" if it does."""
    name = piece.counter.name
    if hexes and _share(piece, Arms.FF, hexes):
        return ""
    single = _share(piece, Arms.GUN, hexes) or _share(piece, _own_column(piece.kind), hexes)
    if is_mixed and single:
        return f"{name} fires by itself ({single.words}): what has a column of its own is an attack of its own (18.1)."
    way_out = ": leave it out, by a tap on its picture" if is_mixed else ""
    return f"{name} {f'does not reach {hexes} hexes' if hexes else 'has nothing to fire with'}{way_out}."


def _own_column(kind: Counter) -> Arms:
    return Arms.DEMO_CHARGE if kind.weapon is OwnColumn.DEMO_CHARGE else Arms.FLAMETHROWER


def choose_attack(attacks: Sequence[FireAttack], sent: Mapping[str, object]) -> FireAttack:
    """The attack that players chose, by ``way`` or by the weapon of the form; else the likeliest. Raises BadInput."""
    arms, weapon = sent.get(WAY), sent.get("weapon")
    for attack in attacks:
        if (arms and attack.arms == arms) or (not arms and weapon and attack.weapon == weapon):
            return attack
    if arms or weapon:
        ways = ", ".join(attack.arms.word for attack in without_doubles(attacks))
        raise BadInput({"weapon": f"These counters do not fire that way together. Choose one of: {ways}."})
    return attacks[0]
