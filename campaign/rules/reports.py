"""What players report of their units during a firefight and when it is over, and what of it can be true (20.11.1)."""

from collections.abc import Collection
from dataclasses import dataclass

from firefight.engine.labels import Labelled
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import ORDERLY, Mark, flip_marks, is_unit, may_carry
from firefight.games.combat_stalingrad.rules.sides import Side

from .maps import EDGE_NAMES
from .stages import Stage
from .steps import LEAVING, Step
from .units import FIXED_KINDS, is_set_up


class News(Labelled):
    """What can be reported of units during a firefight."""

    ENTER = "enter", "enter by its own edge, sector …"
    MOVE = "move", "move to sector …"
    EXIT = "exit", "leave by its own edge"
    STANDS = "stands", "stand in sector …, hex …"
    SHOW = "show", "hidden no more"
    REMOVED = "removed", "taken off (mines, nest marker)"
    ELIMINATED = "eliminated", "eliminated"
    REDUCED = "reduced", "reduced (Casualties)"
    WOUNDED = Mark.WOUNDED.value, Mark.WOUNDED.word
    M_KILLED = Mark.M_KILLED.value, Mark.M_KILLED.word
    F_KILLED = Mark.F_KILLED.value, Mark.F_KILLED.word
    DISRUPTED = Mark.DISRUPTED.value, Mark.DISRUPTED.word
    WIA = Mark.WIA.value, Mark.WIA.word
    PINNED = Mark.PINNED.value, Mark.PINNED.word
    SUPPRESSED = Mark.SUPPRESSED.value, Mark.SUPPRESSED.word
    ENFILADED = Mark.ENFILADED.value, Mark.ENFILADED.word
    IN_SEWER = Mark.IN_SEWER.value, Mark.IN_SEWER.word
    CLOSE_COMBAT = Mark.CLOSE_COMBAT.value, Mark.CLOSE_COMBAT.word
    GOOD_ORDER = "good_order", "rid of markers that do not last"

    @property
    def wants_sector(self) -> bool:
        """Whether it is about a sector that must be given."""
        return self in (News.ENTER, News.MOVE)

    @property
    def keeps_hidden(self) -> bool:
        """Whether it does not show a hidden unit."""
        return self in (News.MOVE, News.STANDS, News.GOOD_ORDER)


# What happens only in play: afterwards nobody comes, goes or moves (20.11.1, 20.12.1).
IN_PLAY_ONLY = (News.ENTER, News.MOVE, News.EXIT)
# Not reported for mines and nest markers: they stay where they are, and are taken off rather than eliminated.
_NOT_OF_FIXED = (*IN_PLAY_ONLY, News.ELIMINATED, News.GOOD_ORDER)
# What can be reported of a unit only once.
_ONCE = {news for news in News if news.value in set(Mark)} - {News.WOUNDED}
# What units in a sector being fought out may still suffer: the attack of a mine hex (20.6.4 step 2, 18.1.2).
_BY_MINES = (
    *(News.ELIMINATED, News.REDUCED, News.WOUNDED, News.M_KILLED),
    *(News.PINNED, News.DISRUPTED, News.WIA, News.SUPPRESSED),
)


@dataclass(frozen=True, slots=True)
class Reported:
    """A counter of which something is reported. ``has_left``: by its own edge, in the firefight just played."""

    name: str
    kind: CounterKind
    marks: Collection[str]
    sector: int | None
    is_gone: bool = False
    is_hidden: bool = False
    has_left: bool = False


def find_moment_objection(news: News, stage: Stage, step: Step | None, is_ready: bool) -> str:
    """What speaks against reporting this now, in a sentence, or nothing.

    During play and right after it everything can be reported; while a sector is fought out, only what mines do.
    ``step``: of the Reorganization Phase; ``is_ready``: the side has reported what became of its units.
    """
    if stage is Stage.FIREFIGHT:
        return ""
    if step is Step.AFTER_ACTION and not is_ready:
        if news not in IN_PLAY_ONLY:
            return ""
        return (
            "After the firefight nobody enters, moves or leaves the map any more (20.11.1, 20.12.1). "
            f"Use “{News.STANDS.word}” to note where a unit ended it."
        )
    if step in LEAVING and news in _BY_MINES:
        return ""
    return "What became of your units is settled for this firefight."


