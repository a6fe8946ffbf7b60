"""Fire in a combat: Opportunity Fire, Rubble, Close Combat, and which blocks hits reduce (Combat Sequence 8 to 10)."""

from firefight.engine.course.conducting import Answer, Choice, Throw, Wanted
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.modifiers import total
from firefight.engine.text import count_of
from firefight.engine.values import Json

from ..rules.cards import Marksman
from ..rules.fire import count_hits, count_self_hits, find_first, find_need, find_order, has_combined_force, say_needs
from ..rules.levels import count_fortification
from ..rules.rubble import find_sum, list_additions, list_obstacles, makes_rubble
from ..rules.tables import Fire, Kind, Side, Terrain
from .engaging import (
    find_card_values,
    find_combat_terrain,
    find_fighter,
    inflict,
    lay_rubble,
    leaves_ties,
    list_alive,
    list_laid,
    show_faces,
    weigh_block,
)
from .play import DEAD, POOL, Play, as_faces, ask, for_soviets, throw_pool, to_do
from .steps import Step, Steps

# 8 and 9: Opportunity Fire, Rubble


def _list_opportunity(play: Play) -> list[str]:
    """All that fire: every Soviet next to an attacking Stack that is not gone, those attacked too (Chuikov)."""
    combat = play.state["combat"]
    if combat["attacker"] != "german" or not play.has_leader(Side.SOVIET, "chuikov"):
        return []
    stacks = {play.at(key) for key in list_alive(play, Side.GERMAN)}
    hexes = {name for hex in stacks for name in play.list_beside(Side.SOVIET, hex)}
    return [key for hex in sorted(hexes) for key in play.soviets[hex]]


def _want_opportunity(play: Play, task: Json) -> Wanted:
    firers = _list_opportunity(play)
    if not firers:
        return None
    needs = [(Fire.SINGLE, _find_need(play, key, opportunity=True)) for key in firers]
    about = f"{count_of(len(firers), 'die', 'dice')}, one a block; {say_needs(needs)}"
    return for_soviets(
        play, throw_pool("opportunity", len(firers), "Opportunity Fire", "Opportunity Fire", about=about)
    )


def _fire_at_opportunity(play: Play, task: Json, answer: Answer) -> None:
    if faces := as_faces(answer):
        shots = zip(_list_opportunity(play), faces, strict=True)
        hits = sum(face >= _find_need(play, key, opportunity=True) for key, face in shots)
        _inflict_soviet(play, hits, faces, "Opportunity Fire")


def _find_need(play: Play, key: str, opportunity: bool = False) -> int:
    """The lowest face with which a block hits: Soviets by Khrushchev and a fortification, too (B13)."""
    fire = Fire(play.fire_of(key))
    if play.block(key).side == Side.GERMAN:
        return find_need(fire)
    attacks = play.state["combat"]["attacker"] == "soviet"
    in_use = play.at(key) in play.state["fortified"]
    fortified = bool(count_fortification(play.at(key), attacks, in_use=in_use))
    return find_need(fire, play.has_leader(Side.SOVIET, "khrushchev"), fortified, opportunity)


def _count_hits(play: Play, keys: list[str], dice: tuple[int, ...]) -> int:
    """How many dice hit, block by block, each with as many as it has dots."""
    hits, start = 0, 0
    for key in keys:
        hits += count_hits(dice[start : start + play.dots(key)], _find_need(play, key))
        start += play.dots(key)
    return hits


def _inflict_soviet(play: Play, hits: int, dice: tuple[int, ...], words: str) -> None:
    """Hits of Soviet dice; with Khrushchev ones hit those who are revealed (B11, B12)."""
    khrushchev = play.has_leader(Side.SOVIET, "khrushchev")
    inflict(play, Side.SOVIET, hits, f"{words} {show_faces(dice)}")
    if ones := count_self_hits(dice, khrushchev):
        play.tell(f"Khrushchev: {ones} hit the Soviets themselves.", "soviet")
        play.do(to_do("hit", side="soviet", hits=ones))


