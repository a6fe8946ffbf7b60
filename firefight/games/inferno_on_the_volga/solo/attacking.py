"""A Hasty or Deliberate Attack: on which Stack, with which cards, who agrees (Actions 4 and 5)."""

from itertools import combinations

from firefight.engine.course.conducting import Answer, Choice, Wanted
from firefight.engine.rolls.modifiers import total
from firefight.engine.values import Json

from ..rules.cards import list_card_objections, sum_up_cards
from ..rules.course import SIDES
from ..rules.rubble import count_ways, find_sum, list_additions, list_obstacles
from ..rules.tables import DIE, GERMAN_ARMOUR, GERMAN_LEADERS, PIONEERS, GermanCard, Side
from .engaging import find_card_values, open_combat
from .legal import explain_hex, judge_deliberate, list_starts
from .play import Play, ask, at_hex, to_do
from .steps import Step, Steps


def _want_hasty_target(play: Play, task: Json) -> Wanted:
    targets = play.list_beside(Side.SOVIET, task["hex"])
    if len(targets) < 2:
        return None
    return ask(play, "Which Soviet Stack?", [_soviets_at(play, hex) for hex in targets], "Actions 4")


def _soviets_at(play: Play, hex: str) -> Choice:
    number, words = len(play.soviets[hex]), [play.board.terrain[hex]]
    words += ["rubble"] if hex in play.state["rubble"] else []
    return at_hex(hex, words=f"{number} Soviet block{'s' if number > 1 else ''}, {', '.join(words)}")


def _hasty_target(play: Play, task: Json, answer: Answer) -> None:
    targets = play.list_beside(Side.SOVIET, task["hex"])
    target = str(answer).removeprefix("hex-") if answer else targets[0]
    play.tell(f"Hasty Attack on {target} from {task['hex']} (Actions 4).", "german", target)
    open_combat(play, Side.GERMAN, target, [task["hex"]], deliberate=False)


def _want_target(play: Play, task: Json) -> Wanted:
    targets = list_starts(play, "deliberate")
    return ask(play, "Which Soviet Stack?", [_soviets_at(play, hex) for hex in targets], "Actions 5")


def _target(play: Play, task: Json, answer: Answer) -> None:
    target = str(answer).removeprefix("hex-")
    beside = play.list_beside(Side.GERMAN, target)
    play.do(to_do("assault", target=target, hexes=[hex for hex in beside if play.find_owner(hex) in ("", play.active)]))


def list_card_choices(play: Play) -> list[tuple[str, ...]]:
    """Cards that may be played together in a Deliberate Attack: each alone, with Linden Pioneers in any number."""
    hand = [GermanCard(card) for card in play.hand if card not in GERMAN_LEADERS]
    linden = play.has_leader(Side.GERMAN, "linden")
    single = [(card,) for card in dict.fromkeys(hand)]
    pioneers = sorted(card for card in hand if card in PIONEERS)
    several = [cards for number in range(2, len(pioneers) + 1) for cards in combinations(pioneers, number)]
    allowed = [cards for cards in (*single, *several) if not list_card_objections(cards, True, linden)]
    return [tuple(str(card) for card in cards) for cards in dict.fromkeys(allowed)]


def _want_assault(play: Play, task: Json) -> Wanted:
    """Whole Stacks and a card in one question: all Stacks beside the target and no card are offered first."""
    target, hexes, later = task["target"], task["hexes"], play.players.is_soviet_played
    go, cards = [], []
    if any(map(play.is_own, hexes)):
        go = [Choice("attack", "Attack" if later else "Attack without a card", _describe_assault(play, task, ()))]
        cards = [] if later else _offer_cards(play, task)
    beside = [hex for hex in play.list_beside(Side.GERMAN, target) if hex not in task.get("refused", [])]
    stacks = [
        Choice(f"hex-{hex}", f"{'Without' if hex in hexes else 'With'} {hex}", play.describe_stack(hex), place=hex)
        for hex in beside
        if len(beside) > 1
    ]
    question = f"{target} from {', '.join(hexes) or 'nowhere yet'}: {'attack' if later else 'which card'}?"
    return ask(play, question, (*go, *cards, *stacks, Choice("back", "Another target")), "Actions 5")


def _offer_cards(play: Play, about: Json) -> list[Choice]:
    """Each card, or Pioneers together, that may be played. ``about``: the target, and the attackers' hexes."""
    return [
        Choice(
            "with-" + "-and-".join(cards),
            f"Attack with {_name_cards(play, cards)}",
            _describe_assault(play, about, cards),
        )
        for cards in list_card_choices(play)
    ]


def _name_cards(play: Play, cards: tuple[str, ...]) -> str:
    return " and ".join(play.card_name(Side.GERMAN, card) for card in cards)


STRUCK = {GermanCard.SNIPER: "Infantry", GermanCard.PAK: "Tank"}


