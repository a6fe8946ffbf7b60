"""Helpers of a hex: what the appendices say, who may stand there, what is seen, one step into it."""

from django import forms

from firefight.engine.rolls.answers import Allowed, IsShown
from firefight.kit import HelperForm, NumberField, Pick, TickField, gather_inputs

from ..rules import hexes, hidden, stacking, steps
from ..rules.kinds import UnitKind
from ..rules.terms import Side, Terrain
from . import shared

GROUP = "Hexes and movement"
MOST = 20


def hex_number(label: str) -> forms.CharField:
    """A hex by its four digits."""
    attrs = {"inputmode": "numeric", "autocomplete": "off", "size": 4, "data-first": "on"}
    return forms.CharField(label=label, max_length=4, required=False, widget=forms.TextInput(attrs))


class HexForm(HelperForm):
    seldom = ("other",)

    number = hex_number("Hex (four digits)")
    other = hex_number("Seen from or seeing this hill top")


class BoxRangeForm(HelperForm):
    river = hex_number("River hex beside the box (four digits)")
    number = NumberField("Small number printed in it (0218 has 8)", 1, 30, initial=None)
    target = hex_number("Hex fired at, or of the guns that fire at the box")
    gun_range = NumberField("Range of the guns", 1, 40, initial=14)


class HiddenForm(HelperForm):
    terrain = shared.terrain()
    vehicle = TickField("A vehicle, not dismounted")
    side = shared.side("Whose unit", Side.SOVIET)
    weather = Pick.among("Weather", hidden.Sky)


class StackingForm(HelperForm):
    seldom = ("immobilized_in_zoc", "transport_mines")

    side = shared.side()
    combat = NumberField("Combat units", 0, MOST)
    tank_stug_or_armored_car = TickField("A tank, StuG or armoured car is among them")
    leader = NumberField("Leaders", 0, MOST)
    op = NumberField("Observers", 0, MOST)
    sniper = NumberField("Snipers", 0, MOST)
    mine_dog = NumberField("Mine dogs", 0, MOST)
    transport = NumberField("Transports", 0, MOST)
    tank_repair = NumberField("Tank repair units", 0, MOST)
    river_flotilla = NumberField("Flotilla units", 0, MOST)
    fortification = NumberField("Fortifications", 0, MOST)
    bridge = NumberField("Bridges", 0, MOST)
    minefield = NumberField("Minefields", 0, MOST)
    immobilized_in_zoc = TickField("An immobilized tank is put into a German ZOC")
    volga_hex = TickField("A solid Volga hex")
    transport_mines = Pick.among("Transports on a minefield", stacking.TransportMines)


class StepForm(HelperForm):
    unit = Pick.among("Unit", UnitKind)
    number = hex_number("Into hex (four digits)")
    mp = NumberField("Its printed MP", 0, 30, initial=None)
    from_zoc = TickField("Out of an enemy ZOC")
    to_zoc = TickField("Into an enemy ZOC")
    came_this_phase = TickField("It came into the ZOC that it leaves in this phase")
    to_breakthru = TickField("A breakthru marker is there")
    road = TickField("Along a road or railroad across")
    bridge = TickField("Over a bridge unit")
    arrow = TickField("A landing arrow points there")
    advance = TickField("It advances after combat")
    infiltrating = TickField("It infiltrates with Herman")
    in_reserve = TickField("In a Reserves Movement Phase")
    enemy = Pick.among("Enemy there", steps.Enemy)
    terrain = Pick("Terrain there, to see its MP", {"": "—", **{terrain.value: terrain.word for terrain in Terrain}})


HELPERS = (
    shared.look_up(
        "hex",
        title="A hex",
        group=GROUP,
        purpose="What the appendices and the victory list have.",
        rules=("Appendix A", "Appendix B", "3.4"),
        form=HexForm,
        rule=hexes.hex_facts,
        outcomes=IsShown,
        suggests=True,
    ),
    shared.look_up(
        "box-range",
        title="Range from a box",
        group=GROUP,
        purpose="Whether guns reach from an East Bank box, or into it.",
        rules=("2.16", "14.53"),
        form=BoxRangeForm,
        rule=hexes.box_range,
        outcomes=Allowed,
    ),
    shared.look_up(
        "step",
        title="One step",
        group=GROUP,
        purpose="Whether a unit may go on, stops, or pays more.",
        rules=("6.5", "6.7", "8.08", "8.12", "8.51", "8.54", "8.56"),
        form=StepForm,
        rule=gather_inputs(steps.Step, steps.judge_step),
        outcomes=Allowed,
        steps=("3", "4", "7", "10", "11", "14"),
    ),
    shared.look_up(
        "stacking",
        title="Stacking",
        group=GROUP,
        purpose="Whether a hex may hold that as a phase ends.",
        rules=("5.3", "5.4", "5.5", "5.6"),
        form=StackingForm,
        rule=stacking.stacking,
        outcomes=Allowed,
    ),
    shared.look_up(
        "hidden",
        title="Hidden units and ZOC",
        group=GROUP,
        purpose="Who is seen in a terrain, and whether a ZOC reaches there.",
        rules=("6.2", "7.1", "7.2", "7.4"),
        form=HiddenForm,
        rule=hidden.hidden,
        outcomes=IsShown,
    ),
)
