"""A combat under way: who is in it, which cards lie, what hits and Rubble come to (Combat Sequence)."""

from ..rules.fire import count_effective
from ..rules.tables import GERMAN_ARMOUR, MOST_RUBBLE, CardValue, Fire, GermanCard, Side, Terrain
from .play import Play, to_do


def open_combat(
    play: Play, attacker: Side, target: str, hexes: list[str], *, deliberate: bool, cards: list[str] | None = None
) -> None:
    """A combat begins; its steps come before all that waits. ``hexes``: of the attackers, the leading one first."""
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
    """The blocks of a side that are left in this combat."""
    combat = play.state["combat"]
    hexes = {combat["target"], *combat["hexes"]}
    return [key for key in combat[side.value] if play.dots(key) and play.at(key) in hexes]


def find_fighter(play: Play) -> str:
    """The German who decides in this combat: the attacker, or the one whose Stack is attacked (Co-Op 5)."""
    combat = play.state["combat"]
    return play.active if combat["attacker"] == Side.GERMAN else str(combat.get("defender", play.active))


def leaves_ties(play: Play) -> bool:
    """Whether that German lets the app choose; with two, each decides for himself."""
    ties = play.state["ties"]
    return bool(ties) and (not play.players.are_two_germans or find_fighter(play) in ties.split())


def weigh_block(play: Play, key: str) -> tuple[bool, int, bool, str]:
    """The worth of a block, for whoever leaves ties to the app: R marks, fire, armour."""
    block = play.block(key)
    need = Fire(play.fire_of(key)).need
    return "r" in block.marks, -need, block.type != "infantry", key


def list_laid(play: Play) -> list[GermanCard]:
    """The German cards of this combat."""
    return [GermanCard(card) for card in play.state["combat"]["german_cards"]]


def find_card_values(play: Play) -> dict[GermanCard, CardValue]:
    """What the cards themselves print, the 672nd Pioneer's too."""
    cards = play.content.german_cards.values()
    return {GermanCard(card.key): CardValue(card.dice, card.modifier) for card in cards if card.dice}


def lay_rubble(play: Play, hex: str, cause: str) -> None:
    """A marker is laid: never two in a hex, nothing beyond 15 (Rubble; B06)."""
    rubble = play.state["rubble"]
    if hex in rubble or len(rubble) >= MOST_RUBBLE:
        play.tell(f"{cause}: no Rubble is laid in {hex} (Rubble).")
        return
    rubble.append(hex)
    play.tell(f"{cause}: Rubble in {hex} (Rubble).", at=hex)


def inflict(play: Play, by: Side, hits: int, cause: str) -> None:
    """Hits of a side on the other, after Rubble."""
    combat = play.state["combat"]
    rubble = combat["target"] in play.state["rubble"]
    count = count_effective(hits, rubble, attacker_suffers=by.value != combat["attacker"])
    halved = f", {count} through Rubble" if count != hits else ""
    play.tell(f"{cause}: {hits} hit{'s' if hits != 1 else ''}{halved}.", by)
    if count:
        play.do(to_do("hit", side=by.other.value, hits=count))


def show_faces(faces: tuple[int, ...]) -> str:
    """Faces as the log gives them: "3 5 1"."""
    return " ".join(map(str, faces))
