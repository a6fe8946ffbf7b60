"""One attack as 9.02 has it: what is due after each of its steps, one decision at a time; and fire at movers.

Each step asks only for the next one: a roll that is made differently takes back all that came after it.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from firefight.engine.board.counters import CounterChange
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Json, Values

from .attack import is_for_engineers
from .battle import KEY, OF_ATTACK, OF_MOVERS, RECOUNTED, STEPS, Battle, read_battle
from .bombardment import FireTable
from .decisions import ALL_LEAVE, FIRES, GOES, GOING_IN, SOME_LEAVE, Question, ask_side, call_off
from .terms import Side, Terrain
from .units import Arm

# The guns of the attack have fired as it was declared: those of other steps are named there.
FIRES_AGAIN = ("attack", "defensive-fire")
NAMES_NO_GUNS: Json = {"gun_names": [], "flak_names": []}
ON_THE_HEX = ("attack", "decide", "counter-attack")  # the steps that are about the hex that is attacked

# What comes next


def lead_on(slug: str, inputs: Values, result: Result) -> Sequence[FollowUp]:
    """What is due after a step of an attack; what the roll itself asks for, where it is not part of one."""
    battle = read_battle(inputs)
    if battle is None or not result.outcome:
        return result.follow_ups
    battle = battle if slug == "attack" else _leave_out(battle, result)
    return _go_on(AFTER[slug](battle, inputs, result) if slug in AFTER else battle)


def begin(inputs: Values, result: Result) -> Sequence[FollowUp]:
    """The first step of an attack that was declared. ``inputs``: all that it was declared with."""
    side = Side(inputs["firer"])
    # A modifier of 0 that was given is not a blank.
    declared = ((name, inputs.get(name)) for name in OF_ATTACK)
    attack = {name: value for name, value in declared if value is not False and value not in (None, "", [])}
    points = (int(inputs["points"]), *map(int, inputs.get("more_hexes") or ()))
    guns, stukas, stuka_af = (int(inputs.get(name) or 0) for name in ("guns", "stukas", "stuka_af"))
    is_through, place = bool(inputs.get("breakthrough")), str(inputs.get("hex") or "")
    by_hex = tuple(map(int, inputs.get("by_hex") or ()))
    places = tuple(map(str, inputs.get("places") or ()))
    battle = Battle(side, place, attack, points, guns, stukas, stuka_af, is_through, places=places, by_hex=by_hex)
    return _go_on(replace(battle, later_steps=tuple(_list_first(battle, inputs))))


def begin_passage(inputs: Values, result: Result) -> Sequence[FollowUp]:
    """Movers have come where fire may reach them: the other side says whether it fires (11.1)."""
    passage = {name: inputs.get(name) for name in OF_MOVERS}
    movers = {name: value for name, value in passage.items() if value not in (None, "", [], False)}
    battle = Battle(Side(inputs["side"]), str(inputs.get("hex") or ""), movers, ())
    return _go_on(replace(battle, later_steps=(ask_side(Question.MOVERS, battle.defender),)))


def _list_first(battle: Battle, inputs: Values) -> Iterable[FollowUp]:
    """From retreats before combat to the attack (9.02d to f)."""
    between = list(_list_before_fire(battle, inputs))
    leaves = not battle.is_breakthrough
    if battle.is_direct and leaves:
        question = Question.RETREAT if between else Question.REPLY
        yield _ask_fire(battle, question, one_stays=_must_hold(battle))
    yield from between
    if battle.is_direct and (between or not leaves):
        yield _ask_fire(battle)
    yield _call_attack(battle)


def _must_hold(battle: Battle) -> bool:
    """Whether the counters say that one unit has to stay: all may leave where only German armour is attacked, and not
    by Soviet armour (9.43, 9.45). Nothing is concluded where nobody has named them."""
    defending, attacking = (_list_sorts(battle.attack.get(name)) for name in ("at", "by"))
    if not (defending and attacking):
        return False
    fighting = [sort for sort in defending if sort.is_combat_unit]
    return not all(sort.is_armored for sort in fighting) or any(sort.is_armored for sort in attacking)


def _list_sorts(rows: Sequence[Json] | None) -> list[Arm]:
    """What counters are, as far as their rows say."""
    return [Arm(row["sort"]) for row in rows or () if row.get("sort") in set(Arm)]


def _list_before_fire(battle: Battle, inputs: Values) -> Iterable[FollowUp]:
    """Fire at Stukas, NKVD who may melt away, mine dogs (15.42, 16.83, 16.23)."""
    if battle.side is not Side.GERMAN:
        return
    if battle.stukas:
        yield ask_side(Question.AA, Side.SOVIET)
    regiment_rows = [row for row in inputs.get("at") or () if row.get("sort") == Arm.NKVD.value]
    for number in range(int(inputs.get("nkvd_units") or 0)):
        reliability = {"event": "reliability", "with_leader": bool(inputs.get("leader_in_target"))}
        next_unit = {"regiment_already_tested": False} if number else {}
        regiment = {"regiment": str(inputs.get("regiment") or "")}
        yield FollowUp(
            "nkvd",
            f"NKVD unit {number + 1}: reliable?",
            {**reliability, **regiment, **next_unit, "side": "soviet", "who": regiment_rows[number : number + 1]},
        )
    if inputs.get("dogs"):
        yield ask_side(Question.DOGS, Side.SOVIET)


def _ask_fire(battle: Battle, question: Question = Question.FIRE, **facts: object) -> FollowUp:
    """What the defender decides about hexes that may be fired at."""
    return ask_side(question, battle.defender, _open_hexes(battle), places=list(battle.places), **facts)


def _open_hexes(battle: Battle) -> list[int]:
    """The points of the hexes that may be fired at, 0 for those already fired at, or where nobody is left."""
    return [0 if index in battle.fired else points for index, points in enumerate(battle.points)]


def _call_attack(battle: Battle) -> FollowUp:
    kind = "breakthrough attack" if battle.is_breakthrough else "attack"
    return FollowUp("attack", f"{battle.side.word} {kind}", {})


def _go_on(battle: Battle) -> Sequence[FollowUp]:
    """The one step that is due now, with all that comes after it."""
    if not battle.later_steps:
        return ()
    step, *rest = battle.later_steps
    remaining = replace(battle, later_steps=tuple(rest))
    if step.helper == "bombardment":
        return (_bombard(battle, step),) if battle.total != 0 else ()
    if step.helper == "attack" and not battle.is_manned:
        step = call_off(battle.side)
        return (replace(step, inputs={**step.inputs, "hex": battle.hex, KEY: battle.plain()}),)
    if step.helper == "attack":
        only_indirect = {} if battle.is_direct else {"only_indirect_left": True}
        attackers: Json = {"by": [_drop_sort(row) for row in battle.list_attackers_left()]}
        inputs = {
            **_list_standing(battle),
            **attackers,
            **only_indirect,
            "points": battle.total,
            "side": battle.side.value,
        }
        step = replace(step, inputs={name: value for name, value in inputs.items() if name != "by" or value})
    place = step.inputs.get("hex") or (battle.hex if step.helper in ON_THE_HEX else "")
    guns: Json = NAMES_NO_GUNS if step.helper in FIRES_AGAIN else {}
    return (replace(step, inputs={**guns, **step.inputs, "hex": place, KEY: remaining.plain()}),)


def begin_raid(place: str, bombardment: Values, guns: int | None) -> FollowUp:
    """Stukas come to bombard a hex or a box: is there anti-aircraft fire first (15.42)? ``bombardment``: all it is sent
    with; ``guns``: the AF of the guns in it, None where nobody knows."""
    flying, points = int(bombardment["flying"]), int(bombardment["points"])
    stuka_af = (points - (guns or 0)) // flying
    left = FollowUp("bombardment", "What is left of the bombardment", {})
    battle = Battle(Side.GERMAN, place, bombardment, (), guns or 0, flying, stuka_af, needs_recount=guns is None)
    (question,) = _go_on(replace(battle, later_steps=(ask_side(Question.AA, Side.SOVIET), left)))
    return question


def _bombard(battle: Battle, step: FollowUp) -> FollowUp:
    """The bombardment of those that are left, which were counted as they came under fire (S-72)."""
    sent_home = int(battle.attack["flying"]) - battle.stukas
    stukas = [row["id"] for row in battle.attack.get("by") or () if row.get("kind") == Arm.STUKA.value]
    by = [row for row in battle.attack.get("by") or () if row.get("id") not in stukas[len(stukas) - sent_home :]]
    return replace(step, inputs={**battle.attack, "points": battle.total, "flying": 0, "by": by})


def _list_standing(battle: Battle) -> Values:
    """What the attack is asked with: without what depends on those who are gone, which is counted again."""
    is_recounted = battle.gone_ids and battle.is_direct
    return {name: value for name, value in battle.attack.items() if not (is_recounted and name in RECOUNTED)}


def _drop_sort(row: Json) -> Json:
    """One of the attackers, as the attack's form takes it: its sort counts only where it is fired at."""
    return {name: value for name, value in row.items() if name != "sort"}


