"""Sealed records: plots of artillery and off-map observers (17.2.6, 17.4.8). Orders have a module of their own."""

from campaign.ledger.act import Deed, Unfit, perform
from campaign.models import Group, Seal
from campaign.rules.sides import Side
from campaign.rules.stages import Stage
from firefight.assistant.chartbooks import of_match
from firefight.engine.board.hexes import BadHex, Hex, HexMap
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN
from firefight.table.acts import BadField, Done, Refused
from firefight.table.seats import Table

BEFORE_PLAY = (Stage.PURCHASES, Stage.PRIORITY, Stage.SETUP)


def plot(table: Table, act_id: str, version: int | None, number: int, first: str, second: str, turn: int) -> Done:
    """Write a plotted battery's two hexes and its turn down, before the firefight (17.4.8).

    A plot that was written before and not used is replaced.
    """

    def do(deed: Deed) -> None:
        deed.expect(*BEFORE_PLAY)
        group = deed.own(deed.ledger.groups, number, "battery")
        if not deed.ledger.roster_line(group).plotted or group.standing != Group.Standing.IN_PLAY:
            raise Unfit([f"{group.rg} is no plotted battery in play (17.4.8)."])
        if not 1 <= turn <= LAST_TURN:
            raise BadField(f"A turn is 1 to {LAST_TURN}, not {turn}.")
        hexes = [str(read_hex(deed, text)) for text in (first, second)]
        if hexes[0] == hexes[1]:
            raise BadField("A plot has two different hexes (17.4.8).")
        for old in _standing(deed, Seal.Kind.PLOT):
            if old.group is group:
                old.standing = Seal.Standing.WITHDRAWN
        entry = deed.tell_sealed(f"Plot of {group.rg}: {hexes[0]} or {hexes[1]}, turn {turn}.")
        deed.add_seal(Seal.Kind.PLOT, entry, group=group, data={"hexes": hexes, "turn": turn})

    return perform(table, act_id, version, do)


def observer(table: Table, act_id: str, version: int | None, text: str) -> Done:
    """Write down an off-map observer: a hex of the own edge's hexrow (17.2.6). Where he is allowed is not checked."""

    def do(deed: Deed) -> None:
        deed.expect(*BEFORE_PLAY)
        found, hex_map = read_hex(deed, text), _map(deed)
        column = hex_map.first_column if deed.side is Side.GERMAN else hex_map.last_column
        if not str(found).startswith(column):
            raise Unfit([f"{found} is not on your edge: an off-map observer has a hex of hexrow {column} (17.2.6)."])
        entry = deed.tell_sealed(f"Off-map observer: {found}.")
        deed.add_seal(Seal.Kind.OBSERVER, entry, data={"hex": str(found)})

    return perform(table, act_id, version, do)


def read_hex(deed: Deed, text: str) -> Hex:
    """A hex of the match's map. Raises BadField."""
    try:
        return _map(deed).parse(text)
    except BadHex as error:
        raise BadField(str(error)) from None


def read_place(deed: Deed, text: str) -> str:
    """A hex, with a level of its building where that counts: "K7", or "K7/1" for the first floor. Raises BadField."""
    name, slash, level = text.replace(" ", "").partition("/")
    found = str(read_hex(deed, name))
    if slash and level not in LEVELS:
        raise BadField("Write a level as K7/1: the hex, and 1 to 9 behind it; the ground needs none.")
    return f"{found}/{level}" if slash and level != "0" else found


LEVELS = tuple("0123456789")


def _map(deed: Deed) -> HexMap:
    return of_match(deed.match)["map"].hexes


def _standing(deed: Deed, *kinds: Seal.Kind) -> list[Seal]:
    held = deed.ledger.seals[deed.side].values()
    return [seal for seal in held if seal.kind in kinds and seal.standing == Seal.Standing.SEALED]


def withdraw(table: Table, act_id: str, version: int | None, number: int) -> Done:
    """Strike a sealed plot or observer out, before the firefight."""

    def do(deed: Deed) -> None:
        deed.expect(*BEFORE_PLAY)
        seal = _sealed(deed, number)
        seal.standing = Seal.Standing.WITHDRAWN
        deed.tell_sealed(f"{seal.get_kind_display()} of № {seal.entry} struck out.")

    return perform(table, act_id, version, do)


def open_seal(table: Table, act_id: str, version: int | None, number: int) -> Done:
    """Show a plot, in its turn, or an off-map observer to everybody (17.4.8)."""

    def do(deed: Deed) -> None:
        deed.expect(Stage.FIREFIGHT)
        seal, turn = _sealed(deed, number), deed.match.state["turn"]
        if seal.group and seal.group.standing != Group.Standing.IN_PLAY:
            raise Unfit([f"{seal.group.rg} is not in play any more."])
        if seal.kind == Seal.Kind.PLOT and seal.data["turn"] != turn:
            raise Refused(f"This plot is for turn {seal.data['turn']}, and it is turn {turn} (17.4.8).")
        seal.standing = Seal.Standing.OPEN
        deed.reveal(seal.entry, f"{deed.name} opens № {seal.entry}.")

    return perform(table, act_id, version, do)


def _sealed(deed: Deed, number: int) -> Seal:
    seal = deed.own(deed.ledger.seals, number, "sealed record")
    if seal not in _standing(deed, Seal.Kind.PLOT, Seal.Kind.OBSERVER):
        raise Unfit(["That record is not sealed any more."])
    return seal
