"""Pages as a browser reads them: elements by CSS selector, their words and their attributes.

selectolax parses HTML5, fragments too, knows CSS selectors, and is quick enough to read every answer.
"""

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser

_UNBROKEN = re.compile(r'<span class="unbroken">(.*?)</span>')  # what must stay on one line is read like other words


def read(html):
    """A page or a fragment as a tree."""
    return LexborHTMLParser(_UNBROKEN.sub(r"\1", html) if isinstance(html, str) else html)


def words(node):
    """What a reader sees of an element, with single blanks; of the whole page if given a tree."""
    return " ".join((node.text(separator=" ") or "").split()) if node else ""


def find(html, selector):
    """Every element that matches a selector, in the order of the page."""
    return read(html).css(selector)


def words_of_each(html, selector):
    """The words of every element that matches a selector."""
    return [words(node) for node in find(html, selector)]


def values_of_each(html, selector, name):
    """An attribute of every element that matches a selector."""
    return [node.attributes.get(name) or "" for node in find(html, selector)]


# Forms


@dataclass
class Form:
    """A form as its browser would send it. ``choices``: what selects, ticks and radio buttons offer."""

    action: str = ""
    fields: dict[str, list[str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def does(self):
        """What it asks for."""
        return self.fields.get("do", [""])[0]

    def offers(self, name):
        """Whether a field or a button has this name."""
        return name in self.fields or name in self.choices or name in dict(self.buttons)

    def has(self, name, value):
        """Whether a field stands at a value."""
        return value in self.fields.get(name, [])

    def filled(self, **values):
        """What is sent once these values are filled in; None leaves a field out."""
        fields_sent = dict(self.fields)
        for name, value in values.items():
            assert self.offers(name), f"The form {self.does} has no field {name}."
            listed = [] if value is None else [str(entry) for entry in (value if isinstance(value, list) else [value])]
            for entry in listed:
                assert entry in self.choices.get(name, listed), f"{name} does not offer {entry}."
            fields_sent[name] = listed
        return fields_sent


def read_form(node):
    """A form element as its browser would send it."""
    form = Form(node.attributes.get("action") or "")
    for control in node.css("input, select, textarea, button"):
        name, value = control.attributes.get("name") or "", control.attributes.get("value")
        if control.tag == "button":
            form.buttons.append((name, value or ""))
        elif control.tag == "select":
            _read_options(form, name, control.css("option"))
        elif control.attributes.get("type") in ("checkbox", "radio"):
            form.choices.setdefault(name, []).append(value or "on")
            if "checked" in control.attributes:
                form.fields.setdefault(name, []).append(value or "on")
        elif control.tag == "input":
            form.fields.setdefault(name, []).append(value or "")
    return form


def _read_options(form, name, options):
    values = [option.attributes.get("value", option.text().strip()) or "" for option in options]
    chosen = [value for value, option in zip(values, options, strict=True) if "selected" in option.attributes]
    form.choices[name] = values
    if values:
        form.fields[name] = chosen[-1:] or values[:1]


def forms(html, selector="form"):
    """The forms of a page, or those that matches a selector, as its browser would send them."""
    return [read_form(node) for node in find(html, selector)]


# static/css/controls.css fills every button that has no class to say otherwise. A few places take that away.
FILLED = "button:not(.second, .quiet, .on-enter, [hidden]), a.button:not(.second, .quiet)"
PLAIN = ".bar, .rolls-of, .places, .suggested, .cut, dialog, [hidden], details:not([open])"


def filled_buttons(html):
    """The words of the filled buttons that a page shows as it is opened, before anybody unfolds anything."""
    page = read(html)
    unseen = {button.mem_id for part in page.css(PLAIN) for button in part.css(FILLED)}
    return [words(node) for node in page.css(FILLED) if node.mem_id not in unseen]