# What happens to it


def _leave_out(battle: Battle, result: Result) -> Battle:
    """Whoever is pinned, lost, wounded or immobilized before the attack takes no part in it (9.58, 9.66)."""
    attacking = {row.get("id") for row in battle.attack.get("by") or ()}
    hurt_ids = [change.id for change in result.changes if isinstance(change, CounterChange) and change.id in attacking]
    return replace(battle, gone_ids=(*battle.gone_ids, *hurt_ids))


def _put_first(battle: Battle, steps: Iterable[FollowUp]) -> Battle:
    return replace(battle, later_steps=(*steps, *battle.later_steps))


def _after_decision(battle: Battle, inputs: Values, result: Result) -> Battle:
    """What was chosen comes next; those who leave are fired at (9.47), and if all leave there is no attack (9.45)."""
    choice, question = str(result.details.get("choice")), inputs.get("question")
    chase = ask_side(Question.CHASE, battle.side)
    if battle.is_raid and choice != GOES:  # the bombardment itself still waits
        return replace(battle, later_steps=())
    if choice == ALL_LEAVE:
        return replace(battle, later_steps=(chase, ask_side(Question.ADVANCE, battle.side)))
    if choice.startswith(FIRES):
        return _fire_at(battle, int(choice.rpartition("_")[2]) - 1)
    if choice == SOME_LEAVE:
        fire = [_ask_fire(battle)] if question == Question.REPLY else []
        return _put_first(battle, [chase, *fire])
    if question == Question.FOLLOW:  # the advance is already due next
        return battle if choice == GOES else replace(battle, later_steps=battle.later_steps[1:])
    if choice == GOES:
        return _put_first(battle, _list_chosen(battle, Question(str(question))))
    return battle


