"""What the forms of the rolls are filled with, from the counters that players tapped.

``fill_roll`` gives plain inputs, as a follow-up does, so that a form takes either alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from firefight.engine.board.counters import (
    WAY,
    Account,
    AskedValue,
    CounterInPlay,
    LackingValues,
    Piece,
    Way,
    counter_sources,
)
from firefight.engine.board.hexes import BadHex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.charts.cells import is_digits
from firefight.engine.charts.kinds import Numbers
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

from .counters import Counter, CounterKind, OwnColumn, Rank
from .fire import Weapon, find_attacked, harms_vehicles
from .firing import RANGE, Arms, FireAttack, ask_value, choose_attack, find_attacks, without_doubles
from .flak import arm_flak
from .marks import Mark, is_unit, kind_in_combat
from .reach import say_both
from .units import Kind, State, Unit

Known = Values
Inputs = Json
# What players tell of an attack besides its counters, and what is asked where nobody does.
HINGES: dict[str, AskedValue | None] = {RANGE.field: RANGE, WAY: None, "weapon": None}
LENDERS = (Rank.NCO, Rank.OFFICER)  # whose -5 an attack may have: no Commissar's (19.3.5)
_STATES = {Mark.WIA: State.WIA, Mark.DISRUPTED: State.DISRUPTED, Mark.PINNED: State.PINNED}
_LEADERS = (Kind.LEADER, Kind.WOUNDED_LEADER)


def fill_roll(charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    """What a roll's form is filled with from the counters that fire and those that it is about.

    known: what the players sent with them: ``range``, ``way`` or ``weapon``. Rolls that are about no counters get
    nothing. Raises BadInput with every reason why these counters cannot, LackingValues for numbers to be asked first.
    """
    filler = _FILLERS.get(slug)
    return filler(charts, firers, targets, known) if filler else {}


def explain_roll(
    charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Known
) -> tuple[Inputs, Account]:
    """What ``fill_roll`` gives, and how it comes about: for page and log, and whose values of counters decide.

    What of an attack hangs on a number that nobody has told is left out, and the account asks for it. Raises as that.
    """
    if slug == "fire" and firers:
        return _explain_fire(charts, firers, targets, known)
    return fill_roll(charts, slug, firers, targets, known), _account_for(slug, firers, targets)


def _explain_fire(
    charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known
) -> tuple[Inputs, Account]:
    """Who is fired at, and with what: each as far as it is known."""
    filled: Inputs = {}
    asked: list[AskedValue] = []
    account = Account()
    try:
        filled = _placed(charts, firers, targets, known)
    except LackingValues as lacking:
        asked += lacking.asked
    try:
        attacks = _find_attacks_on(targets, find_attacks(firers, find_range(charts, firers, targets, known)))
        attack = _choose_attack(charts, attacks, known)
        ways = tuple(Way(each.arms.value, each.label) for each in without_doubles(attacks))
        filled |= attack.inputs
        words = ". ".join(filter(None, (attack.words, say_both(firers, targets))))
        account = Account(words, attack.sources, ways, attack.arms.value)
    except LackingValues as lacking:
        asked += lacking.asked
    return filled, replace(account, asked=tuple(asked))


def _account_for(slug: str, firers: Sequence[Piece], targets: Sequence[Piece]) -> Account:
    """Whose values of counters decide a roll that is no fire."""
    named = {"close-combat": "ccv", "morale": "tq", "action-check": "tq"}.get(slug)
    if not named:
        return Account()
    pieces = [*firers, *targets] if named == "ccv" else targets
    return Account(say_both(firers, targets), counter_sources(piece.kind.find_origin(named) for piece in pieces))


def unit_of(piece: Piece) -> Unit:
    """A counter as the rules of chapters 17 to 19 take it. Raises BadInput for one that is no unit."""
    counter, kind = piece.counter, piece.kind
    if not is_unit(kind.kind):
        raise BadInput({"targets": f"{counter.name} is no unit."})
    return Unit(
        kind=kind_in_combat(kind.kind, counter.state),
        name=counter.name,
        tq=kind.tq,
        state=find_state(counter),
        hex=counter.place,
        where=counter.level,
        id=counter.id,
    )


def find_state(counter: CounterInPlay) -> State:
    """The marker of 18.2 that a counter carries."""
    return next((state for mark, state in _STATES.items() if mark in counter.state), State.GOOD_ORDER)


def find_range(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> int | None:
    """The range of an attack: as told, else from hex to hex; None if a place is not noted or firers stand apart.

    Within one hex it is point-blank, as at one hex.
    """
    told = str(known.get("range") or "").strip()
    if told:
        if not is_digits(told) or len(told) > 2:
            raise BadInput({"range": "Give the range in whole hexes."})
        return max(1, int(told))
    hexes: HexMap = charts["map"].hexes
    try:
        places = ({piece.counter.place for piece in side} for side in (firers, targets))
        starts, goals = ({hexes.parse(place) for place in side} for side in places)
    except BadHex:
        return None
    ranges = {hexes.distance(start, goal) for start in starts for goal in goals}
    return max(1, ranges.pop()) if len(ranges) == 1 else None


# The rolls


def _fire(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    if not firers:
        return _placed(charts, [], targets, known)
    filled, account = explain_roll(charts, "fire", firers, targets, known)
    if account.asked:
        raise LackingValues(account.asked)
    return filled


def _find_attacks_on(targets: Sequence[Piece], attacks: Sequence[FireAttack]) -> Sequence[FireAttack]:
    """Those of some attacks that can be made on these targets. Raises BadInput where small arms meet vehicles alone."""
    units = [unit_of(piece) for piece in targets]
    if not units or any(unit.kind is not Kind.VEHICLE for unit in units):
        return attacks
    able = [attack for attack in attacks if harms_vehicles(attack.weapon)]
    if not able:
        find_attacked(units, Weapon.FIREPOWER)
    return able


def _choose_attack(charts: Book, attacks: Sequence[FireAttack], known: Known) -> FireAttack:
    """The attack that the firers make. Raises BadInput for a gun that has no column."""
    attack = choose_attack(attacks, known)
    if attack.arms is Arms.GUN:
        guns: Numbers = charts["artillery_ff"]
        smallest = min((int(row) for row in guns.values if is_digits(row)), default=0)
        [share] = attack.shares
        if (share.caliber or 0) < smallest:
            words = f"{share.name}: {share.caliber} mm is below the smallest caliber that has a column ({smallest} mm)."
            raise BadInput({"caliber": words})
    return attack


def _who_is_hit(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    return {"units": _unit_rows(targets)} if targets else {}


def _placed(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    """Units with their places, for what falls on several locations."""
    return {"units": _unit_rows(targets)} if targets else {}


def _called(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    """The hex that is aimed at: theirs, where all stand in one and nobody has named another.

    Whom it strikes the impact decides (A-57); of those whose hex nobody has noted the players know that it is theirs.
    """
    places = {piece.counter.place for piece in targets if piece.counter.place}
    aim = {"aim": places.pop()} if len(places) == 1 and not known.get("aim") else {}
    return aim | _unplaced(charts, firers, targets, known)


def _unplaced(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    return _placed(charts, firers, [piece for piece in targets if not piece.counter.place], known)


def _fill_unit(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    """The one unit that a roll is about."""
    if not targets:
        return {}
    if len(targets) > 1:
        raise BadInput({"targets": "This roll is about one unit: choose it alone."})
    ask_for(targets, "tq")
    unit = unit_of(targets[0])
    about = {"unit": unit.kind.value, "state": _state_in_form(unit).value, "name": unit.name}
    return about | {"tq": unit.tq, "id": unit.id}


def _state_in_form(unit: Unit) -> State:
    """A vehicle has none of the states of 18.2 (A-49)."""
    return State.GOOD_ORDER if unit.kind is Kind.VEHICLE else unit.state


def _action_check(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    filled = _fill_unit(charts, firers, targets, known)
    return {name: filled[name] for name in ("name", "tq", "id") if name in filled}


def _close_combat(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    """One attack: rows with CCV as they stand, and the ticks that the counters themselves say (19.3.3, 19.3.5)."""
    ask_for([*firers, *targets], "ccv")
    is_afv = (
        bool(targets)
        and all(piece.kind.kind in (CounterKind.VEHICLE, CounterKind.LEADER) for piece in targets)
        and any(piece.kind.kind is CounterKind.VEHICLE for piece in targets)
    )
    found: Inputs = {}
    if firers:
        found["attack"] = [fighter_row(piece, is_afv) for piece in firers]
        found["leader"] = _has_lender(firers)
        found["flamethrower"] = any(piece.kind.weapon is OwnColumn.FLAMETHROWER for piece in firers)
        found["demo_charge"] = is_afv and any(_is_demo_charge(piece) for piece in firers)
    if targets:
        found["defense"] = [fighter_row(piece) for piece in targets]
        found["target"] = "afv" if is_afv else "infantry"
        found["m_killed"] = is_afv and any(Mark.M_KILLED in piece.counter.state for piece in targets)
    if say_both(firers, targets):  # nobody else comes into a Close Combat from outside (19.1.3)
        found["overrun"] = True
    return found


def fighter_row(piece: Piece, against_afv: bool = False) -> Json:
    """A row of close combat: the CCV of the side that is up, in full: the roll halves it (19.2.1)."""
    unit, kind = unit_of(piece), piece.kind
    rides = bool(piece.counter.beside) and kind.kind not in (CounterKind.LEADER, CounterKind.VEHICLE)
    plain = unit.plain() | {"ccv": fighting_value(kind, unit.kind, against_afv), "rider": rides}
    return {name: plain[name] for name in ("ccv", "name", "kind", "state", "rider", "id") if plain.get(name)}


def fighting_value(kind: Counter, as_kind: Kind, against_afv: bool = False) -> int:
    """The CCV of a counter with the side up that it shows; a demo charge attacks AFV with 1 (19.3.1, 19.3.3)."""
    if against_afv and kind.weapon is OwnColumn.DEMO_CHARGE:
        return 1
    return (kind.half_ccv if as_kind is Kind.HALF_SQUAD else kind.ccv) or 0


def _is_demo_charge(piece: Piece) -> bool:
    return piece.kind.weapon is OwnColumn.DEMO_CHARGE


def _has_lender(attackers: Sequence[Piece]) -> bool:
    """Whether an attack may have a leader's -5: an NCO or Officer who can, among others than leaders (19.3.5)."""
    is_led = any(piece.kind.kind is not CounterKind.LEADER for piece in attackers)
    return is_led and any(piece.kind.rank in LENDERS and not find_state(piece.counter).disrupted for piece in attackers)


