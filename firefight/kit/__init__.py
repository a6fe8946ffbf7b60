"""All that a game's author imports besides the engine: what a game, a helper and a form are made of.

A game's own modules take these names from here; the frame takes them from the modules that define them.
"""

from .content import ContentRules
from .counters import CounterRules, Gallery, GalleryKind, SimpleKind
from .data import read_data
from .fields.base import BookForm, Shared
from .fields.choices import ModifiersField, Pick, TickField, TokensField
from .fields.counters import CounterField, CountersField, PoolField, RollField
from .fields.forms import HelperForm
from .fields.numbers import DateField, NumberField
from .fields.places import HexField, PlaceField
from .fields.rows import Notation, RowForm, RowsField
from .game import OF_WEEKS, BarItem, FirstRoll, Game, PageWords, Typical
from .guide import Guide
from .helper import Helper, Inputs, ReadyAnswer, gather_inputs
from .joint import JointRules
from .rehearsal import Broken, BrokenRehearsal, Played, Rehearsal, SeededChance, Terms
from .rehearsing import ConductedRehearsal, Policy, PolicyAsk, choose_any
from .sheets import ContentSheet, declare_units

__all__ = [
    "OF_WEEKS",
    "BarItem",
    "BookForm",
    "Broken",
    "BrokenRehearsal",
    "ConductedRehearsal",
    "ContentRules",
    "ContentSheet",
    "CounterField",
    "CounterRules",
    "CountersField",
    "DateField",
    "FirstRoll",
    "Gallery",
    "GalleryKind",
    "Game",
    "Guide",
    "Helper",
    "HelperForm",
    "HexField",
    "Inputs",
    "JointRules",
    "ModifiersField",
    "Notation",
    "NumberField",
    "PageWords",
    "Pick",
    "Played",
    "PlaceField",
    "PoolField",
    "ReadyAnswer",
    "Policy",
    "PolicyAsk",
    "Rehearsal",
    "RollField",
    "RowForm",
    "RowsField",
    "SeededChance",
    "Shared",
    "SimpleKind",
    "Terms",
    "TickField",
    "TokensField",
    "Typical",
    "choose_any",
    "declare_units",
    "gather_inputs",
    "read_data",
]
