"""What a match does with its record at the table: what fills rolls in, what bars them and what they write down."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from firefight.engine.board.counters import CounterChange, Piece
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import DueAtStep, Forestalled, Housekeeping, RecordRules, TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange, change_row, clamp, enter_row, put_in
from firefight.engine.rolls.changes import Change
from firefight.engine.rolls.result import Result
from firefight.engine.values import Values

from . import answering, around
from .barring import COMMANDERS_OF, check_crossing, check_dog, check_fire, check_infiltration, check_passage
from .battle import is_breakthrough, read_battle
from .becoming import ELIMINATED, arm_of, pin_bystanders
from .bombardment import FireTable
from .course import SCENARIO, choose_course
from .decisions import GOES, Question
from .decisions import TITLES as TITLE_OF
from .divisions import Formation, ask_words
from .filling import explain_tapped
from .hexes import list_victory_hexes
from .housekeeping import IMMOBILIZED, UNNAMED, ask_nkvd, call_isolated, call_nkvd, call_tank, do_housework
from .movement import Pace
from .phases import PhaseKind, find_phase, list_phases
from .record import COMMANDERS, INTERDICTED, LOST, MOST_SOVIET_TANKS, RECORD, TERRAIN_TOLD, WOUNDED, call_hq
from .registers import (
    check_delay,
    check_schedule,
    fill_delay,
    note_division,
    note_saving,
    note_schedule,
    note_work,
)
from .sequence import begin_raid
from .silence import fill_silence, note_silence
from .spending import ATTACKS, BREAKTHRU, breaks_through, note_box_guns, note_fire, note_interdiction, take_hex
from .stranded import ask_stranded
from .terms import SIDES, Side, Terrain
from .units import Arm
from .victory import DIVISIONS

GERMAN, SOVIET = Side.GERMAN.value, Side.SOVIET.value
ZAITSEV = "zaitsev"  # his counter's key
MOVEMENT_OF = {GERMAN: 3, SOVIET: 10}  # the phase in which the wounded, or an HQ, come back (18.42 to 18.47)
TOLD_OF_HEX = frozenset({"attack", "battle", "passage", "defensive-fire", "bombardment", "breakthrough"})
NOTED_FIRES = ATTACKS | {"defensive-fire", "bombardment", "anti-aircraft"}
FIRES = NOTED_FIRES | {"interdiction"}
OWN_PHASE = ATTACKS | {
    *("engineering", "exchange", "movement", "passage", "permissions", "reserves", "deployment", "site", "phase"),
}
ENEMYS_PHASE = frozenset({"defensive-fire", "opportunity", "retreat", "may-counter-attack"})
OF_SCENARIO = frozenset({"movement", "stukas", "victory"})

Noted = tuple[RecordChange, ...]


class Keeping(RecordRules):
    """The rules of the record: see RecordRules."""

    about: tuple[str, ...] = ("hex", "unit", "regiment", "leader")
    checked: frozenset[str] = FIRES | {
        *("counter-attack", "decide", "delay", "division", "infiltration", "mine-dog", "passage", "schedule", "volga"),
    }
    struck: frozenset[str] = frozenset({"isolation", "leader-survival"})
    decided: Mapping[str, tuple[str, ...]] = {"isolation": ("elite_or_led",)}
    surveyed: frozenset[str] = frozenset(
        {*around.FIRES, *answering.ANSWERS, "counter-attack", "isolation", "nkvd", "victory"}
    )
    hinges: Mapping[str, tuple[str, tuple[str, ...]]] = {
        **{slug: ("hex", ("terrain",)) for slug in TOLD_OF_HEX},
        "delay": ("hex", ("work", "side", "engineers", "turn", "phase", "hindered")),
        "battle": ("hex", ("terrain", "interdicted")),
        "step": ("number", ("terrain", "to_zoc", "to_breakthru", "enemy")),
        "breakthrough": ("hex", ("terrain", "interdicted", "already_this_phase")),
    }

    @property
    def filled(self) -> frozenset[str]:  # type: ignore[override]
        """The rolls whose forms the record fills."""
        return TOLD_OF_HEX | self.presumed

    @property
    def presumed(self) -> frozenset[str]:  # type: ignore[override]
        """The rolls that the day, the phase or the scenario says something about."""
        return OWN_PHASE | ENEMYS_PHASE | OF_SCENARIO | FILLS.keys() | answering.ANSWERS.keys()

    @property
    def writers(self) -> frozenset[str]:  # type: ignore[override]
        """The rolls that write something down."""
        return TOLD_OF_HEX | NOTES.keys()

    def fill(self, slug: str, about: Values, situation: TableState) -> Values:
        """What the record knows of a form: the terrain of its hex, and what FILLS says."""
        hex_fields = TERRAIN_TOLD.fill(about, situation.record, situation.book) if slug in TOLD_OF_HEX else {}
        side, scenario = _fill_side(slug, situation), _fill_scenario(slug, situation)
        recounted = around.fill_recounted(slug, about, situation)
        from_counters = {
            **recounted,
            **around.fill_around(slug, about, situation),
            **answering.answer_asked(slug, about, situation),
        }
        return {
            **side,
            **scenario,
            **hex_fields,
            **from_counters,
            **(FILLS[slug](about, situation) if slug in FILLS else {}),
        }

    def check(self, slug: str, inputs: Values, situation: TableState) -> None:
        """Raise BadInput with what the record has against a roll."""
        if slug in FIRES:
            check_fire(slug, inputs, situation)
        if slug in ("decide", "division") and not inputs.get("choice"):
            raise BadInput({"choice": "Choose one of the ways above."})
        if slug == "counter-attack" and not (inputs.get("af") or inputs.get("after_all")):
            raise BadInput({"af": "Add up the AF of those who counter-attack: at least 1 (12.5)."})
        if slug in CHECKS:
            CHECKS[slug](inputs, situation)

    def note(self, slug: str, inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
        """What a roll writes down: see NOTES; and whom it pins besides its targets."""
        noted = NOTES[slug](inputs, result, situation) if slug in NOTES else ()
        terrain = TERRAIN_TOLD.note(inputs, situation.record, situation.book) if _tells_terrain(slug, inputs) else ()
        pinned = pin_bystanders(inputs, result, situation) if slug == "defensive-fire" else ()
        return (*noted, *terrain, *pinned)

    def ask_owners(self, slug: str, inputs: Values, result: Result, situation: TableState) -> Sequence[DueAtStep]:
        """An NKVD unit that stays out of supply without a leader is rolled for (16.85); a leader who is left alone may
        go to his command (18.34)."""
        if slug == "leader-survival":
            return [*ask_stranded(inputs, result, situation)]
        row = _find_row(inputs.get("unit"), situation)
        is_marked = result.outcome is not None and result.outcome.value == "marked"
        return (ask_nkvd(row),) if slug == "isolation" and row and row["nkvd"] and is_marked else ()

    def forestall(self, slug: str, inputs: Values, situation: TableState) -> Forestalled | None:
        """Anti-aircraft fire comes before a bombardment by Stukas (15.42)."""
        if slug != "bombardment" or not inputs.get("flying"):
            return None
        question = begin_raid(str(inputs.get("hex") or ""), inputs, _find_guns_af(inputs, situation))
        return Forestalled(call_raid(inputs), (DueAtStep(question),))

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """What comes off, what is due, what is to be remembered as a match goes on."""
        return do_housework(before, situation)


def _find_guns_af(inputs: Values, situation: TableState) -> int | None:
    """The AF of the guns that bombard with Stukas: of their counters, or as it was typed; None where nobody knows it,
    or where the rest is not that of Stukas alike."""
    firing = {row.get("id") for row in inputs.get("by") or ()}
    pieces = [piece for piece in situation.pieces if piece.counter.id in firing]
    if pieces:
        guns = [piece.kind.af for piece in pieces if piece.kind.arm is not Arm.STUKA]
        return None if None in guns else sum(guns)
    guns_af = int(inputs.get("guns") or 0)
    return guns_af if (int(inputs["points"]) - guns_af) % int(inputs["flying"]) == 0 else None


def _tells_terrain(slug: str, inputs: Values) -> bool:
    """Whether a roll says what lies in its hex: fire that no terrain modifies may just have kept the first choice."""
    is_left = slug in ("defensive-fire", "bombardment") and inputs.get("terrain") == Terrain.CLEAR
    return slug in TOLD_OF_HEX and not is_left


def _change(**values: object) -> Noted:
    return (RECORD.change(values),)


def _find_row(name: object, situation: TableState) -> Values | None:
    """The row of a unit that is out of supply; None where there is none."""
    return next((row for row in situation.record["isolated"] if row["name"] == name), None)


CHECKS: Mapping[str, Callable[[Values, TableState], None]] = {
    "delay": check_delay,
    "infiltration": check_infiltration,
    "mine-dog": check_dog,
    "passage": check_passage,
    "schedule": check_schedule,
    "volga": check_crossing,
}


# What forms are filled with


def _fill_side(slug: str, situation: TableState) -> Values:
    """The side whose phase it is moves and attacks; the other side fires at it."""
    side = find_phase(int(situation.position.phase)).side
    if side not in SIDES or slug not in OWN_PHASE | ENEMYS_PHASE:
        return {}
    name = "firer" if slug in FIRES else "side"
    return {name: side if slug in OWN_PHASE else Side(side).other.value}


def _fill_scenario(slug: str, situation: TableState) -> Values:
    return {"scenario": int(situation.options.get("scenario", SCENARIO))} if slug in OF_SCENARIO else {}


def _fill_breakthrough(about: Values, situation: TableState) -> Values:
    """Whether the hex is interdicted, or was broken through in this phase (10.2, 10.4)."""
    place = TERRAIN_TOLD.read_place(about.get("hex"))
    if not place:
        return {}
    is_interdicted = any(row["hex"] == place and row["marker"] == INTERDICTED for row in situation.record["markers"])
    return {"interdicted": is_interdicted, "already_this_phase": place in situation.record["breakthroughs"]}


def _fill_battle(about: Values, situation: TableState) -> Values:
    """In a movement phase attacks break through, and a hex may be interdicted (10.1, 10.2)."""
    interdicted = {name: value for name, value in _fill_breakthrough(about, situation).items() if name == "interdicted"}
    return {"breakthrough": breaks_through({}, situation), **interdicted}


def _fill_ammunition(about: Values, situation: TableState) -> Values:
    return {"saved": situation.record["saved"][str(about.get("side") or GERMAN)]}


def _fill_stukas(about: Values, situation: TableState) -> Values:
    weather = situation.record["weather"]
    return {"bad_weather": weather == "bad", "fair_weather": weather == "fair"}


def _fill_victory(about: Values, situation: TableState) -> Values:
    """Where Germans stand, and which divisions have not come, which counts in the campaign alone (3.2, 3.5)."""
    is_campaign, used = situation.options.get("scenario", SCENARIO) == SCENARIO, situation.record["divisions_used"]
    return {
        "hexes": _list_german_hexes(situation),
        "campaign": is_campaign,
        "divisions_unused": [division for division in DIVISIONS if is_campaign and division not in used],
    }


def _list_german_hexes(situation: TableState) -> list[str]:
    """The victory hexes in which German combat units stand, and those that the record gives them where no Soviet one
    does (ruling S-88). Whoever is hidden says nothing (ruling R-143)."""
    standing: dict[str, set[str]] = {side: set() for side in SIDES}
    for piece in situation.pieces:
        if piece.counter.in_play and not piece.counter.hidden and arm_of(piece.counter, piece.kind).is_combat_unit:
            standing[piece.counter.side].add(piece.counter.place)
    recorded = {*situation.record["points_hexes"]} - standing[SOVIET]
    return sorted(list_victory_hexes().keys() & (recorded | standing[GERMAN]))


def _find_unit(row: Values, situation: TableState) -> Piece | None:
    """The counter in sight of a unit that is out of supply, by its name (ruling S-89)."""
    name, side = str(row["name"]).casefold(), row["side"]
    for piece in situation.pieces:
        counter = piece.counter
        if counter.in_play and not counter.hidden and (counter.side, counter.name.casefold()) == (side, name):
            return piece
    return None


def _fill_isolation(about: Values, situation: TableState) -> Values:
    """Guards, Marines, and whoever stands with a leader hold out longer (19.1)."""
    row = _find_row(about.get("unit"), situation)
    unit = _find_unit(row, situation) if row else None
    if row is None or unit is None:
        return {}
    place, side = unit.counter.place, unit.counter.side
    beside = (piece for piece in situation.pieces if piece.counter.in_play and piece.counter.side == side)
    is_led = bool(place) and any(piece.counter.place == place and piece.kind.arm.is_leader for piece in beside)
    return {"elite_or_led": row["elite_or_led"] or is_led or unit.kind.arm in (Arm.GUARDS, Arm.MARINE)}


def _take_off(row: Values, situation: TableState) -> tuple[CounterChange, ...]:
    """The counter of a unit that is lost for want of supply (19.1, 16.85)."""
    unit = _find_unit(row, situation)
    return (CounterChange(unit.counter.id, ELIMINATED),) if unit else ()


def _fill_nkvd(about: Values, situation: TableState) -> Values:
    return {"regiment_already_tested": about.get("regiment") in situation.record["nkvd_tested"]}


PACES = {PhaseKind.EXPLOIT_MOVEMENT: Pace.EXPLOIT, PhaseKind.RESERVES: Pace.RESERVES}


def _fill_movement(about: Values, situation: TableState) -> Values:
    """Half MP in some phases, and for an army that has lost its commander (8.01, 18.51, 18.53)."""
    phase = find_phase(int(situation.position.phase))
    commanders = COMMANDERS_OF.get(str(about.get("side") or phase.side), ())
    are_gone = any(situation.record["commanders"][name] in (WOUNDED, LOST) for name in commanders)
    return {"mode": PACES.get(phase.kind, Pace.NORMAL).value, "hq_absent": are_gone}


def _fill_losses(about: Values, situation: TableState) -> Values:
    """The terrain of the losses, where all who may be lost stand in one hex whose terrain is known (16.31)."""
    lost = {row["id"] for row in about.get("who") or () if row.get("id")}
    places = {counter.place for counter in situation.counters if counter.id in lost}
    place = places.pop() if len(places) == 1 else ""
    terrain = TERRAIN_TOLD.fill({"hex": place}, situation.record, situation.book).get("terrain") if place else None
    return {"terrain": terrain} if terrain else {}


def _fill_taken_hex(about: Values, situation: TableState) -> Values:
    """All units in the hex of an attack at which its defenders strike back, where nobody has named them (12.6)."""
    battle = read_battle(about)
    if battle is None or not battle.hex or about.get("at"):
        return {}
    holding = [piece for piece in situation.pieces if piece.counter.in_play and piece.counter.place == battle.hex]
    holding = [piece for piece in holding if piece.counter.side == battle.side.value]
    try:
        return explain_tapped(situation.book, "counter-attack", [], holding, about)[0]
    except BadInput:  # nobody has told their DF
        return {}


FILLS: Mapping[str, Callable[[Values, TableState], Values]] = {
    "ammunition": _fill_ammunition,
    "battle": _fill_battle,
    "counter-attack": _fill_taken_hex,
    "delay": fill_delay,
    "isolation": _fill_isolation,
    "losses": _fill_losses,
    "movement": _fill_movement,
    "breakthrough": _fill_breakthrough,
    "nkvd": _fill_nkvd,
    "silent-guns": fill_silence,
    "stukas": _fill_stukas,
    "victory": _fill_victory,
}


# What a roll writes down


def _note_weather(inputs: Values, result: Result, situation: TableState) -> Noted:
    weather = result.outcome.value if result.outcome else ""
    return _change(weather=weather) if weather in ("bad", "fair") else ()


def _note_stukas(inputs: Values, result: Result, situation: TableState) -> Noted:
    number = result.details.get("stukas")
    return () if number is None else _change(stukas=number)


def _note_ammunition(inputs: Values, result: Result, situation: TableState) -> Noted:
    """AF barred this turn; saved AF that is used up is gone (14.72, 14.75)."""
    if not result.details["roll"]:
        return ()
    side = str(inputs["side"])
    return _change(barred={side: result.details["barred"]}, saved={side: result.details["saved_left"]})


def _note_isolation(inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
    """The marker of the unit that the roll is for; a unit in supply or gone has none (19.3, 19.4)."""
    row = _find_row(inputs.get("unit"), situation)
    if row is None or result.outcome is None:
        return ()
    other_rows = [other for other in situation.record["isolated"] if other != row]
    marked_rows = [{**row, "marker": result.details["marker"]}] if result.outcome.value == "marked" else []
    word = f"{row['name']} out of supply {result.details['marker']}" if marked_rows else f"{row['name']} taken off"
    changed = RecordChange({"isolated": [*other_rows, *marked_rows]}, (f"Out of supply: {word}.",))
    return (changed, *(_take_off(row, situation) if result.outcome.value == "eliminated" else ()))


def _note_nkvd(inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
    """A regiment is tested once (16.83); an isolated unit that is removed is gone (16.85)."""
    regiment, row = inputs.get("regiment"), _find_row(inputs.get("unit"), situation)
    if inputs.get("event") == "isolated":
        if row is None or result.outcome is None or result.outcome.value != "removed":
            return ()
        other_rows = [other for other in situation.record["isolated"] if other != row]
        changed = RecordChange({"isolated": other_rows}, (f"Out of supply: {row['name']} taken off.",))
        return (changed, *_take_off(row, situation))
    if not regiment or regiment in situation.record["nkvd_tested"]:
        return ()
    return _change(nkvd_tested=put_in(regiment))


def _note_tank(inputs: Values, result: Result, situation: TableState) -> Noted:
    """A tank that is immobilized or lost no longer runs (16.32, 16.33)."""
    is_lost = inputs.get("event") == "eliminated" or result.details.get("immobilized")
    return _change(tanks=clamp(-1)) if is_lost and situation.record["tanks"] else ()


def _note_flotilla(inputs: Values, result: Result, situation: TableState) -> Noted:
    row = {"what": "river flotilla", "side": SOVIET, "turn": result.details["turn"], "phase": MOVEMENT_OF[SOVIET]}
    return _change(due=put_in(row))


def _note_leader(inputs: Values, result: Result, situation: TableState) -> Noted:
    """A wounded leader is back on his turn; an eliminated commander's HQ comes (18.42 to 18.47)."""
    side, leader = str(inputs.get("side") or GERMAN), str(inputs.get("leader") or "")
    fate = result.outcome.value if result.outcome else ""
    turn, phase = situation.position.turn, MOVEMENT_OF[side]
    if fate == "wounded" and result.details.get("back_on_turn"):
        name = COMMANDERS.get(leader, leader) or next((row["name"] for row in inputs.get("who") or ()), "") or "leader"
        row = {"what": name, "side": side, "phase": phase}
        back = _change(due=put_in({**row, "turn": result.details["back_on_turn"]}))
        return (*back, *(_change(commanders={leader: WOUNDED}) if leader in COMMANDERS else ()))
    if fate == "eliminated" and leader in COMMANDERS:
        due_turn = turn if choose_course(situation.options).number_of(situation.position) < phase else turn + 1
        row = {"what": call_hq(leader), "side": side, "turn": due_turn, "phase": phase}
        return (*_change(due=put_in(row)), *_change(commanders={leader: LOST}))
    return ()


