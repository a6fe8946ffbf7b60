"""Attacks of Turning Point: Stalingrad worked out a second time, the slow way: every face, every payment, every parent.

Written from the rules' text (chapters 8, 10, 12, 14, 15 and 17) and from nothing of the app.
"""

from itertools import product

DICE = [(a, b) for a in range(1, 7) for b in range(1, 7)]
GROUND = ("inside", "ranged", "mixed")


def best_organisation(parents):
    """Integrity less what other parents cost, with every independent tried under every parent (2.0, 8.35)."""
    parents_present = sorted({parent for parent in parents if parent != "Ind"})
    loose = parents.count("Ind")
    gains = []
    for choice in product(parents_present or ["any"], repeat=loose):
        ranks = [parent for parent in parents if parent != "Ind"] + list(choice)
        gains.append(sum(ranks.count(parent) // 3 for parent in set(ranks)))
    return max(gains, default=0), max(0, len(parents_present) - 1)


def offence(side, kind, units, lead, date, night, guns, no_parents):
    """OV. ``units``: (factor or None, parent, isolation)."""
    if kind == "air":
        return 8 if date < "1942-09-27" else 5 if date < "1942-10-14" else 9
    if kind == "russian_artillery":
        return guns or (1 if date < "1942-09-27" else 2 if date < "1942-11-01" else 3)
    value = units[lead - 1][0] - units[lead - 1][2]
    value += len(units) - 1
    gained, lost = best_organisation([unit[1] for unit in units])
    value += gained - (0 if no_parents else lost)
    if side == "german" and not night:
        value += 1
    return value + (guns if side == "russian" else 0)


def defence(side, kind, units, tem, rubble, date, night, guns, afv, engineers=0):
    """DV. ``units``: (factor, is armour, is AA, isolation)."""
    alone = all(unit[2] for unit in units)
    best = -99
    for factor, armour, _, isolation in units:
        value = factor - isolation
        if alone and kind in ("inside", "mixed") and not afv:
            value = value // 2
        if kind in ("inside", "mixed") and not armour:
            value += rubble
        best = max(best, value)
    if kind in ("ranged", "mixed"):
        best += tem * 3
    elif kind == "inside" and tem >= 3:
        best += max(0, tem - engineers)
    else:
        best += tem
    if side == "russian" and kind in GROUND:
        best += 1 if night else 0
        best += guns
        best += 0 if date < "1942-09-27" else 1 if date < "1942-11-01" else 2
    if side == "german" and not night and kind in (*GROUND, "russian_artillery"):
        best += 1
    return best


def end(kind, margin, capacity, entered):
    """How an attack ends by the difference of the totals."""
    if margin > 0:
        return "overrun" if kind in GROUND and margin > capacity else "won"
    if margin == 0:
        return "tied"
    return "routed" if margin <= -10 and entered and kind in ("inside", "mixed") else "lost"


def count_ends(kind, ov, dv, capacity, entered):
    """Every face of four dice."""
    counts = {}
    for mine in DICE:
        for theirs in DICE:
            how = end(kind, ov + sum(mine) - dv - sum(theirs), capacity, entered)
            counts[how] = counts.get(how, 0) + 1
    return counts


def dots(kind, how):
    """On attackers inside and on Ranged ones."""
    if kind == "german_artillery":
        return 4, 4
    if kind == "air":
        return 1, 1
    if kind == "russian_artillery":
        return 0, 0
    inside = {"lost": 4, "routed": 4, "tied": 3, "won": 2, "overrun": 1}[how]
    return inside, max(1, inside - 1)


PRICES = {
    "fresh": {"none": 0, "flip": 1, "flip_retreat": 2, "eliminate": 3},
    "spent": {"none": 0, "retreat": 1, "eliminate": 2},
}


def payments(group, factors, required, pick):
    """All payments, tried one by one: the legal ones that are worth least."""
    prices, strongest = PRICES[group], max(factors)
    must = [pick - 1] if pick else [place for place, factor in enumerate(factors) if factor == strongest]
    legal = []
    for actions in product(prices, repeat=len(factors)):
        worth = sum(prices[action] for action in actions)
        if worth >= required and (not required or any(prices[actions[place]] for place in must)):
            legal.append((worth, list(actions)))
    least = min((worth for worth, _ in legal), default=None)
    return least, [actions for worth, actions in legal if worth == least]


def goals(areas):
    """(rank, ids) of where a Group retreats. ``areas``: (id, friendly, enemies, friends, enemy neighbours)."""
    free = [area for area in areas if area[1] and not area[2]]
    if free:
        fewest = min(area[4] for area in free)
        return 1, [area[0] for area in free if area[4] == fewest]
    for rank, friendly in ((2, True), (3, False)):
        contested = [area[0] for area in areas if area[1] is friendly and area[2] and area[3]]
        if contested:
            return rank, contested
    vacant = [area[0] for area in areas if not area[1] and not area[2]]
    return (4, vacant) if vacant else (None, [])
