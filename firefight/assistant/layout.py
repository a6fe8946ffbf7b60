"""How a helper's form is laid out: each field as plain values, with the name of the macro that draws it.

Django's widgets would ask a template of theirs for each field and each choice; that took most of a form's time.
"""

from dataclasses import dataclass

from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, Select
from django.forms.widgets import ChoiceWidget
from django.utils.choices import normalize_choices

from .fields import CounterField, HelperForm, RowsField

# Ticks come after what is typed or chosen.
_ORDER = {"hidden": 0, "text": 0, "select": 0, "tick": 1, "checks": 2, "rows": 3}


@dataclass(frozen=True, slots=True)
class ShownOption:
    """One of a field's choices."""

    value: str
    word: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field as a page shows it. ``shape`` names the macro of firefight/_fields.html that draws it.

    ``attrs``: what its input says of itself beside name and value. A list of rows has the rows so far in ``words`` and
    as JSON in ``value``, and the ``row`` below them that is open, if one is.
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
    type: str = ""

    @property
    def id(self) -> str:
        """By which its label finds it."""
        return self.attrs["id"]


def lay_out(form: HelperForm, folded: bool) -> dict[str, list[ShownField]]:
    """The fields of this roll, ``own``, and those of the rolls ``ahead``.

    ``folded`` leaves the open rows out: in a chain the units are known, and changing them is rare.
    """
    groups: dict[str, list[ShownField]] = {"own": [], "ahead": []}
    for bound in form:
        field = bound.field
        laid = _lay_out_rows(bound, field, folded) if isinstance(field, RowsField) else lay_out_field(bound)
        groups["ahead" if bound.name in form.ahead else "own"].append(laid)
    return {name: sorted(fields, key=_place) for name, fields in groups.items()}


def _place(laid: ShownField) -> int:
    return -1 if laid.is_required and laid.shape == "rows" else _ORDER[laid.shape]


def _lay_out_rows(bound: BoundField, field: RowsField, folded: bool) -> ShownField:
    words, value, start = field.shown(bound.value())
    opened = () if folded else field.open_form(bound.name, start).visible_fields()
    return ShownField(
        "rows",
        bound.html_name,
        str(bound.label),
        value,
        attrs={},
        errors=_errors(bound),
        words=tuple(words),
        row=tuple(lay_out_field(each) for each in opened),
        is_required=field.required,
    )


def lay_out_field(bound: BoundField) -> ShownField:
    """A field of one value, or of some out of a few."""
    field, value, errors, shape = bound.field, bound.value(), _errors(bound), _find_shape(bound)
    widget = field.widget
    attrs = {**widget.attrs, "id": bound.auto_id}
    if errors:
        attrs |= {"aria-invalid": "true", "aria-describedby": f"{bound.auto_id}_error"}
    options: tuple[ShownOption, ...] = ()
    if isinstance(widget, ChoiceWidget):
        chosen = {str(each) for each in (value or ())} if shape == "checks" else {str(value)}
        options = tuple(
            ShownOption(str(key), str(word), str(key) in chosen) for key, word in normalize_choices(widget.choices)
        )
    text = "" if value is None or options or shape == "tick" else str(value)
    ticked = value not in (None, False, "", [])
    return ShownField(
        shape,
        bound.html_name,
        str(bound.label),
        text,
        attrs,
        errors,
        options=options,
        is_chosen=ticked,
        type=widget.input_type or "",
    )


def _errors(bound: BoundField) -> tuple[str, ...]:
    return tuple(str(error) for error in bound.errors)


def _find_shape(bound: BoundField) -> str:
    widget = bound.field.widget
    if isinstance(widget, CheckboxSelectMultiple):
        return "checks"
    if isinstance(widget, CheckboxInput):
        return "tick"
    if isinstance(bound.field, CounterField):
        return "hidden"
    return "select" if isinstance(widget, Select) else "text"
