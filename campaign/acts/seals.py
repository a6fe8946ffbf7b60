"""Sealed records: plots of artillery and off-map observers (17.2.6, 17.4.8). Orders have a module of their own."""

from campaign.ledger.act import CampaignAct, Unfit, refuse
from campaign.ledger.ledger import Ledger
from campaign.ledger.performing import campaign_act
from campaign.models import Group, Seal
from campaign.rules.plots import against_observer, against_opening, against_plot, against_plotting, find_hexrow
from campaign.rules.seals import SealedObserver, SealedPlot
from campaign.rules.stages import Stage
from campaign.rules.units import LEVELS
from firefight.engine.board.hexes import BadHex, Hex, HexMap
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.act.refusals import BadField, Refused

BEFORE_PLAY = (Stage.PURCHASES, Stage.PRIORITY, Stage.SETUP)


@campaign_act(*BEFORE_PLAY)
def write_plot(act: CampaignAct, number: int, first: str, second: str, turn: int) -> None:
    """Write a plotted battery's two hexes and its turn down, before the firefight (17.4.8).

    A plot that was written before and not used is replaced.
    """
    group = act.find_own(act.ledger.groups, number, "battery")
    is_in_play = group.standing == Group.Standing.IN_PLAY
    refuse(against_plotting(group.rg, act.ledger.roster_line(group).plotted, is_in_play))
    hexes = str(read_hex(act, first)), str(read_hex(act, second))
    if objection := against_plot(hexes, turn):
        raise BadField(str(objection))
    for old in _find_standing(act, Seal.Kind.PLOT):
        if old.group is group:
            old.standing = Seal.Standing.WITHDRAWN
    entry = act.tell_sealed(f"Plot of {group.rg}: {hexes[0]} or {hexes[1]}, turn {turn}.")
    act.add_seal(Seal.Kind.PLOT, entry, group=group, data=SealedPlot(hexes, turn))


@campaign_act(*BEFORE_PLAY)
def write_observer(act: CampaignAct, text: str) -> None:
    """Write down an off-map observer: a hex in the hexrow of the side's edge (17.2.6).

    Whether one is allowed is not checked.
    """
    place, hexrow = str(read_hex(act, text)), hexrow_of(act.ledger, act.side)
    refuse(against_observer(place, hexrow))
    entry = act.tell_sealed(f"Off-map observer: {place}.")
    act.add_seal(Seal.Kind.OBSERVER, entry, data=SealedObserver(place))


def hexrow_of(ledger: Ledger, side: Side) -> str:
    """The hexrow of a side's map edge, where its off-map observers are."""
    hex_map = _hex_map(ledger.match)
    return find_hexrow(side, hex_map.first_column, hex_map.last_column)


def read_hex(act: CampaignAct, text: str) -> Hex:
    """A hex of the match's map. Raises BadField."""
    try:
        return _hex_map(act.match).parse(text)
    except BadHex as error:
        raise BadField(str(error)) from None


def read_place(act: CampaignAct, text: str) -> str:
    """A hex, with a level of its building where that counts: "K7", or "K7/1" for the first floor. Raises BadField."""
    name, slash, level = text.replace(" ", "").partition("/")
    place, level = str(read_hex(act, name)), level.lower()
    if slash and level not in ("0", *LEVELS):
        raise BadField("Write a level as K7/1: the hex, and 1 to 9, cellar or roof behind it; the ground needs none.")
    return f"{place}/{level}" if slash and level != "0" else place


def _hex_map(match: Match) -> HexMap:
    hexes: HexMap = of_match(match)["map"].hexes
    return hexes


def _find_standing(act: CampaignAct, *kinds: Seal.Kind) -> list[Seal]:
    seals = act.ledger.seals[act.side].values()
    return [seal for seal in seals if seal.kind in kinds and seal.standing == Seal.Standing.SEALED]


@campaign_act(*BEFORE_PLAY)
def withdraw(act: CampaignAct, number: int) -> None:
    """Strike a sealed plot or observer out, before the firefight."""
    seal = _find_sealed(act, number)
    seal.standing = Seal.Standing.WITHDRAWN
    act.tell_sealed(f"{seal.get_kind_display()} of № {seal.entry} struck out.")


@campaign_act(Stage.FIREFIGHT)
def open_seal(act: CampaignAct, number: int) -> None:
    """Show a plot, in its turn, or an off-map observer to everybody (17.4.8)."""
    seal, turn = _find_sealed(act, number), act.match.state.turn
    if seal.group and seal.group.standing != Group.Standing.IN_PLAY:
        raise Unfit(f"{seal.group.rg} is not in play any more.")
    if seal.kind == Seal.Kind.PLOT and (objection := against_opening(seal.plot.turn, turn)):
        raise Refused(str(objection))
    seal.standing = Seal.Standing.OPEN
    act.reveal(seal.entry, f"{act.name} opens № {seal.entry}.")


def _find_sealed(act: CampaignAct, number: int) -> Seal:
    seal = act.find_own(act.ledger.seals, number, "sealed record")
    if seal not in _find_standing(act, Seal.Kind.PLOT, Seal.Kind.OBSERVER):
        raise Unfit("That record is not sealed any more.")
    return seal