def _air_attack(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    """The attack of one aircraft with what it has left (17.6.3), at where its targets stand."""
    found = _unplaced(charts, firers, targets, known)
    places = {piece.counter.place for piece in targets if piece.counter.place}
    if len(places) == 1 and (place := places.pop()):
        found["hex"] = place
    if not firers:
        return found
    if len(firers) > 1 or firers[0].kind.kind is not CounterKind.AIRCRAFT:
        raise BadInput({"firers": "One aircraft attacks at a time: choose it alone."})
    marks = firers[0].counter.state
    left = [word for word, mark in (("he", Mark.HE_USED), ("mg", Mark.MG_USED)) if mark not in marks]
    if not left:
        raise BadInput({"firers": f"{firers[0].counter.name} has used its bombs and its MG (17.6.3)."})
    plane = firers[0].kind.aircraft
    return found | ({"aircraft": plane.value} if plane else {}) | {"weapon": left[0]}


def _anti_aircraft(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], known: Known) -> Inputs:
    """Fire of one unit at an aircraft: by its chart, or with its factors at the range that players tell (17.6.7)."""
    found: Inputs = {}
    planes = [piece.kind.aircraft.value for piece in targets if piece.kind.aircraft]
    if planes:
        found["aircraft"] = planes[0]
    if not firers:
        return found
    if len(firers) > 1:
        raise BadInput({"firers": "Anti-aircraft fire is one unit's: choose it alone."})
    hexes = find_range(charts, firers, targets, known)
    return found | arm_flak(firers[0], hexes) | ({"range": hexes} if hexes else {})