def _find_modifier(play: Play) -> int:
    combat = play.state["combat"]
    richthofen = play.has_leader(Side.GERMAN, "von_richthofen")
    values = find_card_values(play)
    hexes, panzers = len(combat["hexes"]), combat["panzers"]
    return total(list_additions(list_laid(play), hexes, panzers, richthofen, combat["cancelled"], values))


def _want_rubble(play: Play, task: Json) -> Wanted:
    combat, rubble = play.state["combat"], play.state["rubble"]
    urban = find_combat_terrain(play) is Terrain.URBAN
    deliberate = combat["deliberate"] and combat["attacker"] == "german"
    modifier = _find_modifier(play)
    if list_obstacles(urban, deliberate, combat["target"] in rubble, len(rubble)):
        return None
    if find_sum(modifier) > 18:
        return None
    label = f"Rubble Roll, {find_sum(modifier)} or more"
    spec = DieSpec("rubble", 6, label, number=3, about="the sum of three dice")
    return Throw(spec, "Rubble", side=play.active)


def _roll_rubble(play: Play, task: Json, answer: Answer) -> None:
    if not isinstance(answer, int):
        return
    if makes_rubble(answer, _find_modifier(play)):
        lay_rubble(play, play.state["combat"]["target"], f"Rubble Roll {answer} + {_find_modifier(play)}")
    else:
        play.tell(f"Rubble Roll {answer} + {_find_modifier(play)}: none (Rubble).")


# 10: Close Combat


def _close(play: Play, task: Json, answer: Answer) -> None:
    combat = play.state["combat"]
    hoth, terrain = play.has_leader(Side.GERMAN, "hoth"), find_combat_terrain(play)
    kinds = {side: [Kind(play.block(key).type) for key in list_alive(play, side)] for side in Side}
    bonus = has_combined_force(hoth, terrain, kinds[Side.GERMAN], kinds[Side.SOVIET])
    first_side = find_first(find_order(terrain, bonus), Side(combat["attacker"]))
    if not kinds[Side.GERMAN] or not kinds[Side.SOVIET]:
        return
    if first_side:
        play.do(to_do("fire", side=first_side.value), to_do("fire", side=first_side.other.value))
        return
    combat["pending"] = []
    play.do(to_do("fire", side="german"), to_do("fire", side="soviet"), to_do("both"))


def _want_fire(play: Play, task: Json) -> Wanted:
    side = Side(task["side"])
    pending = "pending" in play.state["combat"]
    firers = list_alive(play, side)
    if not firers or not (pending or list_alive(play, side.other)):
        return None
    dice = [f"{play.dots(key)} {play.fire_of(key)}" for key in firers]
    label = f"{side.word} fire: {', '.join(dice)}"
    number = sum(play.dots(key) for key in firers)
    about = f"{count_of(number, 'die', 'dice')}{' in this order' if len(firers) > 1 else ''}"
    about += f"; {say_needs((Fire(play.fire_of(key)), _find_need(play, key)) for key in firers)}"
    throw = throw_pool("fire", number, label[:120], "Close Combat", find_fighter(play), about)
    return for_soviets(play, throw) if side is Side.SOVIET else throw


def _fire(play: Play, task: Json, answer: Answer) -> None:
    """Dice of a side; where both fire at once, hits wait until both have rolled."""
    side, dice = Side(task["side"]), as_faces(answer)
    if not dice:
        return
    hits = _count_hits(play, list_alive(play, side), dice)
    if side is Side.SOVIET:
        _inflict_soviet(play, hits, dice, "Soviet fire")
    else:
        inflict(play, Side.GERMAN, hits, f"German fire {show_faces(dice)}")
    if "pending" in play.state["combat"]:
        _hold_back(play, side)


