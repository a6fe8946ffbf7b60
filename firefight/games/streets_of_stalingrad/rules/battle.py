"""One attack as 9.02 tells it: what is due after each of its steps, one decision at a time.

What stands of an attack under way travels with its steps, under KEY, as a roll hands on what later ones need. So each
step asks for the next one alone: a roll that is made otherwise takes all with it that came after.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.engine.text import count_of
from firefight.engine.values import Json, Values

from .attack import Attack
from .decisions import ALL_LEAVE, FIRES, GOES, SOME_LEAVE, Question, ask_side
from .limits import breakthrough
from .terms import Side

KEY = "battle"  # under which the steps hand on what stands of the attack
RULES = ("9.02 Combat Sequencing", "9.42", "9.57", "9.85", "12.1")
BREAKTHROUGH_RULES = ("9.02 Combat Sequencing", "10.2", "10.3", "10.4", "10.5")
# What the attack itself is asked with, as it was declared.
OF_ATTACK = (
    *("terrain", "terrain_drm", "fortification", "target_armored", "target_all_armored", "leader_in_target"),
    *("pavlov_house_target", "adjacent_leader", "target_nkvd", "close_assault", "adjacent_infantry", "not_adjacent"),
    *("spotting", "integrity", "out_of_supply", "nkvd", "underlined_af", "assault_advantage", "engineers"),
    *("armor_with_infantry", "leaders", "pavlov_house_attacker", "if_with_direct", "only_indirect_left", "from_volga"),
    *("on_enemy_minefield", "other_drm", "combat_units", "immobilized", "date", "tanks_alone", "tank_note"),
    *("strong_point", "firer", "by", "at"),
)
STEPS = (
    *("attack", "decide", "defensive-fire", "anti-aircraft", "nkvd", "mine-dog", "losses", "p-result"),
    *("leader-survival", "tank", "counter-attack"),
)


class BattleStage(Outcome):
    """What comes of declaring an attack."""

    DECLARED = "declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeAttack(Attack):
    """An attack with all that comes before it. ``points``: the AF of the first hex; ``more_hexes``: of the others.

    ``guns``: AF of guns that help; ``stukas``, ``stuka_af``: how many fly, and the AF of each. ``nkvd_units``: those in
    the target whose regiment was never fired at. ``dogs``: mine dogs stand next to German armour.
    """

    more_hexes: tuple[int, ...] = ()
    guns: int = 0
    stukas: int = 0
    stuka_af: int = 1
    nkvd_units: int = 0
    dogs: bool = False
    breakthrough: bool = False


def declare_attack(*, charts: Book, **given: object) -> Result:
    """Declare an attack, or a breakthrough attack, with all that takes part (9.02c, 9.42). ``given``: WholeAttack.

    Raises BadInput for a hex that cannot be broken through, and for what has no points.
    """
    made = WholeAttack(**given)  # type: ignore[arg-type]
    side = "Soviet" if made.firer is Side.SOVIET else "German"
    if made.stukas and made.firer is Side.SOVIET:
        raise BadInput({"stukas": "Only Germans have Stukas (15.1)."})
    if made.breakthrough:
        _check_breakthrough(charts, made)
    total = sum((made.strength, *made.more_hexes, made.guns, made.stukas * made.stuka_af))
    kind = "breakthrough attack" if made.breakthrough else "attack"
    return Result(
        f"{side} {kind} on {made.terrain.word}, {count_of(total, 'point')}: declared.",
        BattleStage.DECLARED,
        details={"points": total, "hexes": 1 + len(made.more_hexes)},
        rules=BREAKTHROUGH_RULES if made.breakthrough else RULES,
    )


def _check_breakthrough(charts: Book, made: WholeAttack) -> None:
    barred = breakthrough(
        charts=charts,
        terrain=made.terrain,
        crosses_wall_or_balka=False,
        interdicted=False,
        nobody_adjacent=made.not_adjacent or made.only_indirect_left,
        pinned_or_spent_in_attack=False,
        already_this_phase=False,
    )
    if barred.effects:
        raise BadInput({"breakthrough": " ".join(barred.effects)})


# What stands of an attack


@dataclass(frozen=True, slots=True)
class Battle:
    """An attack under way. ``attack``: with what it is asked. ``points``: of each hex, 0 where nobody is left who
    attacks; ``is_anew``: they have to be added up anew. ``fired``: the hexes fired at, the last one last.
    ``then``: what comes after the step that is due.
    """

    side: Side
    hex: str
    attack: Values
    points: tuple[int, ...]
    guns: int = 0
    stukas: int = 0
    stuka_af: int = 1
    is_breakthrough: bool = False
    is_anew: bool = False
    fired: tuple[int, ...] = ()
    then: tuple[FollowUp, ...] = field(default=())

    @property
    def defender(self) -> Side:
        """Whose hex it is."""
        return self.side.other

    @property
    def is_direct(self) -> bool:
        """Whether anybody is left who does not fire indirectly."""
        return not self.attack.get("only_indirect_left") and any(self.points)

    @property
    def total(self) -> int | None:
        """All points that are left; None where they have to be added up anew."""
        return None if self.is_anew else sum(self.points) + self.guns + self.stukas * self.stuka_af

    def plain(self) -> Json:
        """As a step hands it on."""
        return {
            "side": self.side.value,
            "hex": self.hex,
            "attack": dict(self.attack),
            "points": list(self.points),
            "guns": self.guns,
            "stukas": [self.stukas, self.stuka_af],
            "is_breakthrough": self.is_breakthrough,
            "is_anew": self.is_anew,
            "fired": list(self.fired),
            "then": [[each.helper, each.title, dict(each.inputs)] for each in self.then],
        }


def read_battle(given: Values) -> Battle | None:
    """What stands of an attack, from all that a roll was made with; None where it is part of none."""
    plain = given.get(KEY)
    try:
        return _read(plain) if isinstance(plain, dict) else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def is_breakthrough(given: Values) -> bool:
    """Whether a roll declares a breakthrough attack, or is a step of one."""
    battle = read_battle(given)
    return battle.is_breakthrough if battle else bool(given.get("breakthrough"))


def _read(plain: Json) -> Battle:
    then = tuple(FollowUp(str(helper), str(title)[:80], dict(more)) for helper, title, more in plain["then"])
    if not all(each.helper in STEPS for each in then):
        raise ValueError("An attack has no such step.")
    stukas, stuka_af = map(int, plain["stukas"])
    return Battle(
        Side(plain["side"]),
        str(plain["hex"]),
        dict(plain["attack"]),
        tuple(map(int, plain["points"])),
        int(plain["guns"]),
        stukas,
        stuka_af,
        bool(plain["is_breakthrough"]),
        bool(plain["is_anew"]),
        tuple(map(int, plain["fired"])),
        then,
    )


# What comes next


def lead_on(slug: str, given: Values, result: Result) -> Sequence[FollowUp]:
    """What is due after a step of an attack; what the roll itself asks for, where it is part of none."""
    battle = read_battle(given)
    if battle is None or not result.outcome:
        return result.follow_ups
    return _go_on(AFTER[slug](battle, given, result) if slug in AFTER else battle)


def begin(given: Values, result: Result) -> Sequence[FollowUp]:
    """The first step of an attack that was declared. ``given``: all that it was declared with."""
    side = Side(given["firer"])
    # A modifier of 0 that was told is no blank.
    told = ((name, given.get(name)) for name in OF_ATTACK)
    attack = {name: value for name, value in told if value is not False and value not in (None, "", [])}
    points = (int(given["points"]), *map(int, given.get("more_hexes") or ()))
    guns, stukas, stuka_af = (int(given.get(name) or 0) for name in ("guns", "stukas", "stuka_af"))
    is_through, place = bool(given.get("breakthrough")), str(given.get("hex") or "")
    battle = Battle(side, place, attack, points, guns, stukas, stuka_af, is_through)
    return _go_on(replace(battle, then=tuple(_list_first(battle, given))))


def _list_first(battle: Battle, given: Values) -> Iterable[FollowUp]:
    """From who leaves to the attack (9.02d to f)."""
    between = list(_list_before_fire(battle, given))
    leaves = not battle.is_breakthrough
    if battle.is_direct and leaves:
        yield ask_side(Question.RETREAT if between else Question.REPLY, battle.defender, _open_hexes(battle))
    yield from between
    if battle.is_direct and (between or not leaves):
        yield ask_side(Question.FIRE, battle.defender, _open_hexes(battle))
    yield _call_attack(battle)


def _list_before_fire(battle: Battle, given: Values) -> Iterable[FollowUp]:
    """Fire at Stukas, NKVD who may melt away, mine dogs (15.42, 16.83, 16.23)."""
    if battle.side is not Side.GERMAN:
        return
    if battle.stukas:
        yield ask_side(Question.AA, Side.SOVIET)
    for number in range(int(given.get("nkvd_units") or 0)):
        told = {"event": "reliability", "with_leader": bool(given.get("leader_in_target"))}
        again = {"regiment_already_tested": False} if number else {}
        regiment = {"regiment": str(given.get("regiment") or "")}
        yield FollowUp("nkvd", f"NKVD unit {number + 1}: reliable?", {**told, **regiment, **again, "side": "soviet"})
    if given.get("dogs"):
        yield ask_side(Question.DOGS, Side.SOVIET)


def _open_hexes(battle: Battle) -> list[int]:
    """The points of the hexes that may be fired at, 0 for those that were, or where nobody is left."""
    return [0 if at in battle.fired else points for at, points in enumerate(battle.points)]


def _call_attack(battle: Battle) -> FollowUp:
    kind = "breakthrough attack" if battle.is_breakthrough else "attack"
    return FollowUp("attack", f"{battle.side.word} {kind}", {})


def _go_on(battle: Battle) -> Sequence[FollowUp]:
    """The one step that is due now, with all that comes after it."""
    if not battle.then:
        return ()
    step, *rest = battle.then
    left = replace(battle, then=tuple(rest))
    if step.helper == "attack":
        if (
            not battle.is_direct
            and not battle.guns
            and not battle.stukas
            and not battle.attack.get("only_indirect_left")
        ):
            return ()  # nobody is left to attack
        gone = {} if battle.is_direct else {"only_indirect_left": True}
        step = replace(step, inputs={**battle.attack, **gone, "points": battle.total, "side": battle.side.value})
    place = battle.hex if step.helper in ("attack", "decide", "counter-attack") else ""
    return (replace(step, inputs={**step.inputs, "hex": place, KEY: left.plain()}),)


# What becomes of it


def _put_first(battle: Battle, steps: Iterable[FollowUp]) -> Battle:
    return replace(battle, then=(*steps, *battle.then))


def _after_decision(battle: Battle, given: Values, result: Result) -> Battle:
    """What was chosen comes next; who leaves is fired at (9.47), and where all have the attack falls away (9.45)."""
    choice, question = str(result.details.get("choice")), given.get("question")
    chase = ask_side(Question.CHASE, battle.side)
    if choice == ALL_LEAVE:
        return replace(battle, then=(chase, ask_side(Question.ADVANCE, battle.side)))
    if choice.startswith(FIRES):
        return _fire_at(battle, int(choice.rpartition("_")[2]) - 1)
    if choice == SOME_LEAVE:
        fire = [ask_side(Question.FIRE, battle.defender, _open_hexes(battle))] if question == Question.REPLY else []
        return _put_first(battle, [chase, *fire])
    if choice == GOES:
        return _put_first(battle, _list_chosen(battle, Question(str(question))))
    return battle


def _list_chosen(battle: Battle, question: Question) -> Iterable[FollowUp]:
    defender = battle.defender.value
    if question is Question.AA:
        yield FollowUp("anti-aircraft", "Anti-aircraft fire", {"side": defender})
    elif question is Question.DOGS:
        yield FollowUp("mine-dog", "Mine dog", {"side": defender})
    elif question is Question.CHASE:
        told = {"kind": "opportunity", "firer": battle.side.value, "side": battle.side.value}
        yield FollowUp("defensive-fire", f"{battle.side.word} opportunity fire", told)
    elif question is Question.ADVANCE:
        yield ask_side(Question.COUNTER, battle.defender)
    elif question is Question.COUNTER:
        yield FollowUp("counter-attack", f"{battle.defender.word} counter-attack", {"side": defender})


def _fire_at(battle: Battle, at: int) -> Battle:
    """Defensive fire at a hex from which the attack comes: one column higher against a close assault (9.67)."""
    where = f" at hex {at + 1}" if len(battle.points) > 1 else ""
    told: Json = {name: battle.attack[name] for name in ("date", "close_assault") if name in battle.attack}
    told |= {"kind": "defensive", "firer": battle.defender.value, "side": battle.defender.value}
    if not where and battle.attack.get("leaders"):
        told["leader_in_target"] = True
    step = FollowUp("defensive-fire", f"{battle.defender.word} defensive fire{where}", told)
    return _put_first(replace(battle, fired=(*battle.fired, at)), [step])


def _after_fire(battle: Battle, given: Values, result: Result) -> Battle:
    """Who is pinned or gone attacks no more; who has lost somebody adds up anew (9.58, 9.66)."""
    if given.get("kind") == "opportunity":  # at who leaves
        return _put_first(battle, _give_to(battle.defender, result.follow_ups))
    details, points = result.details, list(battle.points)
    is_out = bool(details.get("marker")) or details.get("eliminated") == "all"
    points[battle.fired[-1]] *= not is_out
    is_anew = battle.is_anew or bool(details.get("eliminated") and not is_out)
    battle = replace(battle, points=tuple(points), is_anew=is_anew)
    steps = [each for each in result.follow_ups if each.helper != "p-result"]
    if any(_open_hexes(battle)):
        steps.append(ask_side(Question.FIRE, battle.defender, _open_hexes(battle)))
    return _put_first(battle, _give_to(battle.side, steps))


def _give_to(side: Side, steps: Iterable[FollowUp]) -> Iterable[FollowUp]:
    """Steps that a side makes, about its own units."""
    return [replace(each, inputs={"side": side.value, **each.inputs}) for each in steps]


def _after_aircraft(battle: Battle, given: Values, result: Result) -> Battle:
    """Stukas that are sent home attack nobody (15.45)."""
    aborted = result.details.get("aborted", 0)
    return replace(battle, stukas=0 if aborted == "all" else max(0, battle.stukas - int(aborted)))


def _after_nkvd(battle: Battle, given: Values, result: Result) -> Battle:
    """A regiment that was tested before is tested no more, with none of its units (16.83)."""
    is_tested = result.outcome == "no_roll"
    return replace(battle, then=tuple(each for each in battle.then if not is_tested or each.helper != "nkvd"))


def _after_dog(battle: Battle, given: Values, result: Result) -> Battle:
    """An armoured unit is gone: what attacks has to be added up anew."""
    return replace(battle, is_anew=battle.is_anew or bool(result.details.get("armored_unit_lost")))


def _after_leader(battle: Battle, given: Values, result: Result) -> Battle:
    """A leader who falls before his attack leads it no more (9.59)."""
    is_hurt = given.get("side") == battle.side.value and result.outcome in ("wounded", "eliminated")
    leaders = int(battle.attack.get("leaders") or 0) - is_hurt
    return replace(battle, attack={**battle.attack, "leaders": max(0, leaders)})


def _after_attack(battle: Battle, given: Values, result: Result) -> Battle:
    """Losses, leader, tank, what the P asks of the defender, and who advances if nobody is left (9.85 to 9.88)."""
    steps = [each for each in result.follow_ups if each.helper in STEPS]
    is_left = any(each.helper == "advance" for each in result.follow_ups) or result.details.get("retreat") == "must"
    advance = [ask_side(Question.ADVANCE, battle.side)] if is_left else []
    return _put_first(battle, [*_give_to(battle.defender, steps), *advance])


def _after_p(battle: Battle, given: Values, result: Result) -> Battle:
    """A hex that all have left is open to who attacked (S-66)."""
    has_left = result.details.get("choice") == "retreat"
    return _put_first(battle, [ask_side(Question.ADVANCE, battle.side)] if has_left else [])


AFTER: dict[str, Callable[[Battle, Values, Result], Battle]] = {
    "decide": _after_decision,
    "defensive-fire": _after_fire,
    "anti-aircraft": _after_aircraft,
    "nkvd": _after_nkvd,
    "mine-dog": _after_dog,
    "leader-survival": _after_leader,
    "attack": _after_attack,
    "p-result": _after_p,
}
