"""Close Combat at the table: where it is, what each side declares there, and the rolls that follow (19.1, 19.2).

A declaration is open: whoever declares second knows it (19.2.1 step 1). The rolls of both sides depend on how the units
stood when all had declared, whatever is rolled first (19.2.1 step 3).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from firefight.engine.board.counters import Piece, id_of, number_of
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.record import KeptChoice, KeptFlag, KeptList, KeptRows, KeptText
from firefight.engine.rolls.result import FollowUp
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from ..close_combat import BetterOdds, Target, resolve_attack
from ..filling import ask_for, fighter_row
from ..marks import is_unit
from ..sets import turn_part
from ..sides import Side
from ..stacking import Stacking
from ..units import Unit
from .attacks import Attack, Bout, Key
from .bouts import best_attack, find_advantages, is_hopeless, line_up
from .declarations import object_to_division
from .dividing import can_hurt, divide_attacks, find_riders
from .fighters import Battle, make_fighter

MELEE_ROWS = KeptRows(
    name="melees",
    title="Close Combat",
    rule="19.2.1",
    by_hand=False,
    parts=(
        turn_part("turn", "declared in turn"),
        KeptChoice(
            name="first", title="declares first", choices={"": "either side", **{side: side.word for side in Side}}
        ),
        KeptFlag(name="hand_to_hand", title="hand-to-hand"),
        *(
            KeptList(name=side.value, title=f"{side.word} attacks", item=KeptText(longest=700), most=80)
            for side in Side
        ),
    ),
)
_UNCHECKED = Stacking(99, 99, "house")  # what a hex holds is for the players to see to


# Where it is


def name_location(place: str, level: str) -> str:
    """The id of a location: K7, K7/1, K7/cellar."""
    return f"{place}/{re.sub('[^A-Za-z0-9]+', '-', level).strip('-')}".rstrip("/")


def find_locations(pieces: Iterable[Piece]) -> dict[str, tuple[Piece, ...]]:
    """The locations where units of both sides begin a Melee Phase together, by id (19.1.1, 19.1.6).

    The same hex on different levels is not a Close Combat. A unit that is hidden, or has no hex noted, is in none.
    """
    by_location: dict[str, list[Piece]] = {}
    for piece in pieces:
        counter = piece.counter
        if counter.in_play and counter.place and not counter.hidden and is_unit(piece.kind.kind):
            by_location.setdefault(name_location(counter.place, counter.level), []).append(piece)
    contested = (place for place, units in by_location.items() if len({piece.counter.side for piece in units}) > 1)
    return {place: tuple(by_location[place]) for place in sorted(contested)}


@dataclass(frozen=True, slots=True)
class Melee:
    """A location in Close Combat. ``bout``: nobody has divided its attacks yet."""

    pieces: Mapping[Key, Piece]
    battle: Battle
    bout: Bout

    @classmethod
    def of(cls, charts: Book, pieces: Sequence[Piece]) -> Self:
        """The Close Combat of these units. Raises LackingValues for CCV that nobody knows."""
        ask_for(pieces, "ccv")
        companions = {piece.counter.beside: piece.counter.id for piece in pieces if piece.counter.beside}
        fighters = tuple(
            make_fighter(
                key_of(piece.counter.id),
                piece.counter.name,
                piece.kind,
                [*piece.counter.state, "close_combat"],
                (None, 0),  # all of them are in one place
                beside=key_of(beside)
                if (beside := piece.counter.beside or companions.get(piece.counter.id, ""))
                else None,
            )
            for piece in pieces
        )
        battle = Battle(Side.GERMAN, fighters, charts["map"].hexes, _UNCHECKED, existing=True)
        german, russian = (tuple(unit.key for unit in battle.of_side(side)) for side in Side)
        bout = Bout(german, russian, attacks=())
        return cls(
            {key_of(piece.counter.id): piece for piece in pieces},
            battle,
            replace(bout, riders=find_riders(bout, battle)),
        )

    def names(self, keys: Iterable[Key]) -> str:
        """Units in words."""
        return join_words(unit.name for unit in self.battle.of(keys))


def key_of(counter_id: str) -> Key:
    """A unit as battles know it, from its counter's id."""
    return Side(counter_id.rpartition("-")[0]), number_of(counter_id)


