"""A campaign's part of a match's file: written as one side knows it, checked value by value, stored as new rows."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Field, ForeignKey
from django.urls import reverse

from firefight.columns import MatchState
from firefight.engine.board.hexes import HexMap
from firefight.engine.course.course import MOST_TURNS
from firefight.engine.record import is_called_so
from firefight.engine.values import Values
from firefight.games import registry
from firefight.games.combat_stalingrad.rules.marks import Mark, may_carry
from firefight.games.combat_stalingrad.rules.melee.attacks import Effect, Fate
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Act, Match, Snapshot
from firefight.table.act import undo
from firefight.table.files.shape import MOST_LINES, MOST_VERSIONS, BadArchive
from firefight.web.schema import (
    Check,
    any_value,
    by_name,
    flag,
    list_of,
    maybe,
    one_of,
    table,
    text,
    tuple_of,
    whole_number,
)

from .ledger import content as content_store
from .ledger.earlier_maps import OF_UNIT, Maps, PlainMap, gather_maps, known_maps, read_maps, store_maps, write_maps
from .ledger.ledger import KINDS, Ledger
from .ledger.ledger import load as load_ledger
from .ledger.rows import build_ledger, fields_of, write_ledger
from .models import Campaign, ContentBook, Group, Seal, Unit
from .phase import battles, conductor, lookups
from .rules.content import Content
from .rules.orders import Order
from .rules.phase import Extent, ReorganizationPhase
from .rules.plots import against_plot
from .rules.sectors import LETTERS, read_control
from .rules.stages import Stage
from .rules.steps import FIGHTING, Step

MOST_ROWS = 2_000  # of one kind, of one side
MOST_SECTOR = 99
MOST_MAPS = 600  # as many as a file has chapters
SIDES = tuple(side.value for side in Side)


# Writing


def dump(match: Match) -> dict[str, object]:
    """All rows of a match's campaign as plain values, with both sides' secrets."""
    return write_ledger(load_ledger(match))


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a file needs of a campaign besides its rows: its content, and the maps of its chapters so far."""

    book: ContentBook
    maps: Maps


def gather_earlier(match: Match, chapters: Iterable[Snapshot]) -> Earlier:
    """Read it, with both sides' secrets. Two queries."""
    book = ContentBook.objects.get(campaign=match.pk)
    return Earlier(book, gather_maps(match, chapters, book.pk))


def narrowed(
    match: Match, plain: Values, sees: tuple[str, ...], earlier: Earlier, knew: tuple[str, ...]
) -> dict[str, object]:
    """What these sides know of a ledger, with the content that it is played with, as a file holds it.

    ``knew``: whose secrets the maps of earlier chapters may show. Orders that are not in the file count as not sealed,
    so that their side can seal them again where the match is played on.
    """
    book = earlier.book
    ledger = build_ledger(match, plain, content_store.read_pinned(book.pk)).known(sees)
    if ledger.stage is Stage.PURCHASES:
        ledger.campaign.ready = [side for side in ledger.campaign.ready if ledger.orders_of(Side(side))]
    content = {"name": book.name, "data": book.data}
    maps = write_maps(known_maps(match, earlier.maps, knew))
    return {"content": content, **write_ledger(ledger), "maps": maps}


def missing(data: Values) -> list[str]:
    """What becomes of the things that the file does not hold, in sentences."""
    sides = " and ".join(side.value.capitalize() for side in Side if side not in data["sees"])
    sentences = [f"{sides} units that were hidden count as off the map."]
    if data["ledger"]["stage"] == Stage.PURCHASES:
        sentences.append(f"{sides} orders are to be sealed again.")
    return sentences


# Reading: each value

