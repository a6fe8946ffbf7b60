"""What a game from a file has to look like before anybody goes on with it: its fields, and that it can go on."""

from collections.abc import Callable, Collection, Iterable, Mapping
from copy import deepcopy

from firefight.engine.course.conducting import Answer, Ask, Wanted
from firefight.engine.values import Json, Values

from ..rules.content import Content
from ..rules.levels import ADVANTAGES, Level
from ..rules.tables import ROWS, Side
from .play import Play
from .players import MODES_CONDUCTED, Players
from .seen import view_for_record, view_for_seat
from .turn import STEPS_OF_TASKS, find_next_want, take_step

Fits = Callable[[object], bool]
MOST_NUMBER, MOST_TEXT, MOST_LISTED = 999, 300, 120
TRIALS, MOST_STEPS = 2, 400  # how often, and how far, a game is played on before it is taken
OF_SIDES = ("german", "soviet")
OF_COMBAT = frozenset(
    {
        *("attacker", "deliberate", "target", "hexes", "german", "soviet", "soviet_hex", "soviet_hexes"),
        *("soviet_card", "german_cards", "cancelled", "revealed", "panzers"),
    }
)
MAY_BE_IN_COMBAT = frozenset({"defender", "pending"})


def find_odd_field(state: Json, content: Content) -> str:
    """The first field of a game that is not what it can be, "combat.target"; "" for none. It gives away no value."""
    fields = _list_fields(state, content)
    odd = next((name for name, fits in fields.items() if not fits(state.get(name))), "")
    combat = state.get("combat")
    if odd or not isinstance(combat, Mapping):
        return odd
    of_combat = _list_fields_of_combat(content)
    missing = OF_COMBAT - combat.keys()
    strange = sorted(missing or combat.keys() - OF_COMBAT - MAY_BE_IN_COMBAT)
    odd_names = strange or [name for name, fits in of_combat.items() if name in combat and not fits(combat[name])]
    return f"combat.{odd_names[0]}" if odd_names else ""


def plays_on(state: Json, content: Content) -> bool:
    """Whether a game can be shown, and played on in some ways to its end or for a while.

    Raises whatever its steps raise where something that one of them needs is lacking.
    """
    view_for_record(Play(state, content))
    for seat in ("", "soviet", *Players(str(state["mode"])).germans):
        view_for_seat(state, content, seat)
    for trial in range(TRIALS):
        _play_on(Play(deepcopy(state), content), trial)
    return True


def _play_on(play: Play, trial: int) -> None:
    for step in range(MOST_STEPS):
        if not play.todo:
            return
        take_step(play, _answer(find_next_want(play), step + trial))


def _answer(want: Wanted, turn: int) -> Answer:
    """Any answer: another choice and other faces each time, the same for the same game."""
    if want is None:
        return None
    if isinstance(want, Ask):
        if not want.choices:
            raise ValueError("A question without a choice.")
        return want.choices[turn % len(want.choices)].slug
    faces = tuple(1 + (turn * 5 + place) % want.spec.sides for place in range(want.spec.number))
    return faces if want.spec.is_pool else sum(faces)


# Fields


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_NUMBER


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MOST_TEXT


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _one_of(words: Iterable[str]) -> Fits:
    allowed = frozenset(words)
    return lambda value: isinstance(value, str) and value in allowed


def _list_of(fits: Fits, number: int | None = None) -> Fits:
    def is_list(value: object) -> bool:
        if not isinstance(value, list) or len(value) > MOST_LISTED or number not in (None, len(value)):
            return False
        return all(map(fits, value))

    return is_list


def _table_of(fits: Fits, names: Collection[str] | None = None) -> Fits:
    """A table by name; ``names``: exactly these."""

    def is_table(value: object) -> bool:
        if not isinstance(value, Mapping) or len(value) > MOST_LISTED:
            return False
        return (names is None or value.keys() == set(names)) and all(map(fits, value.values()))

    return is_table


def _is_block(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and _is_number(value[1])


def _is_sealed(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_text, value))


def _is_task(value: object) -> bool:
    return isinstance(value, Mapping) and value.get("do") in STEPS_OF_TASKS


def _is_action(value: object) -> bool:
    return isinstance(value, Mapping) and value.keys() <= {"kind", "tank", "infantry"}


def _list_fields(state: Values, content: Content) -> Mapping[str, Fits]:
    players = Players(str(state.get("mode")))
    seats = {*players.germans, "soviet"}
    hexes, cards = _one_of(content.board.hexes), _list_of(_is_text)
    return {
        "mode": _one_of(MODES_CONDUCTED),
        "level": _one_of(level.value for level in Level),
        "turn": _is_number,
        "side": _one_of(seats),
        "asks": _one_of(seats),
        "holders": _table_of(_one_of(seats)),
        "blocks": _table_of(_is_block, content.blocks.keys()),
        "rows": _list_of(_list_of(_one_of(content.blocks)), ROWS),
        "removed": _list_of(lambda value: _is_number(value) and 1 <= int(str(value)) <= len(content.track)),
        "rubble": _list_of(hexes),
        "german_held": _list_of(hexes),
        "fortified": _list_of(hexes),
        "hq": _one_of(("", *content.board.hexes)),
        "raus": _is_flag,
        "leaders": _table_of(cards, OF_SIDES),
        "advantages": lambda value: (
            _table_of(cards, OF_SIDES)(value)
            and isinstance(value, Mapping)
            and all({*value[side.value]} <= {*ADVANTAGES[side]} for side in Side)
        ),
        "decks": _table_of(_table_of(cards, ("left", "top", "bottom")), OF_SIDES),
        "drawn": _table_of(_is_number, OF_SIDES),
        "hands": _table_of(cards, seats),
        "discards": _table_of(cards, OF_SIDES),
        "extra_used": _is_number,
        "ties": _is_text,
        "over": _one_of(("", "german", "soviet", "both")),
        "action": _is_action,
        "combat": lambda value: value is None or isinstance(value, Mapping),
        "sealed": _list_of(_is_sealed),
        "todo": _list_of(_is_task),
    }


def _list_fields_of_combat(content: Content) -> Mapping[str, Fits]:
    hex, blocks = _one_of(content.board.hexes), _list_of(_one_of(content.blocks))
    return {
        "attacker": _one_of(OF_SIDES),
        "deliberate": _is_flag,
        "target": hex,
        "hexes": _list_of(hex),
        "german": blocks,
        "soviet": blocks,
        "soviet_hex": hex,
        "soviet_hexes": _list_of(hex),
        "soviet_card": _is_text,
        "german_cards": _list_of(_is_text),
        "cancelled": _is_flag,
        "revealed": _is_flag,
        "panzers": _is_number,
        "defender": _is_text,
        "pending": _list_of(_is_task),
    }
