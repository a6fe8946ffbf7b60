"""What leads a side through its impulse: whose units, how they move and whom they attack, when it is over (8.1, 8.12).

Who pays, who retreats, whether guns are silenced, whether the track goes on: an attack's own roll asks for these, and
while they are due they are the step. What neither counters nor chart knows is left to the players.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from firefight.engine.board.counters import Piece
from firefight.engine.course.conducting import Choice
from firefight.engine.course.guiding import GuideStep
from firefight.engine.course.keeping import Chance, TableState
from firefight.engine.text import join_words

from .areas import AREAS, is_zone, name_area
from .attacking import LONE, find_tired, is_opening, list_attacks
from .becoming import count_dots, find_marker
from .casualties import MOST_UNITS
from .course import COURSE
from .deployment import Deployment, find_gun_reasons
from .disruption import MOST
from .ferrying import find_ferry_bars, list_waiting
from .filling import LONGEST_GUN, group_of
from .infiltration import list_infiltration_goals
from .kinds import CounterClass
from .marching import Marcher, find_acting_area, find_allowance, find_marcher, list_goals, list_own_steps
from .movement import attack_cost
from .record import Track
from .sides import Side, Time
from .terms import Group, Kind
from .volga import MOST_UNITS as MOST_FERRIED

PRINTED_RUBBLE = ("33", "59", "61", "62", "63", "64", "65", "66")  # 5.5
WHOLE = "Or as the whole impulse"
FERRY = "Or cross the Volga"


class ImpulseGuide:
    """A guide through an impulse: see firefight/kit/guide.py, Guide. What is chosen on the way is an Area."""

    title = "Lead me through this impulse"

    def find_step(self, situation: TableState, chosen: str) -> GuideStep:
        """The next step, by what this impulse has seen."""
        impulse = Impulse(situation)
        lone = [attack for attack in list_attacks(situation) if Kind(attack["kind"]) in LONE]
        if lone:
            return _lead_guns(Kind(lone[0]["kind"]), str(lone[0]["area"] or ""), impulse)
        if impulse.is_over:
            return GuideStep(f"The impulse is over: {impulse.end}.", "6.1 Overview")
        acting = find_acting_area(situation)
        marchers = [marcher for marcher in impulse.marchers if marcher.origin == (acting or chosen)]
        if marchers:
            return _lead_units(marchers, acting or chosen, impulse, is_open=not acting)
        if acting and impulse.marchers:  # those who acted have left the map
            return GuideStep(f"Nobody of {name_area(acting)} can do more: {impulse.end}.", "8.1 Impulses")
        return _lead_choice(impulse, acting)


@dataclass(frozen=True)
class Impulse:
    """An impulse so far, and the units that could act in it."""

    situation: TableState

    @property
    def side(self) -> Side:
        """Whose it is."""
        return Side(self.situation.position.side)

    @property
    def is_night(self) -> bool:
        """Whether it is one at night."""
        return COURSE.day_of(self.situation.position)[1] is Time.NIGHT

    @property
    def is_over(self) -> bool:
        """Whether its roll has come after all that units did: an attack's own comes first, and they go on (6.1)."""
        track = self.situation.record["track"]
        return self.side is Side.GERMAN and track == Track.FLIPS and not list_attacks(self.situation)

    @property
    def end(self) -> str:
        """Who ends it as it stands, and by which button: at a flip, whoever may prevent it (9.3)."""
        button = COURSE.buttons(self.situation.position, self.situation.record)[-1]
        if button.side not in ("", self.side):
            return f"the {Side(button.side).word} presses “{button.title}”"
        return f"press “{button.title}”"

    @cached_property
    def deployed(self) -> Deployment:
        """Where units stand."""
        return Deployment.of(self.situation)

    def find_group(self, area: str, group: Group) -> list[Piece]:
        """The enemies of a Group in an Area."""
        return [piece for piece in self.deployed.find_units(self.side.other, area) if group_of(piece) is group]

    @cached_property
    def marchers(self) -> list[Marcher]:
        """The side's units on the map, artillery among them, by Area."""
        side_pieces = [
            piece for (side, _), pieces in self.deployed.pieces.items() if side == self.side for piece in pieces
        ]
        ground_pieces = [piece for piece in side_pieces if piece.kind.sort is not CounterClass.AIRCRAFT]
        ground_pieces.sort(key=lambda piece: (AREAS.names.index(piece.counter.place), piece.counter.name))
        return [find_marcher(piece, self.deployed) for piece in ground_pieces]


