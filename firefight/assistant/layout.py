"""How a helper's form is laid out: each field as plain values, with the name of the macro that draws it.

Django's widgets would ask a template of theirs for each field and each choice; that took most of a form's time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from django.forms import CheckboxInput, CheckboxSelectMultiple, Field, Select
from django.forms.widgets import ChoiceWidget
from django.utils.choices import normalize_choices

from firefight.kit.fields.base import BookForm
from firefight.kit.fields.counters import CounterField, RollField
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.rows import RowsField

# Ticks come after what is typed or chosen.
_ORDER = {"hidden": 0, "text": 0, "select": 0, "radios": 0, "buttons": 0, "tick": 1, "checks": 2, "rows": 3}
SHOWN_BUTTONS = 6  # of a choice among many; the others are a tap further
COMMON_LENGTH = 40  # characters of a value that many forms may show

# What a field shows: a text, a yes or no, or all that is ticked.
Value = str | bool | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownOption:
    """One of a field's choices."""

    value: str
    word: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, eq=False)
class ShownField:
    """A field as a page shows it. ``shape`` names the macro of firefight/_fields.html that draws it.

    ``attrs``: the attributes of its input besides name and value. A list of rows has the rows so far in ``words`` and
    as JSON in ``value``, and the ``row`` below them that is open, if one is; ``hint``: how several are typed in one
    line, ``recalls``: lists that were used before. ``is_common``: other forms will show the very same, so that it is
    laid out and drawn once. ``only_with``: the name and the choices of the field beside which alone it matters, as the
    page's script reads them; ``is_idle``: that it does not matter now, and says nothing unusual.
    """

    shape: str
    name: str
    label: str
    value: str
    attrs: dict[str, str]
    errors: tuple[str, ...] = ()
    options: tuple[ShownOption, ...] = ()
    words: tuple[str, ...] = ()
    row: tuple["ShownField", ...] = ()
    is_required: bool = False
    is_chosen: bool = False
    is_common: bool = False
    type: str = ""
    hint: str = ""
    recalls: tuple[tuple[int, str], ...] = ()
    only_with: str = ""
    is_idle: bool = False

    @property
    def id(self) -> str:
        """What its label finds it by."""
        return self.attrs["id"]


@dataclass(frozen=True, slots=True)
class ShownForm:
    """A form's fields as a page groups them.

    ``asked``: those that are asked first, as a match says; ``own``: the others of this roll, apart from those that are
    ``seldom`` changed, of which some are ``changed``; ``ahead``: those of the rolls to come. Of its own some stand
    ``beside`` the dice, most of them only while they are blank.
    """

    asked: Sequence[ShownField] = ()
    own: Sequence[ShownField] = ()
    seldom: Sequence[ShownField] = ()
    ahead: Sequence[ShownField] = ()
    changed: Sequence[ShownField] = ()
    beside: Sequence[ShownField] = ()

    @property
    def checks(self) -> list[ShownField]:
        return [laid for laid in self.own if laid.shape == "checks"]

    @property
    def values(self) -> list[ShownField]:
        return [laid for laid in self.own if laid.shape != "checks" and laid not in self.beside]


def lay_out(form: HelperForm, folded: bool) -> ShownForm:
    """The fields of a form, those under a heading in its order.

    ``folded`` leaves the open rows out: in a chain the units are known, and changing them is rare.
    """
    left_out = {name for name in form.if_offered if name not in form.narrowed and not form.errors.get(name)}
    places = _list_places(type(form))
    laid_out = sorted(
        (_lay_out_any(form, name, folded) for name in form.fields if name not in left_out),
        key=lambda laid: _place_under(places.get(laid.name, _FIRST), laid),
    )
    groups: dict[str, list[ShownField]] = {"own": [], "seldom": []}
    for laid in laid_out:
        groups.setdefault(_find_group(form, laid.name), []).append(laid)
    changed = [laid for laid in groups["seldom"] if not _is_usual(form, laid.name)]
    opened = [
        laid
        for laid in groups["own"]
        if laid.name in form.beside and (laid.name in form.kept_open or _is_usual(form, laid.name))
    ]
    beside = [laid for laid in opened if laid.shape != "checks"]
    return ShownForm(**groups, changed=changed, beside=beside)


