"""Combat in its 13 steps, for both sides (Combat Sequence)."""

from firefight.engine.course.conducting import Answer, Choice, Throw, Wanted
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.values import Json

from ..rules.cards import (
    Marksman,
    SovietEffect,
    bring_unit,
    count_soviet_dice,
    count_strikes,
    is_cancelled,
    is_coastal,
    is_soviet_leader,
    land_marine,
    sum_up_cards,
)
from ..rules.fire import (
    count_effective,
    count_hits,
    count_self_hits,
    find_first,
    find_need,
    find_order,
    has_combined_force,
)
from ..rules.levels import Level, count_fortification
from ..rules.moves import find_advance, may_blitz
from ..rules.rubble import find_sum, list_additions, list_obstacles, makes_rubble
from ..rules.tables import (
    GERMAN_ARMOUR,
    MOST_RUBBLE,
    CardValue,
    Colour,
    Fire,
    GermanCard,
    Kind,
    Side,
    SovietCard,
    Terrain,
)
from .play import DEAD, POOL, Play, as_faces, ask, at_hex, draw_unseen, throw_pool, to_do
from .steps import Step, Steps

HITS_OF_CARDS = {Side.GERMAN: Fire.TRIPLE, Side.SOVIET: Fire.DOUBLE}


def open_combat(
    play: Play, attacker: Side, target: str, hexes: list[str], *, deliberate: bool, cards: list[str] | None = None
) -> None:
    """A combat begins; its steps come before all that waits. ``hexes``: whence it is made, the leading one first."""
    attackers = [key for hex in hexes for key in play.stacks[attacker][hex]]
    defenders = [*play.stacks[attacker.other][target]]
    play.state["combat"] = {
        "attacker": attacker.value,
        "deliberate": deliberate,
        "target": target,
        "hexes": hexes,
        attacker.value: attackers,
        attacker.other.value: defenders,
        "soviet_hex": target if attacker is Side.GERMAN else hexes[0],
        "soviet_hexes": [target] if attacker is Side.GERMAN else hexes,
        "soviet_card": "",
        "german_cards": cards or [],
        "cancelled": False,
        "revealed": False,
        "panzers": sum(play.block(key).type in GERMAN_ARMOUR for key in attackers),
    }
    if attacker is Side.SOVIET:
        play.state["combat"]["defender"] = play.find_defender(target)
    laid = ("choose_card", "german_card") if play.players.is_soviet_played else ("lay_card",)
    steps = ("showdown", "soviet_card", "german_cards", "discard", "opportunity", "rubble", "close", "won")
    play.do(*[to_do(name) for name in (*laid, *steps)], to_do("conceal"))


def find_combat_terrain(play: Play) -> Terrain:
    """The terrain of the attacked hex."""
    return Terrain(play.board.terrain[play.state["combat"]["target"]])


def list_alive(play: Play, side: Side) -> list[str]:
    """Those of a side in this combat who are left."""
    combat = play.state["combat"]
    hexes = {combat["target"], *combat["hexes"]}
    return [key for key in combat[side.value] if play.dots(key) and play.at(key) in hexes]


# 1 to 4: cards are laid, all is revealed


def _want_soviet_card(play: Play, task: Json) -> Wanted:
    return draw_unseen("hand", len(play.state["hands"]["soviet"]), "Card from the Soviet hand", "Combat Sequence 1")


def _lay_card(play: Play, task: Json, answer: Answer) -> None:
    hand = play.state["hands"]["soviet"]
    if not hand:
        return
    faces = as_faces(answer)
    card = hand.pop(faces[0] - 1 if faces else 0)
    play.state["combat"]["soviet_card"] = card
    play.seal(f"The Soviets lay {play.card_name(Side.SOVIET, card)}.")


def _want_card_of_player(play: Play, task: Json) -> Wanted:
    """A Soviet player lays the card that he likes, or none (The 1 vs 1 Mode, Combat)."""
    combat, hand = play.state["combat"], dict.fromkeys(play.state["hands"]["soviet"])
    if not hand:
        return None
    cards = [Choice(f"card-{card.replace(':', '-')}", play.card_name(Side.SOVIET, card)) for card in hand]
    question = f"Combat in {combat['target']}: which card?"
    rule = "The 1 vs 1 Mode"
    return ask(play, question, (Choice("none", "No card"), *cards), rule, Side.SOVIET.value, secret=True)