def _list_chosen(battle: Battle, question: Question) -> Iterable[FollowUp]:
    defender = battle.defender.value
    if question is Question.AA:
        box = {"east_bank_box": True} if battle.attack.get("table") == FireTable.EBBT.value else {}  # 15.43
        yield FollowUp("anti-aircraft", "Anti-aircraft fire", {"side": defender, **box})
    elif question is Question.DOGS:
        yield FollowUp("mine-dog", "Mine dog", {"side": defender})
    elif question is Question.CHASE:
        yield _fire_at_movers(battle.side, {})
    elif question is Question.MOVERS:
        yield _fire_at_movers(battle.defender, {**battle.attack, "hex": battle.hex})
    elif question in (Question.ADVANCE, Question.EMPTY):
        if beside := battle.list_beside():
            inputs = {"side": battle.side.value, "hex": battle.hex, "by": beside}
            yield FollowUp("advance", f"{battle.side.word} advance: who goes in?", inputs)
        yield ask_side(Question.COUNTER, battle.defender)
    elif question is Question.COUNTER:
        yield FollowUp("counter-attack", f"{battle.defender.word} counter-attack", {"side": defender})


def _fire_at_movers(firer: Side, movers: Values) -> FollowUp:
    inputs = {**movers, "kind": "opportunity", "firer": firer.value, "side": firer.value}
    return FollowUp("defensive-fire", f"{firer.word} opportunity fire", inputs)


def _fire_at(battle: Battle, index: int) -> Battle:
    """Defensive fire at a hex from which the attack comes: one column higher against a close assault (9.67)."""
    place = battle.name_hex(index)
    at_hex = f" at {place or f'hex {index + 1}'}" if len(battle.points) > 1 else ""
    inputs: Json = {name: battle.attack[name] for name in ("date", "close_assault") if name in battle.attack}
    inputs |= {"kind": "defensive", "firer": battle.defender.value, "side": battle.defender.value}
    if not at_hex and battle.attack.get("leaders"):
        inputs["leader_in_target"] = True
    inputs |= {"hex": place} if place else {}
    inputs |= _count_struck(battle.list_hex(index))
    step = FollowUp("defensive-fire", f"{battle.defender.word} defensive fire{at_hex}", inputs)
    return _put_first(replace(battle, fired=(*battle.fired, index)), [step])


