"""Kinds of units as the rules tell them apart: how they move, which have a ZOC, which spot (2.25, 6.1, 14.21)."""

from firefight.engine.labels import Labelled

VEHICLE_MP = 12  # from this on a unit is towed, self-propelled or motorized (8.12)


class UnitKind(Labelled):
    """A kind of unit."""

    INFANTRY = "infantry"
    ENGINEER = "engineer"
    ARMORED = "armored", "Armoured unit"
    AT_GUN = "at_gun", "AT or AA gun"
    IF_GUN = "if_gun", "IF gun or rocket"
    MORTAR = "mortar"
    FLAK_88 = "88mm", "88 mm gun"
    LEADER = "leader"
    OP = "op", "Observer"
    LW_OP = "lw_op", "Luftwaffe observer"
    SNIPER = "sniper"
    MINE_DOG = "mine_dog"
    IMMOBILIZED = "immobilized", "Immobilized tank"
    TRANSPORT = "transport"
    TRAIN = "train", "Armoured train"
    FLOTILLA = "flotilla", "Flotilla unit"
    TANK_REPAIR = "tank_repair", "Tank repair unit"

    @property
    def has_zoc(self) -> bool:
        """Combat units, snipers, trains and immobilized tanks have one (6.1)."""
        return self in _FIGHTERS or self in (UnitKind.SNIPER, UnitKind.IMMOBILIZED, UnitKind.TRAIN)

    @property
    def attacks(self) -> bool:
        """Whether it has its own AF to attack with; dogs and Herman attack in their own ways (2.25, 16.36)."""
        return self in _FIGHTERS or self in (UnitKind.TRAIN, UnitKind.FLOTILLA)

    @property
    def defends(self) -> bool:
        """Whether it fires in defence; a sniper only with others (2.25, 16.13)."""
        return self.attacks or self in (UnitKind.SNIPER, UnitKind.IMMOBILIZED)

    @property
    def fires_indirectly(self) -> bool:
        """Whether it bombards (14.01, 14.03)."""
        return self in _INDIRECT

    @property
    def spots(self) -> bool:
        """Observers, leaders and combat units see targets for others (14.21)."""
        return self in _FIGHTERS or self in (UnitKind.LEADER, UnitKind.OP, UnitKind.LW_OP, UnitKind.TRAIN)

    @property
    def never_moves(self) -> bool:
        """What stays where it is placed, or is placed for a phase (2.25)."""
        return self in (UnitKind.IMMOBILIZED, UnitKind.TANK_REPAIR, UnitKind.FLOTILLA)

    @property
    def is_armored(self) -> bool:
        """What moves on in enemy ZOC by breakthrough movement (8.5)."""
        return self is UnitKind.ARMORED

    @property
    def is_support(self) -> bool:
        """Leaders and observers, who ignore terrain (2.25)."""
        return self in (UnitKind.LEADER, UnitKind.OP, UnitKind.LW_OP)

    @property
    def is_soviet_alone(self) -> bool:
        """What Germans do not have (16.0)."""
        return self in _SOVIET

    def is_vehicle(self, mp: int | None) -> bool:
        """Whether a balka may stop it: by its MP, or by what its kind usually is (8.12)."""
        return self in _VEHICLES if mp is None else mp >= VEHICLE_MP


_FIGHTERS = frozenset(
    {
        *(UnitKind.INFANTRY, UnitKind.ENGINEER, UnitKind.ARMORED, UnitKind.AT_GUN),
        *(UnitKind.IF_GUN, UnitKind.MORTAR, UnitKind.FLAK_88),
    }
)
_INDIRECT = frozenset({UnitKind.IF_GUN, UnitKind.MORTAR, UnitKind.FLAK_88})
_SOVIET = frozenset(
    {
        *(UnitKind.SNIPER, UnitKind.MINE_DOG, UnitKind.IMMOBILIZED, UnitKind.TRANSPORT),
        *(UnitKind.TRAIN, UnitKind.FLOTILLA, UnitKind.TANK_REPAIR),
    }
)
_VEHICLES = frozenset(
    {
        *(UnitKind.ARMORED, UnitKind.AT_GUN, UnitKind.IF_GUN, UnitKind.FLAK_88),
        *(UnitKind.TRANSPORT, UnitKind.TRAIN),
    }
)
GERMAN_ALONE = frozenset({UnitKind.FLAK_88, UnitKind.LW_OP})


def name_class(mp: int) -> str:
    """The movement class that printed MP give (2.25; A21).

    >>> name_class(8), name_class(15), name_class(28), name_class(0)
    ('foot', 'towed by vehicles', 'motorized', 'never moves')
    """
    classes = (
        (0, "never moves"),
        (8, "foot"),
        (12, "towed by horses"),
        (15, "towed by vehicles"),
        (21, "self-propelled"),
        (24, "motorized"),
        (26, "armoured car or motorcycle"),
    )
    return next((name for most, name in classes if mp <= most), "motorized")
