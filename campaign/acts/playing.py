"""The record of a firefight: turns and their end, units that come, go and fall, batteries, aircraft (20.2.4 …)."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from firefight.acts import BadField, Done, Refused
from firefight.games.combat_stalingrad.air import ArrivalOutcome
from firefight.games.combat_stalingrad.turn import LAST_TURN, PHASES, Phase
from firefight.seats import Table

from .. import ground, reorganization
from ..deed import Deed, Dice, Unfit, name_of, perform
from ..models import Group, Unit
from ..rules.leaders import Side
from ..rules.maps import EDGE_NAMES
from ..rules.rosters import GroupType
from ..rules.sectors import listed
from ..rules.stages import Stage
from ..rules.steps import Step
from ..rules.units import LASTING, Mark, may_carry
from ..rules.upkeep import EndOutcome
from .seals import read_place
from .setting_up import counted

BATTERIES = (GroupType.ARTILLERY, GroupType.BOMBARDMENT)


# Turns


def end_turn(table: Table, act_id: str, version: int | None, dice: Dice) -> Done:
    """End the turn; after turns 5 and 6 the End of Firefight roll decides, after 7 the firefight is over (20.2.4)."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.FIREFIGHT)
        state, turn = deed.match.state, deed.match.state["turn"]
        number = deed.ledger.card.end_numbers.get(turn)
        inputs = {"turn": turn} if number is None else {"turn": turn, "number": number}
        result, rolled = deed.play("end-of-firefight", inputs, dice)
        noted = {"firefight": deed.campaign.firefight, "turn": turn}
        deed.tell(f"End of turn {turn}. {result.headline}", rolled=rolled, inputs=noted)
        if result.outcome is EndOutcome.ENDS:
            _end_firefight(deed)
        else:
            state |= {"turn": min(turn + 1, LAST_TURN), "phase": next(iter(PHASES)).value}
            # Of two who press the button for the same turn, one ends it and the other hears so.
            deed.campaign.stage_since = deed.match.version + 1

    return perform(table, act_id, version, do)


def _end_firefight(deed: Deed) -> None:
    """Artillery that placed an FFE is used up (20.8.2); what left by the edge waits for another firefight."""
    deed.match.state["phase"] = Phase.CONCLUSION.value
    left = []
    for side in Side:
        in_play = [g for g in deed.ledger.groups[side].values() if g.standing == Group.Standing.IN_PLAY]
        spent = [group for group in in_play if group.mark == Group.Sign.FFE]
        for group in spent:
            group.standing = Group.Standing.USED_UP
        for unit in deed.ledger.in_play(side):
            if Mark.EXITED in unit.marks:
                left.append([side.value, unit.number])
                unit.marks = [Mark.HELD.value if mark == Mark.EXITED else mark for mark in unit.marks]
        if spent:
            names = ", ".join(f"{group.rg} {deed.ledger.listed(group).unit}" for group in spent)
            deed.tell(f"{name_of(side)}: used up by an FFE: {names}.", side=side)
    reorganization.begin(deed, left)


# Units


class News(StrEnum):
    """What can be reported of units during a firefight."""

    ENTER = "enter"
    MOVE = "move"
    EXIT = "exit"
    SHOW = "show"
    ELIMINATED = "eliminated"
    REDUCED = "reduced"
    WOUNDED = "wounded"
    M_KILLED = "m_killed"
    F_KILLED = "f_killed"
    DISRUPTED = "disrupted"
    WIA = "wia"
    PINNED = "pinned"
    SUPPRESSED = "suppressed"
    ENFILADED = "enfiladed"
    IN_SEWER = "in_sewer"
    CLOSE_COMBAT = "close_combat"
    GOOD_ORDER = "good_order"

    @property
    def word(self) -> str:
        """The news as a choice."""
        return _NEWS[self] if self in _NEWS else Mark(self.value).word

    @property
    def wants_sector(self) -> bool:
        """Whether it is about a sector."""
        return self in (News.ENTER, News.MOVE, News.EXIT)