_RANGES = {
    "PositiveSmallIntegerField": (0, 32_767),
    "SmallIntegerField": (-32_767, 32_767),
    "PositiveIntegerField": (0, MOST_VERSIONS),
}
_SECTOR, _SECTORS = whole_number(1, MOST_SECTOR), list_of(whole_number(1, MOST_SECTOR), MOST_SECTOR, different=True)
_KEY = (one_of(SIDES), whole_number(1, MOST_ROWS))
_KEYS = list_of(tuple_of(*_KEY), 100, different=True)
_GATHERED = table(
    {
        "side": one_of(SIDES),
        "attackers": _KEYS,
        "defenders": _KEYS,
        "attacks": list_of(tuple_of(_KEYS, _KEYS), 100),
        "hand_to_hand": flag,
        "from_cover": list_of(one_of(SIDES), 2, different=True),
        "in_open": list_of(one_of(SIDES), 2, different=True),
        "by_value": _KEYS,
        "riders": _KEYS,
        "escorts": list_of(tuple_of(tuple_of(*_KEY), tuple_of(*_KEY)), 100),
    }
)
_PHASE = table(
    {"step": one_of(tuple(Step)), "sector": maybe(_SECTOR), "fought_over": _SECTORS},
    {
        "left": list_of(tuple_of(*_KEY)),
        "waiting": _SECTORS,
        "hurry": maybe(table({"side": one_of(SIDES), "how_far": one_of(tuple(Extent))})),
        "round": whole_number(1, 10_000),
        "fought": list_of(tuple_of(*_KEY), different=True),
        "waited": list_of(tuple_of(*_KEY), different=True),
        "gathered": maybe(_GATHERED),
        "met": list_of(tuple_of(*_KEY)),
        "survivors_of": maybe(_SECTOR),
        "ended_in_hex": list_of(tuple_of(*_KEY)),
        "tried": list_of(tuple_of(*_KEY)),
        "mined": list_of(tuple_of(*_KEY)),
        "effects": list_of(tuple_of(*_KEY, one_of(tuple(Fate)))),
    },
)
_ORDERS = {"order": one_of(tuple(Order)), "bonus": flag, "fixed": flag, "price": whole_number(0, 1_000)}


def _hex(value: object, place: str) -> Iterator[str]:
    """A hex as acts write it down: the rows accept no other form."""
    if not (isinstance(value, str) and is_called_so(HexMap(), value)):
        yield f"{place}: should be a hex of the map, such as K7."


_SEALED: dict[str, Check] = {
    Seal.Kind.ORDERS: table(_ORDERS, {"group": text(6, 1), "box": whole_number(1, 99)}),
    Seal.Kind.PLOT: table({"hexes": tuple_of(_hex, _hex), "turn": whole_number(1, 99)}),
    Seal.Kind.OBSERVER: table({"hex": _hex}),
}
# Columns whose kind says too little.
_SPECIAL: dict[str, Check] = {
    "random_hex": lambda value, place: iter(()) if value == "" else _hex(value, place),
    "ready": list_of(one_of(SIDES), len(SIDES), different=True),
    "phase": lambda value, place: iter(()) if value == {} else _PHASE(value, place),
    "marks": list_of(one_of(tuple(Mark)), len(Mark), different=True),
    "data": by_name(any_value),
}


def shape() -> Check:
    """What the campaign's part of a file looks like."""
    rows = {kind: list_of(_table_of(model), MOST_ROWS) for kind, model in KINDS.items()}
    book = dict.fromkeys(("counters", "rosters", "map", "cards"), by_name(any_value))
    longest = ContentBook._meta.get_field("name").max_length or 0
    return _table_of(
        Campaign,
        {"maps": list_of(_map_shape(), MOST_MAPS)},
        content=table({"name": text(longest, 1), "data": table(book)}),
        rows=table(dict.fromkeys(SIDES, table(rows))),
    )