# Whose units


def _lead_choice(impulse: Impulse, acting: str) -> GuideStep:
    """The Area whose units act (8.1); where the app has no counters, players choose on the map.

    ``acting``: where it has already acted, by the record alone.
    """
    whole = () if acting else (*_list_set_up(impulse.situation), *_list_guns(impulse))
    if not impulse.marchers:
        by_hand = tuple(Chance("Units of one Area", slug.capitalize(), "", (), slug) for slug in ("move", "attack"))
        words = f"Move units of one Area and attack with them; then {impulse.end}."
        return GuideStep(words, "8.1 Impulses", chances=(*by_hand, *whole))
    counts: dict[str, list[bool]] = {}
    for marcher in impulse.marchers:
        if marcher.is_fresh or impulse.is_night and not find_marker(marcher.piece.counter):
            counts.setdefault(marcher.origin, []).append(marcher.is_fresh)
    choices = tuple(Choice(area, name_area(area), _count_groups(fresh)) for area, fresh in counts.items())
    if not choices:
        return GuideStep("Nobody on the map can act: pass.", "8.14 Pass", chances=whole)
    return GuideStep("Choose the Area whose units act, or pass.", "8.1 Impulses", choices, whole)


def _list_set_up(situation: TableState) -> Iterator[Chance]:
    """The roll for each Area with printed Rubble that has not been made yet, before the first impulse (5.5)."""
    if not is_opening(situation.position) or list_attacks(situation):
        return
    rolled = {row["area"] for row in situation.record["rubble_levels"]}
    for area in PRINTED_RUBBLE:
        if area not in rolled:
            title, words = "First, once all are set up", "does its printed Rubble stay?"
            yield Chance(title, name_area(area), words, (), "rubble-setup", {"area": area})


def _count_groups(fresh: Sequence[bool]) -> str:
    """ "2 Fresh, 1 Spent", of whom the Spent regroup."""
    counted = ((fresh.count(True), "Fresh"), (fresh.count(False), "Spent"))
    return ", ".join(f"{number} {group}" for number, group in counted if number)


def _list_guns(impulse: Impulse) -> Iterator[Chance]:
    """What takes a whole impulse: guns, aircraft, a Refit, a ferry (15.2, 15.34, 17.2, 18.3)."""
    record = impulse.situation.record
    if impulse.side is Side.GERMAN:
        yield from _list_batteries(impulse)
        if not impulse.is_night and not record["luftwaffe_used"]:
            whole = Chance(WHOLE, "Aircraft attack", "", (), "attack", {"kind": Kind.AIR.value})
            areas = [area for side, area in impulse.deployed.pieces if side == impulse.side.other]
            yield from [*_name_groups(whole, areas, impulse)] or (whole,)
        return
    for gun in record["russian_artillery"]:
        place, inputs = name_area(gun["area"]), {"kind": Kind.RUSSIAN_ARTILLERY.value, "guns": gun["area"]}
        if gun["state"] == "ready":
            whole = Chance(WHOLE, f"The artillery in {place} attacks alone", "", (), "attack", inputs)
            yield from _aim_guns(whole, gun["area"], impulse)
        if gun["state"] == "refit":
            yield Chance(WHOLE, f"Refit the artillery in {place}", "", (), "refit", {"area": gun["area"]})
    if impulse.is_night:
        yield from _list_ferries(impulse)


