"""The close combat of a sector, read slowly: every rule asked pair by pair, every bout tried.

It takes fighters, battles and bouts as campaign.rules.battle has them, and shares no rule with it.
"""

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations

from campaign.rules.leaders import Side
from tests.books import grid_result

WORTH = {"squad": Fraction(1), "half_squad": Fraction(1, 2), "sw_team": Fraction(1, 2), "crew": Fraction(1, 2)}
LEADERS = ("leader", "wounded_leader")
LADDER = [(n, 1) for n in range(200, 0, -1)] + [(1, n) for n in range(2, 201)]
ROLLED = ("1-3", "1-2", "1-1", "2-1", "3-1")


def is_foot(unit):
    return unit.kind not in LEADERS and unit.kind != "vehicle"


class Page:
    """A battle as a player sees it who looks at one pair of counters at a time."""

    def __init__(self, battle):
        self.battle = battle
        self.there = [unit for unit in battle.fighters if unit.in_cc or not battle.existing]
        self.waiting = [unit for unit in self.there if unit.key not in battle.fought and self.stands_alone(unit)]

    def stands_alone(self, unit):
        """19.3.6."""
        if unit.kind not in LEADERS:
            return True
        mates = [mate for mate in self.there if mate.side == unit.side and is_foot(mate)]
        return not any(mate.hex == unit.hex or not self.battle.existing for mate in mates)

    def only_fights_back(self, unit):
        """20.6.4 step 3."""

        def is_stuck(one):
            return one.m_killed and not one.enemy_in_hex

        someone_can = any(not is_stuck(one) for one in self.there if self.stands_alone(one))
        return not self.battle.existing and is_stuck(unit) and someone_can

    def enemies(self, unit):
        return [enemy for enemy in self.waiting if enemy.side != unit.side]

    def nearer(self, unit, one, two):
        """Whether the first of two enemies is known to be nearer to a unit than the second."""
        if None in (unit.hex, one.hex, two.hex):
            return False
        hexes = self.battle.hex_map.distance
        return hexes(unit.hex, one.hex) < hexes(unit.hex, two.hex)

    def goes_for(self, unit, enemy):
        """Whether a unit that waits may pick that enemy on its own."""
        if unit not in self.waiting or enemy not in self.waiting or self.only_fights_back(unit):
            return False
        if self.battle.existing:
            return unit.hex == enemy.hex
        return not any(self.nearer(unit, other, enemy) for other in self.enemies(unit))

    def picks(self):
        attacker = self.battle.attacker
        (other,) = (side for side in Side if side != attacker)
        can = {
            side: any(self.goes_for(u, e) for u in self.waiting if u.side == side for e in self.enemies(u))
            for side in Side
        }
        return other if can[other] and not can[attacker] else attacker

    def allows(self, attackers, defenders):
        """Whether these keys may fight each other now."""
        known = {unit.key: unit for unit in self.battle.fighters}
        ours, theirs = ([known[key] for key in keys] for keys in (attackers, defenders))
        if not ours or not theirs or any(unit.side != self.picks() for unit in ours):
            return False
        if any(unit.side == self.picks() for unit in theirs):
            return False
        return self.may_meet(ours, theirs) and self.leaves_nobody(ours, theirs) and self.leaves_nobody(theirs, ours)

    def may_meet(self, ours, theirs):
        """Whether these units may fight each other, whatever becomes of the rest."""
        if any(unit.key in self.battle.fought or unit not in self.there for unit in ours + theirs):
            return False
        if any(not self.has_escort(unit, mates) for mates in (ours, theirs) for unit in mates):
            return False
        if self.battle.existing:
            return len({unit.hex for unit in ours + theirs}) == 1
        return self.fits(ours) and self.fits(theirs) and self.in_order(ours, theirs)

    def leaves_nobody(self, ours, theirs):
        """Whether none of the first side is left without an enemy in this round who could have one."""
        side, bout = ours[0].side, ours + theirs
        if self.battle.existing:
            here = [unit for unit in self.there if unit.hex == ours[0].hex and unit not in bout]
            left = [unit for unit in here if unit.side == side and unit.key not in self.battle.fought]
            enemies = [unit for unit in here if unit.side != side and unit in self.waiting]
            too_many = bool(left) and not enemies
        else:
            left = [unit for unit in self.waiting if unit.side == side and unit not in bout]
            enemies = [unit for unit in self.waiting if unit.side != side and unit not in bout]
            too_many = len(self.hexes_full(left)) > len(enemies)
            if too_many and sum(unit in self.waiting for unit in theirs) > 1:
                return False
        return not (too_many and any(self.may_meet([*ours, unit], theirs) for unit in left))

    def hexes_full(self, units):
        """The units sorted into as few hexes as hold them."""
        hexes = []
        for unit in sorted(units, key=lambda unit: -WORTH.get(unit.kind.value, 0)):
            room = next((there for there in hexes if self.fits([*there, unit])), None)
            if room is None:
                hexes.append([unit])
            else:
                room.append(unit)
        return hexes

    def has_escort(self, unit, mates):
        return self.stands_alone(unit) or any(is_foot(mate) for mate in mates)

    def fits(self, units):
        limit = self.battle.stacking
        squads = sum(WORTH.get(unit.kind.value, 0) for unit in units)
        vehicles = sum(unit.kind == "vehicle" for unit in units)
        return squads <= limit.squads and vehicles <= limit.vehicles

    def in_order(self, ours, theirs):
        ours, theirs = ([unit for unit in units if self.stands_alone(unit)] for units in (ours, theirs))
        for unit, enemies in chain(((u, theirs) for u in ours), ((u, ours) for u in theirs)):
            if not self.only_fights_back(unit) and not any(self.goes_for(unit, enemy) for enemy in enemies):
                return False
        return all(self.goes_for(one, two) or self.goes_for(two, one) for one in ours for two in theirs)


