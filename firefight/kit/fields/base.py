"""What every form of a helper is built on: it reads a chart book, and shares its fields with forms of its kind."""

from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any, Self

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.charts.book import Book


class Shared(forms.Field):
    """A field that no form changes: all forms use that of their class, since copying takes longer than reading."""

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self


class BookForm(forms.Form):
    """A form that reads a chart book. Forms of one kind and book share their fields: no form changes them."""

    def __init__(self, data: Any = None, *, book: Book, **options: Any):
        # Django would copy them for each form, which takes longer than to read it.
        self.base_fields = {}  # type: ignore[misc]  # elsewhere it belongs to the class
        super().__init__(data, label_suffix="", use_required_attribute=False, **options)
        del self.base_fields
        self.fields = dict(fields_for(type(self), book))

    def _clean_fields(self) -> None:
        """Clean each field. Django would make an object of its own for each, which takes longer than to read it."""
        for name, field in self.fields.items():
            try:
                self.cleaned_data[name] = field.clean(self._given(name))
            except ValidationError as error:
                self.add_error(name, error)

    def _given(self, name: str) -> object:
        widget, html_name = self.fields[name].widget, self.add_prefix(name) if self.prefix else name
        if type(widget).value_from_datadict is forms.Widget.value_from_datadict:  # as of most
            return self.data.get(html_name)
        return widget.value_from_datadict(self.data, self.files, html_name)

    def value_of(self, name: str) -> object:
        """What a page shows in a field."""
        field = self.fields[name]
        return field.prepare_value(self._given(name) if self.is_bound else self.initial.get(name, field.initial))


@lru_cache(maxsize=500)
def fields_for(form: type[BookForm], book: Book) -> dict[str, forms.Field]:
    fields = deepcopy(form.base_fields)
    for field in fields.values():
        if hasattr(field, "use_book"):
            field.use_book(book)
    return fields


def stands_at(form: type[BookForm], book: Book, name: str, data: Mapping[str, object], value: object) -> bool:
    """Whether what was sent for a field says the same as a plain value."""
    field = fields_for(form, book)[name]
    sent = field.widget.value_from_datadict(data, {}, name)
    if sent in _BLANK and value in _BLANK:
        return True
    try:
        return bool(field.clean(sent) == field.clean(value))
    except ValidationError:
        return False


_BLANK: tuple[object, ...] = (None, "", "[]", [], ())
