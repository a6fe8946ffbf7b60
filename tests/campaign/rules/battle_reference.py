"""The close combat of a sector, read slowly: every rule asked pair by pair, every bout tried.

It takes fighters, battles and bouts as campaign.rules.combat.battle has them, and shares no rule with it.
"""

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations

from firefight.games.combat_stalingrad.rules.melee.attacks import Attack
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.books import grid_result

WORTH = {"squad": Fraction(1), "half_squad": Fraction(1, 2), "sw_team": Fraction(1, 2), "crew": Fraction(1, 2)}
LEADERS = ("leader", "wounded_leader")
LADDER = [(n, 1) for n in range(200, 0, -1)] + [(1, n) for n in range(2, 201)]
ROLLED = ("1-3", "1-2", "1-1", "2-1", "3-1")


def is_foot(unit):
    return unit.kind not in LEADERS and unit.kind != "vehicle"


def same_place(one, other):
    return (one.hex, one.level) == (other.hex, other.level)


def divided(bout):
    """The attacks of a bout; where none are given, each side attacks the other as one."""
    if bout.attacks is not None:
        return list(bout.attacks)
    return [Attack(bout.attackers, bout.defenders), Attack(bout.defenders, bout.attackers)]


class Page:
    """A battle as seen by a player who looks at one pair of counters at a time."""

    def __init__(self, battle):
        self.battle = battle
        self.there = [unit for unit in battle.fighters if not battle.existing or self.is_under_way(unit)]
        self.waiting = [unit for unit in self.there if unit.key not in battle.fought and self.stands_alone(unit)]

    def is_under_way(self, unit):
        """A-46: a marker of its own, or one on anybody in the same hex and on the same level."""
        neighbours = [other for other in self.battle.fighters if unit.hex and same_place(unit, other)]
        return unit.in_cc or any(other.in_cc for other in neighbours)

    def stands_alone(self, unit):
        """19.3.6."""
        if unit.kind not in LEADERS:
            return True
        mates = [mate for mate in self.there if mate.side == unit.side and is_foot(mate)]
        return not any(same_place(mate, unit) or not self.battle.existing for mate in mates)

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
            return same_place(unit, enemy)
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
        return self.may_meet(ours, theirs) and self.is_turn_of(ours + theirs)

    def may_meet(self, ours, theirs):
        """Whether these units may fight each other, whatever becomes of the rest."""
        if any(unit.key in self.battle.fought or unit not in self.there for unit in ours + theirs):
            return False
        if any(not self.has_escort(unit, mates) for mates in (ours, theirs) for unit in mates):
            return False
        if self.battle.existing:
            return all(same_place(unit, ours[0]) for unit in ours + theirs)
        return self.fits(ours) and self.fits(theirs) and self.in_order(ours, theirs)

    def is_turn_of(self, bout):
        """Step 1: all of the place. Step 3: those that had no enemy in the last round before anybody else (A-45)."""
        if self.battle.existing:
            neighbours = [unit for unit in self.there if same_place(unit, bout[0])]
            return all(unit in bout or unit.key in self.battle.fought for unit in neighbours)
        first = [unit for unit in self.waiting if unit.key in self.battle.waited and self.has_a_match(unit)]
        return not first or any(unit in bout for unit in first)

    def has_a_match(self, unit):
        return any(self.in_order([unit], [enemy]) for enemy in self.enemies(unit))

    def may_attack(self, bout):
        """Whether the attacks of a bout are divided as 19.2.1 and 20.6.4 step 3 have it."""
        known = {unit.key: unit for unit in self.battle.fighters}
        attacks = divided(bout)
        if not attacks:
            return False
        by = [key for attack in attacks for key in attack.by]
        on = [key for attack in attacks for key in attack.on]
        if len(set(by)) < len(by) or len(set(on)) < len(on):
            return False
        for attack in attacks:
            (side,) = {key[0] for key in attack.by}
            led = led_by(bout, [known[key] for key in bout.keys])
            if any(not self.stands_alone(known[key]) and led.get(key) not in attack.on for key in attack.on):
                return False
            for key in attack.by:
                fights_it = [a.by for a in attacks if a.by[0][0] != side and key in a.on]
                if self.only_fights_back(known[key]) and not set(attack.on) <= set(chain(*fights_it)):
                    return False
        return all(self.spares_nobody(side, bout, known) for side in Side)

    def spares_nobody(self, side, bout, known):
        """19.2.1: a single enemy is attacked by all as one."""
        alone = [key for key in bout.keys if key[0] != side and self.stands_alone(known[key])]
        able = {key for key in bout.keys if key[0] == side and not self.only_fights_back(known[key])}
        if len(alone) > 1 or not able:
            return True
        return any(able <= set(attack.by) for attack in divided(bout))

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


def led_by(bout, units):
    """{leader: the infantry that he defends with}: the one named, or the first of his side."""
    chosen, escorts = dict(bout.escorts), {}
    for leader in units:
        mates = [unit.key for unit in units if unit.side == leader.side and is_foot(unit)]
        if leader.kind in LEADERS and mates:
            escorts[leader.key] = chosen[leader.key] if chosen.get(leader.key) in mates else mates[0]
    return escorts


