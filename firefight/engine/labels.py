"""Enums whose members carry the words that players read."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Self, TypeVar

from .text import capitalize


class Labelled(StrEnum):
    """A value with its words beside it, and where it helps the rule that it comes from.

    Without words of its own a member is called by its value. The value is the word in JSON.

    >>> class Step(Labelled):
    ...     UPKEEP = "upkeep", "Changes to units on the map", "20.7.1"
    ...     NEW_TURN = "new_turn"
    >>> Step.UPKEEP.word, Step.UPKEEP.rule, Step("new_turn").word
    ('Changes to units on the map', '20.7.1', 'New turn')
    """

    _word: str
    _rule: str

    def __new__(cls, value: str, word: str = "", rule: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member._word, member._rule = word or value.replace("_", " ").capitalize(), rule
        return member

    @property
    def word(self) -> str:
        """What players read."""
        return self._word

    @property
    def rule(self) -> str:
        """The rule that it comes from, "" where it names none."""
        return self._rule


Member = TypeVar("Member", bound=Labelled)


def words_of(members: Iterable[Member]) -> dict[Member, str]:
    """Members with their words, as a list offers them: each begins with a capital letter."""
    return {member: capitalize(member.word) for member in members}
