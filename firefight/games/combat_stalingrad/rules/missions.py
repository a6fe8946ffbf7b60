"""Missions: what each battery and bombardment is doing, what its rolls do to it, and what they are filled with.

The rolls themselves are in contact.py, accuracy.py, conversion.py and barrage.py (17.3 to 17.5); this is what has to be
remembered between them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from firefight.engine.board.counters import CounterInPlay
from firefight.engine.board.hexes import Hex, HexMap
from firefight.engine.board.places import BadPlace
from firefight.engine.record import KeptChoice, KeptFlag, KeptList, KeptNumber, KeptRows, KeptText
from firefight.engine.rolls.result import Outcome, Result
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .artillery import MAX_FFE_CORRECTION, Device, Fire, Marker
from .contact import CallOffOutcome, ContactOutcome
from .conversion import MAX_CONVERSION_STRAY, ConversionOutcome
from .sets import Note, Set, against_use, hex_part, read_kept_row, side_part, turn_part
from .turn import SIDES

DANGER_CLOSE = 6  # hexes (17.3.8)
PLOT_HEXES = 2  # (17.4.8)
MOST_BRACKETS = 2  # (17.3.4.2)
PLOTTING = "russian"  # the side all of whose artillery is plotted (17.4.8)
CALIBERS = {"german": (81, 105, 150), PLOTTING: (76, 122)}  # of the batteries on the rosters of the campaign

KINDS = {Fire.BATTERY.value: "battery", Fire.BOMBARDMENT.value: "bombardment"}
MARKERS = {"": "none", Marker.CFF.value: "CFF", Marker.FFE.value: "FFE"}
SUPPLIES = {"normal": "normal", "high": "high", "low": "low"}

MISSION_ROWS = KeptRows(
    name="missions",
    title="Mission",
    rule="17.3",
    owner="known_to",
    label="name",
    most=40,
    tells=lambda id, row: tell_mission(row),
    parts=(
        side_part("side", "side"),
        side_part("known_to", "known to"),
        KeptText(name="name", title="name", longest=40),
        KeptChoice(name="kind", title="kind", choices=KINDS),
        KeptFlag(name="plotted", title="plotted"),
        KeptNumber(name="caliber", title="caliber", low=20, high=420, optional=True),
        KeptChoice(name="device", title="reached by", choices={"radio": "radio", "phone": "phone"}),
        KeptFlag(name="aerial", title="aerial observer"),
        KeptText(name="set", title="set", longest=40),
        KeptText(name="observer", title="observer", longest=40),
        KeptChoice(name="supply", title="ammunition supply", choices=SUPPLIES),
        KeptChoice(name="marker", title="marker", choices=MARKERS),
        hex_part("hex", "hex"),
        turn_part("placed", "placed in turn"),
        KeptFlag(name="smoke", title="smoke shells"),
        KeptFlag(name="danger_close", title="danger close"),
        KeptFlag(name="fire_2", title="Fire 2"),
        turn_part("called", "called in turn"),
        KeptList(name="brackets", title="brackets", most=MOST_BRACKETS, is_set=True, item=hex_part("", "")),
        KeptList(name="registered", title="registered hexes", most=12, is_set=True, item=hex_part("", "")),
        KeptList(name="plot", title="plotted hexes", most=PLOT_HEXES, is_set=True, item=hex_part("", "")),
        turn_part("plot_turn", "plotted for turn"),
        turn_part("lifted", "lifted in turn"),
        KeptFlag(name="lost", title="lost"),
        KeptFlag(name="used", title="used up"),
        KeptNumber(name="group", title="group of the campaign", high=10_000, by_hand=False),
    ),
)

# The marker is off the map, and its brackets with it: they belong to one CFF or FFE (17.3.4.2).
OFF_MAP: dict[str, object] = {
    "marker": "",
    "hex": None,
    "placed": 0,
    "called": 0,
    "smoke": False,
    "danger_close": False,
    "fire_2": False,
    "brackets": [],
}


@dataclass(frozen=True, slots=True)
class Mission:
    """A battery or bombardment and what it is doing, as a row of the record says.

    ``placed``: the turn in whose Fire and Movement Phase the marker came; ``called``: in which it was last called, so
    that a CFF acts at all and an FFE outside its own hex (17.3.6). ``used``: it has placed an FFE (20.8.2), or its plot
    was called off (A-11).
    """

    id: str
    side: str
    known_to: str
    name: str
    kind: str
    plotted: bool
    caliber: int | None
    device: str
    aerial: bool
    set: str
    observer: str
    supply: str
    marker: str
    hex: str
    placed: int
    smoke: bool
    danger_close: bool
    fire_2: bool
    called: int
    brackets: tuple[str, ...]
    registered: tuple[str, ...]
    plot: tuple[str, ...]
    plot_turn: int
    lifted: int
    lost: bool
    used: bool
    group: int

    @classmethod
    def read(cls, id: str, row: Values) -> Self:
        """From a row of the record."""
        return read_kept_row(cls, MISSION_ROWS, id, row, name=_name(MISSION_ROWS.complete(row)))

    @property
    def fire(self) -> Fire:
        """Whose firepower falls, in the words of the artillery rules."""
        if self.kind == Fire.BOMBARDMENT:
            return Fire.BOMBARDMENT
        return Fire.PLOTTED if self.plotted else Fire.BATTERY

    @property
    def reached_by(self) -> Device:
        """How it is reached: plotted fire always as by phone (17.3.1)."""
        return Device.PLOTTED if self.plotted else Device(self.device)

    @property
    def lasts_one_phase(self) -> bool:
        """Whether its FFE goes when the turn ends: plotted fire (17.4.8.1) and bombardments (17.5.3)."""
        return self.plotted or self.kind == Fire.BOMBARDMENT

    @property
    def is_sealed(self) -> bool:
        """Whether its side alone knows of it."""
        return bool(self.known_to)

    @property
    def user(self) -> str:
        """Who uses the set for it: its observer, or whoever always calls it."""
        return self.observer or self.id


def read_missions(record: Values) -> list[Mission]:
    """All that a match's record has."""
    return [Mission.read(id, row) for id, row in record["missions"].items()]


