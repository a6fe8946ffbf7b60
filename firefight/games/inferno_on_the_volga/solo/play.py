"""A game under way: its plain state, which blocks stand where, and what every step does with them.

The state is plain JSON and holds all that is needed to go on. ``todo`` is a pile of tasks, the next at its end:
each has its name under ``do``, and what it is about (solo/turn.py knows them all). Lines that are told, and those that
are sealed, are collected here for the conductor.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from firefight.engine.course.conducting import Answer, Ask, Choice, Throw, Told
from firefight.engine.rolls.cards import count_cards
from firefight.engine.rolls.dice import DieSpec, ReadAs
from firefight.engine.values import Json

from ..rules.content import Block, Content
from ..rules.course import SIDES
from ..rules.ending import Standings, count_captured_cards, find_co_op_winner
from ..rules.setting_up import find_stack_colour
from ..rules.tables import MOST_UNITS, OKH_HEXES, SOVIET_SPAWN, Colour, Side
from .players import Players

POOL, TRACK, DEAD, REMOVED, OUT = "pool", "track", "dead", "removed", "out"


def to_do(name: str, **about: object) -> Json:
    """A task of the pile."""
    return {"do": name, **about}


def as_faces(answer: Answer) -> tuple[int, ...]:
    """Faces of a throw, whether it was one die or a pool; none where nothing was thrown."""
    return (answer,) if isinstance(answer, int) else answer if isinstance(answer, tuple) else ()


def find_drawn(drawn_from: Sequence[str], answer: Answer) -> str:
    """The one that a draw has picked; the only one where there was nothing to throw."""
    faces = as_faces(answer)
    return drawn_from[faces[0] - 1 if faces else 0]


def throw_pool(name: str, number: int, label: str, rule: str, side: str = "", about: str = "") -> Throw:
    """A throw of a number of d6, each read by itself. ``side``: who throws, "" for anybody; ``about``: how many dice
    that is and what they hit, for whoever throws them."""
    return Throw(DieSpec(name, 6, label, number=number, read=ReadAs.EACH, about=about), rule, side=side)


def for_soviets(play: "Play", throw: Throw) -> Throw:
    """The Soviets' dice: their player throws them, or the app where nobody plays them (B69)."""
    is_played = play.players.is_soviet_played
    return replace(throw, by_app=not is_played, side=Side.SOVIET.value if is_played else "")


# Throws that pick blindly or turn a block: the player of a real game throws no dice for them.
DRAWS = frozenset({"advantage", "block", "card", "edge", "edges", "hand", "mover", "place"})


STORY = re.compile(r"Attack on |Germans in \w+, | is destroyed\.| advances? into | captures ")


def is_story(sentence: str) -> bool:
    """Whether a line tells of attacks, losses or ground: a report's chapters are told by these.

    >>> [is_story(f"2nd Panzer {what}.") for what in ("is destroyed", "is reduced to 3", "(3) advances into 21")]
    [True, False, True]
    >>> is_story("Who advances into 21? German: Advance with 3.")  # what was asked tells of nothing yet
    False
    """
    return "?" not in sentence and STORY.search(sentence) is not None


def draw_unseen(name: str, number: int, label: str, rule: str) -> Throw | None:
    """One of a number at random, unseen; nothing to throw where there is only one, or none."""
    return Throw(DieSpec(name, number, label), rule, by_app=True) if number > 1 else None