def struck(battle, bout, on):
    """Those that an attack on these keys may hit: they, and the leaders that defend with them."""
    known = {unit.key: unit for unit in battle.fighters}
    led = led_by(bout, [known[key] for key in bout.keys])
    marks = [key for key in on if key not in led]
    return [known[key] for key in marks + [leader for leader, mate in led.items() if mate in marks]]


def worth(unit, battle, bout, at_afv=False):
    value = 1 if at_afv and unit.weapon == "demo_charge" else unit.ccv
    rides = not battle.existing or not (unit.rider or unit.key in bout.riders)
    return value // 2 if unit.disrupted or not rides else value


def is_at_afv(units):
    return any(unit.kind == "vehicle" for unit in units) and not any(is_foot(unit) for unit in units)


def is_lost(battle, bout, side):
    """19.3.7, A-44: all units of a side, leaders with their CCV, have 1-4 or worse on any single enemy."""
    known = {unit.key: unit for unit in battle.fighters}
    units = [known[key] for key in bout.keys]
    led = led_by(bout, units)
    for enemy in units:
        if enemy.side != side and enemy.key not in led:
            targets = struck(battle, bout, [enemy.key])
            strength = sum(worth(unit, battle, bout, is_at_afv(targets)) for unit in units if unit.side == side)
            resistance = sum(worth(unit, battle, bout) for unit in targets)
            if column_of(strength, resistance, bout.hand_to_hand) != "lost":
                return False
    return True


def one_attack(battle, bout, attack):
    """(column, sum of DRM) of one attack."""
    known = {unit.key: unit for unit in battle.fighters}
    strikers, defense = [known[key] for key in attack.by], struck(battle, bout, attack.on)
    side = strikers[0].side
    vehicles = [unit for unit in defense if unit.kind == "vehicle"]
    at_afv = is_at_afv(defense)
    values = {unit.key: worth(unit, battle, bout, at_afv) for unit in strikers}
    drm = 0
    able = [unit for unit in strikers if unit.role in ("nco", "officer") and not unit.disrupted]
    lenders = [unit for unit in able if unit.key not in bout.by_value]
    if lenders and any(unit.kind not in LEADERS for unit in strikers):
        drm -= 5
        del values[sorted(lenders, key=lambda unit: (unit.ccv, unit.key))[0].key]
    drm -= 10 * (at_afv and any(unit.weapon == "demo_charge" for unit in strikers))
    drm -= 10 * any(unit.weapon == "flamethrower" for unit in strikers)
    drm -= 10 * (at_afv and all(unit.m_killed for unit in vehicles))
    drm -= 10 * (at_afv and side in bout.from_cover)
    by_foot = any(unit.kind != "vehicle" for unit in strikers)
    drm += 10 * (at_afv and battle.existing and by_foot and bool(bout.in_open - {side}))
    resistance = sum(worth(unit, battle, bout) for unit in defense)
    return column_of(sum(values.values()), resistance, bout.hand_to_hand), drm


def worst(fates):
    """What several fates of one unit come to."""
    if len(fates) == 1:
        return fates[0]
    return "m_killed" if set(fates) == {"m_killed"} else "eliminated"


def slow_effects(battle, bout, faces):
    """{key: fate} of a bout. ``faces``: a die for every roll and every unit, used when it is asked for."""
    known = {unit.key: unit for unit in battle.fighters}
    suffered = {}
    for way, side in (("attack", bout.attackers[0][0]), ("defense", bout.defenders[0][0])):
        if is_lost(battle, bout, side):
            for key in (key for key in bout.keys if key[0] == side):
                suffered.setdefault(key, []).append("eliminated")
            continue
        own = [attack for attack in divided(bout) if attack.by[0][0] == side]
        for number, attack in enumerate(own, 1):
            name = way if number == 1 else f"{way}_{number}"
            column, drm = one_attack(battle, bout, attack)
            hit = [unit.key for unit in struck(battle, bout, attack.on)]
            if column in ("won", "lost"):
                for key in hit if column == "won" else ():
                    suffered.setdefault(key, []).append("eliminated")
                continue
            result = grid_result("cct", column, faces[name] + drm)
            if not result:
                continue
            dice = {key: faces[f"{name}_hit_{place}"] for place, key in enumerate(hit, 1)}
            for key in hit:
                if len(hit) == 1 or dice[key] == max(dice.values()):
                    suffered.setdefault(key, []).append("eliminated" if result == "E" else casualty(known[key]))
    return {key: worst(fates) for key, fates in suffered.items()}


def casualty(unit):
    return {"squad": "reduced", "leader": "wounded", "vehicle": "m_killed"}.get(unit.kind.value, "eliminated")


def slow_odds(battle, bout, attack):
    """{result: faces of 100} of a rolled attack."""
    column, drm = one_attack(battle, bout, attack)
    return Counter(grid_result("cct", column, face + drm) for face in range(1, 101))
