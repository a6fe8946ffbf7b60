"""What speaks against something that a side wants to do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Objection:
    """Why something cannot be done as it stands, and the rule that says so."""

    message: str
    rule: str