def tell_mission(row: Values) -> str:
    """A new battery or bombardment as players speak of it: "105 mm battery, German, plotted on K7 for turn 2"."""
    side, plot = SIDES.get(row["side"], ""), [place for place in row["plot"] if place]
    turn = f" for turn {row['plot_turn']}" if row["plot_turn"] else ""
    plotted = f"plotted on {join_words(map(str, plot))}{turn}" if plot else "plotted" if row["plotted"] else ""
    return ", ".join(filter(None, (row["name"] or _name(row), side, plotted)))


def _name(row: Values) -> str:
    caliber = f"{row['caliber']} mm " if row["caliber"] else ""
    return f"{caliber}{KINDS[row['kind']]}"


def find_observer(mission: Mission, counters: Iterable[CounterInPlay]) -> CounterInPlay | None:
    """Which of these counters is the observer of a mission, who is noted by id or by name, with its number or without.

    Without it nobody is, where several are called so.
    """
    own, called = [counter for counter in counters if counter.side == mission.side], mission.observer.strip().casefold()
    exact = [counter for counter in own if called in (counter.id.casefold(), counter.name.casefold())]
    alike = [counter for counter in own if called == counter.name.partition(" #")[0].casefold()]
    return next(iter(exact or (alike if len(alike) == 1 else ())), None)


# Objections


