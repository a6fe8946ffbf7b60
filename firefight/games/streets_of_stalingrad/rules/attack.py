"""An attack: every line of 9.71, the column, the result, and what it asks for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Numbers
from firefight.engine.rolls.modifiers import Modifier
from firefight.engine.rolls.result import FollowUp, Result

from .crt import has_p
from .fire import Fire, Shot, take_aim
from .losses import Cause, Retreat, Struck, find_retreat
from .terms import Terrain

RULES = ("9.71 Attacker DRMs for CRT", "9.81 Combat Results")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Fire):
    """What else decides an attack. ``leaders``: how many attack, without Pavlov in his house.

    ``terrain_drm``: None for the chart's. ``only_indirect_left``: all direct fire was pinned or spent (9.66, note).
    """

    from_volga: bool = False
    on_enemy_minefield: bool = False
    fortification: bool = False
    target_all_armored: bool = False
    adjacent_leader: bool = False
    terrain_drm: int | None = None
    assault_advantage: bool = False
    engineers: bool = False
    armor_with_infantry: bool = False
    leaders: int = 0
    pavlov_house_attacker: bool = False
    if_with_direct: bool = False
    adjacent_infantry: bool = False
    target_nkvd: bool = False
    only_indirect_left: bool = False
    strong_point: str = "stays"

    @property
    def has_leader(self) -> bool:
        """Whether a leader is in the target hex."""
        return self.leader_in_target or self.pavlov_house_target

    @property
    def struck(self) -> Struck:
        """The target hex as a P finds it."""
        return Struck(
            self.terrain,
            Cause.ATTACK,
            adjacent_infantry=self.adjacent_infantry and not self.only_indirect_left,
            fortification=self.fortification,
            nkvd=self.target_nkvd,
            leader=self.has_leader,
            strong_point=self.strong_point,
        )


def attack(*, charts: Book, die: int | None = None, **fields: Any) -> Result:
    """Resolve an attack on the Combat Results Table (9.71, 9.81 to 9.884). ``fields``: those of Attack."""
    attack = Attack(**fields)
    title = f"{attack.firer.word} attack on {attack.terrain.word}"
    shift = attack.close_assault and not attack.only_indirect_left
    aim = take_aim(charts, attack, list_attack_lines(charts, attack), title=title, rules=RULES, shift=shift)
    if die is None:
        return aim.wait()
    shot = aim.throw(die)
    retreat = find_retreat(attack.struck).value if has_p(shot.result) else None
    return shot.tell(
        {"retreat": retreat, "lost": shot.lost},
        _list_effects(attack, shot, retreat),
        _follow(attack, shot),
    )


def list_attack_lines(charts: Book, attack: Attack) -> Iterable[Modifier]:
    """Every line of 9.71 that counts, in its order; those of 0 among them."""
    spotting = Modifier("Spotting: penalties alone", max(0, attack.spotting), "9.66, note")
    spotting_line, *firers = attack.list_firers()
    yield spotting if attack.only_indirect_left else spotting_line
    yield from firers
    yield Modifier("Attack from a Volga hex", int(attack.from_volga), "9.62")
    yield from attack.list_armour(is_waived=attack.is_molotov)
    yield Modifier("Attack from an enemy minefield", int(attack.on_enemy_minefield), "17.23")
    yield from list_target(attack.fortification, attack.target_all_armored)
    yield from attack.list_leader()
    yield Modifier("Enemy leader next to the target", int(attack.adjacent_leader), "18.21")
    yield find_terrain(charts, attack.terrain, attack.terrain_drm)
    yield Modifier("Assault advantage", -int(attack.assault_advantage), "9.71")
    yield Modifier("Combat engineers or flame-throwers", -int(_uses_engineers(attack)), "9.71")
    yield Modifier("Armour together with infantry", -int(attack.armor_with_infantry), "9.71")
    yield Modifier("Leaders who attack", -attack.leaders, "9.71")
    yield Modifier("Pavlov attacks from his house", -2 * int(attack.pavlov_house_attacker), "18.18 Pavlov")
    yield Modifier("Indirect with direct fire", -int(attack.if_with_direct and not attack.only_indirect_left), "9.71")
    yield from attack.list_other()


def list_target(fortification: bool, only_armour: bool) -> Iterable[Modifier]:
    """The fortification of the target hex; it does nothing for armour, trains and immobilized tanks (17.31)."""
    yield Modifier("Fortification", int(fortification and not only_armour), "17.31")


def find_terrain(charts: Book, terrain: Terrain, drm: int | None) -> Modifier:
    """What the terrain of the target adds: as given, or as the chart has it. Raises MissingChart for a blank."""
    if drm is None:
        chart = charts["terrain"]
        assert isinstance(chart, Numbers)
        drm = chart.get(terrain.value)
    return Modifier(f"Terrain: {terrain.word}", drm, "9.71, TEC")


def is_for_engineers(terrain: Terrain, fortification: bool) -> bool:
    """Whether engineers and flame-throwers count against such a target (9.71)."""
    return fortification or terrain.is_built_up or terrain in (Terrain.SUBURB, Terrain.STRONG_POINT)


def _uses_engineers(attack: Attack) -> bool:
    return attack.engineers and is_for_engineers(attack.terrain, attack.fortification)


def _list_effects(attack: Attack, shot: Shot, retreat: str | None) -> Iterable[str]:
    if attack.engineers and not _uses_engineers(attack):
        yield "Engineers and flame-throwers count in suburb, built-up, strong point or fortified hexes alone (9.71)."
    if attack.close_assault and attack.only_indirect_left:
        yield "No shift: nobody is left to close in (9.67)."
    if attack.is_molotov and attack.target_armored and not attack.underlined_af:
        yield "From 26 September Soviets need no underlined AF next to armour in such a hex (9.93)."
    if retreat:
        yield RETREATS[retreat]
    if shot.hit.empties and not attack.only_marks:
        yield "The hex is empty: attackers next to it may advance (9.85)."
    yield "All who attacked are spent (9.18)."


RETREATS = {
    "must": "All units retreat one hex, or are eliminated where they cannot (9.87).",
    "choice": "All retreat one hex, or one combat unit is eliminated and the rest stay: its owner says (9.88).",
    "no": "Nobody retreats (9.883).",
}


def _follow(attack: Attack, shot: Shot) -> Iterable[FollowUp]:
    yield from shot.follow_losses(attack.has_leader)
    defender = attack.firer.other
    if has_p(shot.result) and find_retreat(attack.struck) is Retreat.CHOICE:
        inputs = {**attack.struck.plain(), "side": defender.value}
        yield FollowUp("p-result", f"{defender.word} units under the P", inputs)
    if shot.hit.empties and not attack.only_marks:
        yield FollowUp("advance", "Advance into the empty hex", {})
        yield FollowUp(
            "may-counter-attack", f"{defender.word} counter-attack, once the hex is taken", {"side": defender.value}
        )