def _list_ferries(impulse: Impulse) -> Iterator[Chance]:
    """As many of a kind as a ferry takes, from the East bank; the blank form where the app knows of nobody there."""
    kinds: dict[str, list[Piece]] = {}
    for piece in list_waiting(impulse.deployed):
        kinds.setdefault(piece.kind.key, []).append(piece)
    if not kinds:
        yield Chance(WHOLE, "Reinforcements cross the Volga", "", (), "ferry")
    for pieces in kinds.values():
        names = join_words(piece.counter.name for piece in pieces[:MOST_FERRIED])
        ids = tuple(piece.counter.id for piece in pieces[:MOST_FERRIED])
        yield Chance(FERRY, names, f"of {len(pieces)} on the East bank; for others tap them first", ids, "ferry")


def _list_batteries(impulse: Impulse, area: str = "") -> Iterator[Chance]:
    """German artillery that has not fired, by its counters; one without a name where the app has none.

    ``area``: the only one that it may still fire into.
    """
    date = COURSE.day_of(impulse.situation.position)[0]
    guns = [marcher for marcher in impulse.marchers if marcher.unit is None]
    if not guns:
        yield Chance(WHOLE, "German artillery attacks", "", (), "attack", {"kind": Kind.GERMAN_ARTILLERY.value})
    for gun in guns:
        if gun.is_fresh and not find_tired(gun.name[:LONGEST_GUN], date, impulse.situation):
            ids = (gun.piece.counter.id,)
            whole = Chance(WHOLE, f"{gun.name} attacks", name_area(gun.area), ids, "attack", fires=True)
            yield from _aim_guns(whole, gun.area, impulse, area)


def _aim_guns(whole: Chance, guns: str, impulse: Impulse, area: str = "") -> Iterator[Chance]:
    """An attack of guns on each Group that they reach and may fire at (15.21, 15.3); the attack as such where the chart
    does not know what is near them. ``area``: as in ``_list_batteries``."""
    deployed, enemy = impulse.deployed, impulse.side.other
    if not deployed.areas.neighbours(guns).are_all:
        yield whole
        return
    near = [target for owner, target in deployed.pieces if owner == enemy and area in ("", target)]
    fit = [target for target in near if not find_gun_reasons(impulse.side, guns, target, deployed, alone=True)]
    yield from _name_groups(whole, fit, impulse)


def _name_groups(whole: Chance, areas: Collection[str], impulse: Impulse) -> Iterator[Chance]:
    """An attack on each enemy Group of Areas that may still be attacked in this impulse (8.32, 20.4)."""
    attacks = list_attacks(impulse.situation)
    attacked = {(attack["area"], attack["group"]) for attack in attacks}
    if is_opening(impulse.situation.position):
        attacked = {(attack["area"], group) for attack in attacks for group in Group}
    for area in sorted(areas, key=AREAS.names.index):
        for group in Group:
            pieces = impulse.find_group(area, group)
            if pieces and (area, group) not in attacked:
                words = f"the {group.word} Group in {name_area(area)}"
                yield whole._replace(words=words, fires=True, at=tuple(piece.counter.id for piece in pieces))


def _lead_guns(kind: Kind, area: str, impulse: Impulse) -> GuideStep:
    """After guns or aircraft: nobody else acts, except in the opening, and for guns on an Area's other Group."""
    if is_opening(impulse.situation.position):
        words = f"Go on with guns and aircraft, one attack on an Area; then {impulse.end}."
        return GuideStep(words, "20.4 Opening Bombardment", chances=tuple(_list_guns(impulse)))
    if kind is Kind.GERMAN_ARTILLERY and area:
        words = f"German artillery may attack the other Group of {name_area(area)}, too; then {impulse.end}."
        return GuideStep(words, "15.2 German Artillery", chances=tuple(_list_batteries(impulse, area)))
    return GuideStep(f"That was the whole impulse: {impulse.end}.", "17.2 Stuka Attack")