def _map_shape() -> Check:
    """What changes on the map from one chapter to the next."""
    of_unit = {field.name: _check_of(field) for field in fields_of(Unit) if field.name in OF_UNIT}
    unit = table({"counter": of_unit.pop("counter")}, of_unit)
    rows = {"units": unit, "groups": text(6, 1)}
    tables = {name: table({}, dict.fromkeys(SIDES, by_name(maybe(row), MOST_ROWS))) for name, row in rows.items()}
    ground = by_name(maybe(by_name(any_value)))
    needed = {"number": whole_number(1, MOST_LINES), "held": text(60, 1), "turn": whole_number(1, MOST_TURNS)}
    return table(needed, {"ground": ground, **tables})


def _table_of(model: type[undo.Kept], may: dict[str, Check] | None = None, **more: Check) -> Check:
    checks = {field.name: _check_of(field) for field in fields_of(model)}
    needed = {f.name for f in fields_of(model) if not (f.has_default() or f.blank or f.null)}
    return table(
        {name: check for name, check in checks.items() if name in needed} | more,
        {name: check for name, check in checks.items() if name not in needed} | (may or {}),
    )


def _check_of(field: "Field[object, object]") -> Check:
    """What a column holds, as the database bounds it."""
    if field.name in _SPECIAL:
        return _SPECIAL[field.name]
    if isinstance(field, ForeignKey):
        check = whole_number(1, MOST_ROWS)
    elif field.choices:
        check = one_of(tuple(str(value) for value, _ in field.choices))
    elif field.get_internal_type() == "BooleanField":
        check = flag
    elif field.get_internal_type() == "CharField":
        check = text(field.max_length or 0, 0 if field.blank else 1)
    else:
        check = whole_number(*_RANGES[field.get_internal_type()])
    return maybe(check) if field.null else check


# Reading: what cannot be a campaign, although each of its values could be in one


def flaws(data: Values) -> Iterator[str]:
    """Everything in which a file's campaign contradicts its content, its log or itself. Its shape is sound already."""
    saved = data["ledger"]
    try:
        content = content_store.read(saved["content"]["data"])
    except content_store.BadContent as error:
        yield from (f"rosters, cards and map, {problem}." for problem in error.problems)
        return
    problems = list(_campaign_flaws(data, saved, content)) or [
        flaw for side in Side for flaw in _pointing_flaws(side, saved["rows"][side], len(data["log"]))
    ]
    yield from problems
    if not problems:
        match = Match(game=data["match"]["game"], state=MatchState.from_json(data["match"]["state"]))
        ledger = build_ledger(match, saved, content)
        for side in Side:
            yield from _side_flaws(ledger, side)
        yield from _stage_flaws(ledger, saved.get("phase", {}))
        yield from _map_flaws(ledger, saved.get("maps", ()), {chapter["number"] for chapter in data["chapters"]})


def _campaign_flaws(data: Values, plain: Values, content: Content) -> Iterator[str]:
    if plain["card"] not in content.cards:
        yield "campaign, card: is not among its cards."
    elif not 1 <= plain.get("firefight", 1) <= len(content.cards[plain["card"]].times):
        yield "campaign, firefight: the card has no such firefight."
    sectors = content.sector_map.neighbours
    if len(plain["held"]) != len(sectors) or set(plain["held"]) - set(LETTERS):
        yield f"campaign, held: should be {len(sectors)} letters out of {', '.join(LETTERS)}."
    if plain.get("stage_since", 1) > data["match"]["version"]:
        yield "campaign, stage_since: lies ahead of the match's version."
    if plain.get("attacker", "") not in ("", *SIDES):
        yield f"campaign, attacker: should be one of: {', '.join(SIDES)}."


def _pointing_flaws(side: Side, rows: Values, lines: int) -> Iterator[str]:
    for kind in ("units", "seals", "lines"):
        for number, row in enumerate(rows[kind], 1):
            if any((row.get(name) or 0) > len(rows[f"{name}s"]) for name in ("group", "unit", "seal")):
                yield f"{side} {kind} {number}: points to a row that is not there."
    for number, seal in enumerate(rows["seals"], 1):
        if not 1 <= seal["entry"] <= lines:
            yield f"{side} seals {number}: the log has no line {seal['entry']}."
        yield from _SEALED[seal["kind"]](seal.get("data", {}), f"{side} seals {number}, data")


