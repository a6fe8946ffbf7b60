"""Rows of a campaign. It is a match's ledger: acts change these rows, and taking an act back restores them.

Forms name rows by ``number``, which counts within a side of one campaign: nothing in a form can reach into
another campaign, and a gap gives away nothing that the other side keeps sealed.
"""

from typing import Any

from django.db import models
from django.db.models import Q

from firefight.columns import TypedColumn
from firefight.engine.values import Values
from firefight.models import Match, OnShelf, PlainField
from firefight.table.act.undo import Kept

from .rules.phase import ReorganizationPhase, read_phase, write_phase
from .rules.seals import Sealed, SealedObserver, SealedOrders, SealedPlot, read_sealed, write_sealed
from .rules.stages import Stage


class PhaseColumn(TypedColumn):
    """Where the Reorganization Phase stands; None outside of it, which is an empty table in JSON."""

    def to_python(self, value: Any) -> ReorganizationPhase | None:
        phase: ReorganizationPhase | None = super().to_python(value or None)
        return phase

    def to_json(self, value: ReorganizationPhase | None) -> Any:
        return super().to_json(value) if value else {}

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        return super().get_db_prep_save(value or {}, connection)


class ContentBook(models.Model):
    """One version of all campaign content, known by the digest of its values. Never edited: campaigns pin it.

    ``offered``: new campaigns may choose it; one that came with a campaign's file is only for that campaign.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    name = models.CharField(max_length=80)
    data = PlainField()
    shipped = models.BooleanField(default=False)
    offered = models.BooleanField(default=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ContentDraft(OnShelf):
    """Campaign content on a shelf, as its owner is typing it: the parts that differ from ``based_on``.

    ``version``: the newest one that campaigns can be played with.
    """

    based_on = models.ForeignKey(ContentBook, on_delete=models.PROTECT, related_name="+")
    version = models.ForeignKey(ContentBook, on_delete=models.PROTECT, null=True, default=None, related_name="+")


class Campaign(Kept):
    """A campaign: its card, and where it stands.

    ``firefight`` counts from 1; ``stage_since`` is the match's version when the stage, or the turn, began; ``held``
    has one letter a sector; ``ready`` lists the sides that are done with the stage; ``attacker`` is known from set-up
    on; ``random_hex``: where the Random marker is, blank before the first firefight.
    """

    is_shared = True

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="campaign")
    content = models.ForeignKey(ContentBook, on_delete=models.PROTECT)
    card = models.CharField(max_length=10)
    firefight = models.PositiveSmallIntegerField(default=1)
    stage = models.CharField(max_length=16, choices=[(stage.value, stage.word) for stage in Stage])
    stage_since = models.PositiveIntegerField(default=1)
    held = models.CharField(max_length=60)
    ready = models.JSONField(default=list)
    attacker = models.CharField(max_length=16, blank=True)
    phase: "models.Field[ReorganizationPhase | None, ReorganizationPhase | None]" = PhaseColumn(
        read_phase, write_phase, default=dict
    )
    outcome = models.CharField(max_length=200, blank=True)
    random_hex = models.CharField(max_length=4, blank=True)

    def __str__(self) -> str:
        return f"{self.card}, firefight {self.firefight}: {self.stage}"


class Row(Kept):
    """A row of a campaign that belongs to a side."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+", db_index=False)
    side = models.CharField(max_length=16)
    number = models.PositiveIntegerField()

    class Meta:
        abstract = True
        ordering = ["side", "number"]


