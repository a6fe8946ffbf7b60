"""Helpers of a fire: attack, defensive fire, close assault, integrity, assault advantage."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from firefight.engine.rolls.answers import Allowed, Counted
from firefight.kit import HelperForm, NumberField, Pick, TickField, TokensField

from ..rules import attack, close_assault, defensive_fire, integrity
from ..rules.crt import CombatOutcome
from ..rules.marking import mark
from ..rules.sequence import lead_on
from . import shared
from .shared import DIE, MOST_POINTS, card_helper, game_helper

GROUP = "Combat"
DAY = "The day, and what was agreed"  # a heading of the sheets
BRIEF = {outcome.value: outcome.word for outcome in reversed(CombatOutcome)} | {"no_effect": "nothing"}


class ShotForm(HelperForm):
    """What all who fire are asked, guns and Stukas alone, too."""

    buttons = shared.TERRAIN_FIRST

    hex = shared.target_hex()
    terrain = shared.terrain("Terrain of the target")
    target_armored = TickField("Armour in the target hex")
    pavlov_house_target = TickField("He is Pavlov, in his house")
    spotting = NumberField("Spotting", -2, 4)
    out_of_supply = NumberField("Out of supply marker, the highest", 0, 9)  # of several (19.5; ruling A10)
    nkvd = TickField("NKVD among those who fire")
    underlined_af = TickField("Somebody's AF is underlined")
    gun_names = shared.gun_names()
    date = shared.date()
    other_drm = NumberField("Other DRM", -100, 100)
    at = shared.struck()


class FireForm(ShotForm):
    """What an attack asks as fire in defence does."""

    beside = ("terrain",)  # no counter says it

    integrity = NumberField("Unit integrity", -5, 5)
    # Once a phase, and not in a phase in which they fire indirectly (14.03).
    flak_names = TokensField("88s that fire directly, by name", most=20)
    combat_units = NumberField("Combat units in the target, no immobilized tanks", 0, 12)
    immobilized = NumberField("Immobilized tanks in it", 0, 4)
    tanks_alone = TickField("Only tanks and StuGs, at range 2 or more, at men on foot")
    # The chart's note on them (ruling A01).
    tank_note = shared.agreed("Tanks and StuGs alone", {"deleted": "eliminate", "kept": "only mark"})


class AttackForm(FireForm):
    """Inputs of an attack: the target first, then who attacks."""

    filled_from = {"firer": "side"}
    remembered: ClassVar[tuple[str, ...]] = ("spotting", "terrain")
    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "The target": (
            *("terrain", "terrain_drm", "fortification", "target_armored", "leader_in_target", "adjacent_leader"),
            *("target_nkvd", "target_all_armored", "pavlov_house_target", "combat_units", "immobilized", "at"),
        ),
        "The attackers": (
            *("spotting", "integrity", "leaders", "out_of_supply", "adjacent_infantry", "not_adjacent"),
            *("close_assault", "assault_advantage", "engineers", "armor_with_infantry", "underlined_af"),
            *("if_with_direct", "nkvd", "only_indirect_left", "tanks_alone", "pavlov_house_attacker", "from_volga"),
            *("on_enemy_minefield", "by"),
        ),
        DAY: ("date", "other_drm", "tank_note", "strong_point"),
    }
    ahead: ClassVar[tuple[str, ...]] = ("hex", "flying", "gun_names", "flak_names")
    seldom: ClassVar[tuple[str, ...]] = (
        *("flying", "gun_names", "flak_names"),
        *("date", "target_all_armored", "pavlov_house_target", "pavlov_house_attacker", "target_nkvd", "from_volga"),
        *("on_enemy_minefield", "only_indirect_left", "combat_units", "immobilized", "tanks_alone", "tank_note"),
        *("strong_point", "other_drm", "by", "at"),
    )

    firer = shared.side("Attacker")
    points = shared.points("AF that attack")
    terrain_drm = NumberField("Its modifier, if not the chart's", -9, 9, initial=None)
    fortification = TickField("Fortification")
    target_all_armored = TickField("Nothing but armour, trains or immobilized tanks")
    leader_in_target = TickField("Leader in the target hex")
    adjacent_leader = TickField("Enemy leader next to the target, himself not attacked")
    target_nkvd = TickField("NKVD in the target hex")
    close_assault = TickField("Close assault: one column up")
    adjacent_infantry = TickField("Unpinned infantry type attacks from the next hex")
    not_adjacent = TickField("Nobody attacks from the next hex")
    assault_advantage = TickField("Assault advantage")
    engineers = TickField("Combat engineers or flame-throwers")
    armor_with_infantry = TickField("Armour with infantry in one hex")
    leaders = NumberField("Leaders who attack", 0, 6)
    pavlov_house_attacker = TickField("Pavlov, too, from his house")
    if_with_direct = TickField("Guns fire with direct fire")
    flying = shared.flying()
    only_indirect_left = TickField("Only guns or Stukas are left")
    from_volga = TickField("From a Volga hex")
    on_enemy_minefield = TickField("From an enemy minefield")
    strong_point = shared.strong_point()
    by = shared.firing()


class DefensiveFireForm(FireForm):
    """Inputs of defensive and opportunity fire. Whose phase it is does not say who fires."""

    filled_from = {"firer": ""}
    remembered = ("firer", "spotting")
    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Who is fired at": (
            *("terrain", "target_armored", "leader_in_target", "pavlov_house_target", "target_on_minefield"),
            *("soviet_target_on_volga", "target_only_river_flotilla", "combat_units", "immobilized", "at"),
        ),
        "Who fires": (
            *("spotting", "integrity", "sniper", "out_of_supply", "not_adjacent", "close_assault", "spent", "pinned"),
            *("bystanders", "leader_with_firers", "pavlov_house_firers", "underlined_af", "nkvd", "tanks_alone"),
            *("after_all", "by"),
        ),
        DAY: ("date", "other_drm", "tank_note", "pavlov", "waiver"),
    }
    ahead = ("hex", "gun_names", "flak_names")
    seldom = (
        *("gun_names", "flak_names"),
        *("date", "soviet_target_on_volga", "target_only_river_flotilla", "target_on_minefield"),
        *("pavlov_house_target", "pavlov_house_firers", "combat_units", "immobilized", "tanks_alone", "tank_note"),
        *("pavlov", "waiver", "other_drm", "by", "at"),
    )

    kind = Pick.among("Fire", defensive_fire.FireKind)
    firer = shared.side("Who fires")
    points = shared.points("DF that fire")
    close_assault = TickField("Against a close assault: one column up")
    leader_in_target = TickField("Enemy leader in the target hex")
    target_on_minefield = TickField("Target on an enemy minefield")
    soviet_target_on_volga = TickField("Soviet target on a Volga hex")
    target_only_river_flotilla = TickField("Nothing but river flotilla")
    not_adjacent = TickField("The target is not in the next hex")
    spent = TickField("A spent unit fires")
    pinned = TickField("A pinned unit fires")
    bystanders = TickField("Nobody attacks those who fire")
    leader_with_firers = TickField("Leader with those who fire")
    pavlov_house_firers = TickField("He is Pavlov, in his house")
    sniper = NumberField("Sniper: 1, Zaitsev: 2", 0, 2)
    after_all = shared.after_all("Does anybody fire?")
    pavlov = shared.agreed("Pavlov's 2", {"everywhere": "wherever another gives 1", "attacks": "in attacks alone"})
    waiver = shared.agreed("Armour from 26 September", {"fire": "defensive fire", "opportunity": "any fire"})
    by = shared.firing(with_sorts=True)


class CloseAssaultForm(HelperForm):
    attack_points = NumberField("AF that attack", 1, MOST_POINTS)
    defence_points = NumberField("DF that fire first", 0, MOST_POINTS)
    eligible_before = TickField("Unpinned, unspent infantry or engineer attacks from the next hex")
    eligible_after = TickField("One is left after defensive fire")


class IntegrityForm(HelperForm):
    same_battalion = TickField("Two or more of one battalion in a hex: German, Guards or Marine infantry")
    mixed_battalions = TickField("An attacking hex mixes infantry battalions")
    same_regiment = TickField("Four or more of one regiment from two hexes: German or Guards infantry")
    mixed_regiments = TickField("An attacking hex mixes infantry regiments")
    defenders_mixed = TickField("The defenders mix divisions, brigades or corps")
    mixed_divisions = TickField("An attacking hex mixes divisions, brigades or corps")
    armor_battalion = TickField("Three or more German tanks or StuGs of one battalion or regiment attack from a hex")
    defenders_clear = TickField("The defenders are in a clear hex")
    armor_pair = TickField("Two or more of these fire defensively from a hex at one target")
    leader_of_formation = TickField("A leader of one of these formations attacks with them")


class AssaultAdvantageForm(HelperForm):
    attack_sides = TokensField("Sides of the hex attacked from, 0 to 5 around", low=0, high=5, most=6)
    surrounded = TickField("All six hexes: enemy, or enemy ZOC")


HELPERS = (
    game_helper(
        "attack",
        title="Attack",
        group=GROUP,
        purpose="Every modifier of an attack, its column, its result, who retreats.",
        rules=("9.71 Attacker DRMs for CRT", "9.81 Combat Results"),
        form=AttackForm,
        rule=mark(attack.attack, spends=True),
        outcomes=CombatOutcome,
        dice=(DIE,),
        brief=BRIEF,
        steps=("5", "8", "12", "15"),
        decided_by="firer",
        leads=partial(lead_on, "attack"),
    ),
    game_helper(
        "defensive-fire",
        title="Defensive and opportunity fire",
        group=GROUP,
        purpose="Fire by those who are attacked, or at movers.",
        rules=(defensive_fire.DRMS, "11.1"),
        form=DefensiveFireForm,
        rule=mark(defensive_fire.defensive_fire),
        outcomes=CombatOutcome,
        dice=(DIE,),
        brief=BRIEF,
        steps=("3", "4", "5", "7", "8", "10", "11", "12", "14", "15"),
        decided_by="firer",
        leads=partial(lead_on, "defensive-fire"),
    ),
    card_helper(
        "close-assault",
        title="Close-assault bonus",
        group=GROUP,
        purpose="Both columns, one higher.",
        rules=("9.67 Close Assault Bonus",),
        form=CloseAssaultForm,
        rule=close_assault.close_assault,
        outcomes=Allowed,
    ),
    card_helper(
        "integrity",
        title="Unit integrity",
        group=GROUP,
        purpose="What formations add to an attack, and to fire in defence.",
        rules=("9.73 Unit Integrity",),
        form=IntegrityForm,
        rule=integrity.integrity,
        outcomes=Counted,
    ),
    card_helper(
        "assault-advantage",
        title="Assault advantage",
        group=GROUP,
        purpose="Whether the target is attacked from all around.",
        rules=("9.71 Attacker DRMs for CRT",),
        form=AssaultAdvantageForm,
        rule=integrity.assault_advantage,
        outcomes=integrity.Advantage,
    ),
)
