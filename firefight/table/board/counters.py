"""The counters of a match, wherever they are kept: which there are, of which kind, and who may know of them.

One store is kept on the match while an act is done, so that whatever reads or changes counters shares it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from firefight.engine.board.counters import (
    Account,
    CounterInPlay,
    LackingValues,
    LevelBounds,
    Piece,
    id_of,
    number_of,
    show_closed,
)
from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.kit.counters import CounterRules, GalleryKind
from firefight.kit.fields.counters import fill_roles
from firefight.kit.helper import Helper
from firefight.models import Match
from firefight.table.act.act import MatchAct
from firefight.table.act.ports import CounterStore, ledger_of
from firefight.table.act.table import Table

from .stores import ALIASES, StateStore, clear_if_gone, piece_of


def find_misfits(match: Match) -> Iterator[str]:
    """Counters of a file's match that are impossible, though each value fits by itself."""
    store, rules = StateStore(match), registry.games()[match.game].counters
    for counter in store.all():
        kind = store.kinds(counter.side).get(counter.counter)
        if _is_unknown(counter, rules):  # a file of a side that did not know it
            continue
        if kind is None:
            yield f"{counter.id}: there is no such counter."
            continue
        yield from _find_odd_alias(store, counter, rules)
        if not counter.number or counter.id != id_of(counter.side, counter.number):
            yield f"{counter.id}: its id is not that of a counter of its side."
        if odd := [word for word in counter.state if word not in rules.may_carry(kind)]:
            yield f"{counter.id}: cannot be {', '.join(odd)}."
        yield from _find_odd_levels(counter, rules.bound_levels(kind))
        if counter.beside and store.find(counter.beside) is None:
            yield f"{counter.id}: stands beside a counter that is not there."
        if counter != clear_if_gone(counter):
            yield f"{counter.id}: is gone, and yet somewhere."


def _is_unknown(counter: CounterInPlay, rules: CounterRules) -> bool:
    """Whether a counter only stands for a closed one, and says nothing about it."""
    return bool(rules.closed_kind) and counter == show_closed(clear_if_gone(counter), counter.name)


def _find_odd_alias(store: StateStore, counter: CounterInPlay, rules: CounterRules) -> Iterator[str]:
    """What is wrong with whether a counter is closed, and with the id by which others know it."""
    if counter.closed and not rules.closed_kind:
        yield f"{counter.id}: no counter of this game is closed."
    is_own = number_of(counter.alias) in ALIASES and counter.alias == id_of(counter.side, number_of(counter.alias))
    is_sound = is_own and store.find_behind(counter.alias) == counter if counter.alias else not counter.closed
    if not is_sound:
        yield f"{counter.id}: its alias is missing or wrong."


def _find_odd_levels(counter: CounterInPlay, bounds: Mapping[str, LevelBounds]) -> Iterator[str]:
    """What is wrong with the numbers of a counter: those that it should not have, that it lacks, out of bounds."""
    if odd := counter.levels.keys() ^ bounds.keys():
        yield f"{counter.id}: has other numbers than such counters have: {', '.join(sorted(odd))}."
    for name, number in counter.levels.items():
        if name in bounds and not bounds[name].low <= number <= bounds[name].high:
            yield f"{counter.id}: {name} should be from {bounds[name].low} to {bounds[name].high}."


def store_of(match: Match) -> CounterStore:
    """The store of a match, the same one while an act is done."""
    store: CounterStore | None = vars(match).get("counter_store")
    if store is None:
        store = ledger_of(match).open_store(match) or StateStore(match)
        match.counter_store = store
    return store


def save_store(act: MatchAct) -> None:
    """Write what an act has made of counters, if it has looked at them."""
    if "counter_store" in vars(act.match):
        store_of(act.match).save(act)


def forget_store(match: Match) -> None:
    """Read the counters again when somebody next asks for them: they were put back beneath the store."""
    vars(match).pop("counter_store", None)


def begin_with_store(match: Match) -> None:
    """Let an act begin with the counters as its request has read them, unless they have changed since."""
    store = vars(match).pop("counter_store", None)
    if isinstance(store, StateStore) and store.read_from is match.state.counters:
        match.counter_store = store.copied_for(match)


def rules_of(match: Match) -> CounterRules:
    """What the match's game knows of its counters. Raises BadInput for a game without any."""
    game = registry.games()[match.game]
    if not game.has_counters:
        raise BadInput({"id": "This game keeps no counters here."})
    return game.counters


def explain_form(
    match: Match, helper: Helper, firers: Sequence[Piece], targets: Sequence[Piece], inputs: Values
) -> tuple[Values, Account]:
    """What counters fill a helper's form with, and why: its CountersFields, and what the game says.

    Raises RuleError with every reason.
    """
    try:
        values, account = rules_of(match).explain(of_match(match), helper.slug, firers, targets, inputs)
    except LackingValues as lacking:
        values, account = {}, Account(asked=lacking.asked)
    chosen = ([piece.counter for piece in role] for role in (firers, targets))
    return {**fill_roles(helper.form, *chosen), **values}, account


def is_kept_as_row(match: Match, kind: GalleryKind) -> bool:
    """Whether the record keeps such counters, so that nobody finds them on the table, too."""
    return registry.games()[match.game].keeping.find_row(kind, 1) is not None


def list_in_sight(match: Match) -> list[Piece]:
    """The counters in play that all know of, each with its kind."""
    store = store_of(match)
    return [piece_of(store, counter) for counter in store.known(()) if counter.in_play]


def known_to(table: Table) -> dict[str, CounterInPlay]:
    """The counters that one browser may know of, by id."""
    store = store_of(table.match)
    by_id = {counter.id: counter for counter in store.known(table.sees)}
    return by_id | _find_aliases(store, by_id)


def list_pool(table: Table, side: str, place: str) -> list[str]:
    """The pieces of a side in a pool, by the ids by which all know them: for closed ones their aliases."""
    in_pool = (counter for counter in store_of(table.match).all() if counter.side == side and counter.place == place)
    open_ids = (
        counter.alias if counter.closed and counter.alias else counter.id for counter in in_pool if not counter.hidden
    )
    return sorted(open_ids, key=number_of)


def list_reachable(match: Match, sees: Collection[str]) -> dict[str, CounterInPlay]:
    """The counters that an act of somebody who may see these sides' secrets can concern, by id.

    In a campaign everybody knows which units there are, and a hidden one seems to be off the map. Those of another side
    that are off the map, or seem to be, are all out of reach alike: nobody finds the hidden ones by trying.
    """
    store, has_ledger = store_of(match), ledger_of(match).leads
    reachable = {
        counter.id: counter
        for counter in store.known(sees)
        if not has_ledger or counter.side in sees or not _seems_away(counter)
    }
    return reachable | _find_aliases(store, reachable)


def _find_aliases(store: CounterStore, by_id: Mapping[str, CounterInPlay]) -> dict[str, CounterInPlay]:
    """By alias, the counters that others know by one, or did before they were turned up: what is due uses it."""
    return {counter.alias: by_id[counter.id] for counter in store.all() if counter.alias and counter.id in by_id}


def _seems_away(counter: CounterInPlay) -> bool:
    return counter.in_play and not counter.area


def new_counter(side: str, kind: GalleryKind, number: int, bounds: Mapping[str, LevelBounds]) -> CounterInPlay:
    """A fresh counter of a kind, named so that players can tell several of them apart, with its first numbers."""
    name = f"{kind.name} #{number}" if kind.count > 1 else kind.name
    levels = {level: bound.start for level, bound in bounds.items()}
    return CounterInPlay(id_of(side, number), side, kind.key, name, levels=levels)
