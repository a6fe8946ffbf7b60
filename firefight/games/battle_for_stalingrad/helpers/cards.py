"""Cards to look up: terrain, units, militia, and the counters that the Germans deploy."""

from functools import partial

from django import forms

from firefight.kit import Helper, HelperForm, NumberField, Pick, TickField

from ..game import SLUG
from ..rules import deployment, units
from ..rules.terrain import SOVIET, Fire, TerrainOutcome, show_terrain
from .fire import side_field, terrain_field


class TerrainForm(HelperForm):
    """Inputs of a terrain card."""

    terrain = terrain_field()
    hex = forms.CharField(label="Hex", max_length=4, required=False)
    volga_bank = TickField("On the bank of the Volga")
    occupant = side_field("Held by", SOVIET)
    road = TickField("Along a road")
    across_river = TickField("Across a river")
    fire = Pick.among("Fire into it", Fire)
    engineer = TickField("An engineer takes part")
    adjacent = TickField("Artillery next to the hex")
    indirect_artillery = TickField("Soviet artillery that defends indirectly")


class UnitForm(HelperForm):
    """Inputs of a unit card."""

    side = side_field("Side", "german")
    unit = Pick.among("Unit", units.Unit)
    guards = TickField("Guards")
    printed_strength = NumberField("Printed Fire Strength", 0, 20, initial=None)
    action = Pick.among("What it does", units.Action)
    terrain = terrain_field("Terrain fired into")
    foot_in_stack = TickField("Infantry, engineers, reconnaissance or workers of its stack fire too")


class MilitiaForm(HelperForm):
    """Inputs of what happens to militia."""

    event = Pick.among("What happens", units.Event)
    with_non_militia = TickField("Stacked with another kind of unit")
    sole = TickField("Alone in the hex")


class DeployedField(forms.CharField):
    """What a match has ticked off: its record fills it in, nobody is asked."""

    def __init__(self) -> None:
        super().__init__(label="Deployed before", max_length=2_000, required=False, widget=forms.HiddenInput())

    def prepare_value(self, value: object) -> str:
        ticked = deployment.list_ticked(value) if isinstance(value, dict) else value
        return ",".join(map(str, ticked)) if isinstance(ticked, list | tuple) else str(ticked or "")

    def clean(self, value: object) -> tuple[deployment.Ticked, ...]:
        text = super().clean(self.prepare_value(value))
        try:
            return tuple(deployment.read_ticked(token) for token in text.split(",") if token)
        except ValueError:
            raise forms.ValidationError("This should be 29_mot:6-2-24:1, with commas between such.") from None


class DeploymentForm(HelperForm):
    """Inputs of the deployment list."""

    formation = Pick("Formation", {"": "All", **deployment.FORMATIONS})
    values = forms.CharField(label="Counter, such as 6-2-24", max_length=12, required=False)
    deploy = NumberField("Tick off this many as deployed", 0, 9)
    deploy_all = TickField("Tick off all that are left of these")
    deployed = DeployedField()


# A helper without dice.
declare_card = partial(Helper, SLUG, group="Cards", suggests=True)

HELPERS = (
    declare_card(
        "terrain",
        title="Terrain",
        purpose="What a hex costs, and what it does to fire into it and to its defenders.",
        rules=("3.21 Terrain Effects Chart",),
        form=TerrainForm,
        rule=show_terrain,
        outcomes=TerrainOutcome,
    ),
    declare_card(
        "unit",
        title="Unit",
        purpose="What a kind of unit can do, and which Fire Strength it uses.",
        rules=("3.23 Unit Capabilities Summary",),
        form=UnitForm,
        rule=units.show_unit,
        outcomes=units.UnitOutcome,
    ),
    declare_card(
        "militia",
        title="Militia",
        purpose="What overrun, lack of supply, collapse and attack do to militia.",
        rules=("3.23 Militia",),
        form=MilitiaForm,
        rule=units.militia,
        outcomes=units.MilitiaOutcome,
    ),
    declare_card(
        "deployment",
        title="German deployment",
        purpose="The German counters by formation, and which of them stand on the map.",
        rules=(deployment.RULE,),
        form=DeploymentForm,
        rule=deployment.count_counters,
        outcomes=deployment.DeploymentOutcome,
    ),
)
