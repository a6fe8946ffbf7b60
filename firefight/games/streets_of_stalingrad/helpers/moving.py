"""Helpers of movement: Movement Points, minefields, the Volga, who may move and do what."""

from firefight.engine.rolls.answers import Allowed, IsShown
from firefight.kit import HelperForm, NumberField, Pick, TickField, gather_inputs

from ..rules import dismounting, movement, permissions, reserves, volga
from ..rules.kinds import UnitKind
from ..rules.terms import Marker
from . import shared
from .days import scenario
from .ground import GROUP


class MovementForm(HelperForm):
    seldom = ("hq_absent", "scenario")

    printed = NumberField("Printed MP", 1, 30, initial=8)
    mode = Pick.among("How", movement.Pace)
    side = shared.side()
    date = shared.date()
    isolated = TickField("Isolated")
    stacks_before = NumberField("Stacks before it into the same hex by the same arrow", 0, 20)
    hq_absent = TickField("Its commander and his HQ are missing")
    scenario = scenario()


class MinefieldForm(HelperForm):
    friendly = TickField("A minefield of its own side")
    friendly_unit_there = TickField("A friendly combat unit stood there as the phase began")
    infiltrating = TickField("It infiltrates with Herman")


class VolgaForm(HelperForm):
    seldom = ("with_hex",)

    arrow = NumberField("Landing arrow (1 to 19)", 1, volga.ARROWS, initial=None)
    no_arrow = TickField("By a hex without an arrow")
    combat_this_phase = NumberField("Combat units in this phase, with these", 0, 40)
    combat_this_turn = NumberField("Combat units in this turn, with these", 0, 60)
    leaders_this_phase = NumberField("Leaders in this phase, with these", 0, 10)
    with_hex = TickField("Say its hex too")


class ReservesForm(HelperForm):
    side = shared.side()
    soviet_leader = TickField("Soviet: it is a leader himself")
    within_3 = TickField("An attack marker is within 3 hexes")
    pinned = TickField("Pinned")
    attacked_by_direct_fire = TickField("Enemy direct fire attacks it")
    opportunity_fired = TickField("It fired at moving enemies in their Movement Phase")
    with_house_leader = TickField("Soviet: with Pavlov, Herman or a commissar")
    with_or_adjacent_leader = TickField("Soviet: with or beside another leader")
    starts_in_zoc = TickField("Soviet: it starts in an enemy ZOC")
    stacked_with_leader = TickField("Soviet: a leader is in its own hex")


class DeploymentForm(HelperForm):
    starts_in_zoc = TickField("It starts in an enemy ZOC")
    enters_zoc = TickField("It enters an enemy ZOC")
    clear_hex_in_range = TickField("It enters a clear hex in range of enemy direct fire")
    ends_at_distance = NumberField("It ends this many hexes from the enemy", 0, 40, initial=3)
    passes_nearest_friend = TickField("It comes nearer the enemy than the nearest friend")


class DismountingForm(HelperForm):
    seldom = ("is_dismounted", "who")

    change = Pick.among("What", dismounting.Dismounting)
    unit = Pick.among("Unit", UnitKind)
    mp = NumberField("Its printed MP", 0, 30, initial=None)
    has_moved = TickField("It has moved in this phase")
    is_dismounted = TickField("It is dismounted")
    terrain = shared.terrain("Terrain where it is")
    has_road = TickField("A road or bridge in its hex")
    has_no_way = TickField("No way for vehicles, free of enemy ZOC, to a friendly road hex")
    isolated = TickField("Isolated")
    who = shared.struck("Who, by name")


class PermissionsForm(HelperForm):
    seldom = ("mp",)

    unit = Pick.among("Unit", UnitKind)
    side = shared.side()
    phase = NumberField("Phase", 1, 15, initial=1)
    marker = Pick.among("Marker", Marker)
    moved_last_phase = TickField("It moved in its side's last movement phase")
    used_if = TickField("Its indirect AF is used up for this turn")
    fired_opportunity = TickField("It has fired at moving enemies")
    attacked_by_adjacent = TickField("Unpinned infantry beside it attacks it")
    mp = NumberField("Its printed MP", 0, 30, initial=None)


HELPERS = (
    shared.look_up(
        "permissions",
        title="What a unit may do",
        group=GROUP,
        purpose="Move, fire, spot: in this phase, under its marker.",
        rules=("2.25", "9.112", "9.113", "14.02", "14.11", "14.21"),
        form=PermissionsForm,
        rule=gather_inputs(permissions.Situation, permissions.permissions),
        outcomes=IsShown,
    ),
    shared.look_up(
        "movement",
        title="Movement points",
        group=GROUP,
        purpose="What a unit has in this phase, and what the Volga costs it.",
        rules=("8.01", "8.03", "8.05", "8.64", "8.65", "10.7"),
        form=MovementForm,
        rule=movement.movement,
        outcomes=IsShown,
        steps=("3", "4", "7", "10", "11", "14"),
    ),
    shared.game_helper(
        "dismount",
        title="Getting down and mounting",
        group=GROUP,
        purpose="Whether motorized units go on foot as a movement phase begins, or mount again.",
        rules=("8.71", "8.72", "8.73", "8.74"),
        form=DismountingForm,
        rule=dismounting.dismount,
        outcomes=Allowed,
        steps=("3", "4", "7", "10", "11", "14"),
    ),
    shared.look_up(
        "reserves",
        title="Reserves movement",
        group=GROUP,
        purpose="Whether a unit may move in reserve.",
        rules=("8.31", "8.32"),
        form=ReservesForm,
        rule=reserves.reserves,
        outcomes=Allowed,
        steps=("4", "11"),
    ),
    shared.look_up(
        "deployment",
        title="Deployment movement",
        group=GROUP,
        purpose="Whether a unit may move at double its MP.",
        rules=("8.24",),
        form=DeploymentForm,
        rule=reserves.deployment,
        outcomes=Allowed,
        steps=("3", "10"),
    ),
    shared.look_up(
        "minefield",
        title="Entering a minefield",
        group=GROUP,
        purpose="Whether a unit stops there.",
        rules=("17.22",),
        form=MinefieldForm,
        rule=movement.minefield,
        outcomes=movement.Minefield,
    ),
    shared.look_up(
        "volga",
        title="Volga crossing limits",
        group=GROUP,
        purpose="How many may cross at one place.",
        rules=("8.66",),
        form=VolgaForm,
        rule=volga.volga_limits,
        outcomes=Allowed,
        steps=("10", "14"),
    ),
)