def _hold_back(play: Play, by: Side) -> None:
    """Hits on the enemy wait; those of Khrushchev's ones do not (B12)."""
    waits = [task for task in play.todo if task["do"] == "hit" and task["side"] == by.other.value]
    play.state["combat"]["pending"] += waits
    play.todo[:] = [task for task in play.todo if task not in waits]


def _both(play: Play, task: Json, answer: Answer) -> None:
    play.do(*play.state["combat"].pop("pending"))


# Hits


def _list_able(play: Play, task: Json) -> list[str]:
    """The blocks that can take a hit: those of a side, only of some kinds where a card says so."""
    kinds = Marksman(task["by"]).victims if "by" in task else None
    alive = list_alive(play, Side(task["side"]))
    return [key for key in alive if kinds is None or play.block(key).type in kinds]


def _list_tied(play: Play, task: Json) -> list[str]:
    able = _list_able(play, task)
    highest = max((play.dots(key) for key in able), default=0)
    return [key for key in able if play.dots(key) == highest]


def _want_tie(play: Play, task: Json) -> Wanted:
    """The German player chooses among the strongest, where it matters (Close Combat)."""
    tied = _list_tied(play, task)
    if len(tied) <= 1 or task["hits"] >= len(tied) or leaves_ties(play):
        return None
    suggested = _prefer(play, task, tied)
    auto = Choice("auto", "Let the app choose, from now on", f"First {play.block(suggested).name}.")
    blocks = [Choice(f"block-{key}", play.block(key).name, f"{play.dots(key)} {play.fire_of(key)}") for key in tied]
    question = f"{task['hits']} to lose: who of the strongest?"
    return ask(play, question, (auto, *blocks), "Close Combat", find_fighter(play))


def _prefer(play: Play, task: Json, tied: list[str]) -> str:
    """The German block worth least, or the Soviet one worth most."""
    best = max if task["side"] == "soviet" else min
    return best(tied, key=lambda key: weigh_block(play, key))


def _hit(play: Play, task: Json, answer: Answer) -> None:
    tied = _list_tied(play, task)
    if not tied:
        return
    if answer == "auto":
        ties = play.state["ties"].split()
        play.state["ties"] = " ".join([*ties, find_fighter(play)]) if play.players.are_two_germans else "auto"
    chosen = answer.removeprefix("block-") if isinstance(answer, str) and answer != "auto" else ""
    takes = tied if task["hits"] >= len(tied) else [chosen or _prefer(play, task, tied)]
    for key in takes:
        reduce(play, key)
    if hits_left := task["hits"] - len(takes):
        play.do({**task, "hits": hits_left})


def reduce(play: Play, key: str) -> None:
    """A block loses a step; without any it goes to its pool, or to the Death Pool (Reducing Strength; B43)."""
    dots = play.dots(key) - 1
    play.spend(key, dots)
    name = play.block(key).name
    if dots:
        play.tell(f"{name} is reduced to {dots}.")
        return
    play.tell(f"{name} is destroyed.")
    play.put_block(key, POOL if play.block(key).side == "soviet" else DEAD, 0)


def _strike(play: Play, task: Json, answer: Answer) -> None:
    """A card that needs no die: one step off the strongest that it can hit, as often as it says."""
    by = Marksman(task["by"])
    able = _list_able(play, {**task, "side": by.victim_side.value})
    play.tell(f"{by.word}: {'one step' if able else 'nobody to hit'}.", by.victim_side.other)
    if able:
        again = [{**task, "times": task["times"] - 1}] if task["times"] > 1 else []
        play.do(to_do("hit", side=by.victim_side.value, hits=1, by=by.value), *again)


EXCHANGE: Steps = {
    "opportunity": Step(_fire_at_opportunity, _want_opportunity),
    "rubble": Step(_roll_rubble, _want_rubble),
    "close": Step(_close),
    "fire": Step(_fire, _want_fire),
    "both": Step(_both),
    "hit": Step(_hit, _want_tie),
    "strike": Step(_strike),
}