_NEWS = {
    News.ENTER: "enter by the own edge, sector …",
    News.MOVE: "move to sector …",
    News.EXIT: "leave by the own edge, sector …",
    News.SHOW: "hidden no more",
    News.ELIMINATED: "eliminated",
    News.REDUCED: "reduced (Casualties)",
    News.GOOD_ORDER: "rid of markers that do not last",
}
# What does not show a hidden unit.
_KEEPS_HIDDEN = (News.MOVE, News.GOOD_ORDER)
# What a unit can be told to be once only.
_ONCE = {news for news in News if news.value in set(Mark)} - {News.WOUNDED}
# What units in a sector being fought out may still suffer: the attack of a mine hex (20.6.4 step 2, 18.1.2).
_BY_MINES = (
    *(News.ELIMINATED, News.REDUCED, News.WOUNDED, News.M_KILLED),
    *(News.PINNED, News.DISRUPTED, News.WIA, News.SUPPRESSED),
)


def report(
    table: Table,
    act_id: str,
    version: int | None,
    numbers: Iterable[int],
    news: News,
    sector: int | None = None,
    hex_name: str = "",
) -> Done:
    """Note what became of own units, during a firefight or when it is over.

    What is told of hidden units stays sealed; what befalls them shows them. ``hex_name``: where they stand, for
    the close combat of a sector; blank if nobody needs to know.
    """

    def do(deed: Deed) -> None:
        _check_moment(deed, news)
        units = [deed.own(deed.ledger.units, number, "unit") for number in dict.fromkeys(numbers)]
        if not units:
            raise BadField("Choose the units.")
        if news.wants_sector:
            _check_sector(deed, news, sector)
        place = read_place(deed, hex_name) if hex_name else ""
        reasons = [reason for unit in units if (reason := _why_not(deed, unit, news))]
        if reasons:
            raise Unfit(reasons)
        sealed = [unit for unit in units if news in _KEEPS_HIDDEN and unit.hidden]
        openly = [unit for unit in units if unit not in sealed]
        words = {unit.number: _apply(deed, unit, news, sector, place) for unit in units}
        if openly:
            deed.tell(f"{deed.name}: {_told(deed, openly, words)}.")
        if sealed:
            deed.tell_sealed(f"{_told(deed, sealed, words)}.")
        _end_nests_without_commissar(deed)
        if deed.ledger.stage is Stage.REORGANIZATION:
            reorganization.conduct(deed)  # mines may have left nobody who could decide

    return perform(table, act_id, version, do)


def _told(deed: Deed, units: Iterable[Unit], words: Mapping[int, str]) -> str:
    """Units with what became of them: those of the same fate together."""
    fates: dict[str, list[Unit]] = {}
    for unit in units:
        fates.setdefault(words[unit.number], []).append(unit)
    return "; ".join(f"{counted(deed, alike)}: {fate}" for fate, alike in fates.items())


def _check_moment(deed: Deed, news: News) -> None:
    """During play and right after it everything can be told; while a sector is fought out, only what mines do."""
    deed.expect(Stage.FIREFIGHT, Stage.REORGANIZATION)
    if deed.ledger.stage is Stage.FIREFIGHT:
        return
    step = ground.step(deed.ledger)
    if step is Step.AFTER_ACTION and not deed.is_ready():
        return
    if not (step in (Step.ATTACKER_LEAVES, Step.DEFENDER_LEAVES) and news in _BY_MINES):
        raise Refused("What became of your units is settled for this firefight. Nothing was changed.")


def _check_sector(deed: Deed, news: News, sector: int | None) -> None:
    sector_map = deed.ledger.content.sector_map
    if sector not in sector_map.neighbours:
        numbers = sorted(sector_map.neighbours)
        raise BadField(f"Give the sector, {numbers[0]} to {numbers[-1]}.")
    edge = sector_map.edges[deed.side]
    if news is not News.MOVE and sector not in edge:
        name = EDGE_NAMES[deed.side]
        raise Unfit([f"Sector {sector} does not touch the {name} edge; {listed(edge)} do (20.11.1)."])


