"""What players report of units in a firefight: where they stand, what happened to them, nests (20.5.8, 20.9.3)."""

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.ledger.act import CampaignAct, Unfit, tell_fates
from campaign.ledger.performing import campaign_act
from campaign.ledger.pieces import counter_of
from campaign.models import Group, Unit
from campaign.phase import conductor, lookups
from campaign.rules.nests import is_held
from campaign.rules.reports import (
    News,
    Reported,
    find_edge_objection,
    find_moment_objection,
    find_news_objection,
    kills,
    marks_after_news,
)
from campaign.rules.rosters import GroupType
from campaign.rules.stages import Stage
from campaign.rules.units import marks_on_map, marks_that_last
from firefight.engine.board.counters import find_changes, id_of, write_mentions
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.rules.counters import Rank
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.table.act.line_keys import CHANGED_COUNTERS as COUNTERS
from firefight.table.act.refusals import BadField, Refused

from .seals import read_hex, read_place
from .setting_up import remove_fixed


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def report(act: CampaignAct, numbers: Iterable[int], news: News, sector: int | None = None, hex_name: str = "") -> None:
    """Note what became of a side's units, during a firefight or when it is over.

    What is said about hidden units stays sealed; what happens to them shows them. ``hex_name``: where they stand, for
    the close combat of a sector; blank if nobody needs to know. After the firefight ``STANDS`` may also correct in
    which sector a unit ended it (R-71).
    """
    _check_moment(act, news)
    units = act.find_units(numbers, "Choose the units.")
    place = _read_where(act, news, sector, hex_name)
    reasons = [reason for unit in units if (reason := _find_objection(act, unit, news, sector))]
    if reasons:
        raise Unfit(*reasons)
    if news is News.REMOVED:
        remove_fixed(act, units)
        return
    _note_news(act, news, units, sector, place)
    end_nests_without_commissar(act)
    if act.ledger.stage is Stage.REORGANIZATION:
        conductor.conduct(act)  # mines may have left nobody who could decide


def _read_where(act: CampaignAct, news: News, sector: int | None, hex_name: str) -> str:
    """Where units are by the news: their hex, with a level if that counts, blank if none is given."""
    if news.wants_sector or (sector is not None and news in (News.EXIT, News.STANDS)):
        _check_sector(act, news, sector)
    if news is News.STANDS and not hex_name and sector is None:
        raise BadField("Give the hex.")
    return read_place(act, hex_name) if hex_name else ""


def _note_news(act: CampaignAct, news: News, units: list[Unit], sector: int | None, place: str) -> None:
    """Change the units, and tell it: under seal what is of hidden ones that stay hidden."""
    sealed = [unit for unit in units if news.keeps_hidden and unit.hidden]
    openly = [unit for unit in units if unit not in sealed]
    before = {unit.number: counter_of(act.ledger, unit) for unit in units}
    words = {unit.number: _change_unit(act, unit, news, sector, place) for unit in units}
    changes = {unit.number: find_changes(before[unit.number], counter_of(act.ledger, unit)) for unit in units}
    for unit in openly:
        if before[unit.number].hidden:
            _tell_where_it_was_hidden(act, unit, changes[unit.number])
    if openly:
        act.tell(f"{act.name}: {_describe_fates(act, openly, words)}.", **_tell_news(news, openly, changes))
    if sealed:
        act.tell_sealed(f"{_describe_fates(act, sealed, words)}.", **_tell_news(news, sealed, changes))


Changes = dict[str, list[Any]]


def _tell_news(news: News, units: Iterable[Unit], changes: Mapping[int, Changes]) -> Json:
    """What a line says about units besides its words: what happened to them, and what changed on them."""
    fates = tell_fates("", *(((unit,), ("eliminated",) if unit.fate else (news.value,)) for unit in units))
    fates["inputs"] |= _list_changes(units, changes)
    return fates


def _list_changes(units: Iterable[Unit], changes: Mapping[int, Changes]) -> dict[str, object]:
    """What changed on units, as lines about counters keep it."""
    return {COUNTERS: {id_of(unit.side, unit.number): changes[unit.number] for unit in units if changes[unit.number]}}


def _tell_where_it_was_hidden(act: CampaignAct, unit: Unit, changes: Changes) -> None:
    """Take what nobody else knew out of the changes of a unit that comes into sight, and seal it separately."""
    unseen: Changes = {name: changes.pop(name) for name in ("place", "level", "area", "beside") if name in changes}
    if unseen:
        words = f"{act.ledger.name_unit(unit)}: hidden no more where it stood."
        changed = _list_changes([unit], {unit.number: unseen})
        act.tell_sealed(words, touches=write_mentions([id_of(unit.side, unit.number)]), inputs=changed)


def _describe_fates(act: CampaignAct, units: Iterable[Unit], words: Mapping[int, str]) -> str:
    """Units with what became of them: those with the same fate together."""
    fates: dict[str, list[Unit]] = {}
    for unit in units:
        fates.setdefault(words[unit.number], []).append(unit)
    return "; ".join(f"{act.ledger.name_units(alike)}: {fate}" for fate, alike in fates.items())