def find_edge_objection(news: News, sector: int, edge: Collection[int], side: Side) -> str:
    """What speaks against coming or going by a sector: it must touch the side's own edge (20.11.1)."""
    if news not in (News.ENTER, News.EXIT) or sector in edge:
        return ""
    return f"Sector {sector} does not touch the {EDGE_NAMES[side]} edge; {join_numbers(edge)} do (20.11.1)."


def find_news_objection(
    unit: Reported,
    news: News,
    sector: int | None,
    edge: Collection[int],
    side: Side,
    stage: Stage,
    fought_out: int | None,
) -> str:
    """What speaks against such news of a unit, in a sentence, or nothing.

    ``sector``: the one that was given, if any. ``edge``: the sectors on the side's own edge. ``fought_out``: the sector
    that is fought out now, if one is.
    """
    name, is_off = unit.name, unit.sector is None
    if unit.is_gone or not is_set_up(unit.kind):
        return f"{name}: not a unit on the map."
    if fought_out is not None and unit.sector != fought_out:
        return f"{name} is not in sector {fought_out}, which is fought out now."
    if unit.kind in FIXED_KINDS and news in _NOT_OF_FIXED:
        return f"{name} stays where it is; it can be taken off, shown, or its hex noted."
    if news is News.ENTER:
        if not is_off:
            return f"{name} is on the map already."
        return f"{name} left in this firefight and cannot come back (20.11.1)." if unit.has_left else ""
    if is_off:
        return f"{name} is not on the map."
    if news is News.REMOVED and unit.kind not in FIXED_KINDS:
        return f"{name} is a unit: only mines and nest markers are taken off."
    if news in (News.MOVE, News.EXIT) and Mark.M_KILLED in unit.marks:
        return f"{name} is M-KILLED: it stays in its hex."
    if news is News.STANDS and (reason := _against_standing(unit, sector, stage)):
        return reason
    if news is News.EXIT and (reason := _against_leaving(unit, sector, edge, side)):
        return reason
    if news is News.SHOW and not unit.is_hidden:
        return f"{name} is not hidden."
    return _against_state(unit, news)


def _against_standing(unit: Reported, sector: int | None, stage: Stage) -> str:
    """During play a unit moves before it stands elsewhere; afterwards its place may be corrected (R-71)."""
    may_mend = stage is Stage.REORGANIZATION and is_unit(unit.kind)
    if sector in (None, unit.sector) or may_mend:
        return ""
    return f"{unit.name} is in sector {unit.sector}: say first that it moves."


def _against_leaving(unit: Reported, sector: int | None, edge: Collection[int], side: Side) -> str:
    """A unit leaves from where it stands (20.11.1)."""
    if unit.sector not in edge:
        touching = f"which does not touch the {EDGE_NAMES[side]} edge; {join_numbers(edge)} do"
        return f"{unit.name} is in sector {unit.sector}, {touching}: it moves there first (20.11.1)."
    if sector not in (None, unit.sector):
        return f"{unit.name} is in sector {unit.sector}, not in {sector}: it leaves from where it stands (20.11.1)."
    return ""


def _against_state(unit: Reported, news: News) -> str:
    if news.value in set(Mark) and Mark(news.value) not in may_carry(unit.kind):
        return f"{unit.name} cannot be {news.word}."
    if news in _ONCE and news.value in unit.marks:
        return f"{unit.name} is {news.word} already."
    return ""


def kills(news: News, marks: Collection[str]) -> bool:
    """Whether a unit is gone by such news: eliminated, or a wounded leader wounded again or WIA (18.1.2, 18.2.2)."""
    return news is News.ELIMINATED or (news in (News.WOUNDED, News.WIA) and Mark.WOUNDED in marks)


def marks_after_news(marks: Collection[str], news: News) -> list[str]:
    """The marks of a unit that such news leaves in play: whoever is flipped sheds Pinned Down, Disrupted and WIA, and
    each of these takes the place of the others (18.1.4, 18.2)."""
    if news in (News.REDUCED, News.WOUNDED):
        return flip_marks(marks, Mark(news.value))
    return [*(mark for mark in marks if news.value not in ORDERLY or mark not in ORDERLY), news.value]
