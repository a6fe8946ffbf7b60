"""What a copy of the demo suggests trying. A suggestion goes away once it is done, and does not come back."""

from firefight.models import LogEntry, Match

LOOKED = "looked_why"  # the key in a session for the copy in which its browser has asked for reasons

_ROLL, _WHY, _BACK = LogEntry.Kind.ROLL.value, "why", LogEntry.Kind.TAKE_BACK.value
_WORDS = {
    _ROLL: "Answer the three checks that are due.",
    _WHY: "Open a line of the log and see why.",
    _BACK: "Take your last act back.",
}


def list_untried(match: Match, has_looked: bool) -> list[str]:
    """What is left to try in a copy of the demo, in sentences. One query.

    ``has_looked``: whether this browser has asked why a roll came out as it did; the log shows all else. The lines that
    the copy began with have no acts.
    """
    acts_done = match.log.filter(act__isnull=False, kind__in=(_ROLL, _BACK))
    done = {*acts_done.values_list("kind", flat=True).order_by().distinct(), *([_WHY] if has_looked else [])}
    return [words for kind, words in _WORDS.items() if kind not in done]