def _choose_card(play: Play, task: Json, answer: Answer) -> None:
    hand = play.state["hands"]["soviet"]
    card = next((card for card in hand if f"card-{card.replace(':', '-')}" == answer), "")
    if card:
        hand.remove(card)
        play.state["combat"]["soviet_card"] = card


def _showdown(play: Play, task: Json, answer: Answer) -> None:
    combat = play.state["combat"]
    if "immortal_guard" in play.state["advantages"]["soviet"]:
        for key in combat["soviet"]:
            if "guards" in play.block(key).marks:
                play.spend(key, play.block(key).top)
    cards = [play.card_name(Side.GERMAN, card) for card in combat["german_cards"]]
    laid = [*cards, *([play.card_name(Side.SOVIET, combat["soviet_card"])] if combat["soviet_card"] else [])]
    combat["revealed"] = True
    german, soviet = (play.names(combat[side]) for side in ("german", "soviet"))
    play.tell(
        f"Showdown at {combat['target']}: {german} against {soviet}; cards: {', '.join(laid) or 'none'}.",
        at=combat["target"],
    )
    if play.state["level"] == Level.IMPOSSIBLE_GERMAN:
        marks = {mark for key in combat["soviet"] for mark in play.block(key).marks}
        combat["cancelled"] = "aa" in marks and is_cancelled(_laid(play), None, True)
        if "destroyer" in marks:
            play.do(to_do("strike", by=Marksman.DESTROYER_BRIGADE.value, times=1))


def _laid(play: Play) -> list[GermanCard]:
    return [GermanCard(card) for card in play.state["combat"]["german_cards"]]


# 5: the Soviet card


def _find_soviet_card(play: Play) -> SovietCard | None:
    card = str(play.state["combat"]["soviet_card"]).partition(":")[0]
    return SovietCard(card) if card else None


def _want_dice_of_soviet_card(play: Play, task: Json) -> Wanted:
    card = _find_soviet_card(play)
    number = count_soviet_dice(card) if card else 0
    return (
        throw_pool("soviet_card", number, card.word, "Soviet Support Cards", by_app=True) if card and number else None
    )


def _play_soviet_card(play: Play, task: Json, answer: Answer) -> None:
    card, combat = _find_soviet_card(play), play.state["combat"]
    if card is None:
        return
    if is_soviet_leader(card):
        play.state["leaders"]["soviet"].append(str(card))
        combat["soviet_card"] = ""
        play.tell(f"{card.word} comes into play (Soviet Leader Cards).", "soviet")
        if card is SovietCard.CHUIKOV and "chuikov" in play.state["advantages"]["soviet"]:
            play.do(to_do("headquarters"))
        return
    match card:
        case SovietCard.AA:
            _play_aa(play)
        case SovietCard.SNIPER | SovietCard.ANTI_TANK:
            by = Marksman.SOVIET_SNIPER if card is SovietCard.SNIPER else Marksman.ANTI_TANK
            times = count_strikes(card, play.has_leader(Side.SOVIET, "zaytsev"))
            play.do(to_do("strike", by=by.value, times=times))
        case SovietCard.INFILTRATION | SovietCard.T_34:
            _bring_help(play, card)
        case SovietCard.FLOTILLA if not is_coastal(combat["soviet_hex"]):
            _land(play, sum(as_faces(answer)))
        case _:
            _fire_of_card(play, Side.SOVIET, card.word, as_faces(answer))


def _play_aa(play: Play) -> None:
    combat = play.state["combat"]
    if is_cancelled(_laid(play), SovietCard.AA):
        combat["cancelled"] = True
        play.tell("AA: the airstrike is cancelled.", "soviet")
    lay_rubble(play, str(combat["soviet_card"]).partition(":")[2], "AA")


def lay_rubble(play: Play, hex: str, cause: str) -> None:
    """A marker is laid: never two in a hex, nothing beyond 15 (Rubble; B06)."""
    rubble = play.state["rubble"]
    if hex in rubble or len(rubble) >= MOST_RUBBLE:
        play.tell(f"{cause}: no Rubble is laid in {hex} (Rubble).")
        return
    rubble.append(hex)
    play.tell(f"{cause}: Rubble in {hex} (Rubble).", at=hex)


def _bring_help(play: Play, card: SovietCard) -> None:
    pool, hex = ("tank" if card is SovietCard.T_34 else "infantry"), play.state["combat"]["soviet_hex"]
    effect = bring_unit(len(play.soviets.get(hex, ())), len(play.of_pool(pool)))
    if effect is SovietEffect.DEPLOY:
        play.tell(f"{card.word}: a block comes to {hex}.", "soviet", hex)
        play.do(to_do("bring", pool=pool, hex=hex))
    else:
        play.do(to_do("draw", side="soviet", number=1, cause=f"{card.word} brings nobody"))