def _note_crossing(inputs: Values, result: Result, situation: TableState) -> Noted:
    """How many have crossed by an arrow, in this phase and in this turn (8.66)."""
    arrow = inputs.get("arrow")
    if inputs.get("no_arrow") or not arrow or not result.details["allowed"]:
        return ()
    crossed = situation.record["crossed"].get(str(arrow))
    number = {
        "phase": inputs["combat_this_phase"],
        "turn": max(inputs["combat_this_turn"], inputs["combat_this_phase"]),
    }
    row = change_row(str(arrow), **number) if crossed else enter_row(str(arrow), **number)
    return _change(crossed=row)


def _note_decision(inputs: Values, result: Result, situation: TableState) -> Noted:
    """An advance after a breakthrough puts its marker on the hex (10.6); Stukas that come under fire as they bombard
    are used (S-72)."""
    raid = read_battle(inputs) if inputs.get("question") == Question.AA and inputs.get("choice") == GOES else None
    if raid and raid.is_raid:
        return _change(stukas_used=clamp(raid.stukas))
    is_taken = inputs.get("question") in (Question.ADVANCE, Question.EMPTY) and inputs.get("choice") == GOES
    markers = take_hex(inputs, situation) if is_taken and is_breakthrough(inputs) else {}
    return _change(markers=markers) if markers else ()