_FILLERS: dict[str, Callable[[Book, Sequence[Piece], Sequence[Piece], Known], Inputs]] = {
    "fire": _fire,
    "who-is-hit": _who_is_hit,
    "casualties": _fill_unit,
    "morale": _fill_unit,
    "action-check": _action_check,
    "close-combat": _close_combat,
    "contact": _called,
    "accuracy": _called,
    "conversion": _unplaced,
    "firepower": _unplaced,
    "air-attack": _air_attack,
    "anti-aircraft": _anti_aircraft,
}


def _unit_rows(pieces: Sequence[Piece]) -> list[dict[str, object]]:
    """Units as rows of a form, top to bottom."""
    ask_for(pieces, "tq")
    return [{**unit_of(piece).plain(), "state": unit_under_fire(piece).state.value} for piece in pieces]


def unit_under_fire(piece: Piece) -> Unit:
    """A counter as a target: of a vehicle its states of 18.2 do not count."""
    unit = unit_of(piece)
    return replace(unit, state=_state_in_form(unit))


def ask_for(pieces: Sequence[Piece], value: str) -> None:
    """Raise LackingValues for those units of which nobody knows a value."""
    lacking = [piece for piece in pieces if is_unit(piece.kind.kind) and getattr(piece.kind, value) is None]
    if lacking:
        raise LackingValues(ask_value(piece, value) for piece in lacking)
