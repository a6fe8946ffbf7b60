"""What one act of a side in a campaign works with: the ledger, its dice, its lines in the log."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from campaign.models import Campaign, CpLine, Group, Seal, Unit
from campaign.rules.purchases import against_balance
from campaign.rules.stages import Stage
from campaign.rules.units import marks_on_map
from firefight.assistant.throwing import Thrower
from firefight.columns import Rolled
from firefight.engine.board.counters import id_of, write_mentions
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import Result, waiting
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.kit import playing
from firefight.models import Act, LogEntry, Match, Snapshot
from firefight.table.act import own_dice, snapshots, writing
from firefight.table.act.refusals import BadField, Incomplete, Refused
from firefight.table.story.history import BEFELL, CAUSE

from . import rows
from .dice import Dice, throw_typed
from .ledger import Ledger

Row = TypeVar("Row", CpLine, Group, Seal, Unit)


class NeedsDice(Protocol):
    """The state of something that dice decide one after the other."""

    @property
    def needs(self) -> Sequence[DieSpec]:
        """The dice that are still missing."""


Asking = TypeVar("Asking", bound=NeedsDice)

NOBODY = ""  # whose line it is where the rules decide, or the dice of both sides
UNDER_SEAL = "{side} writes something down under seal."


def tell_fates(cause: str, *fates: tuple[Iterable[Unit], Iterable[str]]) -> Json:
    """What ``CampaignAct.tell`` takes about units besides a sentence: what happened to which, and by what.

    Histories are made from it (firefight/table/story/history.py); a line whose sentence is sealed withholds it, too.
    """
    befell: dict[str, list[str]] = {}
    for units, words in fates:
        for unit in units:
            befell.setdefault(id_of(unit.side, unit.number), []).extend(words)
    return {"touches": write_mentions(befell), "inputs": {BEFELL: befell, CAUSE: cause}} if befell else {}


class Unfit(Refused):
    """What was asked for breaks rules, all of which are said."""

    status = 422


def refuse(*objections: Objection | None) -> None:
    """Raise Unfit with every objection, each once, if there is any."""
    reasons = [str(objection) for objection in dict.fromkeys(objections) if objection]
    if reasons:
        raise Unfit(*reasons)


@dataclass
class CampaignAct:
    """What one act works with. ``row``: the act as it is stored; ``side``: the acting side.

    ``plays_all``: both players sit at this device, so that one may decide for the other. ``entries``: the lines of
    the log so far, written at the act's end. ``chapters``: snapshots of the chapters that began in this act.
    """

    match: Match
    row: Act
    side: Side
    ledger: Ledger
    plays_all: bool = False
    entries: list[LogEntry] = field(default_factory=list)
    chapters: list[Snapshot] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chapter, self._sector = rows.name_chapter(self.ledger), self.ledger.sector_fought_out

    @property
    def campaign(self) -> Campaign:
        """The campaign's row."""
        return self.ledger.campaign

    @property
    def name(self) -> str:
        """The acting side's name."""
        return self.side.word

    def expect(self, *stages: Stage) -> None:
        """Refuse the act in any stage but these; with none named it may be done in all."""
        if stages and self.ledger.stage not in stages:
            expected = " or ".join(stage.word.lower() for stage in stages)
            present = self.ledger.stage.word.lower()
            raise Refused(
                f"This belongs to another step: {expected}. The campaign stands at: {present}. Nothing was changed."
            )

    # Chapters

    def keep_chapter(self) -> None:
        """Keep a snapshot, if another chapter has begun."""
        chapter = rows.name_chapter(self.ledger)
        if chapter != self._chapter:
            snapshot = rows.write_snapshot(self.ledger)
            self.chapters.append(snapshots.snapshot_of(self.match, self.row.number, chapter, snapshot))
            self._chapter, self._sector = chapter, self.ledger.sector_fought_out

    def keep_sector(self) -> None:
        """The same, if another sector is fought out now: a hurried act goes through many."""
        if self.ledger.sector_fought_out != self._sector:
            self.keep_chapter()

    # The log

    def tell(self, sentence: str, *, secret: str = "", about: LogEntry | int | None = None, **more: Any) -> LogEntry:
        """Add a line to the log; ``secret`` is for the acting side alone."""
        kind = more.pop("kind", LogEntry.Kind.LEDGER)
        side = more.pop("side", self.side)
        rolls = tuple(more.pop("rolled", ()))
        entry = writing.compose(
            self.match, self.row, kind, side, sentence, secret=secret, about=about, rolls=rolls, **more
        )
        self.entries.append(entry)
        return entry

    def tell_sealed(self, secret: str, **more: Any) -> LogEntry:
        """Add a line of which the other side learns only that something was written down."""
        return self.tell(UNDER_SEAL.format(side=self.name), secret=secret, **more)

    def reveal(self, number: int, sentence: str, side: Side | None = None) -> LogEntry:
        """Open the secret of an earlier line for everybody, with a line that says so."""
        entry = self.tell(sentence, kind=LogEntry.Kind.REVEAL, about=number, side=side or self.side)
        for opened in self.entries:
            if opened.number == number:
                opened.revealed_by = entry.number
        LogEntry.objects.filter(match=self.match, number=number).update(revealed_by=entry.number)
        self.row.free_to_take_back = False
        return entry

    def show(self, unit: Unit) -> None:
        """Show a hidden unit. What its group's set-up cost under seal is open once no unit of the group is hidden."""
        if not unit.hidden:
            return
        unit.hidden = self.row.free_to_take_back = False
        unit.marks = marks_on_map(unit.marks)
        if unit.group and any(other.hidden for other in self.ledger.units_of(unit.group)):
            return
        for line in self.ledger.lines[Side(unit.side)].values():
            if line.unit is unit or (line.group and line.group is unit.group):
                line.sealed = False

    # Dice

    @property
    def has_drawn(self) -> bool:
        """Whether the app has rolled in this act."""
        return bool(vars(self.match).get("drawn"))  # noted there by firefight.table.rolling.rolls while an act is done

    def play(self, slug: str, inputs: Values, dice: Dice) -> tuple[Result, list[Rolled]]:
        """Resolve a helper of the game with the match's charts. Raises Incomplete while a die is missing, BadDie."""
        self.check_reach(slug, inputs, dice)
        helper = registry.helpers(self.match.game)[slug]
        result, rolled = playing.play_helper(helper, of_match(self.match), inputs, self._find_thrower(dice))
        if result.needs:
            raise Incomplete(result)
        self._keep_if_of_app(rolled)
        return result, rolled

    def check_reach(self, slug: str, inputs: Values, dice: Dice) -> None:
        """Raise BlankCells if a helper is to roll with the app's dice, and any face would give no result.

        To be called before the first die of the act is drawn: what the app has drawn is used up.
        """
        if dice.source == "app":
            playing.check_reach(registry.helpers(self.match.game)[slug], of_match(self.match), inputs)

    def roll(self, specs: Iterable[DieSpec], dice: Dice) -> list[Rolled]:
        """Roll dice that no helper asks for. Raises Incomplete while one is missing, BadDie."""
        throw = self._find_thrower(dice)
        rolled = [(spec, throw(spec)) for spec in specs]
        missing = [spec for spec, fell in rolled if fell is None]
        if missing:
            message = f"Still to roll: {'; '.join(spec.label for spec in missing)}. Type the dice, or let the app roll."
            raise Incomplete(waiting(message, *(spec.name for spec in missing)))
        dice_thrown = [die for _, fell in rolled for die in fell or ()]
        self._keep_if_of_app(dice_thrown)
        return dice_thrown

    def roll_as_asked(self, resolve: Callable[[Mapping[str, int]], Asking], dice: Dice) -> tuple[Asking, list[Rolled]]:
        """Resolve by the faces so far and roll what is still needed, until nothing is. Raises as ``roll`` does."""
        faces: dict[str, int] = {}
        rolled: list[Rolled] = []
        while (result := resolve(faces)).needs:
            fresh = self.roll(result.needs, dice.without(faces))
            rolled += fresh
            faces |= {die.die: die.face for die in fresh}
        return result, rolled

    def _find_thrower(self, dice: Dice) -> Thrower:
        return own_dice.dice_of_match(self.match) if dice.source == "app" else throw_typed(dice.faces)

    def _keep_if_of_app(self, rolled: Iterable[Rolled]) -> None:
        """What the app has rolled is taken back only if the other side agrees."""
        if any(die.source == "app" for die in rolled):
            self.row.free_to_take_back = False

    # The ledger

    def add_group(self, rg: str, **values: object) -> Group:
        """A new group of the acting side, or of ``side``."""
        return self._add(self.ledger.groups, Group, rg=rg, **values)

    def add_unit(self, counter: str, **values: object) -> Unit:
        """A new counter."""
        return self._add(self.ledger.units, Unit, counter=counter, **values)

    def add_units(self, counters: Mapping[str, int], group: Group | None = None) -> None:
        """New counters by their quantities, off the map."""
        for key, number in counters.items():
            for _ in range(number):
                self.add_unit(key, group=group)

    def add_seal(self, kind: Seal.Kind, entry: LogEntry, **values: object) -> Seal:
        """A new sealed record for the firefight ahead."""
        firefight = self.campaign.firefight
        return self._add(self.ledger.seals, Seal, kind=kind, entry=entry.number, firefight=firefight, **values)

    def pay(self, amount: int, reason: str, **values: object) -> CpLine | None:
        """CP in (positive) or out (negative); 0 gives no line. Raises Unfit below a balance of 0."""
        if not amount:
            return None
        line = self._add(
            self.ledger.lines, CpLine, amount=amount, reason=reason, firefight=self.campaign.firefight, **values
        )
        refuse(against_balance(self.ledger.balance(Side(line.side))))
        return line

    def _add(self, rows: dict[Side, dict[int, Row]], model: type[Row], **values: Any) -> Row:
        side = Side(values.pop("side", self.side))
        row = model(campaign=self.campaign, side=side, number=max(rows[side], default=0) + 1, **values)
        rows[side][row.number] = row
        return row

    def move_on(self, stage: Stage) -> None:
        """Go on to another stage, with which nobody is done yet."""
        self.campaign.stage, self.campaign.ready = stage.value, []
        self.campaign.stage_since = self.match.version + 1

    def is_ready(self, side: Side | None = None) -> bool:
        """Whether a side is done with the stage."""
        return (side or self.side) in self.campaign.ready

    def set_ready(self, side: Side | None = None) -> bool:
        """Note that a side is done with the stage; returns whether both are."""
        self.campaign.ready = [*self.campaign.ready, (side or self.side).value]
        return set(self.campaign.ready) == set(Side)

    def find_own(self, rows: Mapping[Side, Mapping[int, Row]], number: int, kind: str) -> Row:
        """A row of the acting side by its number. Raises Unfit when there is none."""
        row = rows[self.side].get(number)
        if row is None:
            raise Unfit(f"Your side has no such {kind} in this campaign. Reload the page and choose again.")
        return row

    def find_units(self, numbers: Iterable[int], message: str) -> list[Unit]:
        """Units of the acting side, each once. Raises BadField with the ``message`` for none, Unfit."""
        units = [self.find_own(self.ledger.units, number, "unit") for number in dict.fromkeys(numbers)]
        if not units:
            raise BadField(message)
        return units