def _note_losses(inputs: Values, result: Result, situation: TableState) -> Noted:
    """Snipers are not replaced (16.17), a tank lost in the open is not rolled for again (16.33); an observer is
    back as the next bombardment phase ends (14.98)."""
    lost = result.details.get("lost")
    by_class = lost if isinstance(lost, Mapping) else {"op": result.details.get("observers", 0)}
    changed: dict[str, object] = {}
    for name, number in _count_fallen(inputs, result, by_class).items():
        if number and situation.record[name]:
            changed[name] = clamp(-number)
    if by_class.get("op"):
        turn, phase = _find_bombardment(situation)
        row = {"what": "observer, as this phase ends", "side": inputs.get("side") or "", "turn": turn, "phase": phase}
        changed["due"] = put_in(*[row] * by_class["op"])
    return _change(**changed) if changed else ()


def _count_fallen(inputs: Values, result: Result, by_class: Mapping[str, int]) -> dict[str, int]:
    """Snipers other than Zaitsev, and Soviet tanks that ran, who are off the table; a tank in a town rolls first."""
    rows = [row for row in inputs.get("who") or () if row.get("id")]
    if not rows:
        return {"snipers": by_class.get("sniper", 0)}
    eliminated_ids = {
        change.id for change in result.changes if isinstance(change, CounterChange) and change.becomes == ELIMINATED
    }
    fallen = [row for row in rows if row["id"] in eliminated_ids]
    tanks = [row for row in fallen if row.get("sort") == Arm.TANK and row["id"].startswith(f"{SOVIET}-")]
    return {
        "snipers": sum(row.get("sort") == Arm.SNIPER and row["kind"] != ZAITSEV for row in fallen),
        "tanks": sum(IMMOBILIZED not in (row.get("state") or ()) for row in tanks),
    }


