"""Objections to something that a side wants to do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Objection:
    """Why something cannot be done as it stands, and the rule that says so."""

    message: str
    rule: str

    def __str__(self) -> str:
        """The sentence, with its rule.

        >>> str(Objection("This costs 7 CP, and there are 5.", "20.8.1"))
        'This costs 7 CP, and there are 5 (20.8.1).'
        """
        return f"{self.message.removesuffix('.')} ({self.rule})."