def against_contact(mission: Mission, turn: int) -> list[str]:
    """All objections to a Contact roll for a mission in this turn's Fire and Movement Phase."""
    objections = []
    if mission.lost:
        objections.append(f"{mission.name} is lost: a Contact roll of 00 took it out of the firefight (17.3.1).")
    if mission.lifted == turn:
        objections.append(
            f"{mission.name} was lifted in this phase by a 98 or 99: it may try again next turn (17.3.1)."
        )
    if mission.plotted:
        objections += _against_plot(mission, turn)
    elif mission.kind == Fire.BOMBARDMENT and mission.marker:
        objections.append(f"{mission.name} has its FFE on the map: it is never corrected (17.5.2).")
    return objections


def against_call(mission: Mission, turn: int, of_set: Set | None, counters: Iterable[CounterInPlay] = ()) -> list[str]:
    """All objections to calling a mission now, by the set that it is called with and by its observer among these
    counters (R-153); plotted fire needs neither."""
    if mission.plotted:
        return against_contact(mission, turn)
    observer = None if mission.aerial or not mission.observer else find_observer(mission, counters)
    of_observer = []
    if observer and not observer.in_play:
        of_observer = [f"{observer.name}, its observer, is {observer.fate}: note who observes now (17.2.4)."]
    of_use = against_use(of_set, mission.user, turn) if of_set else []
    return [*against_contact(mission, turn), *of_observer, *of_use]


def _against_plot(mission: Mission, turn: int) -> list[str]:
    if mission.used:
        return [f"{mission.name} is used up: its plot has fallen or was called off (17.4.8, A-11)."]
    if mission.plot_turn and mission.plot_turn != turn:
        # The turn is its side's secret; whoever may not know of the mission is not told this either.
        return [f"The plot of {mission.name} is for turn {mission.plot_turn}, and it is turn {turn} (17.4.8)."]
    return []


def against_aim(mission: Mission, aim: str) -> list[str]:
    """The objections to a hex: a Plot goes on one of its two written hexes (17.4.8)."""
    if not (mission.plotted and mission.plot):
        return []
    if not aim:
        return ["Choose on which of its two hexes the Plot goes (17.4.8)."]
    return [] if aim in mission.plot else [f"{aim} is not one of the two hexes of this plot (17.4.8)."]


def against_taking_up(mission: Mission, inputs: Mapping[str, object]) -> list[str]:
    """The objections to the bracket that is to be taken up for a new one (17.3.4.2, R-87)."""
    chosen, brackets = str(inputs.get("takes_up") or ""), list_brackets_on_map(mission, inputs)
    if not chosen or len(brackets) == MOST_BRACKETS and chosen in brackets:
        return []
    if len(brackets) < MOST_BRACKETS:
        return ["No bracket is taken up here: fewer than two are on the map (17.3.4.2). Leave that blank."]
    return [f"There is no bracket in {chosen}: {join_words(brackets, 'or')} can be taken up (17.3.4.2)."]


def against_writing(hexes: Sequence[str], turn: int) -> list[str]:
    """What is wrong with a plot as it is written: it has two different hexes, and a turn (17.4.8)."""
    flaws = [] if len(set(hexes)) == PLOT_HEXES else ["A plot has two different hexes (17.4.8)."]
    return flaws if turn else [*flaws, "A plot is for one turn: say which (17.4.8)."]


def against_sealing(row: Mapping[str, object]) -> list[str]:
    """What is wrong with a row that is set by hand: what lies on the board is not a secret (R-138)."""
    marker = str(row.get("marker", ""))
    if not (marker and row.get("known_to")):
        return []
    return [f"Everybody sees the {MARKERS[marker]} on the board: “known to” has to be “all” first."]


# What a form is filled with


def measure_nearest(mission: Mission, aim: Hex, units: Iterable[CounterInPlay], hexes: HexMap) -> int | None:
    """How far the side's own unit that is nearest to a hex is from it; None if no hex of theirs is known (17.3.8)."""
    distances = []
    for counter in units:
        if counter.side != mission.side or counter.fate or not counter.place:
            continue
        try:
            distances.append(hexes.distance(aim, hexes.parse(counter.place)))
        except BadPlace:
            continue
    return min(distances, default=None)