def _find_bombardment(situation: TableState) -> tuple[int, int]:
    """Turn and phase of the next Simultaneous Bombardment Phase."""
    turn, phase = situation.position.turn, int(situation.position.phase)
    phases = [facts.number for facts in list_phases() if facts.kind is PhaseKind.BOMBARD]
    later = [number for number in phases if number > phase]
    return (turn, later[0]) if later else (turn + 1, phases[0])


def _note_counter_attack(inputs: Values, result: Result, situation: TableState) -> Noted:
    """Those who may take a hex back take its breakthru marker off (12.9)."""
    place, rows = TERRAIN_TOLD.read_place(inputs.get("hex")), situation.record["markers"]
    remaining = [row for row in rows if not (row["hex"] == place and row["marker"] == BREAKTHRU)]
    if not place or result.details.get("hex_held") is not False or len(remaining) == len(rows):
        return ()
    return (RecordChange({"markers": remaining}, (f"Off: breakthru in {place} (12.9).",)),)


def _note_victory(inputs: Values, result: Result, situation: TableState) -> Noted:
    """Which victory hexes the Germans hold, as the roll said."""
    hexes = sorted(inputs.get("hexes") or [])
    return _change(points_hexes=hexes) if hexes and hexes != sorted(situation.record["points_hexes"]) else ()