def _land(play: Play, total: int) -> None:
    hex = str(total)
    stack, marines = len(play.soviets.get(hex, ())), len(play.of_pool("marine"))
    effect = land_marine(hex in play.germans, stack, marines)
    play.tell(f"Volga River Flotilla: landing in {hex}: {effect.word}.", "soviet", hex)
    if effect is SovietEffect.MARINE:
        play.do(to_do("bring", pool="marine", hex=hex))
    elif effect is SovietEffect.CARD:
        play.do(to_do("draw", side="soviet", number=1, cause=f"nobody lands in {hex}"))


# 6 and 7: the German cards


def find_card_values(play: Play) -> dict[GermanCard, CardValue]:
    """What the cards themselves print, the 672nd Pioneer's too."""
    cards = play.content.german_cards.values()
    return {GermanCard(card.key): CardValue(card.dice, card.modifier) for card in cards if card.dice}


def _find_german_dice(play: Play) -> int:
    combat = play.state["combat"]
    cards = [] if combat["cancelled"] else _laid(play)
    richthofen = play.has_leader(Side.GERMAN, "von_richthofen")
    return sum_up_cards(cards, richthofen, find_card_values(play)).dice


def _want_dice_of_german_cards(play: Play, task: Json) -> Wanted:
    number = _find_german_dice(play)
    if not number or not list_alive(play, Side.SOVIET):
        return None
    words = " and ".join(play.card_name(Side.GERMAN, card) for card in play.state["combat"]["german_cards"])
    return throw_pool("german_cards", number, words, "German Support Cards", side=play.active)


def _play_german_cards(play: Play, task: Json, answer: Answer) -> None:
    laid = _laid(play)
    for card in laid:
        if card in (GermanCard.SNIPER, GermanCard.PAK):
            by = Marksman.GERMAN_SNIPER if card is GermanCard.SNIPER else Marksman.PAK
            play.do(to_do("strike", by=by.value, times=1))
    if faces := as_faces(answer):
        _fire_of_card(play, Side.GERMAN, " and ".join(card.word for card in laid), faces)


def _fire_of_card(play: Play, side: Side, words: str, faces: tuple[int, ...]) -> None:
    """Dice of a card hit at once, through Rubble at half the rate (B05)."""
    hits = count_hits(faces, HITS_OF_CARDS[side].need)
    _inflict(play, side, hits, f"{words} {_show(faces)}")