# What they do


def _lead_units(marchers: Sequence[Marcher], area: str, impulse: Impulse, is_open: bool) -> GuideStep:
    """Moves and attacks of an Area's units; those who entered among enemies have to attack there (8.12, 8.34).

    ``is_open``: the Area may still be another.
    """
    attacks, moves = tuple(_list_attacks(marchers, impulse)), tuple(_list_moves(marchers, impulse))
    routs = tuple(_list_routs(marchers, impulse))
    bound = _find_bound(marchers, impulse)
    choices = (Choice("", "Another Area"),) if is_open else ()
    place = name_area(area)
    if bound:
        names, areas = (
            join_words(marcher.name for marcher in bound),
            dict.fromkeys(name_area(marcher.area) for marcher in bound),
        )
        advice = f"entered {join_words(areas)} among enemies: attack there, once nobody else is to go in"
        return GuideStep(
            f"{names} {advice}.", "8.34 Attack MF Cost, 8.12 Multiple Attacks", choices, (*routs, *attacks, *moves)
        )
    chances = (*routs, *moves, *attacks)
    if moves and attacks:
        words, rule = f"Move units of {place}, or attack with them; then {impulse.end}.", "8.1 Impulses"
    elif moves:
        words, rule = f"Move units of {place}; then {impulse.end}.", "8.2 Movement"
    elif attacks:
        words, rule = f"Attack with units of {place}; then {impulse.end}.", "8.3 Attacks"
    else:
        words, rule = f"Nobody of {place} can do more: {impulse.end}.", "8.13 Disruption"
    return GuideStep(words, rule, choices, chances)


def _find_bound(marchers: Sequence[Marcher], impulse: Impulse) -> list[Marcher]:
    """Those who entered among enemies whom nobody has attacked yet in this impulse (8.34)."""
    attacked = {attack["area"] for attack in list_attacks(impulse.situation)}
    enemy = impulse.side.other
    entered = [
        marcher
        for marcher in marchers
        if marcher.unit and marcher.area != marcher.origin and marcher.area not in attacked
    ]
    return [marcher for marcher in entered if marcher.is_fresh and impulse.deployed.find_units(enemy, marcher.area)]


def _list_moves(marchers: Sequence[Marcher], impulse: Impulse) -> Iterator[Chance]:
    """Those who can still go somewhere, together where they stand together; then each of them (8.2, 8.28, 8.29)."""
    stacks: dict[tuple[str, bool], list[Marcher]] = {}
    for marcher in _sift(marchers, lambda candidate: _may_go([candidate], impulse)):
        stacks.setdefault((marcher.area, marcher.is_fresh), []).append(marcher)
    for (area, is_fresh), stack in stacks.items():
        title, place = "Move" if is_fresh else "Regroup", name_area(area)
        if 1 < len(stack) <= MOST_UNITS and _may_go(
            [*{_liken(marcher): marcher for marcher in stack}.values()], impulse
        ):
            ids = tuple(marcher.piece.counter.id for marcher in stack)
            yield Chance(title, f"All {len(stack)} in {place}", "", ids, "move")
        words = "" if area == stack[0].origin else place
        yield from (Chance(title, marcher.name, words, (marcher.piece.counter.id,), "move") for marcher in stack)
    if impulse.side is Side.RUSSIAN and impulse.is_night:
        for marcher in _sift(marchers, lambda candidate: _may_infiltrate(candidate, impulse)):
            yield Chance(
                "Infiltrate", marcher.name, name_area(marcher.area), (marcher.piece.counter.id,), "infiltration"
            )
        for marcher in _sift(marchers, lambda candidate: _may_recross(candidate, impulse)):
            yield Chance("Back over the Volga", marcher.name, "", (marcher.piece.counter.id,), "ferry")


def _may_recross(marcher: Marcher, impulse: Impulse) -> bool:
    """Whether it may go back East from the landing where it stands (18.7)."""
    return not [*find_ferry_bars([marcher.piece], marcher.area, impulse.situation)]


