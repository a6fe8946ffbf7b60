"""The record of a firefight: turns and their end, units that come, go and fall, batteries, aircraft (20.2.4 …)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

from campaign.ledger.act import CampaignAct, Dice, Unfit, campaign_act, name_of
from campaign.models import Group, Unit
from campaign.phase import conductor, positions
from campaign.rules.maps import EDGE_NAMES
from campaign.rules.rosters import GroupType
from campaign.rules.sectors import join_numbers
from campaign.rules.sides import Side
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from campaign.rules.units import FIXED_KINDS, LASTING, UNIT_KINDS, Mark, may_carry
from campaign.rules.upkeep import EndOutcome
from firefight.engine.rolls.dice import DieSpec
from firefight.games.combat_stalingrad.rules.air import AirWeapon, ArrivalOutcome
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN, PHASES, Phase
from firefight.table.acts import BadField, Refused

from .seals import read_hex, read_place
from .setting_up import counted, remove_fixed

D10 = DieSpec("die", 10, "d10")
BATTERIES = (GroupType.ARTILLERY, GroupType.BOMBARDMENT)


# Turns


@campaign_act(Stage.FIREFIGHT)
def end_turn(act: CampaignAct, dice: Dice) -> None:
    """End the turn; after turns 5 and 6 the End of Firefight roll decides, after 7 the firefight is over (20.2.4)."""
    turn = act.match.state.turn
    _check_stay_rolls(act, turn)
    number = act.ledger.card.end_numbers.get(turn)
    inputs = {"turn": turn} if number is None else {"turn": turn, "number": number}
    result, rolled = act.play("end-of-firefight", inputs, dice)
    noted = {"firefight": act.campaign.firefight, "turn": turn}
    act.tell(f"End of turn {turn}. {result.headline}", rolled=rolled, inputs=noted)
    _cool_guns(act)
    if result.outcome is EndOutcome.ENDS:
        _end_firefight(act)
    else:
        first = next(iter(PHASES)).value
        act.match.state = replace(act.match.state, turn=min(turn + 1, LAST_TURN), phase=first)
        # Of two who press the button for the same turn, one ends it and the other hears so.
        act.campaign.stage_since = act.match.version + 1


def _check_stay_rolls(act: CampaignAct, turn: int) -> None:
    """Aircraft over the map roll to stay in every later turn (17.6.2)."""
    waiting = [
        f"{name_of(side)} {group.rg} {act.ledger.roster_line(group).unit}"
        for side in Side
        for group in act.ledger.groups[side].values()
        if group.mark == Group.Sign.HERE and group.since < turn
    ]
    if waiting:
        names = " and ".join(waiting)
        raise Unfit([f"Still to roll in turn {turn}, to stay over the map: {names} (17.6.2)."])


def _cool_guns(act: CampaignAct) -> None:
    """The MGs of aircraft may fire again in the next turn (17.6.3)."""
    for side in Side:
        for unit in act.ledger.in_play(side):
            if Mark.MG_USED in unit.marks:
                unit.marks = [mark for mark in unit.marks if mark != Mark.MG_USED]


def _end_firefight(act: CampaignAct) -> None:
    """Artillery that placed an FFE is used up (20.8.2); what left by the edge waits for another firefight."""
    act.match.state = replace(act.match.state, phase=Phase.CONCLUSION.value)
    left = []
    for side in Side:
        in_play = [g for g in act.ledger.groups[side].values() if g.standing == Group.Standing.IN_PLAY]
        spent = [group for group in in_play if group.mark == Group.Sign.FFE]
        for group in spent:
            group.standing = Group.Standing.USED_UP
        for unit in act.ledger.in_play(side):
            if Mark.EXITED in unit.marks:
                left.append(positions.key_of(unit))
                unit.marks = [Mark.HELD.value if mark == Mark.EXITED else mark for mark in unit.marks]
        if spent:
            names = ", ".join(f"{group.rg} {act.ledger.roster_line(group).unit}" for group in spent)
            act.tell(f"{name_of(side)}: used up by an FFE: {names}.", side=side)
    conductor.begin(act, left)


# Units


class News(StrEnum):
    """What can be reported of units during a firefight."""

    ENTER = "enter"
    MOVE = "move"
    EXIT = "exit"
    STANDS = "stands"
    SHOW = "show"
    REMOVED = "removed"
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
        """Whether it is about a sector that must be given."""
        return self in (News.ENTER, News.MOVE)


_NEWS = {
    News.ENTER: "enter by the own edge, sector …",
    News.MOVE: "move to sector …",
    News.EXIT: "leave by the own edge",
    News.STANDS: "stand in sector …, hex …",
    News.SHOW: "hidden no more",
    News.REMOVED: "taken off (mines, nest marker)",
    News.ELIMINATED: "eliminated",
    News.REDUCED: "reduced (Casualties)",
    News.GOOD_ORDER: "rid of markers that do not last",
}
# What does not show a hidden unit.
_KEEPS_HIDDEN = (News.MOVE, News.STANDS, News.GOOD_ORDER)
# What happens in play alone: afterwards nobody comes, goes or moves any more (20.11.1, 20.12.1).
IN_PLAY_ONLY = (News.ENTER, News.MOVE, News.EXIT)
# What is not told of mines and nest markers: they stay where they are, and are taken off rather than eliminated.
_NOT_OF_FIXED = (*IN_PLAY_ONLY, News.ELIMINATED, News.GOOD_ORDER)
# What a unit can be told to be once only.
_ONCE = {news for news in News if news.value in set(Mark)} - {News.WOUNDED}
# What units in a sector being fought out may still suffer: the attack of a mine hex (20.6.4 step 2, 18.1.2).
_BY_MINES = (
    *(News.ELIMINATED, News.REDUCED, News.WOUNDED, News.M_KILLED),
    *(News.PINNED, News.DISRUPTED, News.WIA, News.SUPPRESSED),
)


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def report(act: CampaignAct, numbers: Iterable[int], news: News, sector: int | None = None, hex_name: str = "") -> None:
    """Note what became of own units, during a firefight or when it is over.

    What is told of hidden units stays sealed; what befalls them shows them. ``hex_name``: where they stand, for
    the close combat of a sector; blank if nobody needs to know. After the firefight ``STANDS`` may also put right
    in which sector a unit ended it (R-71).
    """
    _check_moment(act, news)
    units = [act.find_own(act.ledger.units, number, "unit") for number in dict.fromkeys(numbers)]
    if not units:
        raise BadField("Choose the units.")
    if news.wants_sector or (sector is not None and news in (News.EXIT, News.STANDS)):
        _check_sector(act, news, sector)
    place = read_place(act, hex_name) if hex_name else ""
    if news is News.STANDS and not place and sector is None:
        raise BadField("Give the hex.")
    reasons = [reason for unit in units if (reason := _why_not(act, unit, news, sector))]
    if reasons:
        raise Unfit(reasons)
    if news is News.REMOVED:
        remove_fixed(act, units)
        return
    sealed = [unit for unit in units if news in _KEEPS_HIDDEN and unit.hidden]
    openly = [unit for unit in units if unit not in sealed]
    words = {unit.number: _apply(act, unit, news, sector, place) for unit in units}
    if openly:
        act.tell(f"{act.name}: {_describe_fates(act, openly, words)}.")
    if sealed:
        act.tell_sealed(f"{_describe_fates(act, sealed, words)}.")
    _end_nests_without_commissar(act)
    if act.ledger.stage is Stage.REORGANIZATION:
        conductor.conduct(act)  # mines may have left nobody who could decide


def _describe_fates(act: CampaignAct, units: Iterable[Unit], words: Mapping[int, str]) -> str:
    """Units with what became of them: those of the same fate together."""
    fates: dict[str, list[Unit]] = {}
    for unit in units:
        fates.setdefault(words[unit.number], []).append(unit)
    return "; ".join(f"{counted(act, alike)}: {fate}" for fate, alike in fates.items())


def _check_moment(act: CampaignAct, news: News) -> None:
    """During play and right after it everything can be told; while a sector is fought out, only what mines do."""
    if act.ledger.stage is Stage.FIREFIGHT:
        return
    step = positions.step(act.ledger)
    if step is Step.AFTER_ACTION and not act.is_ready():
        if news in IN_PLAY_ONLY:
            raise Refused(
                "After the firefight nobody enters, moves or leaves the map any more (20.11.1, 20.12.1). "
                f"Use “{News.STANDS.word}” to note where a unit ended it. Nothing was changed."
            )
        return
    if not (step in (Step.ATTACKER_LEAVES, Step.DEFENDER_LEAVES) and news in _BY_MINES):
        raise Refused("What became of your units is settled for this firefight. Nothing was changed.")


def _check_sector(act: CampaignAct, news: News, sector: int | None) -> None:
    sector_map = act.ledger.content.sector_map
    if sector not in sector_map.neighbours:
        numbers = sorted(sector_map.neighbours)
        raise BadField(f"Give the sector, {numbers[0]} to {numbers[-1]}.")
    edge = sector_map.edges[act.side]
    if news in (News.ENTER, News.EXIT) and sector not in edge:
        name = EDGE_NAMES[act.side]
        raise Unfit([f"Sector {sector} does not touch the {name} edge; {join_numbers(edge)} do (20.11.1)."])


def _why_not(act: CampaignAct, unit: Unit, news: News, sector: int | None) -> str:
    counter = act.ledger.counter(unit)
    if not act.ledger.sets_up(unit):
        return f"{counter.name}: not a unit on the map."
    is_off, fought_out = unit.sector is None, act.ledger.sector_fought_out
    if fought_out is not None and unit.sector != fought_out:
        return f"{counter.name} is not in sector {fought_out}, which is fought out now."
    if counter.kind in FIXED_KINDS and news in _NOT_OF_FIXED:
        return f"{counter.name} stays where it is; it can be taken off, shown, or its hex noted."
    if news is News.ENTER:
        if not is_off:
            return f"{counter.name} is on the map already."
        has_left = Mark.EXITED in unit.marks or act.ledger.has_left(unit)
        return f"{counter.name} left in this firefight and cannot come back (20.11.1)." if has_left else ""
    if is_off:
        return f"{counter.name} is not on the map."
    if news is News.REMOVED and counter.kind not in FIXED_KINDS:
        return f"{counter.name} is a unit: only mines and nest markers are taken off."
    if news in (News.MOVE, News.EXIT) and Mark.M_KILLED in unit.marks:
        return f"{counter.name} is M-KILLED: it stays in its hex."
    if news in (News.EXIT, News.STANDS) and (reason := _against_sector(act, unit, news, sector)):
        return reason
    if news is News.SHOW and not unit.hidden:
        return f"{counter.name} is not hidden."
    if news in set(Mark) and news not in may_carry(counter.kind):
        return f"{counter.name} cannot be {news.word}."
    if news in _ONCE and news in unit.marks:
        return f"{counter.name} is {news.word} already."
    return ""


def _against_sector(act: CampaignAct, unit: Unit, news: News, sector: int | None) -> str:
    """A unit leaves from where it stands (20.11.1); and during play it moves before it stands elsewhere."""
    name, here = act.ledger.counter(unit).name, unit.sector
    if news is News.STANDS:
        may_mend = act.ledger.stage is Stage.REORGANIZATION and act.ledger.counter(unit).kind in UNIT_KINDS
        return "" if sector in (None, here) or may_mend else f"{name} is in sector {here}: say first that it moves."
    edge = act.ledger.content.sector_map.edges[act.side]
    if here not in edge:
        touching = f"which does not touch the {EDGE_NAMES[act.side]} edge; {join_numbers(edge)} do"
        return f"{name} is in sector {here}, {touching}: it moves there first (20.11.1)."
    if sector not in (None, here):
        return f"{name} is in sector {here}, not in {sector}: it leaves from where it stands (20.11.1)."
    return ""


def _apply(act: CampaignAct, unit: Unit, news: News, sector: int | None, place: str) -> str:
    """Change one unit; returns what happened to it, in words."""
    if news is News.MOVE:
        unit.sector, unit.hex = sector, place
        return f"now in sector {sector}{f', hex {place}' if place else ''}"
    if news is News.STANDS:
        was_elsewhere = sector not in (None, unit.sector)
        unit.sector, unit.hex = sector if was_elsewhere else unit.sector, place
        mended = f"put right: ended the firefight in sector {unit.sector}" if was_elsewhere else ""
        return ", ".join(filter(None, (mended, f"stands in hex {place}" if place else "")))
    if news is News.GOOD_ORDER:
        unit.marks = [mark for mark in unit.marks if mark in LASTING]
        return news.word
    act.show(unit)
    if news is News.ENTER:
        unit.sector, unit.hex = sector, place
        unit.marks = [mark for mark in unit.marks if mark != Mark.HELD]
        return f"on the map by sector {sector}"
    if news is News.EXIT:
        left_by, unit.sector, unit.hex, unit.home = unit.sector, None, "", None
        unit.marks = [*unit.marks, Mark.EXITED.value]
        return f"off the map by sector {left_by}"
    if news is News.SHOW:
        return f"shown in sector {unit.sector}"
    if news is News.ELIMINATED or (news is News.WOUNDED and Mark.WOUNDED in unit.marks):
        unit.fate, unit.sector, unit.hex = Unit.Fate.ELIMINATED, None, ""
        return "eliminated" if news is News.ELIMINATED else "wounded again, eliminated"
    unit.marks = [*unit.marks, news.value]
    return news.word


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def move_random_marker(act: CampaignAct, hex_name: str) -> None:
    """Note the hex of the Random marker, where the next firefight finds it (20.5.8.1 step 6)."""
    place = str(read_hex(act, hex_name))
    act.campaign.random_hex = place
    act.tell(f"{act.name}: the Random marker is in hex {place}.")


def _end_nests_without_commissar(act: CampaignAct) -> None:
    if act.ledger.commissars(act.side):
        return
    for group in positions.nests(act.ledger, act.side):
        conductor.spend_nest(act, group, "no Commissar is left")


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def end_nest(act: CampaignAct, number: int) -> None:
    """A Fanatic Resistance Nest ends for good: no Commissar in it who is not Disrupted, or nobody (20.9.3, 20.7.1)."""
    group = act.find_own(act.ledger.groups, number, "group")
    if act.ledger.roster_line(group).type is not GroupType.NEST or group.standing != Group.Standing.IN_PLAY:
        raise Unfit(["Only a Fanatic Resistance Nest in play can end."])
    conductor.spend_nest(act, group, "no Commissar holds it")
    if act.ledger.stage is Stage.REORGANIZATION:
        conductor.conduct(act)  # it may have been all that its owner had to decide


# Batteries and aircraft


class BatteryNews(StrEnum):
    """What can be reported of a battery."""

    FFE = "ffe"
    LOST = "lost"


@campaign_act(Stage.FIREFIGHT)
def battery(act: CampaignAct, number: int, news: BatteryNews) -> None:
    """Note that a battery has placed an FFE, so that it is used up afterwards (20.8.2), or is out (17.3.1)."""
    group = act.find_own(act.ledger.groups, number, "battery")
    line = act.ledger.roster_line(group)
    if line.type not in BATTERIES or group.standing != Group.Standing.IN_PLAY:
        raise Unfit([f"{group.rg} is no battery in play."])
    if news is BatteryNews.LOST:
        group.standing = Group.Standing.LOST
        act.tell(f"{act.name}: {group.rg} {line.unit} is out of the campaign (17.3.1).")
    elif group.mark == Group.Sign.FFE:
        raise Unfit([f"{group.rg} has placed an FFE already."])
    else:
        group.mark = Group.Sign.FFE
        act.tell(f"{act.name}: {group.rg} {line.unit} has placed an FFE, and is used up after this firefight.")


@campaign_act(Stage.FIREFIGHT)
def aircraft(act: CampaignAct, number: int, dice: Dice) -> None:
    """Roll for a group of aircraft to arrive, or to stay (17.6.2). Die: ``die``, a d10."""
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    line, turn = act.ledger.roster_line(group), act.match.state.turn
    _check_air(act, group, turn)
    here = group.mark == Group.Sign.HERE
    result, rolled = act.play("air-arrival", {"number": line.arrival, "already_in_play": here}, dice)
    group.since = turn
    if result.outcome is ArrivalOutcome.LEAVES:
        group.standing, group.mark = Group.Standing.LOST, Group.Sign.NONE
        for unit in act.ledger.units_of(group):
            unit.fate = Unit.Fate.LEFT
    elif result.outcome is ArrivalOutcome.ARRIVES:
        group.mark = Group.Sign.HERE
    act.tell(f"{act.name}, {group.rg} {line.unit}. {result.headline}", rolled=rolled)


@campaign_act(Stage.FIREFIGHT)
def air_attack(act: CampaignAct, number: int, weapon: AirWeapon) -> None:
    """Note that one aircraft of a group attacks: with its HE once a firefight, with its MG once a turn (17.6.3)."""
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    if group.mark != Group.Sign.HERE:
        raise Unfit([f"No aircraft of {group.rg} is over the map."])
    if group.since < act.match.state.turn:
        raise Unfit([f"{group.rg} rolls first whether it stays in this turn (17.6.2)."])
    used = _USED_BY[weapon]
    ready = [unit for unit in act.ledger.units_of(group) if used.isdisjoint(unit.marks)]
    if not ready:
        raise Unfit([f"No aircraft of {group.rg} can attack so: HE once a firefight, MG once a turn (17.6.3)."])
    ready[0].marks = [*ready[0].marks, *(mark.value for mark in sorted(used))]
    name = act.ledger.called(ready[0])
    act.tell(f"{act.name}, {group.rg}: {name} attacks. {', '.join(mark.word for mark in sorted(used))}.")


_USED_BY = {
    AirWeapon.HE: frozenset({Mark.HE_USED}),
    AirWeapon.MG: frozenset({Mark.MG_USED}),
    AirWeapon.BOTH: frozenset({Mark.HE_USED, Mark.MG_USED}),
}


def _check_air(act: CampaignAct, group: Group, turn: int) -> None:
    line = act.ledger.roster_line(group)
    if line.type is not GroupType.AIRCRAFT or group.standing != Group.Standing.IN_PLAY:
        raise Unfit([f"{group.rg} is no group of aircraft that can come."])
    if line.times and act.ledger.time not in line.times:
        raise Unfit([f"{group.rg} flies at {' and '.join(line.times)} only."])
    if group.since == turn:
        raise Unfit([f"{group.rg} has rolled in turn {turn} already (17.6.2)."])
    for other in act.ledger.groups[act.side].values():
        if other is group or act.ledger.roster_line(other).type is not GroupType.AIRCRAFT:
            continue
        if other.mark == Group.Sign.HERE or (other.standing == Group.Standing.LOST and other.since == turn):
            raise Unfit(["One group of aircraft a turn: the next rolls from the turn after the first left (17.6.2)."])


@campaign_act(Stage.FIREFIGHT)
def down_aircraft(act: CampaignAct, number: int) -> None:
    """Note that one aircraft of a group is shot down, or sent home for good (17.6.7)."""
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    flying = act.ledger.units_of(group)
    if group.mark != Group.Sign.HERE or not flying:
        raise Unfit([f"No aircraft of {group.rg} is over the map."])
    flying[0].fate = Unit.Fate.ELIMINATED
    if len(flying) == 1:
        group.standing, group.mark, group.since = Group.Standing.LOST, Group.Sign.NONE, act.match.state.turn
    act.tell(f"{act.name}, {group.rg}: one {act.ledger.counter(flying[0]).name} is lost, {len(flying) - 1} left.")
