"""How a game stands: cards for captures, victory, the set-up, two German players, The Designer's Way."""

from collections.abc import Mapping

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import Outcome, Result
from firefight.engine.text import capitalize, count_of, join_words

from ..rules.charts import name_sources
from ..rules.ending import (
    POINTS,
    Standings,
    count_call_cards,
    count_captured_cards,
    find_co_op_winner,
    is_enemy_spawn,
)
from ..rules.levels import (
    ADVANTAGES,
    Level,
    count_fortification,
    find_deck_order,
    find_headquarters,
    has_fortifications,
)
from ..rules.setting_up import count_blocks, find_stack_colour, list_deck
from ..rules.tables import FORTIFIED, Colour, GermanCard, Side, SovietCard

WAY = "The Designer's Way"


class DrawEvent(Labelled):
    """What may draw cards."""

    CAPTURE = "capture", "a hex is taken"
    CALL = "call", "a Call for Reinforcements"


class DrawOutcome(Outcome):
    """Whether cards are drawn."""

    DRAWS = "draws"
    NONE = "none", "no card"


class EndOutcome(Outcome):
    """Whether somebody has won."""

    GOES_ON = "goes_on", "the game goes on"
    GERMAN = "german", "German victory"
    SOVIET = "soviet", "Soviet victory"
    BOTH = "both", "both goals are reached"


class ColourOutcome(Outcome):
    """Which player a Stack belongs to."""

    YELLOW = "yellow", "a Yellow Stack"
    BLUE = "blue", "a Blue Stack"
    WHITE = "white", "a White Stack"
    ILLEGAL = "illegal", "no legal Stack"


def answer_capture(
    *,
    charts: Book,
    side: Side = Side.GERMAN,
    event: DrawEvent = DrawEvent.CAPTURE,
    hex: str = "",
    paulus: bool = False,
) -> Result:
    """How many cards a capture or a Call draws (Capturing an Enemy Spawn Hex, Paulus; B18, B22, B42)."""
    if event is DrawEvent.CAPTURE and not hex:
        raise BadInput({"hex": "Which hex is taken?"})
    is_call = event is DrawEvent.CALL
    is_spawn = not is_call and is_enemy_spawn(side, hex)
    if is_call:
        cards = count_call_cards(paulus) if side is Side.GERMAN else 0
    else:
        cards = count_captured_cards(side, hex, paulus)
    effects = []
    if is_call and side is Side.SOVIET:
        effects.append("Germans alone call for reinforcements.")
    if not is_call and not cards:
        effects.append(f"Hex {hex} is no Spawn Hex of the enemy.")
    return Result(
        f"{side.word}: {count_of(cards, 'card') if cards else 'no card'}.",
        DrawOutcome.DRAWS if cards else DrawOutcome.NONE,
        details={"cards": cards, "enemy_spawn": is_spawn},
        effects=tuple(effects),
        rules=("Capturing an Enemy Spawn Hex", *(("Paulus",) if paulus else ())),
    )


# Victory


def answer_victory(charts: Book, standings: Standings) -> Result:
    """Who has won at the end of a turn (How to Win the Game, OKH; B16, B17, B37)."""
    if standings.destroyed_r > standings.destroyed:
        raise BadInput({"destroyed_r": f"No more than the {standings.destroyed} Units destroyed in all."})
    outcome = {
        (False, False): EndOutcome.GOES_ON,
        (True, False): EndOutcome.GERMAN,
        (False, True): EndOutcome.SOVIET,
        (True, True): EndOutcome.BOTH,
    }[standings.is_german_won, standings.is_soviet_won]
    return Result(
        f"{outcome.word}.",
        outcome,
        details={
            "german": standings.is_german_won,
            "soviet": standings.is_soviet_won,
            "score": standings.score,
            "extra_turns": standings.extra_turns,
            "at_once": standings.is_deck_lost,
        },
        effects=tuple(_tell_end(standings)),
        rules=("How to Win the Game", *(("OKH",) if standings.okh else ())),
        ends=outcome is not EndOutcome.GOES_ON,
    )


def _tell_end(standings: Standings) -> list[str]:
    effects = [f"Soviet points: {standings.score} of {POINTS}."]
    if standings.is_deck_lost:
        effects.append("The Soviet deck is empty: that ends the game at once, in a combat too.")
    if standings.extra_turns:
        effects.append(f"OKH: {count_of(standings.extra_turns, 'German turn')} more.")
    if standings.is_german_won and standings.is_soviet_won:
        effects.append("The text gives neither goal precedence; if the last card came first, the Soviets have won.")
    return effects