def _may_infiltrate(marcher: Marcher, impulse: Impulse) -> bool:
    """Whether there is an Area into which it may slip, or nobody knows (8.29)."""
    if not marcher.is_fresh or not marcher.piece.kind.sort.is_foot:
        return False
    is_known = impulse.deployed.areas.neighbours(marcher.area).are_all
    return (not is_known and not marcher.paid) or bool(list_infiltration_goals(marcher, impulse.deployed))


def _list_routs(marchers: Sequence[Marcher], impulse: Impulse) -> Iterator[Chance]:
    """Those who entered, lost and still stand among enemies: after a loss by ten or more they go back where they came
    from, by hand (8.37 Rout)."""
    for marcher in marchers:
        steps = list_own_steps(marcher.piece.counter.id, impulse.situation)
        way = [marcher.origin, *(step["area"] for step in steps)]
        before = next((area for area in reversed(way) if area != marcher.area), "")
        has_lost = count_dots(marcher.piece.counter) == MOST and marcher.unit is not None
        if before and has_lost and impulse.deployed.find_units(impulse.side.other, marcher.area):
            words = f"out of {name_area(marcher.area)}, back to {name_area(before)}"
            yield Chance("Rout, if lost by ten", marcher.name, words, (marcher.piece.counter.id,), moves=True)


def _liken(marcher: Marcher) -> tuple[object, ...]:
    """What decides where it may go and whom it may attack: units of one kind that have done the same are alike."""
    counter = marcher.piece.counter
    return marcher.piece.kind.key, counter.state, marcher.origin, marcher.area, marcher.paid


def _sift(marchers: Sequence[Marcher], fits: Callable[[Marcher], bool]) -> list[Marcher]:
    """Those that fit; of units that are alike one is checked for all."""
    verdicts = {like: fits(marcher) for like, marcher in {_liken(marcher): marcher for marcher in marchers}.items()}
    return [marcher for marcher in marchers if verdicts[_liken(marcher)]]


def _may_go(marchers: Sequence[Marcher], impulse: Impulse) -> bool:
    """Whether there is an Area into which all of them can go, or nobody knows.

    Spent units regroup, but not where some of them may have attacked: nobody has written down which.
    """
    first = marchers[0]
    if not first.is_fresh and (not impulse.is_night or _may_have_attacked(first, impulse)):
        return False
    if list_goals(marchers, impulse.deployed):
        return True
    is_known = impulse.deployed.areas.neighbours(first.area).are_all
    return not is_known and all(_has_mf(marcher, impulse) for marcher in marchers)


def _may_have_attacked(marcher: Marcher, impulse: Impulse) -> bool:
    """Whether an attack of this impulse may have been its own: one from inside its Area, or a Ranged one."""
    attacks = list_attacks(impulse.situation)
    return any(Kind(attack["kind"]) is not Kind.INSIDE or attack["area"] == marcher.area for attack in attacks)


def _has_mf(marcher: Marcher, impulse: Impulse) -> bool:
    """Whether a unit has not used up its MF, as far as anybody knows them; a unit that regroups needs none (8.28)."""
    mf = find_allowance(marcher, marcher.area, impulse.deployed)
    return not marcher.is_fresh or mf is None or marcher.paid < mf


def _list_attacks(marchers: Sequence[Marcher], impulse: Impulse) -> Iterator[Chance]:
    """Each Group that the Fresh ones may attack, from inside its Area, or by day from the next one (8.31, 8.32)."""
    fresh = [marcher for marcher in marchers if marcher.is_fresh and marcher.unit]
    attacked = {(attack["area"], attack["group"]) for attack in list_attacks(impulse.situation)}
    bound = {marcher.area for marcher in _find_bound(marchers, impulse)}
    for place in dict.fromkeys(marcher.area for marcher in fresh):
        attackers = [marcher for marcher in fresh if marcher.area == place]
        stays = impulse.is_night or is_zone(place) or place in bound
        near = () if stays else impulse.deployed.areas.neighbours(place).names
        ranged = sorted((name for name in near if not is_zone(name)), key=AREAS.names.index)
        inside = {marcher.area for marcher in fresh}
        for area in (place, *(name for name in ranged if name not in inside)):
            for group in Group:
                if (area, group) not in attacked:
                    yield from _aim_at(area, group, attackers, impulse)
    yield from _list_mixed(fresh, bound, attacked, impulse)


