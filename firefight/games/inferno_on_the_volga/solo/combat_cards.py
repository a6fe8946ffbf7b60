"""The cards of a combat: laid, revealed, played, discarded (Combat Sequence 1 to 7)."""

from firefight.engine.course.conducting import Answer, Choice, Wanted
from firefight.engine.text import count_of
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
from ..rules.fire import count_hits, say_needs
from ..rules.levels import Level
from ..rules.tables import Fire, GermanCard, Side, SovietCard
from .engaging import find_card_values, inflict, lay_rubble, list_alive, list_laid, show_faces
from .play import Play, as_faces, ask, draw_unseen, for_soviets, throw_pool, to_do
from .steps import Step, Steps

HITS_OF_CARDS = {Side.GERMAN: Fire.TRIPLE, Side.SOVIET: Fire.DOUBLE}


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
    """A Soviet player lays any card, or none (The 1 vs 1 Mode, Combat)."""
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
        combat["cancelled"] = "aa" in marks and is_cancelled(list_laid(play), None, True)
        if "destroyer" in marks:
            play.do(to_do("strike", by=Marksman.DESTROYER_BRIGADE.value, times=1))


# 5: the Soviet card


def _find_soviet_card(play: Play) -> SovietCard | None:
    card = str(play.state["combat"]["soviet_card"]).partition(":")[0]
    return SovietCard(card) if card else None


def _want_dice_of_soviet_card(play: Play, task: Json) -> Wanted:
    card = _find_soviet_card(play)
    number = count_soviet_dice(card) if card else 0
    if card is None or not number:
        return None
    lands = card is SovietCard.FLOTILLA and not is_coastal(play.state["combat"]["soviet_hex"])
    use = "their sum is the hex of the landing" if lands else say_needs([(Fire.DOUBLE, Fire.DOUBLE.need)])
    about = f"{number} dice; {use}"
    return for_soviets(play, throw_pool("soviet_card", number, card.word, "Soviet Support Cards", about=about))


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
    if is_cancelled(list_laid(play), SovietCard.AA):
        combat["cancelled"] = True
        play.tell("AA: the airstrike is cancelled.", "soviet")
    lay_rubble(play, str(combat["soviet_card"]).partition(":")[2], "AA")


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


def _find_german_dice(play: Play) -> int:
    combat = play.state["combat"]
    cards = [] if combat["cancelled"] else list_laid(play)
    richthofen = play.has_leader(Side.GERMAN, "von_richthofen")
    return sum_up_cards(cards, richthofen, find_card_values(play)).dice


def _want_dice_of_german_cards(play: Play, task: Json) -> Wanted:
    number = _find_german_dice(play)
    if not number or not list_alive(play, Side.SOVIET):
        return None
    words = " and ".join(play.card_name(Side.GERMAN, card) for card in play.state["combat"]["german_cards"])
    about = f"{count_of(number, 'die', 'dice')}; {say_needs([(Fire.TRIPLE, Fire.TRIPLE.need)])}"
    return throw_pool("german_cards", number, words, "German Support Cards", side=play.active, about=about)


def _play_german_cards(play: Play, task: Json, answer: Answer) -> None:
    laid = list_laid(play)
    for card in laid:
        if card in (GermanCard.SNIPER, GermanCard.PAK):
            by = Marksman.GERMAN_SNIPER if card is GermanCard.SNIPER else Marksman.PAK
            play.do(to_do("strike", by=by.value, times=1))
    if faces := as_faces(answer):
        _fire_of_card(play, Side.GERMAN, " and ".join(card.word for card in laid), faces)


def _fire_of_card(play: Play, side: Side, words: str, faces: tuple[int, ...]) -> None:
    """Dice of a card hit at once, through Rubble at half the rate (B05)."""
    hits = count_hits(faces, HITS_OF_CARDS[side].need)
    inflict(play, side, hits, f"{words} {show_faces(faces)}")


def _discard(play: Play, task: Json, answer: Answer) -> None:
    combat, discards = play.state["combat"], play.state["discards"]
    if combat["soviet_card"]:
        discards["soviet"].append(combat["soviet_card"])
    for card in combat["german_cards"]:
        play.hand.remove(card)
        discards["german"].append(card)


COMBAT_CARDS: Steps = {
    "choose_card": Step(_choose_card, _want_card_of_player),
    "lay_card": Step(_lay_card, _want_soviet_card, is_secret=True),
    "showdown": Step(_showdown),
    "soviet_card": Step(_play_soviet_card, _want_dice_of_soviet_card),
    "german_cards": Step(_play_german_cards, _want_dice_of_german_cards),
    "discard": Step(_discard),
}
