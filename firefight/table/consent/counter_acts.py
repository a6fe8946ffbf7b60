"""What players do with counters by hand: set them, mark them, undo what a line did to them, settle what waits.

Whoever changes counters of another side asks that side, unless both sit at one device or nobody plays it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from firefight.columns import Matter, Proposal, ProposedChange
from firefight.engine.board.counters import CounterInPlay, find_changes
from firefight.engine.errors import BadInput
from firefight.engine.text import join_words
from firefight.kit.counters import call_word
from firefight.models import LogEntry
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.lines import changed_by
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import BadField, Refused
from firefight.table.board import changing, counters, due, record, stores
from firefight.table.board.values import check_values, find_changed, keep_values

from . import matters, plans
from .hand_set import HandSet, preview_hand_set

Kind = LogEntry.Kind


BY_HAND = "By hand, "
NO_SUCH_CHANGE = "There is no such change of a counter that still stands."


@match_act()
def set_counters(act: MatchAct, ids: Sequence[str], values: HandSet) -> None:
    """Set counters by hand, several at once; this also puts right earlier mistakes. Raises Refused, BadField.

    Counters of another side are set once it agrees.
    """
    chosen = _choose(act, ids)
    new_by_id, flaws = preview_hand_set(act, chosen, values)
    if flaws:
        raise BadField(*flaws)
    changed = {counter.id: changes for counter in chosen if (changes := find_changes(counter, new_by_id[counter.id]))}
    if not changed:
        raise Refused(_say_unchanged(values, act.table.game.words.places))
    sides_asked = matters.sides_to_ask(act.table, [counter.side for counter in chosen])
    if sides_asked:
        _check_mixture(chosen)
        new_values = {
            counter_id: {name: value for name, (_, value) in fields.items()} for counter_id, fields in changed.items()
        }
        matters.propose(act, Proposal(Matter.COUNTERS, act.side, counters=new_values))
        return
    store, remarks = counters.store_of(act.match), _question_moves(act, chosen, changed)
    pairs_by_head: dict[str, list[changing.CounterPair]] = {}
    for counter in chosen:
        # Whoever sets them may not know all of them: what was not changed stays as it really is.
        if fields := changed.get(counter.id):
            actual = store.find_behind(counter.id) or counter
            after = stores.set_fields(actual, {name: value for name, (_, value) in fields.items()})
            pairs_by_head.setdefault(_head(act, counter), []).append((actual, after))
    for head, pairs in pairs_by_head.items():
        changing.tell_changes(act, pairs, head)
    if remarks:
        act.tell(Kind.RECORD, " ".join(remarks))


def _question_moves(
    act: MatchAct, chosen: Iterable[CounterInPlay], changed: Mapping[str, Mapping[str, Sequence[object]]]
) -> list[str]:
    """What speaks against going from place to place by hand, in sentences: it may put something right, so it is done.

    Nothing is said of hidden counters, nor of those that another state is given.
    """
    rules, store = counters.rules_of(act.match), counters.store_of(act.match)
    fields = {counter.id: changed.get(counter.id, {}) for counter in chosen}
    moved = [c for c in chosen if c.place and fields[c.id].get("place", ("", ""))[1] and "state" not in fields[c.id]]
    kinds = {counter.id: stores.piece_of(store, counter).kind for counter in moved if counter.counter}
    doubts = {c.name: rules.question_move(c, kinds[c.id]) for c in moved if c.id in kinds and not c.hidden}
    return [f"{name} is {why}" for name, why in doubts.items() if why]


def _say_unchanged(values: HandSet, places: str) -> str:
    """Why nothing was changed: whoever only wanted to move counters is told their place, or how one is typed."""
    if values.place is None or values != HandSet(place=values.place):
        return "They are like that already. Nothing was changed."
    if not values.place.strip():
        such_as = f", such as {places}" if places else ""
        return f"They are off the map already: name a place{such_as}. Nothing was changed."
    return f"They are in {values.place} already. Nothing was changed."


@match_act()
def set_pips(act: MatchAct, ids: Sequence[str], number: int) -> None:
    """Set by hand what counters carry for what they have done. Raises Refused, BadField.

    Each side does so for its own, where all see them: nobody else may know what a hidden counter has done.
    """
    rules, chosen = act.table.game.keeping, _choose(act, ids)
    if not rules.pips or not 0 <= number <= len(rules.pip_words):
        raise BadField("There is no such marker in this game.")
    if other_sides := {
        act.table.game.name_of(counter.side) for counter in chosen if not act.table.may_decide(counter.side)
    }:
        raise Refused(f"Those are the {other_sides.pop()}'s counters to mark. Nothing was changed.")
    if hidden := [counter.name for counter in chosen if counter.hidden]:
        raise Refused(f"{hidden[0]} is hidden: bring it in sight first. Nothing was changed.")
    pips = record.values_of(act.match)[rules.pips]
    changed = [counter for counter in chosen if pips.count(counter.id) != number]
    if not changed:
        raise Refused("They are like that already. Nothing was changed.")
    changed_ids = {counter.id for counter in changed}
    other_pips = [counter_id for counter_id in pips if counter_id not in changed_ids]
    new_pips = [*other_pips, *(counter.id for counter in changed for _ in range(number))]
    record.change(act.match, {rules.pips: new_pips})
    marker = rules.pip_words[number - 1] if number else f"No {rules.pip_words[0].split()[0]} marker"
    names = join_words(counter.name for counter in changed)
    act.tell(Kind.RECORD, f"{marker}: {names}.", inputs={CHANGES: {rules.pips: new_pips}})


def _head(act: MatchAct, counter: CounterInPlay) -> str:
    """How a line about a change by hand begins: it says so where a side other than the counter's own made it."""
    return BY_HAND if counter.side == act.side else f"{BY_HAND}by the {act.table.name}, "


