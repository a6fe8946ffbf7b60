"""The campaign content that ships with the app: the one place that opens its files."""

import tomllib
from functools import cache
from typing import Any

from django.conf import settings

from firefight.engine.charts import Problem

from .rules.content import Content, read_content
from .rules.leaders import Side

FIXTURES = settings.BASE_DIR / "fixtures" / "campaign"
CARDS = {"cg1": "into_the_inferno", "cg2": "to_the_volga"}


class BadContent(ValueError):
    """Content that must not be used; ``problems`` lists everything that is wrong with it."""

    def __init__(self, problems: list[Problem]):
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def plain(name: str) -> dict[str, Any]:
    """The plain values of one shipped file."""
    return tomllib.loads((FIXTURES / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def shipped() -> Content:
    """The shipped content, read once. Raises BadContent with every problem."""
    content, problems = read_content(
        plain("counters"),
        {side: plain(f"roster_{side}") for side in Side},
        plain("map"),
        {identity: plain(name) for identity, name in CARDS.items()},
    )
    if content is None:
        raise BadContent(problems)
    return content
