"""A roll as a player asks for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from firefight.engine.board.counters import NO_ACCOUNT, Account
from firefight.engine.rolls.dice import Face
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.table.board.blank_cells import Blank
from firefight.table.log.asked import NOT_ASKED, Asked

from .naming import NOBODY, Named


@dataclass(frozen=True, slots=True)
class RollOrder:
    """A roll as a player asks for it: the filled form, where the dice come from, and what it belongs to.

    ``owner``: the side whose secrets the form was filled from, "" for nobody's. ``named``: the counters that it names;
    ``shows``: those of them that are hidden are shown by it. ``values``: what its owner told of kinds of counters with
    it; ``account``: how the form was filled from counters, ``told``: what they were told for it, ``entered``: what it
    says otherwise than they do. ``cells``: what its owner has told of blank cells of charts.
    """

    helper: Helper
    form: HelperForm
    source: str
    faces: Mapping[str, Face]
    step: str = ""
    corrects: int | None = None
    owner: str = ""
    named: Named = NOBODY
    shows: bool = False
    values: Mapping[str, int] = field(default_factory=dict)
    account: Account = NO_ACCOUNT
    told: Mapping[str, str] = field(default_factory=dict)
    entered: Asked = NOT_ASKED
    cells: Mapping[Blank, str] = field(default_factory=dict)
