"""The steps of a combat that apply (Combat Sequence)."""

from dataclasses import dataclass

from .tables import Side, Terrain

STEPS = {
    1: "the Soviets lay a random card",
    2: "the German lays a card",
    3: "Showdown: all is revealed",
    4: "Soviet blocks without dots get one",
    5: "effect of the Soviet card",
    6: "effect of the German card",
    7: "Support Cards are discarded",
    8: "Soviet Opportunity Fire",
    9: "Rubble Roll",
    10: "Close Combat",
    11: "advance",
    12: "Blitz",
    13: "Units are concealed",
}


@dataclass(frozen=True, slots=True)
class Fight:
    """What decides which steps a combat has.

    ``soviet_card``, ``german_card``: whether there is one. ``soviets_gone``: their own ones have killed all of them.
    ``attacker_wins``: the attacked hex is empty, and attackers are left.
    """

    attacker: Side = Side.GERMAN
    deliberate: bool = False
    terrain: Terrain = Terrain.CLEAR
    soviet_card: bool = False
    german_card: bool = False
    chuikov: bool = False
    hoth: bool = False
    attacker_wins: bool = False
    soviets_gone: bool = False

    @property
    def is_german_deliberate(self) -> bool:
        """A German Deliberate Attack."""
        return self.attacker is Side.GERMAN and self.deliberate

    @property
    def has_opportunity_fire(self) -> bool:
        """Whether Soviets fire before Close Combat: with Chuikov, in defence."""
        return self.chuikov and self.attacker is Side.GERMAN

    @property
    def is_won(self) -> bool:
        """Whether attackers advance."""
        return self.attacker_wins or (self.soviets_gone and self.attacker is Side.GERMAN)


def list_steps(fight: Fight) -> tuple[int, ...]:
    """The numbers of the steps that apply, in order (Combat Sequence 1 to 13)."""
    has_german_card = fight.german_card and fight.is_german_deliberate
    skipped = {
        1: not fight.soviet_card,
        2: not has_german_card,
        5: not fight.soviet_card,
        6: not has_german_card,
        8: not fight.has_opportunity_fire,
        9: not (fight.is_german_deliberate and fight.terrain is Terrain.URBAN),
        10: fight.soviets_gone,
        11: not fight.is_won,
        12: not (fight.is_won and fight.hoth and fight.attacker is Side.GERMAN and fight.terrain is Terrain.CLEAR),
    }
    return tuple(step for step in STEPS if not skipped.get(step, False))