def is_bracketed(aim: Hex, brackets: Sequence[str], hexes: HexMap) -> bool:
    """Whether a hex lies with or between two brackets (17.3.4.2); with one alone there is nothing between (A-05)."""
    if len(brackets) < MOST_BRACKETS:
        return False
    first, second = (hexes.parse(text) for text in brackets)
    return max(hexes.distance(aim, first), hexes.distance(aim, second)) <= hexes.distance(first, second)


def fill_contact(mission: Mission, aim: str, turn: int, units: Iterable[CounterInPlay], hexes: HexMap) -> Json:
    """The inputs of a Contact roll, with those of the rolls ahead. ``aim``: the hex that is announced, "" if not yet.

    A marker on the map is corrected, in place where no hex is announced. What a plot hides is not among them: the form
    of its accuracy is filled when its side opens it.
    """
    inputs: Json = {
        "device": mission.reached_by.value,
        "kind": mission.fire.value,
        "aerial_observer": mission.aerial,
        "supply": mission.supply,
        "caliber": mission.caliber,
        "smoke": mission.smoke,
    }
    if mission.plotted:
        return {**inputs, "marker": Marker.PLOT.value}
    if mission.kind == Fire.BOMBARDMENT:
        inputs["marker"] = Marker.BOMBARDMENT.value
    else:
        inputs["marker"] = mission.marker or Marker.NEW_CFF.value
    return {**inputs, **_fill_aim(mission, aim or mission.hex, turn, units, hexes)}


def _fill_aim(
    mission: Mission, aim: str, turn: int, units: Iterable[CounterInPlay], hexes: HexMap
) -> dict[str, object]:
    """What follows from the announced hex: how far the correction is, brackets, registration, danger close."""
    if not aim:
        return {}
    target = hexes.parse(aim)
    away = hexes.distance(hexes.parse(mission.hex), target) if mission.marker and mission.hex else 0
    nearest = measure_nearest(mission, target, units, hexes)
    return {
        "aim": str(target),
        "correction": away,
        "bracketed": is_bracketed(target, mission.brackets, hexes),
        "registered": str(target) in mission.registered,
        "danger_close": nearest is not None and nearest <= DANGER_CLOSE,
        "new_this_phase": is_new_cff(mission, turn),
    }


def fill_conversion(mission: Mission, turn: int) -> dict[str, object]:
    """The inputs of a conversion, without those that the rolls before it hand on."""
    return {
        "marker": mission.marker or Marker.CFF.value,
        "new_this_phase": is_new_cff(mission, turn),
        "danger_close": mission.danger_close,
        "impact": mission.hex,
    }


def fill_firepower(mission: Mission, turn: int) -> dict[str, object]:
    """The inputs of the firepower of a marker that lies on the map, for units that come later (17.4.6)."""
    return {
        "caliber": mission.caliber,
        "marker": mission.marker or Marker.FFE.value,
        "kind": mission.fire.value,
        "smoke": mission.smoke,
        "danger_close": mission.danger_close,
        "fire_2": mission.fire is Fire.BATTERY
        and mission.marker == Marker.FFE
        and (mission.fire_2 or mission.called != turn),
        "impact": mission.hex,
    }


# What a roll does to it


def note_contact(mission: Mission, inputs: Values, result: Result, turn: int) -> Note | None:
    """What a Contact roll does to a mission (17.3.1, 17.3.5, A-01), and which shells its marker has from then on
    (17.4.7)."""
    smoke = bool(inputs.get("smoke"))
    if result.outcome is ContactOutcome.CONTACT and mission.marker and mission.smoke != smoke:
        return Note({"smoke": smoke}, f"{'smoke' if smoke else 'HE'} from now on")
    notes: dict[Outcome | None, Note | None] = {
        ContactOutcome.NO_CONTACT: _note_gone(mission) if mission.marker else None,
        ContactOutcome.LIFTED: Note({**OFF_MAP, "lifted": turn}, "lifted for this phase"),
        ContactOutcome.BATTERY_LOST: Note({**OFF_MAP, "lost": True}, "lost"),
    }
    return notes.get(result.outcome)