class Play:
    """The state with its indexes. Steps change it in place; whoever needs the old one copies it first.

    ``recounts``: rows of the Track are compared again after each Unit that goes back (B20).
    """

    def __init__(self, state: Json, content: Content, recounts: bool = True):
        self.state, self.content, self.board = state, content, content.board
        self.recounts = recounts
        self.players = Players(state["mode"])
        self.blocks: dict[str, list[object]] = state["blocks"]
        self.todo: list[Json] = state["todo"]
        self.told: list[Told] = []
        self.rests = False

    @cached_property
    def stacks(self) -> dict[Side, dict[str, list[str]]]:
        """The Stacks of both sides in the map's order of hexes: the blocks' own order would give away who is there.

        They are laid out when first asked for, and again once a block has moved.
        """
        stacks: dict[Side, dict[str, list[str]]] = {side: {} for side in Side}
        for key, (at, _) in self.blocks.items():
            if at in self.board.hexes:
                stacks[self.content.sides[key]].setdefault(str(at), []).append(key)
        return {side: {hex: stacks[side][hex] for hex in self.board.sort(stacks[side])} for side in stacks}

    # Blocks

    @property
    def germans(self) -> dict[str, list[str]]:
        """German blocks by hex."""
        return self.stacks[Side.GERMAN]

    @property
    def soviets(self) -> dict[str, list[str]]:
        """Soviet blocks by hex."""
        return self.stacks[Side.SOVIET]

    def block(self, key: str) -> Block:
        """What is printed on a block."""
        return self.content.blocks[key]

    def at(self, key: str) -> str:
        """Where a block is: a hex, or a word."""
        return str(self.blocks[key][0])

    def dots(self, key: str) -> int:
        """The strength of a block."""
        return int(str(self.blocks[key][1]))

    def spend(self, key: str, dots: int) -> None:
        """A block changes to another strength."""
        self.blocks[key][1] = dots

    def put_block(self, key: str, at: str, dots: int | None = None) -> None:
        """Move a block anywhere, on the map or off it."""
        self.blocks[key][0] = at
        if dots is not None:
            self.blocks[key][1] = dots
        vars(self).pop("stacks", None)

    def enter(self, keys: Sequence[str], hex: str, dots: int | None = None) -> None:
        """Blocks of one side enter a hex: it comes under their control, and a captured Spawn Hex draws at once."""
        for key in keys:
            self.put_block(key, hex, dots)
        side = self.content.sides[keys[0]]
        if hex in SOVIET_SPAWN and self.players.are_two_germans:
            self._note_holder(side, hex)
        self.take_control(side, hex)

    def _note_holder(self, side: Side, hex: str) -> None:
        """Which German player holds a Soviet Spawn Hex: whose Stack, or whose White Units, entered it (Co-Op 11)."""
        holders: dict[str, str] = self.state["holders"]
        if side is Side.SOVIET:
            holders.pop(hex, None)
        elif owner := self.find_owner(hex) or self.active:
            holders[hex] = owner

    def take_control(self, side: Side, hex: str) -> None:
        """A hex goes to a side, with all that depends on it (Basic Concepts; Capturing an Enemy Spawn Hex)."""
        german_held: list[str] = self.state["german_held"]
        if (hex in german_held) == (side is Side.GERMAN):
            return
        german_held.append(hex) if side is Side.GERMAN else german_held.remove(hex)
        if side is Side.GERMAN:
            self._lose_works(hex)
        if number := count_captured_cards(side, hex, self.has_leader(Side.GERMAN, "paulus")):
            self.tell(f"The {side.word} side captures {hex} (Capturing an Enemy Spawn Hex).", side, hex)
            self.do(to_do("draw", side=side.value, number=number, cause=f"hex {hex} was captured"))

    def _lose_works(self, hex: str) -> None:
        if hex in self.state["fortified"]:
            self.state["fortified"].remove(hex)
            self.tell(f"The fortification in {hex} is destroyed (Soviet Fortifications).", at=hex)
        if hex == self.state["hq"]:
            self.state["hq"] = ""
            self.discard_chuikov()
            self.tell(f"Chuikov's HQ in {hex} is lost; his card is discarded (The Designer's Way).", at=hex)

    def of_pool(self, pool: str) -> list[str]:
        """The Soviet blocks of a Spawn Pool."""
        return [key for key, (at, _) in self.blocks.items() if at == POOL and self.block(key).pool == pool]

    def count_pools(self) -> Counter[str]:
        """How many Soviet blocks wait in each Spawn Pool."""
        return Counter(self.block(key).pool for key, (at, _) in self.blocks.items() if at == POOL)

    def list_off_map(self, at: str, side: Side) -> list[str]:
        """The blocks of a side at a place off the map."""
        return [key for key, (place, _) in self.blocks.items() if place == at and self.block(key).side == side]

    def holds(self, side: Side, hex: str) -> bool:
        """Whether a side controls a hex."""
        return (hex in self.state["german_held"]) == (side is Side.GERMAN)

    def is_next_to(self, side: Side, hex: str) -> bool:
        """Whether blocks of a side stand beside a hex."""
        stacks = self.stacks[side]
        return any(name in stacks for name in self.board.next_to[hex])

    def list_beside(self, side: Side, hex: str) -> list[str]:
        """The hexes beside this one in which a side stands."""
        stacks = self.stacks[side]
        return [name for name in self.board.next_to[hex] if name in stacks]

    def has_room(self, hex: str, number: int = 1, side: Side = Side.GERMAN) -> bool:
        """Whether ``number`` more fit (Stacking)."""
        return len(self.stacks[side].get(hex, ())) + number <= MOST_UNITS

    def fire_of(self, key: str) -> str:
        """The fire of a block as it stands."""
        return self.block(key).fire[max(0, self.dots(key) - 1)]

    def names(self, keys: Iterable[str]) -> str:
        """Blocks in words."""
        return ", ".join(f"{self.block(key).name} ({self.dots(key)})" for key in keys)

    # Players

    @property
    def active(self) -> str:
        """The German player whose turn it is, or was last."""
        return self.players.find_active(self.state["turn"])

    @property
    def hand(self) -> list[str]:
        """The cards of the German whose turn it is, which nobody else can use (The Co-Op Mode 6)."""
        hand: list[str] = self.state["hands"][self.active]
        return hand

    def colour_of(self, keys: Iterable[str]) -> Colour | None:
        """The colour of Germans as one Stack; None for Yellow and Blue together, which may not be (Co-Op 1 to 4)."""
        return find_stack_colour([Colour(self.block(key).colour) for key in keys])

    def find_owner(self, hex: str) -> str:
        """The German player whose Stack stands in a hex; "" for White ones alone with two, who obey neither."""
        if not self.players.are_two_germans:
            return Side.GERMAN.value
        colour = self.colour_of(self.germans.get(hex, ()))
        return colour.value if colour and colour is not Colour.WHITE else ""

    def is_own(self, hex: str) -> bool:
        """Whether the German whose turn it is commands the Stack in a hex."""
        return self.find_owner(hex) == self.active

    def may_stand(self, keys: Iterable[str], hex: str) -> bool:
        """Whether Germans may join those in a hex: with two players never Yellow and Blue (Co-Op 1)."""
        if not self.players.are_two_germans:
            return True
        keys = [*keys]
        residents = [key for key in self.germans.get(hex, ()) if key not in keys]
        return self.colour_of([*keys, *residents]) is not None

    def may_join(self, keys: Iterable[str], hex: str) -> bool:
        """Whether Germans may move to those in a hex: not to the other player's Stack (Co-Op 10; B50)."""
        return self.may_stand(keys, hex) and self.find_owner(hex) in ("", self.active)

    def find_defender(self, hex: str) -> str:
        """Who decides for Germans that are attacked; Yellow for White ones alone (Co-Op 5)."""
        return self.find_owner(hex) or Colour.YELLOW.value

    def describe_german(self, key: str) -> str:
        """A German to whoever may pick him: with his colour, where it matters (The Co-Op Mode 1 to 4)."""
        colour = f", {self.block(key).colour.capitalize()}" if self.players.are_two_germans else ""
        return f"{self.names([key])}{colour}"

    def describe_stack(self, hex: str) -> str:
        """A German Stack to whoever may take it along: with two players also whose it is."""
        names = self.names(self.germans[hex])
        if not self.players.are_two_germans:
            return names
        return f"{(self.find_owner(hex) or Colour.WHITE.value).capitalize()}: {names}"

    def name_germans(self, keys: Sequence[str]) -> str:
        """Germans as the log may call them: by name, but as a number where a Soviet player reads it (Fog of War)."""
        if not self.players.is_soviet_played:
            return self.names(keys)
        return f"{len(keys)} German {'block' if len(keys) == 1 else 'blocks'}" if keys else ""

    # Cards

    def has_leader(self, side: Side, card: str) -> bool:
        """Whether a leader is in play."""
        return card in self.state["leaders"][side.value]

    def discard_chuikov(self) -> None:
        """Chuikov's card goes, if it is in play."""
        if self.has_leader(Side.SOVIET, "chuikov"):
            self.state["leaders"]["soviet"].remove("chuikov")
            self.state["discards"]["soviet"].append("chuikov")

    def card_name(self, side: Side, card: str) -> str:
        """A card in words."""
        cards = self.content.german_cards if side is Side.GERMAN else self.content.soviet_cards
        kind, _, hex = card.partition(":")
        return cards[kind].name + (f" {hex}" if hex else "")

    def count_deck(self, side: Side) -> int:
        """How many cards a deck has left."""
        return count_cards(self.state["decks"][side.value])

    # What happens

    def do(self, *tasks: Json) -> None:
        """Tasks come next, the first of them first, before all that waits."""
        self.todo.extend(reversed(tasks))

    def tell(self, sentence: str, side: str = "", at: str = "") -> None:
        """Something that everybody may know. ``at``: the hex where it happened."""
        self.flush()
        self.told.append(Told(sentence, side=side, place=at))

    def seal(self, sentence: str, owner: str = Side.SOVIET.value) -> None:
        """Something that only one side may know: kept until the unseen dice are told."""
        sealed: list[list[str]] = self.state["sealed"]
        if sealed and sealed[-1][0] != owner:
            self.flush()
        self.state["sealed"].append([owner, sentence])

    def flush(self) -> None:
        """What was sealed becomes one line under seal."""
        if sealed := self.state["sealed"]:
            self.told.append(Told(" ".join(sentence for _, sentence in sealed), known_to=sealed[0][0]))
            self.state["sealed"] = []

    def tell_own(self, sentence: str, openly: str, owner: str) -> None:
        """What one player learns; the others are told ``openly`` in its place."""
        self.flush()
        self.told.append(Told(sentence, known_to=owner, openly=openly))

    # The end

    def find_standings(self) -> Standings:
        """What victory is judged by."""
        german_held = {*self.state["german_held"]}
        dead = self.list_off_map(DEAD, Side.GERMAN)
        removed = self.list_off_map(REMOVED, Side.GERMAN)
        return Standings(
            soviet_spawn_german=sum(hex in german_held for hex in SOVIET_SPAWN),
            soviet_units=sum(map(len, self.soviets.values())),
            destroyed=len(dead),
            destroyed_r=sum("r" in self.block(key).marks for key in dead),
            deck_empty=self.count_deck(Side.SOVIET) == 0,
            okh=self.has_leader(Side.GERMAN, "okh"),
            hexes_1_19_german=sum(hex in german_held for hex in OKH_HEXES),
            r_removed=sum("r" in self.block(key).marks for key in removed),
            extra_used=self.state["extra_used"],
        )

    def end(self, winner: str, why: str) -> None:
        """The game is over, at once; a Soviet card that lies open goes with the others."""
        if self.state["combat"] and any(task["do"] == "discard" for task in self.todo):
            self.state["discards"]["soviet"] += filter(None, [self.state["combat"]["soviet_card"]])
        self.state["over"], self.state["todo"], self.state["combat"] = winner, [], None
        self.todo = self.state["todo"]
        words = {"both": "both sides reach their goals"}.get(winner, f"{winner.capitalize()} Decisive Victory")
        self.tell(f"{words}: {why}. {self.compare_germans()}".rstrip())

    def compare_germans(self) -> str:
        """Which of two German players has won, by the Soviet Spawn Hexes of each (Co-Op 11); "" without two."""
        if not self.players.are_two_germans:
            return ""
        holders = [*self.state["holders"].values()]
        yellow, blue = (holders.count(colour.value) for colour in (Colour.YELLOW, Colour.BLUE))
        best = find_co_op_winner(yellow, blue)
        verdict = f"{SIDES[best.value]} is ahead" if best else "level"
        return f"Soviet Spawn Hexes: Yellow {yellow}, Blue {blue}: {verdict} (The Co-Op Mode 11)."


def ask(play: Play, question: str, choices: Iterable[Choice], rule: str, side: str = "", secret: bool = False) -> Ask:
    """A decision of a side, by default of the German whose turn it is. ``secret``: nobody else may hear of it."""
    return Ask(question, tuple(choices), side or play.active, rule, secret)


def at_hex(hex: str, title: str = "", words: str = "") -> Choice:
    """A choice of a hex."""
    return Choice(f"hex-{hex}", title or hex, words, place=hex)