def _why_not(deed: Deed, unit: Unit, news: News) -> str:
    counter = deed.ledger.counter(unit)
    if not deed.ledger.sets_up(unit):
        return f"{counter.name}: not a unit on the map."
    is_off, fought_out = unit.sector is None, deed.campaign.phase.get("sector")
    if fought_out is not None and unit.sector != fought_out:
        return f"{counter.name} is not in sector {fought_out}, which is fought out now."
    if news is News.ENTER:
        if not is_off:
            return f"{counter.name} is on the map already."
        has_left = Mark.EXITED in unit.marks or [unit.side, unit.number] in deed.campaign.phase.get("left", ())
        return f"{counter.name} left in this firefight and cannot come back (20.11.1)." if has_left else ""
    if is_off:
        return f"{counter.name} is not on the map."
    if news is News.SHOW and not unit.hidden:
        return f"{counter.name} is not hidden."
    if news in set(Mark) and news not in may_carry(counter.kind):
        return f"{counter.name} cannot be {news.word}."
    if news in _ONCE and news in unit.marks:
        return f"{counter.name} is {news.word} already."
    return ""


def _apply(deed: Deed, unit: Unit, news: News, sector: int | None, place: str) -> str:
    """Change one unit; returns what happened to it, in words."""
    if news is News.MOVE:
        unit.sector, unit.hex = sector, place
        return f"now in sector {sector}{f', hex {place}' if place else ''}"
    if news is News.GOOD_ORDER:
        unit.marks = [mark for mark in unit.marks if mark in LASTING]
        return news.word
    deed.show(unit)
    if news is News.ENTER:
        unit.sector, unit.hex = sector, place
        unit.marks = [mark for mark in unit.marks if mark != Mark.HELD]
        return f"on the map by sector {sector}"
    if news is News.EXIT:
        unit.sector, unit.hex, unit.home = None, "", None
        is_over = deed.ledger.stage is Stage.REORGANIZATION
        unit.marks = [*unit.marks, (Mark.HELD if is_over else Mark.EXITED).value]
        return f"off the map by sector {sector}"
    if news is News.SHOW:
        return f"shown in sector {unit.sector}"
    if news is News.ELIMINATED or (news is News.WOUNDED and Mark.WOUNDED in unit.marks):
        unit.fate, unit.sector, unit.hex = Unit.Fate.ELIMINATED, None, ""
        return "eliminated" if news is News.ELIMINATED else "wounded again, eliminated"
    unit.marks = [*unit.marks, news.value]
    return news.word


def _end_nests_without_commissar(deed: Deed) -> None:
    if deed.ledger.commissars(deed.side):
        return
    for group in deed.ledger.groups[deed.side].values():
        if deed.ledger.listed(group).type is GroupType.NEST and group.standing == Group.Standing.IN_PLAY:
            reorganization.spend_nest(deed, group, "no Commissar is left")


