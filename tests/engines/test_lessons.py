"""The lessons in each engine: each hint stands beside what it speaks of, is told, and goes once that was done."""

import pytest

from .players import at_place, throw

pytestmark = pytest.mark.engines


def begin_lesson(player, game, slug):
    """Press its button where a match begins."""
    player.go(f"/match/new/{game}/")
    player.tap(f"button[name=lesson][value={slug}]")


def expect_hint(player, step):
    """The hint of a step stands alone beside what it speaks of, which is described by it, and it was told politely."""
    player.wait(f"document.querySelector('#hint')?.dataset.of === '{step}'", step)
    player.wait("document.querySelectorAll('[aria-describedby~=hint]').length === 1", f"what {step} speaks of")
    aloud = "document.querySelector('body > [role=status].unseen').textContent"
    player.wait(f"{aloud} === document.querySelector('#hint p').textContent", f"{step}, aloud")


def tap_at_hint(player, step, css):
    """Do by a tap what a hint says."""
    expect_hint(player, step)
    player.tap(css)


def expect_end(player, words):
    """No hint is left, and the lesson says what it was."""
    player.see(words)
    player.wait("document.querySelector('#hint') === null", "no hint")


def test_the_taught_firefight_then_artillery_and_close_combat(player):
    begin_lesson(player, "combat-stalingrad", "fire")
    tap_at_hint(player, "choose", at_place("K7"))
    tap_at_hint(player, "press", "#rolls [data-roll=fire]")
    tap_at_hint(player, "aim", at_place("K9"))
    tap_at_hint(player, "odds", "#odds summary")
    expect_hint(player, "die")
    throw(player, "25")
    expect_hint(player, "checks")
    throw(player, "3", "9")
    tap_at_hint(player, "why", "#desk details.why > summary")
    tap_at_hint(player, "back", "#do-take-back")
    expect_end(player, "That was a fire attack")
    player.tap("#lesson button[name=lesson]")

    tap_at_hint(player, "aim", at_place("P12"))
    tap_at_hint(player, "contact", "#kept-cards form[action*=contact] button")
    expect_hint(player, "reach")
    throw(player, "30")
    expect_hint(player, "land")
    throw(player, "30")
    expect_hint(player, "resolve")
    throw(player, "25")
    expect_hint(player, "resolve")
    throw(player, "3", "9")
    tap_at_hint(player, "card", "#kept-cards article details > summary")
    expect_end(player, "That was a Contact")
    player.tap("#lesson button[name=lesson]")

    tap_at_hint(player, "open", "#due a[href*=melee]")
    tap_at_hint(player, "declare", "#desk button[value=declare]")
    expect_hint(player, "dice")
    throw(player, "20", "99")
    expect_end(player, "That was Close Combat")
    player.tap("#lesson button[name=over]")
    player.wait("document.querySelector('#lesson') === null", "no lesson")


def test_whoever_wants_no_more_hints_has_none(player):
    begin_lesson(player, "combat-stalingrad", "fire")
    tap_at_hint(player, "choose", "#hint button")
    player.wait("document.querySelector('#hint, #lesson') === null", "no hint")


def test_an_impulse_of_turning_point(player):
    begin_lesson(player, "turning-point-stalingrad", "impulse")
    tap_at_hint(player, "open", "#rolls [data-roll=attack]")
    expect_hint(player, "attackers")
    player.type("[name=attackers-short]", "4/71 3/71")
    expect_hint(player, "defenders")
    player.type("[name=defenders-short]", "3 2")
    tap_at_hint(player, "odds", "#odds summary")
    expect_hint(player, "dice")
    throw(player, "8", "9")
    tap_at_hint(player, "pay", "#desk .offers button")
    tap_at_hint(player, "why", "#desk details.why > summary")
    tap_at_hint(player, "done", "#due button[value=impulse]")
    expect_end(player, "That was an impulse")


