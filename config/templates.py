"""What templates can call besides Jinja's own: addresses, static files, Django's formats for dates and numbers."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.defaultfilters import capfirst, floatformat, pluralize
from django.templatetags.static import static
from django_htmx.jinja import htmx_script
from jinja2 import Environment
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Macro
from markupsafe import Markup, escape

from firefight.assistant.desk import NamedCounter
from firefight.assistant.glossary import find_words_file
from firefight.assistant.layout import ShownField
from firefight.columns import Rolled
from firefight.engine.rolls.dice import face_text
from firefight.web.addresses import address_of, address_of_number

from .styles import style_address

# Beside these the end of a line is invisible: they are not part of a line of text.
_BLOCK = re.compile(
    "article|body|caption|d[dlt]|details|div|fieldset|figcaption|figure|footer|form|g|h[1-4]|head|header|html|legend|li|"
    "link|main|meta|nav|ol|option|p|path|rect|script|section|select|summary|svg|t[dhr]|table|tbody|text|tfoot|thead|"
    "title|ul"
)
_TAGS = re.compile(r"(</?[a-zA-Z][\w-]*|>)")
_LINE_END = re.compile(r"\s*\n\s*")


class Unindented(Extension):
    """Leaves a template's indentation out of the page: it is for human readers, and costs bytes with every answer.

    Lines keep their numbers, for debugging. Inside a tag the end of a line becomes one space.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The same tokens, with the text between them unindented."""
        tag = ""
        for token in stream:
            text = token.value
            if token.type == "data":
                text, tag = unindent(text, tag)
            yield Token(token.lineno, token.type, text)


def unindent(text: str, tag: str = "") -> tuple[str, str]:
    """The text without indentation, as a browser shows it, and the tag in which it ends. ``tag``: in which it begins.

    >>> unindent('<p>\\n  One\\n  <b\\n    class="x"\\n  >word</b>\\n</p>\\n')
    ('<p>One\\n<b class="x">word</b></p>', '')
    """
    parts: list[str] = []
    beside_block = False
    for part in _TAGS.split(text):
        if part.startswith("<"):
            tag = part.strip("</")
            if parts and _BLOCK.fullmatch(tag):
                parts[-1] = parts[-1].removesuffix("\n")
            parts.append(part)
        elif part == ">":
            parts = [*parts[:-1], parts[-1].rstrip(), part]
            beside_block, tag = bool(_BLOCK.fullmatch(tag)), ""
        elif tag:
            parts.append(_LINE_END.sub(" ", part))
        else:
            line = _LINE_END.sub("\n", part)
            parts.append(line.removeprefix("\n") if beside_block else line)
    return "".join(parts), tag


def environment(**options: Any) -> Environment:
    """The one environment of all templates."""
    jinja = Environment(**options | {"extensions": [Unindented]})
    jinja.globals |= {
        "draw_field": draw_field,
        "draw_once": draw_once,
        "find_words_file": find_words_file,
        "htmx_script": htmx_script,
        "static": static,
        "style_address": style_address,
        "url": address_of,
        "url_of_number": address_of_number,
    }
    jinja.filters |= {
        "capfirst": capfirst,
        "clock": clock,
        "day": day,
        "day_and_year": day_and_year,
        "face": face,
        "floatformat": floatformat,
        "pile_pictures": pile_pictures,
        "pluralize": pluralize,
        "shorten_digests": shorten_digests,
        "unbroken": keep_unbroken,
        "words": words,
    }
    return jinja


def keep_unbroken(text: str) -> Markup:
    """Text whose odds and percentages are not broken at the end of a line.

    >>> keep_unbroken("6 < 9: 1-2; C 18 %")
    Markup('6 &lt; 9: <span class="unbroken">1-2</span>; <span class="unbroken">C 18 %</span>')
    """
    return Markup(_WHOLE.sub(r'<span class="unbroken">\g<0></span>', str(escape(text))))


_WHOLE = re.compile(r"\b\d+-\d+\b|\b(?:[A-Z] )?\d+ %")


def pile_pictures(ids: Iterable[str], pieces: Mapping[str, NamedCounter]) -> Iterator[tuple[str, int]]:
    """The pictures of counters with the number of those that look alike; "" where another side's begin. Some counters
    have no picture: the words beside name them."""
    pictured = [piece for counter_id in ids if (piece := pieces.get(counter_id)) and piece.picture]
    piles = Counter((piece.id.rpartition("-")[0], piece.picture) for piece in pictured)
    before = ""
    for (side, picture), number in piles.items():
        if before and side != before:
            yield "", 0
        before = side
        yield picture, number


def draw_field(macro: Macro, field: ShownField) -> Markup:
    """A field of a form, drawn by the macro of its shape; what looks the same on many forms is drawn once."""
    return draw_once(macro, field) if field.is_common else Markup(macro(field))


@lru_cache(maxsize=3_000)
def draw_once(macro: Macro, argument: Hashable) -> Markup:
    """Draw what never changes and many answers show, and remember the result."""
    return Markup(macro(argument))


def once_a_request(request: HttpRequest) -> dict[str, object]:
    """Replaces Django's own: one token for all forms of a page, not drawn before the first one needs it."""
    return {"csrf_input": CsrfInput(request)}


class CsrfInput:
    """The hidden field that protects a form against forgeries."""

    def __init__(self, request: HttpRequest):
        self.request = request

    @cached_property
    def html(self) -> str:
        """The field. A page gets a token of its own, which marks the page as varying with the cookie.

        The answer to a form goes back to the page that sent it, so it keeps the token that has just been accepted.
        """
        is_accepted = getattr(self.request, "csrf_processing_done", False)
        sent = getattr(self.request, "_post", {}) if is_accepted else {}  # as far as it was read: not every body can be
        token = sent.get("csrfmiddlewaretoken") or get_token(self.request)
        return f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(token)}">'

    def __html__(self) -> str:
        return self.html


def clock(at: datetime) -> str:
    """The time of day, in UTC like everywhere."""
    return f"{at:%H:%M}"


def day(at: datetime) -> str:
    """The day of the year: 3 Nov."""
    return f"{at.day} {at:%b}"


def day_and_year(at: datetime) -> str:
    """3 Nov 2026."""
    return f"{day(at)} {at.year}"


def shorten_digests(text: str) -> str:
    """A sentence whose digests only show their beginning; the whole digest is in the page."""
    if not _DIGEST.search(text):
        return text
    return Markup(_DIGEST.sub(r'<span class="digest">\g<0></span>', str(escape(text))))


_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


def words(key: str | None) -> str:
    """A key of a chart in plain words: good_order as "good order"."""
    return "?" if key is None else str(key).replace("_", " ")


def face(die: Rolled) -> str:
    """The face of a logged die, as players say it."""
    return face_text(die.face, die.sides) if die.face else "hidden"