def _choose(act: MatchAct, ids: Sequence[str]) -> list[CounterInPlay]:
    """The counters with these ids, as far as this browser knows of them. Raises BadField."""
    if not ids:
        raise BadField("Choose the counters.")
    if len(ids) > bounds.MOST_COUNTERS_AT_ONCE:
        raise BadField(f"At most {bounds.MOST_COUNTERS_AT_ONCE} counters at once.")
    reachable = counters.list_reachable(act.match, act.table.sees)
    unique_ids = dict.fromkeys(ids)
    if missing := [counter_id[:24] for counter_id in unique_ids if counter_id not in reachable]:
        raise BadField(f"There is no such counter in play, as far as you know: {', '.join(missing[:12])}.")
    return [reachable[counter_id] for counter_id in unique_ids]


def _check_mixture(chosen: Iterable[CounterInPlay]) -> None:
    """What the other side is asked about must not give away what is hidden from it."""
    if any(counter.hidden for counter in chosen):
        raise Refused("Set your hidden counters by themselves: the other side is asked about its own.")


@match_act(any_version=True)
def undo_change(act: MatchAct, number: int) -> None:
    """Undo what one line did to counters, while they still stand as it left them. Raises Refused.

    A side undoes alone what it did itself, or what concerns its own counters; else the other side is asked.
    """
    entry = act.match.log.filter(number=number, kind=Kind.COUNTER, voided_by=None).first()
    if (
        entry is None
        or not changed_by(entry)
        or (entry.secret and entry.revealed_by is None and entry.side not in act.table.sees)
    ):
        raise Refused(NO_SUCH_CHANGE)
    if hidden := changing.find_hidden_since(act.match, entry):
        if any(counter.side not in act.table.sees for counter in hidden):
            raise Refused(NO_SUCH_CHANGE)
        raise Refused(
            f"{hidden[0].name} is hidden by now: undoing what all have read would give it away. Set it by hand."
        )
    if changed := changing.find_later_changes(act.match, entry):
        raise Refused(f"{' and '.join(changed)}: changed again since № {number}. Undo that first, or put it right.")
    if rolls := due.find_answers(act.match, entry):
        numbers = join_words(f"№ {roll.number}" for roll in rolls)
        verb = "was" if len(rolls) == 1 else "were"
        raise Refused(f"{numbers} {verb} rolled because of it: take that back first, or put both right by hand.")
    doer = changing.find_doer(entry)
    is_doer = doer is not None and doer.side == act.side
    sides_asked = [] if is_doer else matters.sides_to_ask(act.table, [entry.side])
    if sides_asked:
        matters.propose(act, Proposal(Matter.COUNTERS, act.side, undoes=number))
        return
    plans.undo_line(act, entry)


