"""A roll as a player asks for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from firefight.engine.board.counters import NO_ACCOUNT, Account
from firefight.engine.rolls.dice import Face
from firefight.engine.values import Values
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.table.board.blank_cells import Blank
from firefight.table.log.asked import NOT_ASKED, Asked

from .roll_counters import NOBODY, Participants


@dataclass(frozen=True, slots=True)
class RollOrder:
    """A roll as a player asks for it: the filled form, where the dice come from, and what it belongs to.

    ``owner``: the side whose secrets the form was filled from, "" for nobody's. ``participants``: the counters that it
    names; ``shows``: whether it may show the hidden ones. ``values``: of kinds of counters, as their owner entered them
    with it; ``account``: how counters filled the form, ``answers``: what players answered for that, ``entered``: where
    the form differs from its counters; ``filled``: what they fill in it. ``cells``: blank cells of charts that its
    owner has filled in.
    """

    helper: Helper
    form: HelperForm
    source: str
    faces: Mapping[str, Face]
    step: str = ""
    corrects: int | None = None
    owner: str = ""
    participants: Participants = NOBODY
    shows: bool = False
    values: Mapping[str, int] = field(default_factory=dict)
    account: Account = NO_ACCOUNT
    answers: Mapping[str, str] = field(default_factory=dict)
    entered: Asked = NOT_ASKED
    filled: Values = field(default_factory=dict)
    cells: Mapping[Blank, str] = field(default_factory=dict)