def _note_gone(mission: Mission) -> Note:
    return Note(OFF_MAP, f"its {MARKERS[mission.marker]} comes off the map")


def note_accuracy(mission: Mission, inputs: Values, result: Result, turn: int, hexes: HexMap) -> Note:
    """Where a marker lies after its accuracy roll, with the brackets that this leaves (17.3.3, 17.3.4, 17.3.4.2)."""
    marker = Marker(inputs["marker"])
    aim = inputs.get("aim") or ""
    lies = str(result.details.get("hex", "")) or ("" if "on_map" in result.details else aim)
    strayed = bool(result.details.get("distance"))
    parts: Json = {"hex": lies or None, "danger_close": bool(inputs.get("danger_close")), "called": turn}
    place_words = f"in {lies}" if lies else "off the map" if "on_map" in result.details else "on the map"
    if not marker.corrected:
        parts |= {"placed": turn, "smoke": bool(inputs.get("smoke")), "fire_2": False}
    parts |= _show(mission)
    if marker in (Marker.PLOT, Marker.BOMBARDMENT):
        # An FFE at once (17.4.8, 17.5.2); without brackets (17.3.4.2).
        return Note({**parts, "marker": "ffe", "used": True, "brackets": []}, f"FFE {place_words}")
    out = mission.brackets if marker.corrected else ()
    chosen = str(inputs.get("takes_up") or "")
    brackets = set_brackets(out, find_hex_left(mission, inputs), lies if strayed else "", lies, hexes, chosen)
    parts["brackets"] = list(brackets)
    if marker is Marker.NEW_CFF:
        parts["marker"] = "cff"
    word = MARKERS[parts.get("marker", mission.marker)]
    return Note(parts, f"{word} {place_words}{_tell_brackets(out, brackets)}")


def _show(mission: Mission) -> dict[str, object]:
    """Its marker lies on the board, where everybody sees it: a row that was sealed is opened."""
    return {"known_to": ""} if mission.is_sealed else {}


def find_hex_left(mission: Mission, inputs: Values) -> str:
    """The hex that a corrected marker leaves, where a bracket may be set (17.3.3); "" where it leaves none."""
    return mission.hex if _is_corrected(inputs) and mission.hex != (inputs.get("aim") or "") else ""


def _is_corrected(inputs: Mapping[str, object]) -> bool:
    return inputs.get("marker") in [marker for marker in Marker if marker.corrected]


def list_brackets_on_map(mission: Mission, inputs: Mapping[str, object]) -> tuple[str, ...]:
    """The brackets that are on the map as a corrected marker has moved, and before it strays (17.3.3)."""
    if not _is_corrected(inputs):
        return ()
    return _leave_bracket(mission.brackets, find_hex_left(mission, inputs))


def _leave_bracket(out: Sequence[str], left_hex: str) -> tuple[str, ...]:
    has_room = bool(left_hex) and left_hex not in out and len(out) < MOST_BRACKETS
    return (*out, left_hex) if has_room else tuple(out)


def set_brackets(
    out: Sequence[str], left_hex: str, strayed_to: str, lies: str, hexes: HexMap, chosen: str = ""
) -> tuple[str, ...]:
    """The brackets after an accuracy roll: in the hex that the marker left (17.3.3), in that to which it strayed
    (17.3.4). With two on the map one of them is taken up for the new one (17.3.4.2, R-87).

    ``lies``: where the marker is now. ``chosen``: the one that players take up; else it is the farther one from there,
    of two equally far the one that has lain longer.
    """
    brackets = _leave_bracket(out, left_hex)
    fresh = strayed_to or (left_hex if brackets == tuple(out) else "")
    if not fresh or fresh in brackets:
        return brackets
    if len(brackets) < MOST_BRACKETS:
        return (*brackets, fresh)
    taken_up = chosen if chosen in brackets else _find_farther(brackets, lies, hexes)
    return (*(bracket for bracket in brackets if bracket != taken_up), fresh)