def _side_flaws(ledger: Ledger, side: Side) -> Iterator[str]:
    card, roster = ledger.campaign.card, ledger.roster(side).groups
    for number, group in ledger.groups[side].items():
        if group.rg not in roster:
            yield f"{side} groups {number}: the roster has no {group.rg}."
        elif group.bought_for > ledger.campaign.firefight or (group.box is None) != (group.bought_for == 0):
            yield f"{side} groups {number}: was bought for no firefight of this campaign, or its box does not fit."
        elif group.box is not None and not 1 <= group.box <= roster[group.rg].boxes[card]:
            yield f"{side} groups {number}: {group.rg} has no box {group.box}."
    for number, unit in ledger.units[side].items():
        yield from _unit_flaws(ledger, unit, f"{side} units {number}")
    for number, seal in ledger.seals[side].items():
        yield from _seal_flaws(ledger, seal, f"{side} seals {number}")
    if any(line.amount == 0 or line.firefight > ledger.campaign.firefight for line in ledger.lines[side].values()):
        yield f"{side} lines: one is of 0 CP, or of a firefight that is still to come."
    if ledger.balance(side) < 0:
        yield f"{side} lines: come to {ledger.balance(side)} CP; a balance is never below 0."
    yield from _twice_flaws(ledger, side)


def _unit_flaws(ledger: Ledger, unit: Unit, place: str) -> Iterator[str]:
    sectors = ledger.content.sector_map.neighbours
    if unit.counter not in ledger.content.counters[Side(unit.side)]:
        yield f"{place}: there is no counter {unit.counter}."
        return
    if any(sector is not None and sector not in sectors for sector in (unit.sector, unit.home)):
        yield f"{place}: the map has no such sector."
    if unit.sector is None and (unit.hidden or unit.hex):
        yield f"{place}: is off the map, and yet hidden there or in a hex."
    if unit.fate and unit.sector is not None:
        yield f"{place}: is gone, and yet in a sector."
    if unit.beside is not None and (unit.beside == unit.number or unit.beside not in ledger.units[Side(unit.side)]):
        yield f"{place}: stands beside a unit that is not there."
    odd_marks = {*unit.marks} - {*may_carry(ledger.kind_of(unit).kind), Mark.HELD, Mark.EXITED}
    if odd_marks:
        yield f"{place}: cannot be {', '.join(sorted(odd_marks))}."


def _seal_flaws(ledger: Ledger, seal: Seal, place: str) -> Iterator[str]:
    if not 1 <= seal.firefight <= ledger.campaign.firefight:
        yield f"{place}: is of no firefight of this campaign so far."
    if seal.kind == Seal.Kind.PLOT:
        if seal.group is None:
            yield f"{place}: a plot is of a battery."
        if objection := against_plot(seal.plot.hexes, seal.plot.turn):
            yield f"{place}: {objection}"
    if seal.kind == Seal.Kind.ORDERS:
        orders = seal.orders
        group = ledger.roster(Side(seal.side)).groups.get(orders.group)
        if (orders.group or orders.box) and not (
            group and orders.box and orders.box <= group.boxes[ledger.campaign.card]
        ):
            yield f"{place}: the roster has no such Attack."
        if orders.bonus and orders.order is not Order.ATTACK:
            yield f"{place}: the bonus goes with an Attack."


