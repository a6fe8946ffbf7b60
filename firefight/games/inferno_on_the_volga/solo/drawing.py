"""Cards drawn from both decks, Soviet blocks drawn from their pools and spun (Drawing Cards, Random Deployment)."""

from firefight.engine.course.conducting import Answer, Throw, Wanted
from firefight.engine.rolls.cards import card_throw, draw_from, list_uncertain
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.values import Json

from ..rules.course import SIDES
from ..rules.levels import find_headquarters
from ..rules.reinforcements import SPINS, show_spin
from ..rules.tables import GERMAN_LEADERS, Side
from .play import Play, as_faces, draw_unseen, find_drawn, for_soviets, to_do
from .steps import Step, Steps


def _want_card(play: Play, task: Json) -> Wanted:
    """No die where a card lies on top, where it is the last, or where none is left."""
    side = Side(task["side"])
    cards = list_uncertain(play.state["decks"][side.value])
    if not cards or not task["number"]:
        return None
    if side is Side.GERMAN:
        names = [play.card_name(side, card) for card in cards]
        return Throw(card_throw("German card", names), "Card Decks", by_app=True)
    return draw_unseen("card", len(cards), "Soviet card", "Drawing Cards")


def _draw(play: Play, task: Json, answer: Answer) -> None:
    side, more, cause = Side(task["side"]), task["number"] - 1, task["cause"]
    if more < 0 or not play.count_deck(side):
        return
    decks, faces = play.state["decks"], as_faces(answer)
    card, decks[side.value] = draw_from(decks[side.value], faces[0] if faces else None)
    play.state["drawn"][side.value] += 1
    if more:
        play.do({**task, "number": more})
    if side is Side.GERMAN:
        _receive(play, card, cause)
        return
    play.state["hands"]["soviet"].append(card)
    name, cards_left = play.card_name(side, card), play.count_deck(side)
    openly = f"The Soviets draw a card: {cause}. {cards_left} left."
    if play.players.is_soviet_played:
        play.tell_own(f"You draw {name}: {cause}. {cards_left} left.", openly, Side.SOVIET.value)
    else:
        play.seal(f"The card is {name}.")
        play.tell(openly, "soviet")
    if not cards_left:
        _look_at_empty_deck(play)


def _receive(play: Play, card: str, cause: str) -> None:
    """A leader is in play at once (German Leader Cards)."""
    name = play.card_name(Side.GERMAN, card)
    if card in GERMAN_LEADERS:
        play.state["leaders"]["german"].append(card)
        subject = "You draw" if play.players.is_solo else f"{SIDES[play.active]} draws"
        if not play.players.is_solo:  # its place in the deck would tell others of cards drawn before
            play.seal(f"You draw {name}.", play.active)
        play.tell(f"{subject} {name}, who is in play at once: {cause} (German Leader Cards).", "german")
        return
    play.hand.append(card)
    if play.players.is_solo:
        play.tell(f"You draw {name}: {cause}.", "german")
        return
    openly = f"{SIDES[play.active]} draws a card: {cause}. {play.count_deck(Side.GERMAN)} left."
    play.tell_own(f"You draw {name}: {cause}.", openly, play.active)


def _look_at_empty_deck(play: Play) -> None:
    """The last Soviet card ends the game, unless OKH gives turns (How to Win; B37)."""
    if play.find_standings().is_deck_lost:
        play.end("soviet", "the last Soviet card is drawn (How to Win)")


# Blocks


def _want_block(play: Play, task: Json) -> Wanted:
    return draw_unseen("block", len(play.of_pool(task["pool"])), "Block from the pool", "Random Deployment")


def _bring(play: Play, task: Json, answer: Answer) -> None:
    pool, hex = task["pool"], task["hex"]
    key = find_drawn(play.of_pool(pool), answer)
    empowered = pool == "marine" and "marines_empowered" in play.state["advantages"]["soviet"]
    play.seal(f"{play.block(key).name} comes to {hex}.")
    if empowered:
        play.enter([key], hex, play.block(key).top)
        _join(play, key)
    else:
        play.do(to_do("spin", block=key, hex=hex))


def _want_spin(play: Play, task: Json) -> Wanted:
    return Throw(DieSpec("edge", SPINS, "Edge of the block"), "Random Deployment", by_app=True)


def _spin(play: Play, task: Json, answer: Answer) -> None:
    key, hex = task["block"], task["hex"]
    faces = as_faces(answer)
    play.enter([key], hex, show_spin(play.block(key).top, faces[0]))
    play.seal(f"Its strength is {play.dots(key)}.")
    _join(play, key)


def _join(play: Play, key: str) -> None:
    """A block that comes into a hex whose Soviets fight, fights at once (B29)."""
    combat = play.state["combat"]
    if combat and play.at(key) in combat["soviet_hexes"]:
        combat["soviet"].append(key)
        play.tell(f"{play.names([key])} joins the combat in {play.at(key)}.", "soviet")


def _want_headquarters(play: Play, task: Json) -> Wanted:
    spec = DieSpec("headquarters", 6, "Chuikov's HQ", number=3, about="the sum of three dice is its hex")
    return for_soviets(play, Throw(spec, "The Designer's Way: Chuikov"))


def _set_headquarters(play: Play, task: Json, answer: Answer) -> None:
    total = sum(as_faces(answer))
    if hex := find_headquarters(total, play.holds(Side.SOVIET, str(total))):
        play.state["hq"] = hex
        play.tell(f"Chuikov's HQ is set up in {hex} (The Designer's Way).", "soviet")
    else:
        play.discard_chuikov()
        play.tell(f"Hex {total} is German: Chuikov's card is discarded (The Designer's Way).", "soviet")


DRAWING: Steps = {
    "draw": Step(_draw, _want_card),
    "bring": Step(_bring, _want_block, is_secret=True),
    "spin": Step(_spin, _want_spin, is_secret=True),
    "headquarters": Step(_set_headquarters, _want_headquarters),
}