def offer_brackets(mission: Mission, inputs: Mapping[str, object], hexes: HexMap) -> dict[str, str]:
    """The brackets of which one is taken up if another is set, in words: the due one first, which nobody has to choose
    (17.3.4.2, R-87). Nothing where there are fewer than two."""
    brackets, aim = list_brackets_on_map(mission, inputs), str(inputs.get("aim") or "")
    if len(brackets) < MOST_BRACKETS:
        return {}
    due = f": {_find_farther(brackets, aim, hexes)}, if on target" if aim else ""
    return {"": f"The farther one (due){due}", **{bracket: bracket for bracket in brackets}}


def _find_farther(brackets: Sequence[str], lies: str, hexes: HexMap) -> str:
    if not lies:
        return brackets[0]
    return max(brackets, key=lambda bracket: hexes.distance(hexes.parse(bracket), hexes.parse(lies)))


def _tell_brackets(were: Sequence[str], are: Sequence[str]) -> str:
    if tuple(were) == tuple(are):
        return ""
    taken_up = [bracket for bracket in were if bracket not in are]
    instead = f" ({join_words(taken_up)} is taken up)" if taken_up else ""
    return f", bracket{'s' if len(are) > 1 else ''} in {join_words(are)}{instead}"


def note_conversion(mission: Mission, inputs: Values, result: Result, turn: int) -> Note | None:
    """What a conversion does to a mission (17.3.5, 17.3.5.1, R-01)."""
    if result.outcome is ConversionOutcome.REMOVED:
        return _note_gone(mission)
    if result.outcome is not ConversionOutcome.FFE:
        return None
    in_own_hex = result.details["stray"] > MAX_CONVERSION_STRAY
    parts: Json = {"marker": "ffe", "called": turn, "fire_2": in_own_hex, "used": True, **_show(mission)}
    if inputs.get("danger_close") is not None:
        parts["danger_close"] = bool(inputs["danger_close"])
    place_words = f" in {mission.hex}" if mission.hex else ""
    return Note(parts, f"FFE{place_words}{', in its own hex only' if in_own_hex else ''}")


def note_firepower(mission: Mission, inputs: Values) -> Note | None:
    """The caliber of a battery of which nobody had noted it: whoever comes into its fire later is attacked with it, too
    (17.4.6)."""
    caliber = inputs.get("caliber")
    return Note({"caliber": caliber}, f"{caliber} mm") if caliber and not mission.caliber else None


def note_call_off(mission: Mission, result: Result, turn: int) -> Note | None:
    """What calling off does to plotted fire: a plot that was called off is used (17.4.8.1.1, A-11)."""
    notes: dict[Outcome | None, Note] = {
        CallOffOutcome.CALLED_OFF: Note({**OFF_MAP, "used": True}, "called off, and used up"),
        CallOffOutcome.LIFTED: Note({**OFF_MAP, "lifted": turn}, "lifted for this phase"),
        CallOffOutcome.BATTERY_LOST: Note({**OFF_MAP, "lost": True}, "lost"),
    }
    return notes.get(result.outcome)


# What phases do to it


def mark_fire_2(mission: Mission, turn: int) -> Note | None:
    """The end of the Fire and Movement Phase: an FFE that was used in it gets Fire 2 (17.3.6)."""
    if mission.marker != Marker.FFE or mission.lasts_one_phase or mission.fire_2 or mission.called != turn:
        return None
    return Note({"fire_2": True}, f"Fire 2 on its FFE{f' in {mission.hex}' if mission.hex else ''}")


