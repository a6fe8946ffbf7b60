"""What a match keeps besides its log: the fields that a game declares, their bounds, and what changes them.

Values are plain, as JSON has them, so that they can be stored, exported and compared. A change is plain too: a mapping
from a field's name to its new value, or to what is done with the old one (``add``, ``clamp``, ``take`` ...). The same
mapping stands in a roll's result, in its log line and in JSON.
"""

from .changes import (
    RecordChange,
    add,
    change_row,
    clamp,
    discard_cards,
    draw_cards,
    enter_row,
    lay_at_bottom,
    lay_on_top,
    move_to,
    push,
    put_in,
    reshuffle,
    shuffle_in,
    strike,
    strike_rows,
)
from .fields import BadValue, KeptChoice, KeptDay, KeptField, KeptFlag, KeptNumber, KeptPlace, KeptText, is_called_so
from .lists import KeptDeck, KeptHand, KeptList
from .record import Record
from .rows import LONGEST_ID, ROW_ID, KeptParts, KeptRows
from .standing import KeptStanding
from .timetable import KeptTimetable
from .told import KeptTold

__all__ = [
    "BadValue",
    "KeptChoice",
    "KeptDay",
    "KeptDeck",
    "KeptField",
    "KeptFlag",
    "KeptHand",
    "KeptList",
    "KeptNumber",
    "KeptParts",
    "KeptPlace",
    "KeptRows",
    "KeptStanding",
    "KeptText",
    "KeptTimetable",
    "KeptTold",
    "LONGEST_ID",
    "ROW_ID",
    "Record",
    "RecordChange",
    "add",
    "change_row",
    "clamp",
    "discard_cards",
    "draw_cards",
    "enter_row",
    "is_called_so",
    "lay_at_bottom",
    "lay_on_top",
    "move_to",
    "push",
    "put_in",
    "reshuffle",
    "shuffle_in",
    "strike",
    "strike_rows",
]
