"""What players declare in the close combat of a sector and what it does to units, as values (19.2.1, 20.6.4).

declarations.py decides what may be declared, bouts.py what the dice do.
"""

from dataclasses import dataclass

from firefight.engine.labels import Labelled

from ..sides import Side

# A unit by its side and its number there.
Key = tuple[Side, int]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack of a bout: units that attack together, and the enemies that they attack (19.2.1)."""

    by: tuple[Key, ...]
    on: tuple[Key, ...]

    @property
    def side(self) -> Side:
        """Who attacks."""
        return self.by[0][0]


@dataclass(frozen=True, slots=True)
class Bout:
    """Units of both sides that are brought together, and how each side divides its attacks among them (A-44, A-45).

    ``attackers``: of the side that picks; ``defenders``: of the other. All are named top to bottom, for the dice of
    18.1.3. ``attacks``: of both sides; None: each side attacks all of the other as one attack. ``escorts``: the
    infantry that a leader defends with, by leader; one who is not named there defends with the first of the same side
    (19.3.6). ``by_value``: NCOs and Officers that use their CCV and lend no -5 (19.3.5). ``from_cover``: sides that
    attack out of building, woods or grain. Of step 1 only: ``in_open``, sides whose AFV is in the open, and
    ``riders``, those that are mounted. ``hand_to_hand``: A-23.
    """

    attackers: tuple[Key, ...]
    defenders: tuple[Key, ...]
    attacks: tuple[Attack, ...] | None = None
    hand_to_hand: bool = False
    from_cover: frozenset[Side] = frozenset()
    in_open: frozenset[Side] = frozenset()
    by_value: frozenset[Key] = frozenset()
    riders: frozenset[Key] = frozenset()
    escorts: tuple[tuple[Key, Key], ...] = ()

    @property
    def keys(self) -> tuple[Key, ...]:
        """Everybody in it."""
        return (*self.attackers, *self.defenders)

    def of_side(self, side: Side) -> tuple[Key, ...]:
        """A side's units in it."""
        return tuple(key for key in self.keys if key[0] is side)

    def attacks_of(self, side: Side) -> tuple[Attack, ...]:
        """A side's attacks."""
        if self.attacks is None:
            return (Attack(self.of_side(side), self.of_side(side.other)),)
        return tuple(attack for attack in self.attacks if attack.side is side)


class Fate(Labelled):
    """What becomes of a unit in a round."""

    M_KILLED = "m_killed", "M-KILLED"
    REDUCED = "reduced", "reduced to its half-squad"
    WOUNDED = "wounded", "wounded"
    ELIMINATED = "eliminated", "eliminated"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a bout does to one unit, once its round is over."""

    key: Key
    fate: Fate
