"""A book kept by hand, from the text alone: nothing of the app is imported here."""

SPAWN = ("3", "7", "9", "13", "15", "19")


def soviet_turn(top, hexes_held, mode):
    """The algorithm's four steps, as a player would read them out."""
    if hexes_held == 0:
        return "draw"
    if top > hexes_held:
        return "spawn"
    return "choose" if mode == "one_v_one" else "move"


LINES = (("3", True), ("19", True), ("9", False), ("15", False), ("13", True), ("7", False))


def spawn(units, infantry, tanks):
    """Line by line down the list: who comes, and how many cards."""
    lines = []
    for hex, with_tank in LINES:
        present, come, cards = units[hex], [], 0
        if present == 4:
            lines.append((hex, come, 1))
            continue
        if infantry:
            infantry -= 1
            come.append("infantry")
        else:
            cards += 1
        if with_tank and present != 3:
            if tanks:
                tanks -= 1
                come.append("tank")
            else:
                cards += 1
        lines.append((hex, come, cards))
    return lines, infantry, tanks


def steps(attacker, terrain, hand, ticks):
    """The thirteen steps, each with its own if."""
    german = attacker == "german"
    deliberate = german and "hasty" not in ticks
    numbers = []
    if hand:
        numbers.append(1)
    if deliberate and "german_card" in ticks:
        numbers.append(2)
    numbers += [3, 4]
    if hand:
        numbers.append(5)
    if deliberate and "german_card" in ticks:
        numbers.append(6)
    numbers.append(7)
    if german and "chuikov" in ticks:
        numbers.append(8)
    if deliberate and terrain == "urban":
        numbers.append(9)
    numbers.append(10)
    if "attacker_wins" in ticks:
        numbers.append(11)
        if german and "hoth" in ticks and terrain == "clear":
            numbers.append(12)
    numbers.append(13)
    return numbers


def strike(units, hits):
    """Blocks pushed one by one: the biggest loses a dot."""
    units = sorted(units)
    for _ in range(hits):
        if units[-1] == 0:
            break
        units[-1] -= 1
        units.sort()
    return units


def close_combat(attacker, terrain, rubble, bonus, german, soviet, german_hits, soviet_hits):
    """Both sides' dots after Close Combat, and who stands."""
    dots = {"german": sorted(german), "soviet": sorted(soviet)}
    hits = {"german": german_hits, "soviet": soviet_hits}
    if rubble:
        hits[attacker] //= 2
    defender = "soviet" if attacker == "german" else "german"
    if terrain == "urban":
        order, turns = "defender_first", [defender, attacker]
    elif terrain == "clear" and bonus:
        order, turns = "german_first", ["german", "soviet"]
    else:
        order, turns = "simultaneous", ["german", "soviet"]
    before = {side: sum(left) for side, left in dots.items()}
    for side in turns:
        other = "soviet" if side == "german" else "german"
        if order != "simultaneous" and sum(dots[side]) == 0:
            continue
        if before[side]:
            dots[other] = strike(dots[other], hits[side])
    winner = "attacker_wins" if sum(dots[attacker]) else "both_gone"
    outcome = "defender_holds" if sum(dots[defender]) else winner
    return outcome, dots["german"], dots["soviet"], order