# What a side declares


@dataclass(frozen=True, slots=True)
class Declaration:
    """How one side divides its attacks, and what it chooses besides.

    ``by_value``: NCOs and Officers that use their CCV (19.3.5). ``escorts``: with whom its leaders defend (19.3.6).
    ``from_cover``: it attacks AFV out of building, woods or grain (19.3.3); ``in_open``: these stand in the open.
    """

    attacks: tuple[Attack, ...]
    by_value: frozenset[Key] = frozenset()
    escorts: tuple[tuple[Key, Key], ...] = ()
    from_cover: bool = False
    in_open: bool = False

    @classmethod
    def propose(cls, melee: Melee, side: Side) -> Self:
        """As the app would divide a side's attacks; those that can do nothing are left out, where others can."""
        bout = divide_attacks(melee.bout, melee.battle, (side,))
        attacks = bout.attacks_of(side)
        useful = tuple(attack for attack in attacks if can_hurt(attack, bout, melee.battle))
        return cls(useful or attacks, bout.by_value)

    @classmethod
    def read(cls, lines: Iterable[str], present: Collection[Key]) -> Self:
        """As the record keeps it. Units that are not there any more are left out."""
        attacks, by_value, escorts, ticked = [], set(), [], set()
        for line in lines:
            keyword, *words = line.split()
            if keyword == "attack":
                cut = words.index("on")
                by = tuple(key for key in map(key_of, words[:cut]) if key in present)
                on = tuple(key for key in map(key_of, words[cut + 1 :]) if key in present)
                attacks += [Attack(by, on)] if by and on else []
            elif keyword == "value":
                by_value |= {key_of(word) for word in words}
            elif keyword == "with":
                leader, mate = map(key_of, words)
                escorts += [(leader, mate)] if {leader, mate} <= set(present) else []
            else:
                ticked.add(keyword)
        return cls(tuple(attacks), frozenset(by_value), tuple(escorts), "cover" in ticked, "open" in ticked)

    def write(self) -> list[str]:
        """As the record keeps it."""
        lines = [f"attack {_ids(attack.by)} on {_ids(attack.on)}" for attack in self.attacks]
        lines += [f"value {_ids(sorted(self.by_value))}"] if self.by_value else []
        lines += [f"with {_ids(pair)}" for pair in self.escorts]
        ticked = [word for word, is_set in (("cover", self.from_cover), ("open", self.in_open)) if is_set]
        return [*lines, *ticked, *([] if lines else ["none"])]


def _ids(keys: Iterable[Key]) -> str:
    return " ".join(id_of(*key) for key in keys)


def put_together(melee: Melee, declared: Mapping[Side, Declaration], hand_to_hand: bool = False) -> Bout:
    """The bout as far as it is declared; a side that has not is taken to divide as the app would."""
    escorts = tuple(pair for declaration in declared.values() for pair in declaration.escorts)
    bout = replace(melee.bout, escorts=escorts, hand_to_hand=hand_to_hand)
    from_cover = frozenset(side for side, declaration in declared.items() if declaration.from_cover)
    in_open = frozenset(side.other for side, declaration in declared.items() if declaration.in_open)
    bout = replace(bout, from_cover=from_cover, in_open=in_open)
    by_value = frozenset(key for declaration in declared.values() for key in declaration.by_value)
    attacks = tuple(attack for declaration in declared.values() for attack in declaration.attacks)
    bout = replace(bout, attacks=attacks, by_value=by_value)
    return divide_attacks(bout, melee.battle, [side for side in Side if side not in declared])