def test_a_combat_of_battle_for_stalingrad(player):
    begin_lesson(player, "battle-for-stalingrad", "combat")
    tap_at_hint(player, "open", "#rolls [data-roll=combat]")
    expect_hint(player, "firers")
    player.type("[name=firers-short]", "6 4 8h")
    expect_hint(player, "terrain")
    player.choose("[name=terrain]", "Heavy")
    tap_at_hint(player, "odds", "#odds summary")
    expect_hint(player, "die")
    throw(player, "2")
    tap_at_hint(player, "why", "#desk details.why > summary")
    tap_at_hint(player, "back", "#do-take-back")
    expect_end(player, "That was a combat")


def test_the_first_turn_of_inferno(player):
    begin_lesson(player, "inferno-on-the-volga", "turn")
    tap_at_hint(player, "begin", "#step-form .actions .main")
    tap_at_hint(player, "look", "#board-over [name=at][value='37']")
    tap_at_hint(player, "deliberate", "#step-form [value=deliberate]")
    tap_at_hint(player, "target", "#step-form [value=hex-37]")
    tap_at_hint(player, "card", "#step-form [value=attack]")
    tap_at_hint(player, "roll", "#step-form [value=app]")
    # A block with many dots may hold the hex.
    if player.wait("document.querySelector('#step-form :is([value=go], [name=way])')?.value") == "go":
        tap_at_hint(player, "advance", "#step-form [value=go]")
    tap_at_hint(player, "soviets", "#step-form [name=way]")
    expect_end(player, "That was a whole turn")


def test_a_card_and_a_rubble_roll_of_inferno(player):
    begin_lesson(player, "inferno-on-the-volga", "rubble")
    tap_at_hint(player, "open", "#rolls summary[data-key=a]")
    player.tap("#rolls [data-roll=german-card]")
    expect_hint(player, "card")
    player.type("[name=cards]", "heinkel_111")
    expect_hint(player, "dice")
    throw(player, "123456")
    tap_at_hint(player, "rubble", "#rolls summary[data-key=c]")
    player.tap("#rolls [data-roll=rubble]")
    player.wait("document.querySelector('#desk-form [name=panzers]') !== null", "the form")
    player.type("[name=hexes]", "4")
    player.type("[name=panzers]", "4")
    player.type("[name=cards]", "heinkel_111")
    expect_hint(player, "total")
    throw(player, "8")
    tap_at_hint(player, "why", "#desk details.why > summary")
    tap_at_hint(player, "back", "#do-take-back")
    expect_end(player, "That was the heart of a Deliberate Attack")


def test_an_attack_and_a_bombardment_of_streets(player):
    begin_lesson(player, "streets-of-stalingrad", "attack")
    open_fire(player, "open", "battle")
    type_at_hint(player, "points", "[name=points]", "24")
    type_at_hint(player, "terrain", "[name=terrain_drm]", "0")
    tap_at_hint(player, "declare", "#desk-form .dice button.main")
    tap_at_hint(player, "reply", "#desk .offers [value*=fire_1]")
    type_at_hint(player, "defence", "[name=points]", "8")
    expect_hint(player, "defence-die")
    throw(player, "9")
    tap_at_hint(player, "odds", "#odds summary")
    expect_hint(player, "die")
    throw(player, "2")
    tap_at_hint(player, "rest", "#desk .offers [value*=none]")
    tap_at_hint(player, "why", "#desk details.why > summary")
    tap_at_hint(player, "back", "#do-take-back")
    expect_end(player, "That was an attack")
    player.tap("#lesson button[name=lesson]")

    open_fire(player, "spot", "spotting")
    expect_hint(player, "table")
    player.choose("[name=table]", "West")
    tap_at_hint(player, "look", "#desk-form .dice button.main")
    type_at_hint(player, "points", "[name=points]", "14")
    expect_hint(player, "die")
    throw(player, "3")
    tap_at_hint(player, "why", "#desk details.why > summary")
    expect_end(player, "That was a bombardment")


def open_fire(player, step, roll):
    """Follow a hint at the bar to one of its fires."""
    tap_at_hint(player, step, "#rolls summary[data-key=a]")
    player.tap(f"#rolls [data-roll={roll}]")


def type_at_hint(player, step, css, text):
    """Type what a hint says."""
    expect_hint(player, step)
    player.type(f"#desk-form {css}", text)