# Set-up


def answer_set_up(*, charts: Book, deck: Side = Side.SOVIET, level: Level = Level.STANDARD) -> Result:
    """The counts of the set-up and a deck with its order (Game Setup, The Designer's Way; B19)."""
    order = find_deck_order(level, deck)
    cards = {card: copies for card, copies in list_deck(deck).items() if card not in order.in_play}
    names: Mapping[str, str] = {card.value: card.word for card in (*GermanCard, *SovietCard)}
    effects = [f"{names[card]}: {copies}." for card, copies in cards.items()]
    if order.in_play:
        effects.append(f"In play from the start: {join_words(names[card] for card in order.in_play)}.")
    if order.top:
        shuffled = " in random order" if len(order.top) > 1 else ""
        effects.append(f"On top{shuffled}: {join_words(names[card] for card in order.top)}.")
    if order.bottom:
        effects.append(f"At the bottom: {join_words(names[card] for card in order.bottom)}.")
    if has_fortifications(level):
        effects.append(f"Fortifications in {join_words(FORTIFIED)}.")
    if deck is Side.GERMAN:
        effects.append("Add the 672nd Pioneer, of which the text does not say how many there are.")
    return Result(
        f"{deck.word} deck: {sum(cards.values())} cards.",
        IsShown.SHOWN,
        details={
            "counts": count_blocks(),
            "deck_size": sum(cards.values()),
            "deck": cards,
            "top": list(order.top),
            "bottom": list(order.bottom),
            "in_play": list(order.in_play),
        },
        effects=tuple(effects),
        rules=("Game Setup", "Card Decks", *((WAY,) if level is not Level.STANDARD else ())),
        provenance=name_sources(charts, f"{deck.value}_cards"),
    )


def answer_co_op(
    *,
    charts: Book,
    colours: tuple[Colour, ...] = (),
    player: Colour = Colour.YELLOW,
    yellow_spawns: int = 0,
    blue_spawns: int = 0,
) -> Result:
    """Which player a Stack belongs to, and which of two Germans wins (The Co-Op Mode 1 to 4, 11)."""
    colour = find_stack_colour(colours)
    winner = find_co_op_winner(yellow_spawns, blue_spawns)
    outcome = ColourOutcome(colour.value) if colour else ColourOutcome.ILLEGAL
    controls = colour is player
    effects = [f"{player.word} {'moves' if controls else 'does not move'} it."] if colours else []
    effects.append(f"{yellow_spawns} to {blue_spawns} Spawn Hexes: {winner.word if winner else 'level'}.")
    return Result(
        f"{capitalize(outcome.word)}.",
        outcome,
        details={"controls": controls, "winner": winner.value if winner else "level"},
        effects=tuple(effects),
        rules=("The Co-Op Mode",),
    )


def answer_designers_way(
    *,
    charts: Book,
    die_shown: int = 1,
    hex: str = "",
    soviet_controlled: bool = False,
    not_in_use: bool = False,
    soviets_attack: bool = False,
    germans_have_entered: bool = False,
    maximum: int = 4,
    total: int | None = None,
) -> Result:
    """Advantages by a die, Chuikov's HQ, fortifications, the Guards (The Designer's Way; B08, B09, B34).

    ``not_in_use``: no fortifications are laid. ``total``: three dice for the HQ.
    """
    added = count_fortification(hex, soviets_attack, germans_have_entered, in_use=not not_in_use)
    several = len(ADVANTAGES[Side.GERMAN])
    hq = None if total is None else str(total)
    placed = None if total is None else bool(find_headquarters(total, soviet_controlled))
    effects = [f"{count_of(die_shown, 'Advantage')} of {several}, drawn at random."]
    if hq:
        effects.append(f"Chuikov's HQ: hex {hq}{'' if placed else ', which is not Soviet: his card is discarded'}.")
    if hex:
        effects.append(f"Hex {hex}: {'+1 for Soviets who defend there' if added else 'no fortification counts'}.")
    return Result(
        f"The Designer's Way: {count_of(die_shown, 'Advantage')}.",
        IsShown.SHOWN,
        label="" if placed is None else f"HQ in {hq}" if placed else "no HQ",
        dice={} if total is None else {"total": total},
        details={
            "gained": die_shown,
            "left": several - die_shown,
            "hq": hq,
            "placed": placed,
            "fortification": added,
            "guard_strength": maximum,  # Immortal Guard: full strength
        },
        effects=tuple(effects),
        rules=(WAY,),
        provenance=name_sources(charts, "advantages"),
    )
