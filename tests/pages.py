"""Pages as a browser reads them: elements by CSS selector, their words and their attributes.

selectolax parses as HTML5 says, fragments too, knows CSS selectors, and is so quick that every answer can be read.
"""

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser

_UNBROKEN = re.compile(r'<span class="unbroken">(.*?)</span>')  # what stays on one line is read like any words


def read(html):
    """A page or a fragment as a tree."""
    return LexborHTMLParser(_UNBROKEN.sub(r"\1", html) if isinstance(html, str) else html)


def words(node):
    """What a reader sees of an element, with single blanks; of the whole page if given a tree."""
    return " ".join((node.text(separator=" ") or "").split()) if node else ""


def find(html, selector):
    """Every element that a selector names, in the order of the page."""
    return read(html).css(selector)


def words_of_each(html, selector):
    """The words of every element that a selector names."""
    return [words(node) for node in find(html, selector)]


def values_of_each(html, selector, name):
    """An attribute of every element that a selector names."""
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
        found = dict(self.fields)
        for name, value in values.items():
            assert self.offers(name), f"The form {self.does} has no field {name}."
            listed = [] if value is None else [str(each) for each in (value if isinstance(value, list) else [value])]
            for each in listed:
                assert each in self.choices.get(name, listed), f"{name} does not offer {each}."
            found[name] = listed
        return found


def read_form(node):
    """A form element as its browser would send it."""
    form = Form(node.attributes.get("action") or "")
    for each in node.css("input, select, textarea, button"):
        name, value = each.attributes.get("name") or "", each.attributes.get("value")
        if each.tag == "button":
            form.buttons.append((name, value or ""))
        elif each.tag == "select":
            _read_options(form, name, each.css("option"))
        elif each.attributes.get("type") in ("checkbox", "radio"):
            form.choices.setdefault(name, []).append(value or "on")
            if "checked" in each.attributes:
                form.fields.setdefault(name, []).append(value or "on")
        elif each.tag == "input":
            form.fields.setdefault(name, []).append(value or "")
    return form


def _read_options(form, name, options):
    values = [each.attributes.get("value", each.text().strip()) or "" for each in options]
    chosen = [value for value, each in zip(values, options, strict=True) if "selected" in each.attributes]
    form.choices[name] = values
    if values:
        form.fields[name] = chosen[-1:] or values[:1]


def forms(html, selector="form"):
    """The forms of a page, or those that a selector names, as its browser would send them."""
    return [read_form(node) for node in find(html, selector)]


# What fills a button is static/css/controls.css: each that is not said to be another. A few places take that away.
FILLED = "button:not(.second, .quiet, .on-enter, [hidden]), a.button:not(.second, .quiet)"
PLAIN = ".bar, .rolls-of, .places, .suggested, .cut, dialog, [hidden], details:not([open])"


def filled_buttons(html):
    """The words of the filled buttons that a page shows as it is opened, before anybody unfolds anything."""
    page = read(html)
    unseen = {button.mem_id for part in page.css(PLAIN) for button in part.css(FILLED)}
    return [words(node) for node in page.css(FILLED) if node.mem_id not in unseen]
