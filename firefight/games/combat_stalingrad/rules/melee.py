"""Close Combat at the table: where it is, how each side divides its attacks, and what each of them is (19.1 to 19.3).

Both sides declare before either rolls, and no result counts before both have rolled: the inputs of every attack are
those of the units as they stood when they declared (19.2.1).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from firefight.engine.board.counters import Piece
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Grid
from firefight.engine.errors import BadInput
from firefight.engine.rolls.modifiers import total
from firefight.engine.text import join_words

from .close_combat import LOWEST, CloseCombatOutcome, combat_value, odds_step, resolve_attack
from .counters import CounterKind
from .filling import Inputs, fighter_row, fill_roll
from .marks import is_unit
from .sides import Side
from .units import Unit

_TRIED = 4_000  # divisions that are looked at for a proposal
Escorts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Melee:
    """A location with units of both sides; ``pieces``: all of them (19.1.6)."""

    place: str
    level: str
    pieces: tuple[Piece, ...]

    def of_side(self, side: str) -> tuple[Piece, ...]:
        """The units of a side."""
        return tuple(piece for piece in self.pieces if piece.counter.side == side)

    def against(self, side: str) -> tuple[Piece, ...]:
        """The units of its enemy."""
        return tuple(piece for piece in self.pieces if piece.counter.side != side)

    def find(self, ids: Iterable[str]) -> list[Piece]:
        """The units with these ids, in the order of the stack."""
        wanted = set(ids)
        return [piece for piece in self.pieces if piece.counter.id in wanted]


@dataclass(frozen=True, slots=True)
class Assault:
    """One attack, by ids. ``by_value``: its leader fights with his CCV instead of lending -5 (19.3.5)."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    by_value: bool = False


def find_melees(pieces: Iterable[Piece]) -> tuple[Melee, ...]:
    """The locations where units of both sides begin a Melee Phase together, by place and level (19.1.1, 19.1.6).

    The same hex on different levels is no Close Combat. Who has no hex noted is in none.
    """
    found: dict[tuple[str, str], list[Piece]] = {}
    for piece in pieces:
        counter = piece.counter
        if counter.in_play and counter.place and is_unit(piece.kind.kind):
            found.setdefault((counter.place, counter.level), []).append(piece)
    melees = (Melee(place, level, tuple(units)) for (place, level), units in found.items())
    return tuple(melee for melee in melees if len({piece.counter.side for piece in melee.pieces}) > 1)


def order_of_declaration(initiative: Side, is_second: bool) -> tuple[Side, Side]:
    """Who declares first: the Initiative side, unless it would rather hear the enemy first (19.2.1 step 1)."""
    return (initiative.other, initiative) if is_second else (initiative, initiative.other)


# Leaders among the defenders


def find_escorts(melee: Melee, side: str, chosen: Escorts | None = None) -> dict[str, str]:
    """With whom each leader of a side defends (19.3.6): as chosen, else whom the leader is with, else the strongest.

    Without infantry other than leaders there is nobody: each then stands for themselves. Raises BadInput for a choice
    that is none.
    """
    mates = {piece.counter.id: piece for piece in melee.of_side(side) if _is_rank_and_file(piece)}
    leaders = [piece for piece in melee.of_side(side) if _is_leader(piece)]
    if not mates:
        return {}
    strongest = max(mates, key=lambda each: (_value([mates[each]]), each))
    found = {}
    for leader in leaders:
        counter = leader.counter
        wish = (chosen or {}).get(counter.id, "")
        if wish and wish not in mates:
            raise BadInput({"escorts": f"{counter.name} defends with infantry of their side here, no leader (19.3.6)."})
        company = [counter.beside, *(each for each, mate in mates.items() if mate.counter.beside == counter.id)]
        found[counter.id] = wish or next((each for each in company if each in mates), strongest)
    return found


def _blocks(melee: Melee, side: str, escorts: Escorts) -> list[tuple[str, ...]]:
    """The units of a side that are attacked together or not at all: each with the leaders that defend with it."""
    return [
        (own.counter.id, *(leader for leader, mate in escorts.items() if mate == own.counter.id))
        for own in melee.of_side(side)
        if own.counter.id not in escorts
    ]