def _list_mixed(
    fresh: Sequence[Marcher], bound: Collection[str], attacked: Collection[tuple[str, str]], impulse: Impulse
) -> Iterator[Chance]:
    """Those in an Area with enemies together with others beside it, by day: one attack, inside and Ranged (8.31)."""
    areas = [] if impulse.is_night else [area for area in dict.fromkeys(marcher.area for marcher in fresh)]
    for area in (area for area in areas if not is_zone(area)):
        near = impulse.deployed.areas.neighbours(area).names
        inside = [marcher for marcher in fresh if marcher.area == area]
        ranged = [marcher for marcher in fresh if marcher.area in near and marcher.area not in bound]
        together = [*inside, *(marcher for marcher in ranged if not is_zone(marcher.area))]
        for group in Group:
            if len(together) > len(inside) and (area, group) not in attacked:
                yield from _aim_at(area, group, together, impulse)


def _aim_at(area: str, group: Group, attackers: Sequence[Marcher], impulse: Impulse) -> Iterator[Chance]:
    """The attack on a Group by those who stand together, if the Group is there and one of them can lead (8.35).

    ``attackers``: from inside the Area or from beside it, or both, which has to come to both.
    """
    targets = impulse.find_group(area, group)
    is_told = 0 < len(targets) <= MOST_UNITS  # for more, in a Zone, players give the value
    able_attackers = _sift(attackers, lambda marcher: _can_pay(marcher, area, group, impulse)) if is_told else []
    if len(able_attackers) > MOST_UNITS:
        able_attackers = sorted(able_attackers, key=lambda marcher: -(marcher.piece.kind.find("af") or 0))[:MOST_UNITS]
    if all(marcher.piece.kind.sort.leads_none for marcher in able_attackers):
        return
    is_mixed = len({marcher.area == area for marcher in attackers}) > 1
    if is_mixed and len({marcher.area == area for marcher in able_attackers}) == 1:
        return
    entered = {"entered": "on"} if any(marcher.area == area != marcher.origin for marcher in able_attackers) else {}
    yield Chance(
        "Attack",
        f"The {group.word} Group in {name_area(area)}{', inside and Ranged' if is_mixed else ''}",
        _say_attackers(able_attackers, area),
        tuple(marcher.piece.counter.id for marcher in able_attackers),
        "attack",
        entered,
        fires=True,
        at=tuple(piece.counter.id for piece in targets),
    )


def _say_attackers(attackers: Sequence[Marcher], area: str) -> str:
    """ "71 Pi, and 1/191 and 2/191, Ranged, from Area 6"."""
    by_area: dict[str, list[str]] = {}
    for marcher in attackers:
        by_area.setdefault(marcher.area, []).append(marcher.name)
    phrases = (
        f"{join_words(names)}{'' if place == area else f', Ranged, from {name_area(place)}'}"
        for place, names in by_area.items()
    )
    return ", and ".join(phrases)


def _can_pay(marcher: Marcher, area: str, group: Group, impulse: Impulse) -> bool:
    """Whether a unit has the MF for an attack (8.34); the first one in an Area was paid as it went in."""
    has_paid = marcher.area == area != marcher.origin
    if has_paid and all(attack["area"] != area for attack in list_attacks(impulse.situation)):
        return True
    mf = find_allowance(marcher, area, impulse.deployed)
    return mf is None or marcher.paid + attack_cost(impulse.situation.book, group) <= mf