def _describe_assault(play: Play, task: Json, cards: tuple[str, ...]) -> str:
    """Dice of the cards, whom they hit without any, and the chance of Rubble."""
    laid = [GermanCard(card) for card in cards]
    richthofen, values = play.has_leader(Side.GERMAN, "von_richthofen"), find_card_values(play)
    dice = sum_up_cards(laid, richthofen, values).dice
    words = [f"{dice} dice TF"] if dice else []
    words += [f"the strongest {STRUCK[card]} loses a step" for card in laid if card in STRUCK]
    keys = [key for hex in task["hexes"] for key in play.germans[hex]]
    panzers = sum(play.block(key).type in GERMAN_ARMOUR for key in keys)
    rubble, target = play.state["rubble"], task["target"]
    if not list_obstacles(play.board.terrain[target] == "urban", True, target in rubble, len(rubble)):
        added = total(list_additions(laid, len(task["hexes"]), panzers, richthofen, False, values))
        ways = count_ways(find_sum(added)) if find_sum(added) <= 3 * DIE else 0
        words.append(f"Rubble {ways / 216:.0%}")
    return ", ".join(words)


def _assault(play: Play, task: Json, answer: Answer) -> None:
    choice = str(answer)
    if choice == "back":
        play.do(to_do("target"))
    elif choice.startswith("hex-"):
        hex, beside = choice.removeprefix("hex-"), play.list_beside(Side.GERMAN, task["target"])
        play.do({**task, "hexes": [name for name in beside if (name in task["hexes"]) != (name == hex)]})
    elif any(play.find_owner(hex) not in ("", play.active) for hex in task["hexes"]):
        play.do(to_do("agree", assault=task, choice=choice))
    else:
        _open_assault(play, task, choice)


def _open_assault(play: Play, task: Json, choice: str) -> None:
    cards, target = _read_cards(choice), task["target"]
    words = f" with {_name_cards(play, tuple(cards))}" if cards else ""
    play.tell(f"Deliberate Attack on {target} from {', '.join(task['hexes'])}{words}.", "german", target)
    open_combat(play, Side.GERMAN, target, [*task["hexes"]], deliberate=True, cards=cards)


def _read_cards(choice: str) -> list[str]:
    return choice.removeprefix("with-").split("-and-") if choice.startswith("with-") else []


def _list_partner_stacks(play: Play, task: Json) -> list[str]:
    """The Stacks of the other German player in an attack."""
    return [hex for hex in task["assault"]["hexes"] if play.find_owner(hex) not in ("", play.active)]


def _want_agreement(play: Play, task: Json) -> Wanted:
    """The other German player says whether his Stacks attack, too (Co-Op 10)."""
    partner_stacks, target = _list_partner_stacks(play, task), task["assault"]["target"]
    choices = (Choice("yes", f"Attack {target}, too", place=target), Choice("no", "Stay out of it"))
    question = f"{SIDES[play.active]} attacks {target}: does your Stack in {' and '.join(partner_stacks)} join?"
    return ask(play, question, choices, "The Co-Op Mode 10", play.find_owner(partner_stacks[0]))


def _agree(play: Play, task: Json, answer: Answer) -> None:
    if answer == "yes":
        _open_assault(play, task["assault"], task["choice"])
        return
    partner_stacks, assault = _list_partner_stacks(play, task), task["assault"]
    play.tell(f"{' and '.join(partner_stacks)} stays out of it (The Co-Op Mode 10).", "german")
    hexes_left = [hex for hex in assault["hexes"] if hex not in partner_stacks]
    play.do({**assault, "hexes": hexes_left, "refused": [*assault.get("refused", []), *partner_stacks]})


def _want_german_card(play: Play, task: Json) -> Wanted:
    """Against a Soviet player the German card is laid unseen, after his (Combat Sequence 2)."""
    combat = play.state["combat"]
    cards = _offer_cards(play, combat) if combat["deliberate"] and combat["attacker"] == Side.GERMAN else []
    if not cards:
        return None
    none = Choice("none", "Attack without a card")
    return ask(play, f"{combat['target']}: which card?", (none, *cards), "Combat Sequence 2", secret=True)


def _lay_german_card(play: Play, task: Json, answer: Answer) -> None:
    play.state["combat"]["german_cards"] = _read_cards(str(answer))


def _judge_target(play: Play, task: Json, hex: str) -> tuple[str, ...]:
    return judge_deliberate(play, hex)


ATTACKS: Steps = {
    "hasty_target": Step(_hasty_target, _want_hasty_target),
    "target": Step(_target, _want_target, explain_hex(_judge_target)),
    "assault": Step(_assault, _want_assault),
    "agree": Step(_agree, _want_agreement),
    "german_card": Step(_lay_german_card, _want_german_card),
}