def _twice_flaws(ledger: Ledger, side: Side) -> Iterator[str]:
    """No box is ticked twice, a side has one order for a firefight, and no more counters are used than there are."""
    ticked = [g for g in ledger.groups[side].values() if g.box is not None and g.standing != Group.Standing.REFUNDED]
    orders = ledger.list_seals(side, Seal.Kind.ORDERS)
    boxes = Tally((group.rg, group.box) for group in ticked)
    boxes.update((seal.orders.group, seal.orders.box) for seal in orders if seal.orders.box)
    yield from (f"{side} groups: box {box} of {rg} is ticked twice." for (rg, box), n in boxes.items() if n > 1)
    if any(number > 1 for number in Tally(seal.firefight for seal in orders).values()):
        yield f"{side} seals: two orders stand for one firefight."
    if all(unit.counter in ledger.content.counters[side] for unit in ledger.units[side].values()):
        short = [key for key, number in ledger.left_in_box(side).items() if number < 0]
        yield from (f"{side} units: there are not as many counters {key} in the box." for key in short)


def _stage_flaws(ledger: Ledger, phase: Values) -> Iterator[str]:
    """What the stage needs must be there: a side that can go on, and what it goes on with."""
    campaign, stage = ledger.campaign, ledger.stage
    orders = {side: ledger.orders_of(side) for side in Side}
    ready = {Side(side) for side in campaign.ready}
    opened = [side for side, seal in orders.items() if seal and seal.standing == Seal.Standing.OPEN]
    if (stage is Stage.REORGANIZATION) != (campaign.phase is not None):
        yield f"campaign, phase: does not go with the stage {stage}."
    if stage is Stage.PURCHASES and (opened or {side for side, seal in orders.items() if seal} != ready):
        yield "campaign, ready: who is done with the purchases has sealed orders, and nobody else has."
    if stage is Stage.PRIORITY and not all(
        seal and seal.standing == Seal.Standing.OPEN and seal.orders.order is Order.ATTACK for seal in orders.values()
    ):
        yield "campaign, stage: both sides must attack before it is rolled who is the Attacker."
    if stage in (Stage.SETUP, Stage.FIREFIGHT) and not campaign.attacker:
        yield "campaign, attacker: should be known in this stage."
    elif stage is Stage.SETUP and ready - {ledger.defender}:
        yield "campaign, ready: the Defender sets up first, and play begins after the Attacker."
    if (stage is Stage.REINFORCEMENTS and ready == set(Side)) or (stage is Stage.FIREFIGHT and ready):
        yield f"campaign, ready: nobody would have anything to do in the stage {stage}."
    if stage is Stage.REORGANIZATION and campaign.phase:
        yield from _phase_flaws(ledger, phase)


def _phase_flaws(ledger: Ledger, plain: Mapping[str, object]) -> Iterator[str]:
    phase = ledger.phase
    sectors = set(ledger.content.sector_map.neighbours)
    if phase.step.is_of_sector and not (plain.keys() >= _OF_SECTOR and phase.sector and ledger.campaign.attacker):
        yield f"campaign, phase: lacks what the step {phase.step} goes by."
        return
    present = filter(None, (phase.sector, phase.survivors_of))
    if {*phase.fought_over, *phase.waiting, *present} - sectors:
        yield "campaign, phase: the map has no such sector."
    lists = (phase.exited, phase.met, phase.ended_in_hex or (), phase.tried, phase.mined, phase.fought, phase.waited)
    keys_named = [key for keys in lists for key in keys] + [effect.key for effect in phase.effects]
    if any(number not in ledger.units[side] for side, number in keys_named):
        yield "campaign, phase: names a unit that there is not."
        return
    if phase.step in FIGHTING and phase.sector is not None:
        yield from _round_flaws(ledger, phase, phase.sector)


def _round_flaws(ledger: Ledger, phase: ReorganizationPhase, sector: int) -> Iterator[str]:
    present = {key for side in Side for key in lookups.keys_of(lookups.list_fighters(ledger, side, sector))}
    for side, number in (*phase.fought, *(effect.key for effect in phase.effects)):
        if (side, number) not in present:
            yield f"campaign, phase: {side} unit {number} does not fight in sector {sector}."
    for effect in phase.effects:
        if effect.key in present and not _may_happen_to(ledger, effect):
            yield f"campaign, phase: {effect.key[0]} unit {effect.key[1]} cannot be {effect.fate}."