# Dividing the attacks


def find_objections(melee: Melee, side: str, assaults: Sequence[Assault], escorts: Escorts) -> list[str]:
    """Everything that speaks against how a side divides its attacks, in sentences (19.2.1 step 1, 19.3.6).

    escorts: of its enemy.
    """
    own, enemies = ({piece.counter.id: piece for piece in some} for some in (melee.of_side(side), melee.against(side)))
    named = {piece.counter.id: piece.counter.name for piece in melee.pieces}
    found = []
    for assault in assaults:
        if not assault.attackers or not assault.defenders:
            found.append("An attack has attackers and defenders.")
        if stray := [each for each in assault.attackers if each not in own]:
            found.append(f"No unit of this side here: {join_words(named.get(each, each[:24]) for each in stray)}.")
        if stray := [each for each in assault.defenders if each not in enemies]:
            found.append(f"No enemy here: {join_words(named.get(each, each[:24]) for each in stray)}.")
        found += _against_splitting(assault, escorts, named)
    for word, role in (("attacks", "attackers"), ("is attacked", "defenders")):
        sent = [each for assault in assaults for each in getattr(assault, role)]
        twice = sorted(each for each in set(sent) if sent.count(each) > 1)
        found += [f"{named.get(each, each[:24])} {word} more than once." for each in twice]
    if len(enemies) == 1 and _is_split(assaults, own):
        [enemy] = enemies.values()
        found.append(f"{enemy.counter.name} is the only enemy here: all units attack it, with one attack (19.2.1).")
    return list(dict.fromkeys(found))


def _is_split(assaults: Sequence[Assault], own: Iterable[str]) -> bool:
    """Whether a side does anything else than attack with all of its units at once."""
    return len(assaults) != 1 or set(assaults[0].attackers) != set(own)


def _against_splitting(assault: Assault, escorts: Escorts, named: Mapping[str, str]) -> Iterator[str]:
    """A leader defends with a unit: both are attacked, or neither (19.3.6)."""
    for leader, mate in escorts.items():
        if (leader in assault.defenders) != (mate in assault.defenders):
            yield f"{named[leader]} defends with {named[mate]}: attack both, or neither (19.3.6)."


def divide_attacks(charts: Book, melee: Melee, side: str, escorts: Escorts) -> tuple[Assault, ...]:
    """How the app would divide a side's attacks: what promises the enemy the greatest loss, all of its units used.

    escorts: of its enemy. Of equals, the one with fewer attacks. The same melee gives the same answer.
    """
    own = [piece.counter.id for piece in melee.of_side(side)]
    enemy = next(piece.counter.side for piece in melee.against(side))
    blocks = _blocks(melee, enemy, escorts)

    @cache
    def worth(assault: Assault) -> float:
        return _expected_loss(charts, melee, assault, side)

    ways = _divisions(own, blocks, lambda each: _value(melee.find(each)))
    return max(ways, key=lambda assaults: (round(sum(map(worth, assaults)), 6), -len(assaults)))


def _divisions(
    own: Sequence[str], blocks: Sequence[tuple[str, ...]], strength: Callable[[Iterable[str]], int]
) -> Iterator[tuple[Assault, ...]]:
    """Ways to divide attacks: all against all together, and each unit against one block, as far as time allows."""
    everybody = tuple(each for block in blocks for each in block)
    yield (Assault(tuple(own), everybody),)
    if len(blocks) ** len(own) <= _TRIED:
        choices: Iterable[Sequence[int]] = product(range(len(blocks)), repeat=len(own))
    else:
        choices = _in_turn(own, blocks, strength)
    for choice in choices:
        yield tuple(
            Assault(attackers, block)
            for number, block in enumerate(blocks)
            if (attackers := tuple(each for each, at in zip(own, choice, strict=True) if at == number))
        )