def check_declaration(melee: Melee, declared: Mapping[Side, Declaration]) -> None:
    """Raise BadInput with every objection to how sides divide their attacks (19.2.1 step 1, 19.3.6)."""
    flaws = [str(objection) for objection in object_to_division(put_together(melee, declared), melee.battle)]
    if flaws:
        raise BadInput({str(number): flaw for number, flaw in enumerate(flaws)})


# The rolls


@dataclass(frozen=True, slots=True)
class MeleeRoll:
    """One attack with the inputs of its roll."""

    attack: Attack
    title: str
    inputs: Values


def list_rolls(melee: Melee, bout: Bout, sides: Iterable[Side]) -> list[MeleeRoll]:
    """The attacks of these sides as rolls, in the sides' order.

    A side without better odds than 1-4 is lost, all of it, by one attack without a roll (19.3.7, A-44); attacks on it
    have nothing left to do.
    """
    lost = {side for side in Side if is_hopeless(side, bout, melee.battle)}
    return [roll for side in sides for roll in _rolls_of(melee, bout, side, lost)]


def _rolls_of(melee: Melee, bout: Bout, side: Side, lost: Collection[Side]) -> Iterator[MeleeRoll]:
    if side in lost:
        attack = best_attack(side, bout, melee.battle)
        inputs = {**_inputs(melee, bout, attack), "leader": False, "better_odds": "no"}
        yield MeleeRoll(attack, f"{melee.names(attack.by)}: no better odds than 1-4", inputs)
    elif side.other not in lost:
        for attack in bout.attacks_of(side):
            struck = [unit.key for unit in line_up(attack, bout, melee.battle).struck]
            title = f"{melee.names(attack.by)} against {melee.names(struck)}"
            yield MeleeRoll(attack, title, _inputs(melee, bout, attack))


def _inputs(melee: Melee, bout: Bout, attack: Attack) -> dict[str, object]:
    """What the form of one attack is filled with: rows that name their counters, and what the counters say."""
    lineup = line_up(attack, bout, melee.battle)

    def row_of(key: Key, at_afv: bool = False) -> dict[str, object]:
        row = fighter_row(melee.pieces[key], at_afv)
        return {name: value for name, value in row.items() if name != "rider"} | (
            {"rider": True} if key in bout.riders else {}
        )

    return {
        "attack": [row_of(unit.key, lineup.at_afv) for unit in lineup.strikers],
        "defense": [row_of(unit.key) for unit in lineup.struck],
        "target": "afv" if lineup.at_afv else "infantry",
        "hand_to_hand": bout.hand_to_hand,
        "better_odds": "yes",
        **find_advantages(lineup, bout),
    }


def follow_up(roll: MeleeRoll) -> FollowUp:
    """A roll as something that is due."""
    return FollowUp("close-combat", f"Close Combat: {roll.title}", roll.inputs)


def tell_odds(charts: Book, roll: MeleeRoll) -> str:
    """The odds of a roll and what they promise: "9 against 4: 2-1 (-5 Leader); C 30 %, E 12 %".

    They are those of the inputs that the roll will be made with.
    """
    inputs = _ready(roll.inputs)
    opening = resolve_attack(charts=charts, **inputs)
    if not opening.needs:
        return opening.headline
    faces = [resolve_attack(charts=charts, **inputs, die=die).outcome for die in range(1, 101)]
    listed = ", ".join(f"{modifier.value:+d} {modifier.name}".replace("-", "−", 1) for modifier in opening.modifiers)
    drm = f" ({listed})" if listed else ""
    details = opening.details
    shares = ", ".join(f"{word} {sum(face == word.lower() for face in faces)} %" for word in ("C", "E"))
    return f"{details['attack']} against {details['defense']}: {details['column']}{drm}; {shares}"


def _ready(inputs: Values) -> Json:
    """The inputs of a roll as its rule takes them."""
    rows = {name: [Unit.read(row) for row in inputs[name]] for name in ("attack", "defense")}
    return {**inputs, **rows, "target": Target(inputs["target"]), "better_odds": BetterOdds(inputs["better_odds"])}