_OF_SECTOR = {"waiting", "round", "fought", "effects", "met"}


def _may_happen_to(ledger: Ledger, effect: Effect) -> bool:
    kind = ledger.kind_of(lookups.find_unit(ledger, effect.key)).kind
    return effect.fate is Fate.ELIMINATED or effect.fate.value in may_carry(kind)


# The maps of earlier chapters


def _map_flaws(ledger: Ledger, changes: Sequence[Values], chapters: set[int]) -> Iterator[str]:
    numbers = [change["number"] for change in changes]
    if numbers != sorted(set(numbers)) or not chapters >= set(numbers):
        yield "campaign, maps: are not of the chapters, each once and in order."
        return
    record = registry.games()[ledger.match.game].record
    for change, plain_map in zip(changes, read_maps(changes).values(), strict=True):
        place = f"campaign, map {change['number']}"
        fresh = {id: row for id, row in change.get("ground", {}).items() if row is not None}
        yield from (f"{place}, {flaw}" for flaw in (record.flaws({"ground": fresh}) if fresh else ()))
        if read_control(plain_map.control, ledger.content.sector_map) is None:
            yield f"{place}, held: does not fit the map."
        for side in Side:
            yield from (f"{place}, {side} {flaw}" for flaw in _flaws_of_side(ledger, side, change, plain_map))


def _flaws_of_side(ledger: Ledger, side: Side, change: Values, plain_map: PlainMap) -> Iterator[str]:
    units, groups = plain_map.units[side], plain_map.groups[side]
    for name, rows in (("units", units), ("groups", groups)):
        if list(rows) != [str(number) for number in range(1, len(rows) + 1)]:
            yield f"{name}: should be numbered from 1, without gaps."
            return
    roster = ledger.roster(side).groups
    yield from (f"groups: the roster has no {rg}." for rg in groups.values() if rg not in roster)
    for number, row in change.get("units", {}).get(side, {}).items():
        if row is not None:
            yield from (f"unit {number}: {flaw}" for flaw in _flaws_on_map(ledger, side, row))
    if any((row.get("group") or 0) > len(groups) for row in units.values()):
        yield "units: one is of a group that is not there."


def _flaws_on_map(ledger: Ledger, side: Side, row: Values) -> Iterator[str]:
    counter, sector = ledger.content.counters[side].get(row["counter"]), row.get("sector")
    if counter is None:
        yield f"there is no counter {row['counter']}."
    elif {*row.get("marks", ())} - {*may_carry(counter.kind), Mark.HELD, Mark.EXITED}:
        yield "cannot be marked so."
    if sector is not None and sector not in ledger.content.sector_map.neighbours:
        yield "the map has no such sector."
    if sector is None and row.get("hidden") or sector is not None and row.get("fate"):
        yield "is off the map, and yet hidden there; or gone, and yet on it."


# From a file to a campaign


def load(match: Match, data: Values) -> None:
    """Store a file's campaign as the ledger of a new match, whose state then leads to it. Raises BadArchive."""
    plain = data["ledger"]
    book = content_store.store(plain["content"]["data"], plain["content"]["name"], offered=False)
    match.state = replace(match.state, ledger=reverse("campaign:campaign", args=[match.pk]))
    ledger = build_ledger(match, plain, content_store.read_pinned(book.pk), book.pk)
    # The charts, which the close combat goes by, are stored by now.
    if ledger.stage is Stage.REORGANIZATION and not conductor.find_deciders(ledger):
        raise BadArchive(["campaign, phase: nobody would have anything to decide in it."])
    if ledger.stage is Stage.REORGANIZATION and not battles.can_go_on(ledger):
        raise BadArchive(["campaign, phase: what was gathered cannot be fought."])
    undo.keep_rows(Act(match=match), ledger.rows())
    store_maps(ledger.campaign, plain.get("maps", ()))