def subsets(items):
    """Every choice of at least one."""
    return chain.from_iterable(combinations(items, size) for size in range(1, len(items) + 1))


def halved(unit, value, in_sector):
    return value // 2 if unit.disrupted or (unit.rider and not in_sector) else value


def column_of(attack, defense, hand_to_hand):
    """The column that an attack is rolled on, or "lost" or "won"."""
    if attack == 0:
        return "lost"
    if defense == 0:
        return "won"
    place = next(p for p, (a, d) in enumerate(LADDER) if Fraction(attack, defense) >= Fraction(a, d))
    a, d = LADDER[place - hand_to_hand]
    name = f"{a}-{d}"
    return name if name in ROLLED else "won" if d == 1 else "lost"


def one_attack(battle, bout, side):
    """(column, sum of DRM) of one side's attack."""
    known = {unit.key: unit for unit in battle.fighters}
    units = [known[key] for key in (*bout.attackers, *bout.defenders)]
    attack, defense = [u for u in units if u.side == side], [u for u in units if u.side != side]
    in_sector = not battle.existing
    vehicles = [unit for unit in defense if unit.kind == "vehicle"]
    at_afv = bool(vehicles) and not any(is_foot(unit) for unit in defense)
    values = {
        unit.key: halved(unit, 1 if at_afv and unit.weapon == "demo_charge" else unit.ccv, in_sector) for unit in attack
    }
    drm = 0
    lenders = [unit for unit in attack if unit.role in ("nco", "officer") and not unit.disrupted]
    if lenders and side not in bout.by_value and any(unit.kind not in LEADERS for unit in attack):
        drm -= 5
        del values[sorted(lenders, key=lambda unit: (unit.ccv, unit.key))[0].key]
    drm -= 10 * (at_afv and any(unit.weapon == "demo_charge" for unit in attack))
    drm -= 10 * any(unit.weapon == "flamethrower" for unit in attack)
    drm -= 10 * (at_afv and all(unit.m_killed for unit in vehicles))
    drm -= 10 * (at_afv and side in bout.from_cover)
    by_foot = any(unit.kind != "vehicle" for unit in attack)
    drm += 10 * (at_afv and battle.existing and by_foot and bool(bout.in_open - {side}))
    resistance = sum(halved(unit, unit.ccv, in_sector) for unit in defense)
    return column_of(sum(values.values()), resistance, bout.hand_to_hand), drm


def worst(told):
    """What several things come to that happen to one unit."""
    if len(told) == 1:
        return told[0]
    return "m_killed" if set(told) == {"m_killed"} else "eliminated"


def slow_effects(battle, bout, faces):
    """{key: fate} of a bout. ``faces``: a die for every roll and every unit, used when it is asked for."""
    known = {unit.key: unit for unit in battle.fighters}
    told = {}
    for name, strikers, struck in (
        ("attack", bout.attackers, bout.defenders),
        ("defense", bout.defenders, bout.attackers),
    ):
        column, drm = one_attack(battle, bout, strikers[0][0])
        if column in ("won", "lost"):
            for key in struck if column == "won" else strikers:
                told.setdefault(key, []).append("eliminated")
            continue
        result = grid_result("cct", column, faces[name] + drm)
        if not result:
            continue
        dice = {key: faces[f"{name}_hit_{place}"] for place, key in enumerate(struck, 1)}
        for key in struck:
            if len(struck) == 1 or dice[key] == max(dice.values()):
                told.setdefault(key, []).append("eliminated" if result == "E" else casualty(known[key]))
    return {key: worst(fates) for key, fates in told.items()}


def casualty(unit):
    return {"squad": "reduced", "leader": "wounded", "vehicle": "m_killed"}.get(unit.kind.value, "eliminated")


def slow_odds(battle, bout, side):
    """{result: faces of 100} of a rolled attack."""
    column, drm = one_attack(battle, bout, side)
    return Counter(grid_result("cct", column, face + drm) for face in range(1, 101))
