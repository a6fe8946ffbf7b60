"""Why an act is not done, in the players' words."""

from firefight.engine.rolls.result import Result


class Refused(Exception):
    """The act is not done and nothing has changed; ``reasons`` say why, in the players' words, each once."""

    status = 403

    def __init__(self, *reasons: str):
        self.reasons = list(dict.fromkeys(reasons))
        super().__init__(" ".join(self.reasons))


class Stale(Refused):
    """The match has moved on since the form was drawn."""

    status = 409


class BadField(Refused):
    """A field of the form cannot be read."""

    status = 422


class Spent(Refused):
    """Nothing was done, but the app had rolled for it: those numbers are logged and used up."""

    status = 422


class Hides(Refused):
    """A roll is about hidden counters, and would show them: nobody has agreed to that yet."""

    status = 422


class LeavesOpen(Refused):
    """Going on would leave open what sides do together, which nobody has confirmed: the same may be sent again."""

    status = 422

    def __init__(self, left_open: str):
        super().__init__(f"{left_open} Declare and roll it first, or go on all the same.")


class Incomplete(Exception):
    """Dice that the rule asks for are still missing; nothing has changed. ``step``: the due roll that lacks them."""

    def __init__(self, result: Result, step: str = ""):
        super().__init__(result.headline)
        self.result, self.step = result, step
