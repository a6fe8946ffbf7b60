"""The charts that a Combat! Stalingrad book holds, and what the rulebook's text demands of them."""

from collections.abc import Iterable
from itertools import pairwise

from firefight.engine.charts.cells import is_digits
from firefight.engine.charts.kinds import Bands, Choices, Grid, MapChart, Matrix, Numbers, Problem
from firefight.engine.charts.spec import ChartSpec, Constraint

FFT_RESULTS = ("2E", "E", "C/M", "C", *(f"M+{x}" for x in range(6, 0, -1)), "M")
CCT_COLUMNS = ("1-3", "1-2", "1-1", "2-1", "3-1")
STATES_BEFORE = ("good_order", "pinned", "disrupted", "wia")
STATES_AFTER = ("pinned", "disrupted", "wia", "casualties", "eliminated")


def known_calibers(chart: Numbers) -> Iterable[Problem]:
    """18.1 puts 50 mm on FFT column 10; 17.4.5 gives an 82 mm FFE 15 FF next door, three quarters of 19 or 20."""
    for caliber, fitting in (("50", (10,)), ("80", (19, 20))):
        value = chart.values.get(caliber)
        if value is not None and value not in fitting:
            expected = " or ".join(map(str, fitting))
            yield Problem(chart.name, caliber, f"the rulebook's text asks for {expected}")


def rising_calibers(chart: Numbers) -> Iterable[Problem]:
    """A bigger shell never brings less firepower."""
    rows = sorted((int(key), value) for key, value in chart.values.items() if is_digits(key) and value is not None)
    for (smaller, less), (caliber, value) in zip(rows, rows[1:], strict=False):
        if value < less:
            yield Problem(chart.name, str(caliber), f"has less firepower than {smaller} mm", odd=str(value))


def numbered_columns(chart: Grid) -> Iterable[Problem]:
    """FFT columns are firepower factors in rising order, 10 and 100 among them (18.1, errata 1)."""
    wrong = [column for column in chart.columns if not is_digits(column)]
    for column in wrong:
        yield Problem(chart.name, column, "columns should be firepower factors in whole numbers")
    if wrong:
        return
    sizes = [int(column) for column in chart.columns]
    for before, size in pairwise(sizes):
        if size <= before:
            yield Problem(chart.name, str(size), f"columns should rise from left to right: {size} follows {before}")
    for needed in sorted({10, 100} - set(sizes)):
        yield Problem(chart.name, str(needed), "the rulebook's text names this column")


def severity_order(chart: Grid) -> Iterable[Problem]:
    """FFT rows run from the most severe result down, so that a column can be read from the top."""
    known_rows = [row for row in chart.rows if row in FFT_RESULTS]
    for above, row in pairwise(known_rows):
        if FFT_RESULTS.index(row) < FFT_RESULTS.index(above):
            yield Problem(chart.name, row, f"rows should stand in this order: {', '.join(FFT_RESULTS)}")


def odds_columns(chart: Grid) -> Iterable[Problem]:
    """Only 1-3 to 3-1 are ever rolled (19.3.7); E stands above C (19.3.3)."""
    if chart.columns != CCT_COLUMNS:
        yield Problem(chart.name, "", f"columns should be {', '.join(CCT_COLUMNS)}")
    if chart.rows != ("E", "C"):
        yield Problem(chart.name, "", "rows should be E, then C")


def stray_distances(chart: Bands) -> Iterable[Problem]:
    """Accuracy results are hexes of stray, and a low roll never strays further (17.3.4)."""
    last = 0
    for band in chart.bands:
        if band.value is None:
            continue
        if not is_digits(band.value) or int(band.value) > 20:
            yield Problem(chart.name, str(band), "should be a number of hexes, 0 to 20")
        elif int(band.value) < last:
            yield Problem(chart.name, str(band), "strays less than a lower roll", odd=band.value)
        else:
            last = int(band.value)


def compass(chart: Bands) -> Iterable[Problem]:
    """Directions are 1 to 6, or "again"; at least one face gives a direction, or a roll would never end."""
    values = [band.value for band in chart.bands]
    for band in chart.bands:
        if band.value not in (None, "again", "1", "2", "3", "4", "5", "6"):
            yield Problem(chart.name, str(band), "should be a direction 1 to 6, or again")
    if values and set(values) <= {"again"}:
        yield Problem(chart.name, "", "no face gives a direction")


def air_results(chart: Bands) -> Iterable[Problem]:
    """Air results are a word, with hexes where the aircraft goes astray (17.6.5)."""
    for band in chart.bands:
        word, _, hexes = (band.value or "on_target").partition(" ")
        if not (is_digits(hexes) if word in ("scatter", "defender_choice") else (word, hexes) == ("on_target", "")):
            yield Problem(chart.name, str(band), "should be on_target, scatter N or defender_choice N")


def firepower_by_range(chart: Bands) -> Iterable[Problem]:
    """Each range gives firepower factors (17.6.7)."""
    for band in chart.bands:
        if band.value is not None and not is_digits(band.value):
            yield Problem(chart.name, str(band), "should be firepower factors in a whole number")