def _note_exchange(inputs: Values, result: Result, situation: TableState) -> Noted:
    """Points that were paid, as far as the record holds any (21.41, 21.42)."""
    cost, side = result.details.get("cost") or {}, str(inputs["side"])
    replacements = situation.record["replacements"]
    paid = {f"{side}_{kind}": points for kind, points in cost.items() if points and replacements.get(f"{side}_{kind}")}
    return _change(replacements={name: clamp(-points) for name, points in paid.items()}) if paid else ()


NOTES: Mapping[str, Callable[[Values, Result, TableState], tuple[Change, ...]]] = {
    "weather": _note_weather,
    "stukas": _note_stukas,
    "ammunition": _note_ammunition,
    "isolation": _note_isolation,
    "nkvd": _note_nkvd,
    "tank": _note_tank,
    "flotilla-return": _note_flotilla,
    "leader-survival": _note_leader,
    "engineering": note_work,
    "delay": note_work,
    "division": note_division,
    "save-ammunition": note_saving,
    "silent-guns": note_silence,
    "schedule": note_schedule,
    "volga": _note_crossing,
    "decide": _note_decision,
    "counter-attack": _note_counter_attack,
    **{slug: partial(note_fire, slug) for slug in (*NOTED_FIRES, "fall-away")},
    "interdiction": note_interdiction,
    "box-guns": note_box_guns,
    "losses": _note_losses,
    "bombardment-losses": _note_losses,
    "exchange": _note_exchange,
    "victory": _note_victory,
}