def _in_turn(
    own: Sequence[str], blocks: Sequence[tuple[str, ...]], strength: Callable[[Iterable[str]], int]
) -> Iterator[list[int]]:
    """For many units: all against one block; or the strongest against the weakest until the odds suffice, then on."""
    for number in range(len(blocks)):
        yield [number] * len(own)
    weakest = sorted(range(len(blocks)), key=lambda number: strength(blocks[number]))
    strongest = sorted(own, key=lambda each: -strength([each]))
    for wanted in (4, 3, 2, 1):
        choice, left = dict.fromkeys(own, weakest[0]), list(strongest)
        for number in weakest:
            gathered = 0
            while left and gathered < wanted * max(1, strength(blocks[number])):
                gathered += strength([left[0]])
                choice[left.pop(0)] = number
        yield [choice[each] for each in own]


# What an attack is


def assault_inputs(charts: Book, melee: Melee, assault: Assault) -> Inputs:
    """The inputs of the roll of one attack, as its units stand now; nothing is left to ask (19.3, A-44).

    What the counters do not say, such as hand-to-hand or cover, is for players to tick.
    """
    attackers, defenders = melee.find(assault.attackers), melee.find(assault.defenders)
    side = attackers[0].counter.side
    found = fill_roll(charts, "close-combat", attackers, defenders, {})
    found["leader"] = found["leader"] and not assault.by_value
    found["better_odds"] = "yes" if _has_better(melee, side) else "no"
    return found


def name_assault(melee: Melee, assault: Assault) -> str:
    """An attack in words: "Rifle squad #1 and NCO #2 attack Grenadier squad #3"."""
    attackers, defenders = (
        join_words(piece.counter.name for piece in melee.find(ids)) for ids in (assault.attackers, assault.defenders)
    )
    return f"{attackers} attack{'s' if len(assault.attackers) == 1 else ''} {defenders}"


def _has_better(melee: Melee, side: str) -> bool:
    """Whether better odds than 1-4 are open to a side: all of its units against the weakest enemy (19.3.7, A-44)."""
    enemies = [piece for piece in melee.against(side) if not _is_leader(piece)] or list(melee.against(side))
    strength, weakest = _value(melee.of_side(side)), min(_value([piece]) for piece in enemies)
    return bool(strength) and (not weakest or odds_step(strength, weakest) >= LOWEST)


def _expected_loss(charts: Book, melee: Melee, assault: Assault, side: str) -> float:
    """CCV that an attack takes from the enemy on average: of E one unit, of C half of one, what is certain in full."""
    plain = assault_inputs(charts, melee, assault)
    attack, defense = ([Unit.read(row) for row in plain[name]] for name in ("attack", "defense"))
    ticks = {name: plain[name] for name in ("leader", "flamethrower", "demo_charge", "m_killed")}
    try:
        result = resolve_attack(charts=charts, attack=attack, defense=defense, **ticks)
    except BadInput:  # it would be lost, or is not open to them
        return -float(_value(melee.find(assault.attackers)))
    if result.outcome is CloseCombatOutcome.DEFENDERS_ELIMINATED:
        return float(_value(melee.find(assault.defenders)))
    if result.outcome:
        return -float(_value(melee.find(assault.attackers)))
    table: Grid = charts["cct"]
    column, drm = str(result.details["column"]), total(result.modifiers)
    read = [(table.look_up(die + drm, column) or "").upper() for die in range(1, table.sides + 1)]
    one = _value(melee.find(assault.defenders)) / len(assault.defenders)
    return one * (read.count("E") + read.count("C") / 2) / table.sides


def _value(pieces: Sequence[Piece]) -> int:
    """CCV of a group, as it stands."""
    return combat_value([Unit.read(row) for row in map(fighter_row, pieces)])


def _is_leader(piece: Piece) -> bool:
    kind: CounterKind = piece.kind.kind
    return kind is CounterKind.LEADER


def _is_rank_and_file(piece: Piece) -> bool:
    """Infantry other than a leader; a gun's crew is."""
    return piece.kind.kind in (CounterKind.SQUAD, CounterKind.SW_TEAM, CounterKind.GUN)
