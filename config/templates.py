"""What templates can call beside Jinja's own: addresses, static files, Django's way to write dates and numbers."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.template.defaultfilters import capfirst, date, floatformat, pluralize
from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django_htmx.jinja import htmx_script
from jinja2 import ChainableUndefined, Environment
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from firefight.columns import Rolled
from firefight.engine.rolls.dice import face_text

# Beside these a line may end unseen: they are no part of a line of text.
_BLOCKS = frozenset(
    [
        "article",
        "body",
        "caption",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "g",
        "h1",
        "h2",
        "h3",
        "h4",
        "head",
        "header",
        "html",
        "legend",
        "li",
        "link",
        "main",
        "meta",
        "nav",
        "ol",
        "option",
        "p",
        "path",
        "rect",
        "script",
        "section",
        "select",
        "summary",
        "svg",
        "table",
        "tbody",
        "td",
        "text",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
    ]
)
_TAGS = re.compile(r"(</?[a-zA-Z][\w-]*|>)")
_LINE_END = re.compile(r"\s*\n\s*")


class Unindented(Extension):
    """Leaves a template's indentation out of the page: it is there for its readers, and costs bytes with every answer.

    Lines keep their numbers, for those who search for a mistake. Inside a tag a line's end becomes one space.
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
    """The text without indentation, as a browser shows it. ``tag``: in which it begins and, returned, ends.

    >>> unindent('<p>\\n  One\\n  <b\\n    class="x"\\n  >word</b>\\n</p>\\n')
    ('<p>One\\n<b class="x">word</b></p>', '')
    """
    parts: list[str] = []
    beside_block = False
    for part in _TAGS.split(text):
        if part.startswith("<"):
            tag = part.strip("</")
            if tag in _BLOCKS and parts:
                parts[-1] = parts[-1].removesuffix("\n")
            parts.append(part)
        elif part == ">":
            parts = [*parts[:-1], parts[-1].rstrip(), part]
            beside_block, tag = tag in _BLOCKS, ""
        elif tag:
            parts.append(_LINE_END.sub(" ", part))
        else:
            line = _LINE_END.sub("\n", part)
            parts.append(line.removeprefix("\n") if beside_block else line)
    return "".join(parts), tag


def environment(**options: Any) -> Environment:
    """The one environment of all templates."""
    made = Environment(**options | {"undefined": ChainableUndefined, "extensions": [Unindented]})
    made.globals |= {"url": url, "static": static, "htmx_script": htmx_script}
    made.filters |= {
        "capfirst": capfirst,
        "date": date,
        "face": face,
        "floatformat": floatformat,
        "pluralize": pluralize,
        "words": words,
    }
    return made


def url(name: str, *parts: Any) -> str:
    """The address of a view. Each is worked out once for the same parts: a page asks for some ninety."""
    return _reversed(get_script_prefix(), name, *parts)


@lru_cache(maxsize=20_000)
def _reversed(prefix: str, name: str, *parts: Any) -> str:
    return reverse(name, args=parts)


def words(key: str | None) -> str:
    """A key of a chart in plain words: good_order is "good order"."""
    return "?" if key is None else str(key).replace("_", " ")


def face(die: Rolled) -> str:
    """The face of a logged die, as players say it."""
    return face_text(die.face, die.sides)