@match_act()
def keep_value(act: MatchAct, field: str, number: int) -> None:
    """Keep a value of a kind of counter that its owner enters, see table/board/values.py. Raises Refused, BadField.

    What nobody knew counts at once, since play waits for it. A value other than the known one is proposed.
    """
    kinds = counters.store_of(act.match).kinds
    try:
        check_values(act.match, {field: number}, kinds)
        sides_asked = matters.sides_to_ask(act.table, act.table.sides)
        if sides_asked and find_changed(act.match, {field: number}, kinds):
            matters.propose(act, Proposal(Matter.VALUE, act.side, wanted={"values": {field: number}}))
        else:
            keep_values(act, {field: number}, kinds)
    except BadInput as error:
        raise BadField(str(error)) from None


# What rolls make of them


@match_act()
def settle_proposed(act: MatchAct, keys: Sequence[str], applies: bool) -> None:
    """Write down changes that wait, or leave them: those with these keys, or "all". Raises Refused, Stale."""
    waiting = act.match.state.proposed_for(act.table.sees)
    chosen = [change for change in waiting if change.key in keys or "all" in keys]
    if not chosen:
        raise Refused("No such change waits any more: it was written down, left or taken back. Nothing was changed.")
    still_waiting = tuple(change for change in act.match.state.proposed if change not in chosen)
    act.match.state = replace(act.match.state, proposed=still_waiting)
    if applies:
        _make_changes(act, chosen)
    if not act.entries:
        act.tell(Kind.DROP, f"Not written down: {_say_left(act, chosen)}.")


def _say_left(act: MatchAct, chosen: Sequence[ProposedChange]) -> str:
    """The changes that nobody makes, in words: nothing of those that one side alone knows of."""
    if any(change.known_to for change in chosen):
        return "a change of a hidden counter"
    rules, store = counters.rules_of(act.match), counters.store_of(act.match)
    pairs = ((store.find(change.id), call_word(rules, change.becomes)) for change in chosen)
    return "; ".join(f"{counter.name} {word}" for counter, word in pairs if counter)


def _make_changes(act: MatchAct, chosen: Sequence[ProposedChange]) -> None:
    """Make changes, those of each roll in their order. Raises Refused for what can no longer happen to a counter."""
    entries = act.match.log.filter(number__in=[change.number for change in chosen])
    lines = {entry.number: entry for entry in entries}
    try:
        for change in chosen:
            if change.number in lines:
                changing.apply_changes(act, lines[change.number], {change.id: change.becomes}, change.known_to)
    except BadInput as error:
        raise Refused(f"{error} Leave that change, or put the counter right by hand. Nothing was changed.") from None


@match_act(any_version=True)
def choose_option(act: MatchAct, option: str, choice: str) -> None:
    """Change what players may choose while they play. Raises Refused, Stale, BadField."""
    game_option = next(
        (game_option for game_option in act.table.game.changing_options if game_option.slug == option), None
    )
    if game_option is None or choice not in game_option.choices:
        raise BadField("There is no such choice in this match.")
    options = act.match.state.options
    if options.get(option, game_option.usual) == choice:
        raise Refused(f"{game_option.title}: that is {game_option.choices[choice]} already. Nothing was changed.")
    other_options = {name: value for name, value in options.items() if name != option}
    act.match.state = replace(
        act.match.state, options=other_options if choice == game_option.usual else {**other_options, option: choice}
    )
    act.tell(
        Kind.RECORD,
        f"From now on, {game_option.title[0].lower()}{game_option.title[1:]}: {game_option.choices[choice]}.",
    )