def _show(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def _inflict(play: Play, by: Side, hits: int, cause: str) -> None:
    """Hits of a side on the other, after Rubble."""
    combat = play.state["combat"]
    rubble = combat["target"] in play.state["rubble"]
    count = count_effective(hits, rubble, attacker_suffers=by.value != combat["attacker"])
    halved = f", {count} through Rubble" if count != hits else ""
    play.tell(f"{cause}: {hits} hit{'s' if hits != 1 else ''}{halved}.", by)
    if count:
        play.do(to_do("hit", side=by.other.value, hits=count))


def _discard(play: Play, task: Json, answer: Answer) -> None:
    combat, discards = play.state["combat"], play.state["discards"]
    if combat["soviet_card"]:
        discards["soviet"].append(combat["soviet_card"])
    for card in combat["german_cards"]:
        play.hand.remove(card)
        discards["german"].append(card)


# 8 and 9: Opportunity Fire, Rubble


def _list_opportunity(play: Play) -> list[str]:
    """Who fires: every Soviet next to an attacking Stack of which somebody is left, those attacked too (Chuikov)."""
    combat = play.state["combat"]
    if combat["attacker"] != "german" or not play.has_leader(Side.SOVIET, "chuikov"):
        return []
    stacks = {play.at(key) for key in list_alive(play, Side.GERMAN)}
    hexes = {name for hex in stacks for name in play.list_beside(Side.SOVIET, hex)}
    return [key for hex in sorted(hexes) for key in play.soviets[hex]]


def _want_opportunity(play: Play, task: Json) -> Wanted:
    number = len(_list_opportunity(play))
    return throw_pool("opportunity", number, "Opportunity Fire", "Opportunity Fire", by_app=True) if number else None


def _fire_at_opportunity(play: Play, task: Json, answer: Answer) -> None:
    if faces := as_faces(answer):
        _fire_soviets(play, _list_opportunity(play), faces, "Opportunity Fire", opportunity=True)


def _fire_soviets(play: Play, keys: list[str], dice: tuple[int, ...], words: str, opportunity: bool = False) -> None:
    """Soviet dice, block by block; with Khrushchev ones hit those who are revealed (B11 to B13)."""
    khrushchev = play.has_leader(Side.SOVIET, "khrushchev")
    hits, first = 0, 0
    for key in keys:
        faces = dice[first : first + (1 if opportunity else play.dots(key))]
        first += len(faces)
        attacks = play.state["combat"]["attacker"] == "soviet"
        in_use = play.at(key) in play.state["fortified"]
        fortified = bool(count_fortification(play.at(key), attacks, in_use=in_use))
        hits += count_hits(faces, find_need(Fire(play.fire_of(key)), khrushchev, fortified, opportunity))
    _inflict(play, Side.SOVIET, hits, f"{words} {_show(dice)}")
    if ones := count_self_hits(dice, khrushchev):
        play.tell(f"Khrushchev: {ones} hit the Soviets themselves.", "soviet")
        play.do(to_do("hit", side="soviet", hits=ones))


def _find_modifier(play: Play) -> int:
    combat = play.state["combat"]
    richthofen = play.has_leader(Side.GERMAN, "von_richthofen")
    values = find_card_values(play)
    hexes, panzers = len(combat["hexes"]), combat["panzers"]
    additions = list_additions(_laid(play), hexes, panzers, richthofen, combat["cancelled"], values)
    return sum(each.value for each in additions)


def _want_rubble(play: Play, task: Json) -> Wanted:
    combat, rubble = play.state["combat"], play.state["rubble"]
    urban = find_combat_terrain(play) is Terrain.URBAN
    deliberate = combat["deliberate"] and combat["attacker"] == "german"
    modifier = _find_modifier(play)
    if list_obstacles(urban, deliberate, combat["target"] in rubble, len(rubble)):
        return None
    if find_sum(modifier) > 18:
        return None
    spec = DieSpec("rubble", 6, f"Rubble Roll, {find_sum(modifier)} or more", number=3)
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
    first = find_first(find_order(terrain, bonus), Side(combat["attacker"]))
    if not kinds[Side.GERMAN] or not kinds[Side.SOVIET]:
        return
    if first:
        play.do(to_do("fire", side=first.value), to_do("fire", side=first.other.value))
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
    by_app = side is Side.SOVIET
    return throw_pool("fire", number, label[:120], "Close Combat", by_app, "" if by_app else _find_fighter(play))


def _find_fighter(play: Play) -> str:
    """The German who decides in this combat: who attacks, or whose Stack is attacked (Co-Op 5)."""
    combat = play.state["combat"]
    return play.active if combat["attacker"] == Side.GERMAN else str(combat.get("defender", play.active))


def _leaves_ties(play: Play) -> bool:
    """Whether that German lets the app choose; with two each for himself."""
    ties = play.state["ties"]
    return bool(ties) and (not play.players.are_two_germans or _find_fighter(play) in ties.split())


def _fire(play: Play, task: Json, answer: Answer) -> None:
    """Dice of a side; where both fire at once, hits wait until both have rolled."""
    side, dice = Side(task["side"]), as_faces(answer)
    if not dice:
        return
    firers = list_alive(play, side)
    if side is Side.SOVIET:
        _fire_soviets(play, firers, dice, "Soviet fire")
    else:
        hits, first = 0, 0
        for key in firers:
            faces = dice[first : first + play.dots(key)]
            first += len(faces)
            hits += count_hits(faces, find_need(Fire(play.fire_of(key))))
        _inflict(play, Side.GERMAN, hits, f"German fire {_show(dice)}")
    if "pending" in play.state["combat"]:
        _hold_back(play, side)


def _hold_back(play: Play, by: Side) -> None:
    """Hits on the enemy wait; what Khrushchev's ones do does not (B12)."""
    waits = [task for task in play.todo if task["do"] == "hit" and task["side"] == by.other.value]
    play.state["combat"]["pending"] += waits
    play.todo[:] = [task for task in play.todo if task not in waits]


def _both(play: Play, task: Json, answer: Answer) -> None:
    play.do(*play.state["combat"].pop("pending"))


# Hits


def _able(play: Play, task: Json) -> list[str]:
    """Who can take a hit: those of a side, of some kinds alone where a card says so."""
    kinds = Marksman(task["by"]).victims if "by" in task else None
    alive = list_alive(play, Side(task["side"]))
    return [key for key in alive if kinds is None or play.block(key).type in kinds]


def _tied(play: Play, task: Json) -> list[str]:
    able = _able(play, task)
    highest = max((play.dots(key) for key in able), default=0)
    return [key for key in able if play.dots(key) == highest]


def _weigh(play: Play, key: str) -> tuple[bool, int, bool, str]:
    """The worth of a block, for whoever leaves ties to the app: R marks, fire, armour."""
    block = play.block(key)
    need = Fire(play.fire_of(key)).need
    return "r" in block.marks, -need, block.type != "infantry", key


def _want_tie(play: Play, task: Json) -> Wanted:
    """The German player chooses among the strongest, where it matters (Close Combat)."""
    tied = _tied(play, task)
    if len(tied) <= 1 or task["hits"] >= len(tied) or _leaves_ties(play):
        return None
    suggested = _prefer(play, task, tied)
    auto = Choice("auto", "Let the app choose, from now on", f"First {play.block(suggested).name}.")
    blocks = [Choice(f"block-{key}", play.block(key).name, f"{play.dots(key)} {play.fire_of(key)}") for key in tied]
    question = f"{task['hits']} to lose: who of the strongest?"
    return ask(play, question, (auto, *blocks), "Close Combat", _find_fighter(play))


def _prefer(play: Play, task: Json, tied: list[str]) -> str:
    """The least worth of the Germans, the most of the Soviets."""
    best = max if task["side"] == "soviet" else min
    return best(tied, key=lambda key: _weigh(play, key))


def _hit(play: Play, task: Json, answer: Answer) -> None:
    tied = _tied(play, task)
    if not tied:
        return
    if answer == "auto":
        ties = play.state["ties"].split()
        play.state["ties"] = " ".join([*ties, _find_fighter(play)]) if play.players.are_two_germans else "auto"
    chosen = answer.removeprefix("block-") if isinstance(answer, str) and answer != "auto" else ""
    takes = tied if task["hits"] >= len(tied) else [chosen or _prefer(play, task, tied)]
    for key in takes:
        reduce(play, key)
    if left := task["hits"] - len(takes):
        play.do({**task, "hits": left})


def reduce(play: Play, key: str) -> None:
    """A block loses a step; without any it goes to its pool, or to the Death Pool (Reducing Strength; B43)."""
    dots = play.dots(key) - 1
    play.spend(key, dots)
    name = play.block(key).name
    if dots:
        play.tell(f"{name} is reduced to {dots}.")
        return
    play.tell(f"{name} is destroyed.")
    play.put(key, POOL if play.block(key).side == "soviet" else DEAD, 0)


def _strike(play: Play, task: Json, answer: Answer) -> None:
    """A card that needs no die: one step of the strongest that it can hit, as often as it says."""
    by = Marksman(task["by"])
    able = _able(play, {**task, "side": by.victim_side.value})
    play.tell(f"{by.word}: {'one step' if able else 'nobody to hit'}.", by.victim_side.other)
    if able:
        again = [{**task, "times": task["times"] - 1}] if task["times"] > 1 else []
        play.do(to_do("hit", side=by.victim_side.value, hits=1, by=by.value), *again)


# 11 to 13: advance, Blitz


def _won(play: Play, task: Json, answer: Answer) -> None:
    combat = play.state["combat"]
    attacker = Side(combat["attacker"])
    alive = list_alive(play, attacker)
    if combat["target"] in play.stacks[attacker.other] or not alive:
        play.tell(f"{combat['target']} is held." if alive else f"Nobody is left to enter {combat['target']}.")
        return
    advance = find_advance(attacker, [play.dots(key) for key in alive])
    candidates = [alive[place] for place in advance.candidates]
    if attacker is Side.SOVIET:
        play.do(to_do("soviet_advance", candidates=candidates))
        return
    best = sorted(candidates, key=lambda key: _weigh(play, key), reverse=True)
    best = sorted(best, key=play.dots, reverse=True)
    best = _keep_one_colour(play, best)[: advance.most]
    play.do(to_do("advance", candidates=candidates, picked=best, most=advance.most))


def _keep_one_colour(play: Play, keys: list[str]) -> list[str]:
    """Those who can stand in one hex: with two players no Blue with Yellow; of both the one whose turn it is."""
    if play.may_stand(keys, ""):
        return keys
    return [key for key in keys if play.block(key).colour in (play.active, Colour.WHITE)]


def _want_soviet_advance(play: Play, task: Json) -> Wanted:
    candidates = task["candidates"]
    if len(candidates) < 2 or _leaves_ties(play):
        return None
    choices = [Choice(f"block-{key}", play.block(key).name, play.names([key])) for key in candidates]
    question = "Who of the strongest Soviets advances?"
    return ask(play, question, choices, "Advance after Combat", _find_fighter(play))


def _soviet_advance(play: Play, task: Json, answer: Answer) -> None:
    key = answer.removeprefix("block-") if isinstance(answer, str) else min(task["candidates"])
    play.tell(
        f"The strongest Soviet block advances into {play.state['combat']['target']}.",
        "soviet",
        play.state["combat"]["target"],
    )
    play.enter([key], play.state["combat"]["target"])


def _want_advance(play: Play, task: Json) -> Wanted:
    if len(task["candidates"]) == 1:
        return None
    picked, target = task["picked"], play.state["combat"]["target"]
    go = [Choice("go", f"Advance with {len(picked)}", play.names(picked), place=target)] if picked else []
    blocks = [
        Choice(f"block-{key}", f"{'Not' if key in picked else 'Also'} {play.block(key).name}", play.names([key]))
        for key in task["candidates"]
        if key in picked or (len(picked) < task["most"] and play.may_stand([*picked, key], ""))
    ]
    return ask(play, f"Who advances into {target}?", (*go, *blocks), "Advance after Combat")


def _advance(play: Play, task: Json, answer: Answer) -> None:
    if isinstance(answer, str) and answer != "go":
        key = answer.removeprefix("block-")
        picked = [each for each in task["picked"] if each != key]
        play.do({**task, "picked": picked if key in task["picked"] else [*picked, key]})
        return
    target, picked = play.state["combat"]["target"], task["picked"]
    play.tell(f"{play.names(picked)} advance into {target} (Advance after Combat).", "german", target)
    play.do(*[to_do("blitz", block=key) for key in picked])
    play.enter(picked, target)


def list_blitz_hexes(play: Play, key: str) -> list[str]:
    """Where a block that has advanced may go on to (Blitz Movement; B47)."""
    here, hoth, kind = play.at(key), play.has_leader(Side.GERMAN, "hoth"), Kind(play.block(key).type)
    terrain = play.board.terrain
    return [
        hex
        for hex in play.board.next_to[here]
        if may_blitz(hoth, kind, Terrain(terrain[here]), Terrain(terrain[hex]), hex in play.soviets)
        and play.has_room(hex)
        and play.may_join([key], hex)
    ]


def _want_blitz(play: Play, task: Json) -> Wanted:
    hexes = list_blitz_hexes(play, task["block"])
    if not hexes:
        return None
    several = any(other["do"] == "blitz" for other in play.todo[-2:-1])
    stay = [Choice("stay", "Stay")] + ([Choice("all", "All stay")] if several else [])
    choices = (*stay, *(at_hex(hex) for hex in hexes))
    return ask(play, f"Blitz with {play.block(task['block']).name}?", choices, "Blitz Movement")


def _blitz(play: Play, task: Json, answer: Answer) -> None:
    if answer == "all":
        play.todo[:] = [other for other in play.todo if other["do"] != "blitz"]
    elif isinstance(answer, str) and answer != "stay":
        hex = answer.removeprefix("hex-")
        play.tell(f"{play.block(task['block']).name} goes on to {hex} (Blitz Movement).", "german", hex)
        play.enter([task["block"]], hex)


def _conceal(play: Play, task: Json, answer: Answer) -> None:
    play.state["combat"] = None
    play.rests = True


FIGHTING: Steps = {
    "choose_card": Step(_choose_card, _want_card_of_player),
    "lay_card": Step(_lay_card, _want_soviet_card, is_secret=True),
    "showdown": Step(_showdown),
    "soviet_card": Step(_play_soviet_card, _want_dice_of_soviet_card),
    "german_cards": Step(_play_german_cards, _want_dice_of_german_cards),
    "discard": Step(_discard),
    "opportunity": Step(_fire_at_opportunity, _want_opportunity),
    "rubble": Step(_roll_rubble, _want_rubble),
    "close": Step(_close),
    "fire": Step(_fire, _want_fire),
    "both": Step(_both),
    "hit": Step(_hit, _want_tie),
    "strike": Step(_strike),
    "won": Step(_won),
    "soviet_advance": Step(_soviet_advance, _want_soviet_advance),
    "advance": Step(_advance, _want_advance),
    "blitz": Step(_blitz, _want_blitz),
    "conceal": Step(_conceal),
}