def _check_moment(act: CampaignAct, news: News) -> None:
    step = lookups.step(act.ledger) if act.ledger.stage is Stage.REORGANIZATION else None
    if reason := find_moment_objection(news, act.ledger.stage, step, act.is_ready()):
        raise Refused(f"{reason} Nothing was changed.")


def _check_sector(act: CampaignAct, news: News, sector: int | None) -> None:
    sector_map = act.ledger.content.sector_map
    if sector is None or sector not in sector_map.neighbours:
        numbers = sorted(sector_map.neighbours)
        raise BadField(f"Give the sector, {numbers[0]} to {numbers[-1]}.")
    if reason := find_edge_objection(news, sector, sector_map.edges[act.side], act.side):
        raise Unfit(reason)


def _find_objection(act: CampaignAct, unit: Unit, news: News, sector: int | None) -> str:
    ledger, counter = act.ledger, act.ledger.kind_of(unit)
    has_left = Mark.EXITED in unit.marks or ledger.has_left(unit)
    reported = Reported(counter.name, counter.kind, unit.marks, unit.sector, bool(unit.fate), unit.hidden, has_left)
    edge = ledger.content.sector_map.edges[act.side]
    return find_news_objection(reported, news, sector, edge, act.side, ledger.stage, ledger.sector_fought_out)


def _change_unit(act: CampaignAct, unit: Unit, news: News, sector: int | None, place: str) -> str:
    """Change one unit; returns what happened to it, in words.

    The order counts: news before ``act.show`` leaves a hidden unit hidden, all news after it shows the unit.
    """
    if news is News.MOVE:
        unit.sector, unit.hex = sector, place
        return f"now in sector {sector}{f', hex {place}' if place else ''}"
    if news is News.STANDS:
        was_elsewhere = sector not in (None, unit.sector)
        unit.sector, unit.hex = sector if was_elsewhere else unit.sector, place
        mended = f"put right: ended the firefight in sector {unit.sector}" if was_elsewhere else ""
        return ", ".join(filter(None, (mended, f"stands in hex {place}" if place else "")))
    if news is News.GOOD_ORDER:
        unit.marks = marks_that_last(unit.marks)
        return news.word
    act.show(unit)
    if news is News.ENTER:
        unit.sector, unit.hex = sector, place
        unit.marks = marks_on_map(unit.marks)
        return f"on the map by sector {sector}"
    if news is News.EXIT:
        left_by, unit.sector, unit.hex, unit.home = unit.sector, None, "", None
        unit.marks = [*unit.marks, Mark.EXITED.value]
        return f"off the map by sector {left_by}"
    if news is News.SHOW:
        return f"shown in sector {unit.sector}"
    if kills(news, unit.marks):
        take_out(unit)
        return {News.WOUNDED: "wounded again, eliminated", News.WIA: "wounded, and WIA: eliminated"}.get(
            news, "eliminated"
        )
    unit.marks = marks_after_news(unit.marks, news)
    return news.word


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def move_random_marker(act: CampaignAct, hex_name: str) -> None:
    """Note the hex of the Random marker, where the next firefight finds it (20.5.8.1 step 6)."""
    place = str(read_hex(act, hex_name))
    act.campaign.random_hex = place
    act.tell(f"{act.name}: the Random marker is in hex {place}.")


def take_out(unit: Unit) -> None:
    """A unit falls in a firefight, whether a player reports it or a roll did it."""
    unit.fate, unit.sector, unit.hex, unit.beside = Unit.Fate.ELIMINATED, None, "", None


def end_nests_without_commissar(act: CampaignAct) -> None:
    """A Fanatic Resistance Nest ends with the last Commissar of its side who is not Disrupted (20.9.3), and comes back
    with them; one that is not on the map yet ends with the last who is in play (R-147)."""
    in_play = act.ledger.list_commissars(act.side)
    if is_held(unit.marks for unit in in_play):
        conductor.bring_nests_back(act)
        return
    commissars = [
        unit for unit in act.ledger.units[act.side].values() if act.ledger.kind_of(unit).rank is Rank.COMMISSAR
    ]
    why = "every Commissar is Disrupted or WIA" if in_play else "no Commissar is left"
    for group in lookups.list_nests(act.ledger, act.side):
        if not in_play or any(unit.sector is not None for unit in act.ledger.units_of(group)):
            conductor.spend_nest(act, group, why, commissars)


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def end_nest(act: CampaignAct, number: int) -> None:
    """A Fanatic Resistance Nest ends for good: without a Commissar who is not Disrupted, or empty (20.9.3, 20.7.1)."""
    group = act.find_own(act.ledger.groups, number, "group")
    if act.ledger.roster_line(group).type is not GroupType.NEST or group.standing != Group.Standing.IN_PLAY:
        raise Unfit("Only a Fanatic Resistance Nest in play can end.")
    conductor.spend_nest(act, group, "no Commissar holds it")
    if act.ledger.stage is Stage.REORGANIZATION:
        conductor.conduct(act)  # it may have been all that its owner had to decide