def _find_group(form: HelperForm, name: str) -> str:
    """Where a field stands on the page, as ShownForm calls it."""
    if name in form.narrowed:
        return "asked"
    if name in form.ahead and name not in form.beside:
        return "ahead"
    return "seldom" if name in form.seldom else "own"


def _lay_out_any(form: HelperForm, name: str, folded: bool) -> ShownField:
    if name in form.narrowed:
        return _lay_out_narrowed(form, name)
    field = form.fields[name]
    if isinstance(field, RowsField):
        laid = _lay_out_rows(form, name, field, folded)
    else:
        laid = _lay_out_rolls(form, name) if isinstance(field, RollField) else lay_out_field(form, name)
    laid = _lay_out_buttons(form, laid) if name in form.buttons else laid
    return _lay_out_with(form, laid) if name in form.only_with else laid


def part_by_headings(form: type[HelperForm], fields: Sequence[ShownField]) -> list[tuple[str, list[ShownField]]]:
    """Fields as they are laid out, parted by what they stand under; those under no heading come first."""
    headings, places = ("", *form.headings), _list_places(form)
    parts = groupby(fields, key=lambda laid: places.get(laid.name, _FIRST)[0])
    return [(headings[place], list(part)) for place, part in parts]


_FIRST = (0, 0)


@lru_cache(maxsize=500)
def _list_places(form: type[HelperForm]) -> dict[str, tuple[int, int]]:
    """Where fields stand under headings: under which, from 1, and at which place there."""
    return {
        name: (heading, place)
        for heading, names in enumerate(form.headings.values(), 1)
        for place, name in enumerate(names)
    }


def _place_under(place: tuple[int, int], laid: ShownField) -> tuple[int, int, int]:
    heading, among = place
    return heading, _place(laid), among


def _place(laid: ShownField) -> int:
    return -1 if laid.shape == "rows" and (laid.is_required or laid.hint) else _ORDER[laid.shape]


def _lay_out_rows(form: HelperForm, name: str, field: RowsField, folded: bool) -> ShownField:
    words, value, start = field.present(form.value_of(name), form.cleaned_data.get(name) if form.is_valid() else None)
    opened = None if folded else field.open_form(name, start)
    return ShownField(
        "rows",
        name,
        str(field.label),
        value,
        attrs={"id": f"f-{name}"},
        errors=_errors(form, name),
        words=tuple(words),
        row=tuple(lay_out_field(opened, column) for column in opened.fields if is_on_show(opened.fields[column]))
        if opened
        else (),
        is_required=field.required,
        hint=field.row_form.notation.hint if field.row_form.notation and opened else "",
        recalls=tuple(form.recalled.get(name, ())) if opened and not words else (),
    )


def _lay_out_with(form: HelperForm, laid: ShownField) -> ShownField:
    """A field that matters only beside some choices of another one, which is laid out, too."""
    other, choices = form.only_with[laid.name]
    is_idle = str(form.value_of(other) or "") not in choices and not laid.errors and _is_usual(form, laid.name)
    return replace(laid, only_with=f"{other} {' '.join(choices)}", is_idle=is_idle, is_common=False)


def _lay_out_buttons(form: HelperForm, laid: ShownField) -> ShownField:
    """A choice among many, each of them a tap: what was used last and what is chosen stands first."""
    chosen = [option.value for option in laid.options if option.is_chosen]
    first = list(dict.fromkeys([*form.recent.get(laid.name, ()), *chosen, *form.buttons[laid.name]]))[:SHOWN_BUTTONS]
    first = first if not chosen or chosen[0] in first else [*first[:-1], *chosen]
    rank = {value: place for place, value in enumerate(first)}
    options = sorted(laid.options, key=lambda option: rank.get(option.value, len(rank)))
    return replace(laid, shape="buttons", options=tuple(options), is_common=False)


def _lay_out_narrowed(form: HelperForm, name: str) -> ShownField:
    """A field that is asked first. Where the match knows the few values that it may have, none of them is chosen yet,
    or one that nobody has to change."""
    laid, value = lay_out_field(form, name), form.value_of(name)
    if not form.narrowed[name]:
        return laid
    offered, is_free = {"": "Choose", **form.narrowed[name]}, "" in form.narrowed[name]
    options = tuple(ShownOption(key, word, key == (value or "")) for key, word in offered.items())
    attrs = {key: attr for key, attr in laid.attrs.items() if key in ("id", "aria-invalid", "aria-describedby")}
    return replace(
        laid, shape="radios" if is_free else "select", value="", attrs=attrs, options=options, is_common=False
    )