def _count_struck(rows: Sequence[Json]) -> Json:
    """Those who are fired at, as fields of the fire: the attackers, and nobody else in their hex (9.56, 9.64)."""
    sorts = _list_sorts(rows)
    if not rows:
        return {}
    return {
        "at": [*rows],
        "combat_units": sum(sort.is_combat_unit for sort in sorts),
        "target_armored": any(sort.is_armored for sort in sorts),
        "leader_in_target": any(sort.is_leader for sort in sorts),
    }


def _after_fire(battle: Battle, inputs: Values, result: Result) -> Battle:
    """A hex that is pinned or emptied attacks no more; one with losses is added up again (9.58, 9.66)."""
    if inputs.get("kind") == "opportunity":
        return battle if inputs.get("after_all") else _after_opportunity(battle, Side(inputs["firer"]), result)
    details, points = result.details, list(battle.points)
    counted = inputs.get("combat_units")
    is_emptied = details.get("eliminated") == "all" or bool(counted) and details.get("lost") == counted
    is_out = bool(details.get("marker")) or is_emptied
    points[battle.fired[-1]] *= not is_out
    needs_recount = battle.needs_recount or bool(details.get("eliminated") and not is_out)
    firer_ids = (*battle.firer_ids, *(row["id"] for row in inputs.get("by") or () if row.get("id")))
    battle = replace(battle, points=tuple(points), needs_recount=needs_recount, firer_ids=firer_ids)
    steps = [_say_first(battle, inputs, step) for step in result.follow_ups if step.helper != "p-result"]
    if any(_open_hexes(battle)):
        steps.append(_ask_fire(battle))
    return _put_first(battle, _give_to(battle.side, steps))


def _say_first(battle: Battle, fire: Values, step: FollowUp) -> FollowUp:
    """Losses with who goes first: engineers whose modifier counts, armour where an enemy's AF is underlined (9.82)."""
    if step.helper != "losses":
        return step
    terrain, fortification = Terrain(str(battle.attack["terrain"])), bool(battle.attack.get("fortification"))
    engineers = bool(battle.attack.get("engineers")) and is_for_engineers(terrain, fortification)
    armor = bool(fire.get("target_armored") and fire.get("underlined_af"))
    first = {name: True for name, goes in (("engineers", engineers), ("armor", armor)) if goes}
    return replace(step, inputs={**step.inputs, **first})


def _after_opportunity(battle: Battle, firer: Side, result: Result) -> Battle:
    """Each hex fires separately at the movers, as long as any of them is left (11.8, 11.10)."""
    question = Question.CHASE if firer is battle.side else Question.MOVERS
    next_question = [] if result.details.get("eliminated") == "all" else [ask_side(question, firer, (0,))]
    return _put_first(battle, [*_give_to(firer.other, result.follow_ups), *next_question])


def _give_to(side: Side, steps: Iterable[FollowUp]) -> Iterable[FollowUp]:
    """Steps that a side takes, about its own units."""
    return [replace(step, inputs={"side": side.value, **step.inputs}) for step in steps]


def _after_aircraft(battle: Battle, inputs: Values, result: Result) -> Battle:
    """Stukas that are sent home attack nobody (15.45)."""
    aborted = result.details.get("aborted", 0)
    return replace(battle, stukas=0 if aborted == "all" else max(0, battle.stukas - int(aborted)))


def _after_nkvd(battle: Battle, inputs: Values, result: Result) -> Battle:
    """A regiment that was tested before is not tested again, nor is any of its units (16.83). Whoever melts away is no
    target (S-50)."""
    if result.outcome == "no_roll":
        return replace(battle, later_steps=tuple(step for step in battle.later_steps if step.helper != "nkvd"))
    gone_ids = {change.id for change in result.changes if isinstance(change, CounterChange)}
    rows = [row for row in battle.attack.get("at") or () if row.get("id") not in gone_ids]
    if not gone_ids:
        return battle
    fighting = [sort for sort in _list_sorts(rows) if sort.is_combat_unit]
    if not fighting:
        return replace(battle, later_steps=(ask_side(Question.ADVANCE, battle.side),))
    is_militia = any(sort is Arm.NKVD for sort in fighting)
    units = sum(sort is not Arm.IMMOBILIZED for sort in fighting)
    left = {"at": rows, "combat_units": units, "target_nkvd": is_militia}
    return replace(battle, attack={**battle.attack, **left})


def _after_dog(battle: Battle, inputs: Values, result: Result) -> Battle:
    """An armoured unit is gone: the attackers have to be added up again."""
    return replace(battle, needs_recount=battle.needs_recount or bool(result.details.get("armored_unit_lost")))


