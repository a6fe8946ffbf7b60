"""Notes in the log, open or under seal."""

from firefight.models import LogEntry
from firefight.table.act.act import MatchAct
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import BadField, Refused

Kind = LogEntry.Kind


@match_act(any_version=True)
def note(act: MatchAct, text: str, sealed: bool = False, about: int | None = None) -> None:
    """Write a note into the log, for all, or sealed for this side until it is revealed. Raises Refused."""
    if about is not None and not 1 <= about <= act.match.last_number:
        raise BadField(f"There is no entry № {about} to annotate.")
    if sealed:
        seal_note(act, text)
    else:
        act.tell(Kind.NOTE, text, about=about)


def seal_note(act: MatchAct, text: str) -> None:
    act.tell(Kind.SEALED, f"{act.table.name} seals a note.", secret=text)


@match_act(any_version=True)
def reveal(act: MatchAct, number: int) -> None:
    """Open a sealed note or photo of this side for everybody. Raises Refused."""
    sealed = act.match.log.filter(
        number=number,
        kind__in=(Kind.SEALED, Kind.PHOTO),
        side=act.side,
        revealed_by=None,
        voided_by=None,
    )
    entry = sealed.exclude(secret="").first()
    if entry is None:
        raise Refused("There is no sealed note of your side under that number.")
    act.row.free_to_take_back = False
    entry.revealed_by = act.tell(Kind.REVEAL, f"{act.table.name} reveals № {number}.", about=number).number
    entry.save(update_fields=["revealed_by"])
