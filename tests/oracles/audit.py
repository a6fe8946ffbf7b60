"""An audit of a campaign's rows: what must be true after every act, whoever did what and in which order."""

from collections import Counter

from django.db.models import Count, Max, Min

from campaign.ledger.ledger import load
from campaign.models import Group, Seal, Unit
from campaign.rules.stages import Stage
from campaign.rules.units import LASTING
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match

VIEWERS = ((), *((side.value,) for side in Side))
BEFORE_SETUP = (Stage.REINFORCEMENTS, Stage.PURCHASES, Stage.PRIORITY)


def audit(match_id):
    """Check everything; returns the ledger."""
    match = Match.objects.get(pk=match_id)
    ledger = load(match)
    check_log(match)
    for side in Side:
        check_money(ledger, side)
        check_prices(ledger, side)
        check_boxes(ledger, side)
        check_counters(ledger, side)
        check_units(ledger, side)
        check_places(ledger, side)
    check_secrets(ledger)
    return ledger


def check_log(match):
    """Numbers without gaps, in log and acts; the newest act has the version: seats are taken before the first."""
    numbers = LogEntry.objects.filter(match=match).aggregate(Min("number"), Max("number"), Count("number"))
    assert set(numbers.values()) == {1, match.last_number}
    acts = match.acts.aggregate(Min("number"), Max("number"), Count("number"))
    if acts["number__count"]:
        assert acts["number__max"] == match.version
        assert acts["number__count"] == match.version - acts["number__min"] + 1


def check_money(ledger, side):
    """Nobody is in debt, as far as anybody may know."""
    for sees in VIEWERS:
        assert ledger.known(sees).balance(side) >= 0
    assert ledger.balance(side) >= 0


def check_prices(ledger, side):
    """Every purchase has its one price line, every refund its one counter-line, and no line stands alone."""
    lines = ledger.lines[side].values()
    for group in ledger.groups[side].values():
        own = [line.amount for line in lines if line.group is group and not line.reason.startswith("Set-up")]
        price = ledger.roster_line(group).cp
        refunded = [price] if group.standing == Group.Standing.REFUNDED else []
        assert own == ([-price, *refunded] if group.bought_for else [])
    for seal in ledger.seals[side].values():
        price = seal.data.to_json().get("price", 0)
        returned = [price] if seal.standing == Seal.Standing.WITHDRAWN else []
        assert [line.amount for line in lines if line.seal is seal] == ([-price, *returned] if price else [])
    for line in lines:
        assert (line.group_id is None) == (line.group is None)
        assert (line.seal_id is None) == (line.seal is None)
        if line.amount < 0:
            assert line.group is not None or line.seal is not None or line.unit is not None
        assert (line.unit_id is None) == (line.unit is None)


def check_boxes(ledger, side):
    """No box is ticked twice, and none that the roster lacks; only at-start groups tick none."""
    ticked = Counter(
        (group.rg, group.box)
        for group in ledger.groups[side].values()
        if group.bought_for and group.standing != Group.Standing.REFUNDED
    )
    ticked.update(
        (seal.orders.group, seal.orders.box)
        for seal in ledger.seals[side].values()
        if seal.data.to_json().get("box") and seal.standing != Seal.Standing.WITHDRAWN
    )
    for (rg, box), times in ticked.items():
        assert times == 1
        assert 1 <= box <= ledger.roster(side).groups[rg].boxes[ledger.campaign.card]
    assert ledger.bought(side) == Counter(rg for rg, _ in ticked)
    assert all((group.box is None) == (group.bought_for == 0) for group in ledger.groups[side].values())


def check_counters(ledger, side):
    """No more counters in use than the box holds."""
    assert min(ledger.left_in_box(side).values()) >= 0


def check_units(ledger, side):
    """A unit stands in one sector of the map or nowhere; one that is gone is nowhere; its group is its side's."""
    for unit in ledger.units[side].values():
        assert unit.sector is None or unit.sector in ledger.content.sector_map.neighbours
        assert unit.sector is not None or not (unit.hidden or unit.hex)
        assert len(unit.marks) == len(set(unit.marks))
        assert unit.counter in ledger.content.counters[side]
        if unit.fate:
            assert unit.sector is None
        if unit.group_id is None:
            continue
        assert unit.group is ledger.groups[side][unit.group.number]
        if unit.group.standing == Group.Standing.REFUNDED:
            assert unit.fate == Unit.Fate.RETURNED
        else:
            assert unit.fate != Unit.Fate.RETURNED


def check_places(ledger, side):
    """Before the firefight nobody stands in a sector that is not open to it, and new groups stand together."""
    if ledger.stage in BEFORE_SETUP:
        assert all(unit.sector == unit.home for unit in ledger.in_play(side))
    if ledger.stage is not Stage.SETUP:
        return
    for unit in ledger.in_play(side):
        if unit.sector is not None and unit.sector != unit.home:
            check_place(ledger, side, unit)
    for group in ledger.groups[side].values():
        if group.bought_for == ledger.campaign.firefight:
            assert len({unit.sector for unit in ledger.units_of(group)}) <= 1


def check_place(ledger, side, unit):
    """A unit that does not set up where it survived: in an own sector, or in one that both may deploy in."""
    holder = ledger.control[unit.sector].side
    if unit.home is not None:
        assert ledger.kind_of(unit).kind is CounterKind.VEHICLE and Mark.M_KILLED not in unit.marks
        assert unit.sector in ledger.content.sector_map.neighbours[unit.home]
    is_at_start = (unit.group is None or unit.group.bought_for == 0) and Mark.HELD not in unit.marks
    is_shared = holder is None and is_at_start and unit.sector in ledger.forces(side).deployment
    assert holder is side or is_shared


def check_secrets(ledger):
    """What each side, and an observer, may know holds nothing that others keep to themselves."""
    for sees in VIEWERS:
        view = ledger.known(sees)
        for side in Side:
            if side in sees:
                assert view.units[side] == ledger.units[side]
                assert view.seals[side] == ledger.seals[side]
                assert view.lines[side] == ledger.lines[side]
            else:
                check_withheld(ledger, view, side)


def check_withheld(ledger, view, side):
    """One side's secrets, kept from everybody else."""
    for number, unit in ledger.units[side].items():
        unit_seen = view.units[side][number]
        assert not unit_seen.hidden
        if unit.hidden:
            assert (unit_seen.sector, unit_seen.hex, unit_seen.home) == (None, "", None)
            assert set(unit_seen.marks) <= LASTING
            assert not (unit.group and view.groups[side][unit.group.number].building)
    sealed = {seal.number for seal in ledger.seals[side].values() if seal.standing != Seal.Standing.OPEN}
    assert not sealed & set(view.seals[side])
    for line in view.lines[side].values():
        assert not line.sealed
        assert line.seal is None or line.seal.number not in sealed
    hidden = {unit.sector for unit in ledger.in_play(side) if unit.hidden}
    open_sectors = {unit.sector for unit in ledger.in_play(side) if unit.sector is not None and not unit.hidden}
    sectors_seen = {unit.sector for unit in view.in_play(side) if unit.sector is not None}
    assert sectors_seen == open_sectors and not (hidden - open_sectors) & sectors_seen