def morale_matrix(chart: Matrix) -> Iterable[Problem]:
    """The headings of 18.2; a failed check always makes things worse, and a badly failed one no less so."""
    if chart.columns != STATES_BEFORE:
        yield Problem(chart.name, "", f"columns should be {', '.join(STATES_BEFORE)}")
    if chart.rows != ("1-2", "3+"):
        yield Problem(chart.name, "", "rows should be 1-2, then 3+")
    ranks = {word: rank for rank, word in enumerate(STATES_AFTER)}
    for (row, column), word in chart.cells.items():
        mildest = chart.cells.get(("1-2", column))
        if word in ranks and ranks[word] <= ranks.get(column, -1):
            yield Problem(chart.name, f"{row}, {column}", f"is no worse than {column}")
        elif row == "3+" and word in ranks and ranks[word] < ranks.get(mildest or "", -1):
            yield Problem(chart.name, f"{row}, {column}", "is milder than 1-2")


# What players call keys and results that do not speak for themselves.
_NAMES = {
    **{
        f"{key}_{part}": f"{plane}: {word}"
        for key, plane in (("ju87", "Ju 87"), ("po2", "Po-2"))
        for part, word in (("he", "HE"), ("mg", "MG"), ("tq", "TQ"))
    },
    "nco": "NCO",
    "officer": "Officer",
    "nco_officer": "NCO and Officer",
    "nco_commissar": "NCO and Commissar",
    "none": "no leader",
    "m_killed": "M-KILLED",
    "afv_in_open": "AFV in open ground",
    "redeploys_casualties": "redeploys with casualties",
    "remains_casualties": "remains with casualties",
}


def _bands(name: str, *codes: str, sides: int | None = 10, constraints: tuple[Constraint, ...] = ()) -> ChartSpec:
    names = {code: words for code, words in _NAMES.items() if code in codes}
    return ChartSpec(name, Bands, codes=frozenset(codes), constraints=constraints, sides=sides, names=names)


def _numbers(
    name: str, *keys: str, constraints: tuple[Constraint, ...] = (), optional: tuple[str, ...] = ()
) -> ChartSpec:
    names = {key: words for key, words in _NAMES.items() if key in (*keys, *optional)}
    return ChartSpec(name, Numbers, keys=frozenset(keys), constraints=constraints, optional=optional, names=names)


SPECS: tuple[ChartSpec, ...] = (
    ChartSpec("map", MapChart),
    _numbers("contact", "radio", "phone", "plotted"),
    _numbers("artillery_drm", "aerial_observer", "danger_close", "range_step", "bracketed", "registered"),
    _numbers("ammunition_supply", "normal", "high", "low"),
    ChartSpec("accuracy", Bands, constraints=(stray_distances,), sides=100, names={"0": "on target"}),
    _bands("direction", constraints=(compass,)),
    _numbers("artillery_ff", "50", "70", "80", constraints=(known_calibers, rising_calibers)),
    _numbers("ffe_shares", "45", "65", "85"),
    _bands("call_off", "called_off", "continues"),
    ChartSpec("fft", Grid, codes=frozenset(FFT_RESULTS), constraints=(numbered_columns, severity_order)),
    # 18.1 and 18.1.1 speak of columns for mines and Molotovs, and no text names them.
    _numbers("fft_weapons", "flamethrower", "demo_charge", optional=("mines", "molotov")),
    ChartSpec("fft_modifiers", Choices, keys=frozenset({"smoke", "airburst", "woods", "debris", "flamethrower"})),
    ChartSpec("morale", Matrix, codes=frozenset(STATES_AFTER), constraints=(morale_matrix,)),
    ChartSpec("cct", Grid, constraints=(odds_columns,)),
    _numbers("cct_drm", "leader", "demo_charge", "flamethrower", "m_killed", "from_cover"),
    _numbers("cct_afv_in_open", "afv_in_open"),
    _bands("air_support", sides=100, constraints=(air_results,)),
    _numbers("aircraft", *(f"{plane}_{part}" for plane in ("ju87", "po2") for part in ("he", "mg", "tq"))),
    _bands("dshk", sides=None, constraints=(firepower_by_range,)),
    _bands("mg34", sides=None, constraints=(firepower_by_range,)),
    _bands("gaz_aa", sides=None, constraints=(firepower_by_range,)),
    _bands("fo_loss", "left", "destroyed"),
    _bands("redeployment_infantry", "redeploys", "redeploys_casualties", "remains_casualties", "eliminated"),
    _bands("redeployment_vehicle", "redeploys", "remains", "wreck"),
    _numbers("redeployment_drm", "impaired", "threatened", "in_sewer", "friendly", "neutral"),
    _bands("recovery_m_killed", "repaired", "wrecked", "unchanged"),
    _bands("recovery_f_killed", "repaired", "unchanged"),
    _bands("recovery_wounded_leader", "eliminated", "healed", "unchanged"),
    _bands("leaders", "none", "nco", "officer", "nco_officer"),
    _bands("leaders_russian_six", "nco_officer", "nco_commissar"),
    _numbers("attack_bonus", "bonus"),
)