def end_nest(table: Table, act_id: str, version: int | None, number: int) -> Done:
    """No Commissar who is not Disrupted is left in a Fanatic Resistance Nest: it ends for good (20.9.3)."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.FIREFIGHT)
        group = deed.own(deed.ledger.groups, number, "group")
        if deed.ledger.listed(group).type is not GroupType.NEST or group.standing != Group.Standing.IN_PLAY:
            raise Unfit(["Only a Fanatic Resistance Nest in play can end."])
        reorganization.spend_nest(deed, group, "no Commissar holds it")

    return perform(table, act_id, version, do)


# Batteries and aircraft


class BatteryNews(StrEnum):
    """What can be reported of a battery."""

    FFE = "ffe"
    LOST = "lost"


def battery(table: Table, act_id: str, version: int | None, number: int, news: BatteryNews) -> Done:
    """Note that a battery has placed an FFE, so that it is used up afterwards (20.8.2), or is out (17.3.1)."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.FIREFIGHT)
        group = deed.own(deed.ledger.groups, number, "battery")
        line = deed.ledger.listed(group)
        if line.type not in BATTERIES or group.standing != Group.Standing.IN_PLAY:
            raise Unfit([f"{group.rg} is no battery in play."])
        if news is BatteryNews.LOST:
            group.standing = Group.Standing.LOST
            deed.tell(f"{deed.name}: {group.rg} {line.unit} is out of the campaign (17.3.1).")
        elif group.mark == Group.Sign.FFE:
            raise Unfit([f"{group.rg} has placed an FFE already."])
        else:
            group.mark = Group.Sign.FFE
            deed.tell(f"{deed.name}: {group.rg} {line.unit} has placed an FFE, and is used up after this firefight.")

    return perform(table, act_id, version, do)


def aircraft(table: Table, act_id: str, version: int | None, number: int, dice: Dice) -> Done:
    """Roll for a group of aircraft to arrive, or to stay (17.6.2). Die: ``die``, a d10."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.FIREFIGHT)
        group = deed.own(deed.ledger.groups, number, "group of aircraft")
        line, turn = deed.ledger.listed(group), deed.match.state["turn"]
        _check_air(deed, group, turn)
        here = group.mark == Group.Sign.HERE
        result, rolled = deed.play("air-arrival", {"number": line.arrival, "already_in_play": here}, dice)
        group.since = turn
        if result.outcome is ArrivalOutcome.LEAVES:
            group.standing, group.mark = Group.Standing.LOST, Group.Sign.NONE
            for unit in deed.ledger.units_of(group):
                unit.fate = Unit.Fate.LEFT
        elif result.outcome is ArrivalOutcome.ARRIVES:
            group.mark = Group.Sign.HERE
        deed.tell(f"{deed.name}, {group.rg} {line.unit}. {result.headline}", rolled=rolled)

    return perform(table, act_id, version, do)


def _check_air(deed: Deed, group: Group, turn: int) -> None:
    line = deed.ledger.listed(group)
    if line.type is not GroupType.AIRCRAFT or group.standing != Group.Standing.IN_PLAY:
        raise Unfit([f"{group.rg} is no group of aircraft that can come."])
    if line.times and deed.ledger.time not in line.times:
        raise Unfit([f"{group.rg} flies at {' and '.join(line.times)} only."])
    if group.since == turn:
        raise Unfit([f"{group.rg} has rolled in turn {turn} already (17.6.2)."])
    for other in deed.ledger.groups[deed.side].values():
        if other is group or deed.ledger.listed(other).type is not GroupType.AIRCRAFT:
            continue
        if other.mark == Group.Sign.HERE or (other.standing == Group.Standing.LOST and other.since == turn):
            raise Unfit(["One group of aircraft a turn: the next rolls from the turn after the first left (17.6.2)."])


def down_aircraft(table: Table, act_id: str, version: int | None, number: int) -> Done:
    """Note that one aircraft of a group is shot down, or sent home for good (17.6.7)."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.FIREFIGHT)
        group = deed.own(deed.ledger.groups, number, "group of aircraft")
        flying = deed.ledger.units_of(group)
        if group.mark != Group.Sign.HERE or not flying:
            raise Unfit([f"No aircraft of {group.rg} is over the map."])
        flying[0].fate = Unit.Fate.ELIMINATED
        if len(flying) == 1:
            group.standing, group.mark, group.since = Group.Standing.LOST, Group.Sign.NONE, deed.match.state["turn"]
        deed.tell(
            f"{deed.name}, {group.rg}: one {deed.ledger.counter(flying[0]).name} is lost, {len(flying) - 1} left."
        )

    return perform(table, act_id, version, do)