def _after_leader(battle: Battle, inputs: Values, result: Result) -> Battle:
    """A leader who falls before his attack leads it no more (9.59)."""
    is_hurt = inputs.get("side") == battle.side.value and result.outcome in ("wounded", "eliminated")
    leaders = int(battle.attack.get("leaders") or 0) - is_hurt
    return replace(battle, attack={**battle.attack, "leaders": max(0, leaders)})


def _after_losses(battle: Battle, inputs: Values, result: Result) -> Battle:
    """A Soviet tank that is lost may fight on, a flotilla unit comes back (16.31, 16.57); the lost choose no more."""
    lost_ids = {change.id for change in result.changes if isinstance(change, CounterChange)}
    battle = replace(battle, later_steps=tuple(_drop_lost(step, lost_ids) for step in battle.later_steps))
    return _put_first(battle, [step for step in result.follow_ups if step.helper in ("tank", "flotilla-return")])


def _drop_lost(step: FollowUp, lost_ids: Collection[str]) -> FollowUp:
    """What comes of a P, without those who are lost before it."""
    rows = step.inputs.get("who") or () if step.helper == "p-result" else ()
    left = [row for row in rows if row.get("id") not in lost_ids]
    return replace(step, inputs={**step.inputs, "who": left}) if left else step


def _after_tank(battle: Battle, inputs: Values, result: Result) -> Battle:
    """Nobody goes into a hex in which an immobilized tank now stands (9.85, 16.32)."""
    if not result.details["immobilized"]:
        return battle
    return replace(battle, later_steps=tuple(step for step in battle.later_steps if not _goes_in(step)))


def _goes_in(step: FollowUp) -> bool:
    return step.helper == "advance" or step.inputs.get("question") in {question.value for question in GOING_IN}


def _after_attack(battle: Battle, inputs: Values, result: Result) -> Battle:
    """Losses, leader, tank, what the P asks of the defender, and who advances if nobody is left (9.85 to 9.88)."""
    steps = [step for step in result.follow_ups if step.helper in STEPS and step.helper != "advance"]
    is_left = any(step.helper == "advance" for step in result.follow_ups) or result.details.get("retreat") == "must"
    # Where nobody has counted the defenders the players see whether the hex is empty (S-70).
    may_be_left = bool(result.details.get("eliminated")) and result.details.get("lost") is None
    question = Question.ADVANCE if is_left else Question.EMPTY if may_be_left else None
    advance = [ask_side(question, battle.side)] if question else []
    return _put_first(battle, [*_give_to(battle.defender, steps), *advance])


def _after_p(battle: Battle, inputs: Values, result: Result) -> Battle:
    """A hex that all have left is open to the attackers (S-66), and so is one whose only unit is lost."""
    if result.details.get("choice") != "retreat":
        lost = _give_to(battle.defender, result.follow_ups)
        advance = [ask_side(Question.ADVANCE, battle.side)] if result.details.get("is_emptied") else []
        return _put_first(battle, [*lost, *advance])
    rest = [step for step in battle.later_steps if step.inputs.get("question") != Question.EMPTY]
    return replace(battle, later_steps=(ask_side(Question.ADVANCE, battle.side), *rest))


def _after_counter_attack(battle: Battle, inputs: Values, result: Result) -> Battle:
    """Whoever has lost a unit says which; the counter-attackers may go into a hex that is now empty (12.6)."""
    side = battle.defender if result.outcome == "attacker_lost" else battle.side
    steps = [*_give_to(side, result.follow_ups)]
    if not result.details["hex_held"] and battle.hex and inputs.get("by"):
        advance = {"side": battle.defender.value, "hex": battle.hex, "by": inputs["by"]}
        advance_step = FollowUp("advance", f"{battle.defender.word} counter-attackers: who goes in?", advance)
        steps += [ask_side(Question.FOLLOW, battle.defender), advance_step]
    return _put_first(battle, steps)


AFTER: dict[str, Callable[[Battle, Values, Result], Battle]] = {
    "decide": _after_decision,
    "defensive-fire": _after_fire,
    "anti-aircraft": _after_aircraft,
    "nkvd": _after_nkvd,
    "mine-dog": _after_dog,
    "leader-survival": _after_leader,
    "losses": _after_losses,
    "tank": _after_tank,
    "attack": _after_attack,
    "counter-attack": _after_counter_attack,
    "p-result": _after_p,
}