class Group(Row):
    """A Reinforcement Group in a side's hands. An Attack does not count as one: it goes with sealed orders.

    ``rg`` is its ID on the roster. ``bought_for``: the firefight ahead when it was bought, 0 for the at-start
    OB, which ticks no ``box``. ``app_dice``: the app rolled for it. ``mark`` and
    ``since`` (a turn): a battery that has placed an FFE, aircraft in play. ``building``: of a Fanatic
    Resistance Nest.
    """

    class Standing(models.TextChoices):
        IN_PLAY = "in_play", "in play"
        REFUNDED = "refunded", "given back"
        USED_UP = "used_up", "used up"
        LOST = "lost", "lost"

    class Sign(models.TextChoices):
        NONE = "", "ready"
        FFE = "ffe", "FFE placed"
        HERE = "here", "in play over the map"

    rg = models.CharField(max_length=6)
    bought_for = models.PositiveSmallIntegerField(default=0)
    box = models.PositiveSmallIntegerField(null=True, default=None)
    standing = models.CharField(max_length=10, choices=Standing, default=Standing.IN_PLAY)
    app_dice = models.BooleanField(default=False)
    mark = models.CharField(max_length=6, choices=Sign, default=Sign.NONE, blank=True)
    since = models.PositiveSmallIntegerField(default=0)
    building = models.CharField(max_length=60, blank=True)

    class Meta(Row.Meta):
        constraints = [
            models.UniqueConstraint(fields=["campaign", "side", "number"], name="group_numbers"),
            models.UniqueConstraint(
                fields=["campaign", "side", "rg", "box"],
                condition=~Q(standing="refunded") & Q(box__isnull=False),
                name="no_box_twice",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.side} {self.rg} ({self.number})"


class Unit(Row):
    """One counter. It stands in a ``sector``, or is off the map, or is gone: ``fate`` then says how.

    ``hex``: "K7", with a level of the building "K7/1", "K7/cellar". ``home``: the sector where it survived the last
    firefight.
    ``hidden``: only its side knows where it is. ``beside``: the number of the unit that it rides on or is led by.
    ``marks`` hold values of Mark (firefight/games/combat_stalingrad/rules/marks.py).
    """

    class Fate(models.TextChoices):
        NONE = "", "in play"
        ELIMINATED = "eliminated", "eliminated"
        RETURNED = "returned", "given back"
        LEFT = "left", "left for good"

    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, related_name="+")
    counter = models.CharField(max_length=40)
    sector = models.PositiveSmallIntegerField(null=True, default=None)
    hex = models.CharField(max_length=12, blank=True)
    home = models.PositiveSmallIntegerField(null=True, default=None)
    hidden = models.BooleanField(default=False)
    marks = models.JSONField(default=list)
    fate = models.CharField(max_length=12, choices=Fate, default=Fate.NONE, blank=True)
    beside = models.PositiveIntegerField(null=True, default=None)
    note = models.CharField(max_length=120, blank=True)

    class Meta(Row.Meta):
        constraints = [
            models.UniqueConstraint(fields=["campaign", "side", "number"], name="unit_numbers"),
            models.CheckConstraint(condition=Q(fate="") | Q(sector__isnull=True), name="nowhere_once_gone"),
        ]

    def __str__(self) -> str:
        return f"{self.side} {self.counter} ({self.number})"

    def eliminate(self) -> None:
        """Take it off for good."""
        self.fate, self.sector, self.home, self.hex, self.hidden = Unit.Fate.ELIMINATED, None, None, "", False
        self.beside = None


class Seal(Row):
    """Something that one side wrote down under seal: its orders, a plot, an off-map observer.

    ``data`` is what was written, by its ``kind``: ``orders``, ``plot`` or ``observer`` gives it as that.
    ``entry``: the number of its line in the log, which holds the words.
    """

    class Kind(models.TextChoices):
        ORDERS = "orders", "Orders"
        PLOT = "plot", "Plot"
        OBSERVER = "observer", "Off-map observer"

    class Standing(models.TextChoices):
        SEALED = "sealed", "sealed"
        OPEN = "open", "opened"
        WITHDRAWN = "withdrawn", "withdrawn"

    kind = models.CharField(max_length=10, choices=Kind)
    firefight = models.PositiveSmallIntegerField()
    data: "models.Field[Sealed, Sealed]" = TypedColumn(read_sealed, write_sealed, default=dict)
    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, related_name="+")
    standing = models.CharField(max_length=10, choices=Standing, default=Standing.SEALED)
    entry = models.PositiveIntegerField()

    class Meta(Row.Meta):
        constraints = [models.UniqueConstraint(fields=["campaign", "side", "number"], name="seal_numbers")]

    def __str__(self) -> str:
        return f"{self.side} {self.kind} ({self.number})"

    @property
    def orders(self) -> SealedOrders:
        """What sealed orders say."""
        assert isinstance(self.data, SealedOrders)
        return self.data

    @property
    def plot(self) -> SealedPlot:
        """What a sealed plot says."""
        assert isinstance(self.data, SealedPlot)
        return self.data

    @property
    def observer(self) -> SealedObserver:
        """Where a sealed observer is."""
        assert isinstance(self.data, SealedObserver)
        return self.data


class CpLine(Row):
    """Campaign Points in or out. The balance of a side is the sum of its lines. ``sealed``: known only to it.

    ``group``, ``unit``: what a set-up was paid for; a unit only where it belongs to no group.
    """

    firefight = models.PositiveSmallIntegerField()
    amount = models.SmallIntegerField()
    reason = models.CharField(max_length=120)
    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, related_name="+")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, null=True, related_name="+")
    seal = models.ForeignKey(Seal, on_delete=models.CASCADE, null=True, related_name="+")
    sealed = models.BooleanField(default=False)

    class Meta(Row.Meta):
        constraints = [
            models.UniqueConstraint(fields=["campaign", "side", "number"], name="cp_line_numbers"),
            models.CheckConstraint(condition=~Q(amount=0), name="no_idle_line"),
        ]

    def __str__(self) -> str:
        return f"{self.side} {self.amount:+d}: {self.reason}"


class EarlierMap(models.Model):
    """The map of a chapter that came with the file a match was made from, as changes to the one before it.

    ``number``: of the line that the chapter begins after. Both sides' secrets may be in it.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    change: "models.Field[Values, Values]" = PlainField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_map_a_chapter")]

    def __str__(self) -> str:
        return f"After № {self.number}"