# What the course calls its rolls


def call_raid(bombardment: Values) -> str:
    """What a bombardment by Stukas is called while it waits for anti-aircraft fire."""
    box = "an East Bank box" if bombardment.get("table") == FireTable.EBBT.value else ""
    return f"German bombardment of {bombardment.get('hex') or box or 'a hex'}"


def _is_called(says: Callable[[object], str]) -> Callable[[str, Values, TableState | None], bool]:
    return lambda title, inputs, moment: title == says(inputs.get("unit"))


def _call_tanks(inputs: Values) -> Iterable[str]:
    """What the roll of a tank in phase 10 may be called: by the tank's name, or by its number (16.33)."""
    numbered = (f"{UNNAMED} {number}" for number in range(1, MOST_SOVIET_TANKS + 1))
    names = [row["name"] for row in inputs.get("who") or ()]
    return map(call_tank, names or numbered)


TITLES: Mapping[str, Callable[[str, Values, TableState | None], bool]] = {
    "decide": lambda title, inputs, moment: (
        title in {TITLE_OF[question] for question in (Question.AA, Question.HOME) if inputs.get("question") == question}
    ),
    "bombardment": lambda title, inputs, moment: title == call_raid(inputs),
    "isolation": _is_called(call_isolated),
    "nkvd": _is_called(call_nkvd),
    "tank": lambda title, inputs, moment: title in set(_call_tanks(inputs)),
    # Whoever answers may say that it is about another division.
    "division": lambda title, inputs, moment: title in {ask_words(formation) for formation in Formation},
}