def _lay_out_rolls(form: HelperForm, name: str) -> ShownField:
    """The rolls of the log that may be meant, the newest first; a match without any asks for none."""
    if not form.rolls:
        return lay_out_field(form, name)
    current, offered = str(form.value_of(name) or ""), [*form.rolls, ("", "another one, that the log does not have")]
    chosen = current if current in dict(offered) and current else offered[0][0]
    options = tuple(ShownOption(value, words, value == chosen) for value, words in offered)
    attrs = {"id": f"f-{name}"}
    return ShownField("select", name, str(form.fields[name].label), "", attrs, _errors(form, name), options=options)


def _is_usual(form: BookForm, name: str) -> bool:
    """Whether a field says what a blank form says."""
    value, usual = form.value_of(name), form.fields[name].initial
    return value in (None, "", False, [], ()) or str(value) == str(usual)


def say_changed(fields: Iterable[ShownField]) -> str:
    """What fields that are folded up say, for those who do not look: "Night, In a Zone, Rubble level 2".

    >>> say_changed([ShownField("tick", "zone", "In a Zone", "", {}), ShownField("text", "rubble", "Rubble", "2", {})])
    'In a Zone, Rubble 2'
    """
    words = []
    for laid in fields:
        chosen = [option.word for option in laid.options if option.is_chosen]
        value = "; ".join(laid.words) if laid.shape == "rows" else laid.value  # which has rows as JSON
        words.append(", ".join(chosen) if laid.options else f"{laid.label} {value}".strip())
    return ", ".join(words)


def is_on_show(field: Field) -> bool:
    """Whether a field of an open row is on the page: what an earlier roll alone fills is not."""
    return isinstance(field, CounterField) or not field.widget.is_hidden


def lay_out_field(form: BookForm, name: str) -> ShownField:
    """A field of one value, or of some out of a few."""
    field, html_name, errors = form.fields[name], form.add_prefix(name), _errors(form, name)
    value = _read_value(_find_shape(field), form.value_of(name))
    if errors or isinstance(value, str) and len(value) > COMMON_LENGTH:
        return _lay_out_value(field, html_name, value, errors)
    return _lay_out_common(field, html_name, value)


# Forms share their fields, whose values are few: numbers, ticks and choices, most of them at their default.
@lru_cache(maxsize=2_000)
def _lay_out_common(field: Field, html_name: str, value: Value) -> ShownField:
    return _lay_out_value(field, html_name, value, is_common=True)


def _lay_out_value(
    field: Field, html_name: str, value: Value, errors: tuple[str, ...] = (), is_common: bool = False
) -> ShownField:
    widget = field.widget
    attrs = {**widget.attrs, "id": f"f-{html_name}"}
    if errors:
        attrs |= {"aria-invalid": "true", "aria-describedby": f"f-{html_name}_error"}
    options: tuple[ShownOption, ...] = ()
    if isinstance(widget, ChoiceWidget):
        chosen = value if isinstance(value, tuple) else (value,)
        options = tuple(
            ShownOption(str(key), str(word), str(key) in chosen) for key, word in normalize_choices(widget.choices)
        )
    return ShownField(
        _find_shape(field),
        html_name,
        str(field.label),
        "" if options or not isinstance(value, str) else value,
        attrs,
        errors,
        options=options,
        is_chosen=bool(value),
        is_common=is_common,
        type=widget.input_type or "",
    )


def _read_value(shape: str, value: object) -> Value:
    if shape == "tick":
        return value not in (None, False, "", [])
    if shape == "checks":
        return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
    return "" if value is None else str(value)


def _errors(form: BookForm, name: str) -> tuple[str, ...]:
    return tuple(map(str, form.errors.get(name, ())))


def _find_shape(field: Field) -> str:
    widget = field.widget
    if isinstance(widget, CheckboxSelectMultiple):
        return "checks"
    if isinstance(widget, CheckboxInput):
        return "tick"
    if widget.is_hidden:
        return "hidden"
    return "select" if isinstance(widget, Select) else "text"