def conclude_turn(mission: Mission) -> Note | None:
    """The Conclusion of Turn Phase: an FFE of plotted fire (17.4.8.1) or of a bombardment (17.5.3) is removed."""
    if mission.marker and mission.lasts_one_phase:
        return Note(OFF_MAP, f"its FFE comes off{f' {mission.hex}' if mission.hex else ' the map'}")
    return None


# What its card says


def call_mission(mission: Mission) -> str:
    """What heads its card: a battery is called by its caliber, "105 mm", as players speak of it."""
    return mission.name.removesuffix(f" {KINDS[Fire.BATTERY.value]}")


def call_apart(missions: Sequence[Mission]) -> dict[str, str]:
    """What heads the card of each, by id; those of a side with the same name have numbers, as counters do."""
    called = {mission.id: call_mission(mission) for mission in missions}
    times = Counter((mission.side, called[mission.id]) for mission in missions)
    return {
        mission.id: f"{called[mission.id]} #{mission.id.rpartition('-')[2]}"
        if times[mission.side, called[mission.id]] > 1
        else called[mission.id]
        for mission in missions
    }


def describe_mission(mission: Mission, of_set: Set | None = None) -> tuple[str, ...]:
    """What players have to know of a mission, piece by piece: "FFE M7", "Fire 2", "brackets L8, L10".

    ``of_set``: the set that it is called with, where that is known. A radio without a name is what one expects, and an
    FFE on the map is what uses a battery up (20.8.2): neither is mentioned. Only plotted fire is used up at once.
    """
    spent = "used up" if mission.plotted else "has placed an FFE"
    plot = f"plot {' or '.join(mission.plot)}, turn {mission.plot_turn}" if mission.plot else ""
    phone = "by phone" if mission.device == Device.PHONE.value and not mission.plotted else ""
    pieces = (
        "plotted" if mission.plotted and not mission.plot else "",
        plot if mission.is_sealed else "",
        f"{MARKERS[mission.marker]} {mission.hex}".strip() if mission.marker else "",
        "Fire 2" if mission.fire_2 else "",
        "smoke" if mission.smoke else "",
        f"brackets {', '.join(mission.brackets)}" if mission.brackets else "",
        f"registered {', '.join(mission.registered)}" if mission.registered else "",
        f"ammunition supply {mission.supply}" if mission.supply != "normal" else "",
        f"by {of_set.name}" if of_set else phone,
        f"observer {mission.observer}" if mission.observer and not mission.plotted else "",
        "lost" if mission.lost else "",
        spent if mission.used and not mission.marker else "",
    )
    return tuple(filter(None, pieces))


def sign_of(mission: Mission) -> tuple[str, str]:
    """What stands on its counter: its caliber, and the marker that it has on the map."""
    caliber = str(mission.caliber or "")
    return (caliber, MARKERS[mission.marker]) if mission.marker else ("", caliber or "?")


def acts_now(mission: Mission, turn: int) -> bool:
    """Whether a marker that lies on the map attacks whoever enters its fire in a Fire and Movement Phase of this turn.

    A CFF does so in the phase in which it was called, an FFE in every later one, in its own hex (17.3.6).
    """
    is_called = mission.marker == Marker.FFE or (mission.marker == Marker.CFF and mission.called == turn)
    return bool(mission.hex) and is_called


def can_be_corrected(mission: Mission) -> bool:
    """Whether its marker is on the map and may be moved (17.3.3; 17.4.8.1 and 17.5.2 bar the others)."""
    return bool(mission.marker) and not mission.lasts_one_phase


def is_new_cff(mission: Mission, turn: int) -> bool:
    """Whether its CFF came in the phase of this turn, in which it does not convert (17.3.5)."""
    return mission.marker == Marker.CFF and mission.placed == turn


def correction_words(mission: Mission) -> str:
    """How far it may be corrected (17.3.5.1)."""
    return f"at most {MAX_FFE_CORRECTION} hexes" if mission.marker == Marker.FFE else "any distance"
