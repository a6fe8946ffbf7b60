"""What the forms of the rolls are filled with, from the counters that players tapped.

``fill_roll`` gives plain inputs, as a follow-up does, so that a form takes either alike.
"""

from collections.abc import Callable, Collection, Sequence
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

Sent = Values
Inputs = Json
# What players say about an attack besides its counters, and what is asked where they do not.
HINGES: dict[str, AskedValue | None] = {RANGE.field: RANGE, WAY: None, "weapon": None}
LENDERS = (Rank.NCO, Rank.OFFICER)  # whose -5 an attack may have: no Commissar's (19.3.5)
_STATES = {Mark.WIA: State.WIA, Mark.DISRUPTED: State.DISRUPTED, Mark.PINNED: State.PINNED}
_LEADERS = (Kind.LEADER, Kind.WOUNDED_LEADER)


def fill_roll(charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    """What a roll's form is filled with from the counters that fire and those that it is about.

    sent: what the players sent with them: ``range``, ``way`` or ``weapon``. Rolls that are about no counters get
    nothing. Raises BadInput with every reason why these counters cannot, LackingValues for numbers to be asked first.
    """
    filler = _FILLERS.get(slug)
    return filler(charts, firers, targets, sent) if filler else {}


def explain_roll(
    charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent
) -> tuple[Inputs, Account]:
    """What ``fill_roll`` gives, and how it comes about: for page and log, and whose values of counters decide.

    What depends on a number that nobody has given is left out, and the account asks for it. Raises as ``fill_roll``.
    """
    if slug == "fire" and firers:
        return _explain_fire(charts, firers, targets, sent)
    return fill_roll(charts, slug, firers, targets, sent), _account_for(slug, firers, targets)


def _explain_fire(
    charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent
) -> tuple[Inputs, Account]:
    """What is fired at, and with what: each as far as it is known."""
    if any(piece.kind.is_mine for piece in firers):
        return _explain_mines(charts, firers, targets, sent)
    filled: Inputs = {}
    questions: list[AskedValue] = []
    account = Account()
    try:
        filled = _fill_units(charts, firers, targets, sent)
    except LackingValues as lacking:
        questions += lacking.asked
    try:
        ranges = [find_range(charts, piece, targets, sent) for piece in firers]
        attacks = _find_attacks_on(targets, find_attacks(firers, ranges))
        attack = _choose_attack(charts, attacks, sent)
        ways = tuple(Way(option.arms.value, option.label) for option in without_doubles(attacks))
        filled |= attack.inputs
        words = ". ".join(filter(None, (attack.words, say_both(firers, targets))))
        account = Account(words, attack.sources, ways, attack.arms.value)
    except LackingValues as lacking:
        questions += lacking.asked
    return filled, replace(account, asked=tuple(questions))


def _explain_mines(
    charts: Book, mines: Sequence[Piece], targets: Sequence[Piece], sent: Sent
) -> tuple[Inputs, Account]:
    """The attack of mines on whoever is in their hex, with a column of its own (18.1, R-152). Raises BadInput."""
    _check_mines(mines, {piece.counter.place for piece in targets if piece.counter.place})
    filled = {"weapon": Weapon.MINES.value, "state": State.GOOD_ORDER.value}
    words = "; ".join(f"{piece.counter.name}: mines" for piece in mines)
    return filled | _fill_units(charts, mines, targets, sent), Account(words)


def _check_mines(firers: Sequence[Piece], places: Collection[str]) -> None:
    """Raise BadInput for somebody who fires with mines, and for mines in another place than their targets."""
    for piece in firers:
        name, place = piece.counter.name, piece.counter.place
        if not piece.kind.is_mine:
            raise BadInput({"firers": f"{name} does not fire with mines: they attack whoever is in their hex (18.1)."})
        if places and place and place not in places:
            raise BadInput({"firers": f"{name} is in {place}: mines attack whoever is in their hex (18.1)."})


def _account_for(slug: str, firers: Sequence[Piece], targets: Sequence[Piece]) -> Account:
    """Which values of counters decide a roll other than fire."""
    value = {"close-combat": "ccv", "morale": "tq", "action-check": "tq"}.get(slug)
    if not value:
        return Account()
    pieces = [*firers, *targets] if value == "ccv" else targets
    return Account(say_both(firers, targets), counter_sources(piece.kind.find_origin(value) for piece in pieces))


def unit_of(piece: Piece) -> Unit:
    """A counter as the rules of chapters 17 to 19 take it. Raises BadInput for one that is not a unit."""
    counter, kind = piece.counter, piece.kind
    if not is_unit(kind.kind):
        raise BadInput({"targets": f"{counter.name} is not a unit."})
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


def find_range(charts: Book, firer: Piece, targets: Sequence[Piece], sent: Sent) -> int | None:
    """The range of a firer: as given, else from hex to hex; None if a place is not noted or targets stand apart.

    Within one hex it is point-blank, as at one hex.
    """
    typed = str(sent.get("range") or "").strip()
    if typed:
        if not is_digits(typed) or len(typed) > 2:
            raise BadInput({"range": "Give the range in whole hexes."})
        return max(1, int(typed))
    hexes: HexMap = charts["map"].hexes
    try:
        start, *goals = (hexes.parse(piece.counter.place) for piece in (firer, *targets))
    except BadHex:
        return None
    ranges = {hexes.distance(start, goal) for goal in goals}
    return max(1, ranges.pop()) if len(ranges) == 1 else None


# The rolls


def _fill_fire(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    if not firers:
        return _fill_units(charts, [], targets, sent)
    filled, account = explain_roll(charts, "fire", firers, targets, sent)
    if account.asked:
        raise LackingValues(account.asked)
    return filled


def _find_attacks_on(targets: Sequence[Piece], attacks: Sequence[FireAttack]) -> Sequence[FireAttack]:
    """The attacks that can be made on these targets. Raises BadInput where small arms meet vehicles alone."""
    units = [unit_of(piece) for piece in targets]
    if not units or any(unit.kind is not Kind.VEHICLE for unit in units):
        return attacks
    fitting = [attack for attack in attacks if harms_vehicles(attack.weapon)]
    if not fitting:
        find_attacked(units, Weapon.FIREPOWER)
    return fitting


def _choose_attack(charts: Book, attacks: Sequence[FireAttack], sent: Sent) -> FireAttack:
    """The attack that the firers make. Raises BadInput for a gun that has no column."""
    attack = choose_attack(attacks, sent)
    if attack.arms is Arms.GUN:
        guns: Numbers = charts["artillery_ff"]
        smallest = min((int(row) for row in guns.values if is_digits(row)), default=0)
        [share] = attack.shares
        if (share.caliber or 0) < smallest:
            words = f"{share.name}: {share.caliber} mm is below the smallest caliber that has a column ({smallest} mm)."
            raise BadInput({"caliber": words})
    return attack


def _fill_units(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    """Several units, each with its place. Raises BadInput for units in two hexes: a result is rolled against one hex,
    whose stack it hits (18.1.3)."""
    by_hex = {piece.counter.place: piece.counter.name for piece in reversed(targets) if piece.counter.place}
    if len(by_hex) > 1:
        (first_hex, first), *others = reversed(by_hex.items())
        places = ", ".join((f"{first} is in {first_hex}", *(f"{name} in {place}" for place, name in others)))
        words = "an attack is on one hex (18.1.3). Attack one hex after the other, or put right where they are."
        raise BadInput({"targets": f"{places}: {words}"})
    return {"units": _unit_rows(targets)} if targets else {}


def _fill_aim(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    """The hex that is aimed at: theirs, where all stand in one and nobody has named another.

    The impact decides what it strikes (A-57); units whose hex nobody has noted are named, as players know that it is
    theirs.
    """
    place = _find_hex(targets)
    aim = {"aim": place} if place and not sent.get("aim") else {}
    return aim | _fill_unplaced(charts, firers, targets, sent)


def _find_hex(pieces: Sequence[Piece]) -> str:
    """The one hex where counters stand, as far as anybody has noted theirs; "" for none, or several."""
    places = {piece.counter.place for piece in pieces if piece.counter.place}
    return places.pop() if len(places) == 1 else ""


def _fill_unplaced(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    return _fill_units(charts, firers, [piece for piece in targets if not piece.counter.place], sent)


def _fill_unit(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
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


def _fill_action_check(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    filled = _fill_unit(charts, firers, targets, sent)
    return {name: filled[name] for name in ("name", "tq", "id") if name in filled}


def _fill_close_combat(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    """One attack: rows with CCV as they stand, and the ticks that follow from the counters (19.3.3, 19.3.5)."""
    ask_for([*firers, *targets], "ccv")
    is_afv = (
        bool(targets)
        and all(piece.kind.kind in (CounterKind.VEHICLE, CounterKind.LEADER) for piece in targets)
        and any(piece.kind.kind is CounterKind.VEHICLE for piece in targets)
    )
    filled: Inputs = {}
    if firers:
        filled["attack"] = [fighter_row(piece, is_afv) for piece in firers]
        filled["leader"] = _has_lender(firers)
        filled["flamethrower"] = any(piece.kind.weapon is OwnColumn.FLAMETHROWER for piece in firers)
        filled["demo_charge"] = is_afv and any(_is_demo_charge(piece) for piece in firers)
    if targets:
        filled["defense"] = [fighter_row(piece) for piece in targets]
        filled["target"] = "afv" if is_afv else "infantry"
        vehicles = [piece for piece in targets if piece.kind.kind is CounterKind.VEHICLE]
        filled["m_killed"] = is_afv and all(Mark.M_KILLED in piece.counter.state for piece in vehicles)
    return filled


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
    """Whether an attack may have a leader's -5: an NCO or Officer who can, with others than leaders (19.3.5)."""
    is_led = any(piece.kind.kind is not CounterKind.LEADER for piece in attackers)
    return is_led and any(piece.kind.rank in LENDERS and not find_state(piece.counter).disrupted for piece in attackers)


def _fill_air_attack(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    """The attack of one aircraft with what it has left (17.6.3), on the hex where its targets stand."""
    filled = _fill_unplaced(charts, firers, targets, sent)
    if place := _find_hex(targets):
        filled["hex"] = place
    if not firers:
        return filled
    if len(firers) > 1 or firers[0].kind.kind is not CounterKind.AIRCRAFT:
        raise BadInput({"firers": "One aircraft attacks at a time: choose it alone."})
    marks = firers[0].counter.state
    weapons_left = [word for word, mark in (("he", Mark.HE_USED), ("mg", Mark.MG_USED)) if mark not in marks]
    if not weapons_left:
        raise BadInput({"firers": f"{firers[0].counter.name} has used its bombs and its MG (17.6.3)."})
    plane = firers[0].kind.aircraft
    return filled | ({"aircraft": plane.value} if plane else {}) | {"weapon": weapons_left[0]}


def _fill_anti_aircraft(charts: Book, firers: Sequence[Piece], targets: Sequence[Piece], sent: Sent) -> Inputs:
    """Fire of one unit at an aircraft: by its chart, or with its factors at the range that players give (17.6.7)."""
    filled: Inputs = {}
    planes = [piece.kind.aircraft.value for piece in targets if piece.kind.aircraft]
    if planes:
        filled["aircraft"] = planes[0]
    if not firers:
        return filled
    if len(firers) > 1:
        raise BadInput({"firers": "Anti-aircraft fire is one unit's: choose it alone."})
    hexes = find_range(charts, firers[0], targets, sent)
    return filled | arm_flak(firers[0], hexes) | ({"range": hexes} if hexes else {})


_FILLERS: dict[str, Callable[[Book, Sequence[Piece], Sequence[Piece], Sent], Inputs]] = {
    "fire": _fill_fire,
    "who-is-hit": _fill_units,
    "casualties": _fill_unit,
    "morale": _fill_unit,
    "action-check": _fill_action_check,
    "close-combat": _fill_close_combat,
    "contact": _fill_aim,
    "accuracy": _fill_aim,
    "conversion": _fill_unplaced,
    "firepower": _fill_unplaced,
    "air-attack": _fill_air_attack,
    "anti-aircraft": _fill_anti_aircraft,
}


def _unit_rows(pieces: Sequence[Piece]) -> list[dict[str, object]]:
    """Units as rows of a form, top to bottom."""
    ask_for(pieces, "tq")
    return [{**unit_of(piece).plain(), "state": unit_under_fire(piece).state.value} for piece in pieces]


def unit_under_fire(piece: Piece) -> Unit:
    """A counter as a target: a vehicle's states of 18.2 do not count."""
    unit = unit_of(piece)
    return replace(unit, state=_state_in_form(unit))


def ask_for(pieces: Sequence[Piece], value: str) -> None:
    """Raise LackingValues for the units whose value nobody knows; the CCV of a half-squad follows from its FF."""
    values_needed = [(piece, _name_value(piece, value)) for piece in pieces if is_unit(piece.kind.kind)]
    lacking = [(piece, name) for piece, name in values_needed if getattr(piece.kind, name) is None]
    if lacking:
        raise LackingValues(ask_value(piece, name) for piece, name in lacking)


def _name_value(piece: Piece, value: str) -> str:
    is_half = kind_in_combat(piece.kind.kind, piece.counter.state) is Kind.HALF_SQUAD
    return "half_ff" if value == "ccv" and is_half else value
