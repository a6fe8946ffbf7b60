"""The Reorganization Phase as tests play it on stored rows: a firefight that ends with units where they want them."""

from dataclasses import replace

from campaign.acts import reorganizing
from campaign.models import Campaign
from campaign.phase import conductor
from campaign.rules.steps import Step
from firefight.games.combat_stalingrad.rules.melee.attacks import Bout
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match

from .game import GERMAN, RUSSIAN, Game, other, typed

SQUADS = {GERMAN: "grenadier_squad", RUSSIAN: "rifle_squad"}


class Field:
    """A firefight that is over; units are put on the map by their counters, by hand, while it is still on."""

    def __init__(self, card="cg2", attacker=GERMAN, firefight=1, hot_seat=False, match_id=""):
        self.game = Game(match_id) if match_id else Game.begin(card, hot_seat)
        state = replace(self.game.match.state, turn=7, phase="melee")
        Match.objects.filter(pk=self.game.match_id).update(state=state)
        self.game.write(self.game.ledger.campaign, stage="firefight", attacker=attacker.value, firefight=firefight)
        self.held = tuple(Side) if hot_seat else None

    def put(self, side, counter, sector, place="", marks=(), hidden=False):
        """A counter of the at-start OB that is not on the map yet; returns its number."""
        free = (unit for unit in self.game.units(side, counter=counter or SQUADS[side]) if unit.sector is None)
        unit = next(free)
        self.game.write(unit, sector=sector, hex=place, marks=[str(mark) for mark in marks], hidden=hidden)
        return unit.number

    def over(self):
        """The firefight is over; returns the campaign itself."""
        self.game.end_turn()
        return self

    def told(self):
        """It is over, and both sides have reported."""
        self.over()
        for side in Side:
            self.do(reorganizing.confirm_report, side)
        return self

    # What there is

    @property
    def campaign(self):
        return Campaign.objects.get(pk=self.game.match_id)

    @property
    def step(self):
        return self.campaign.phase.step

    def unit(self, side, number):
        return self.game.unit(side, number)

    def deciders(self):
        return conductor.find_deciders(self.game.ledger)

    # Acts

    def do(self, act, side, *args, **options):
        return self.game.do(act, side, *args, sides=self.held, **options)

    def refuse(self, act, side, *args, **options):
        return self.game.refuse(act, side, *args, sides=self.held, **options)

    def leave(self, side, goals=None, **faces):
        return self.do(reorganizing.redeploy, side, goals or {}, typed(**faces))

    def fight(self, ours, theirs, side=GERMAN, **faces):
        """Each side attacks all of the other as one; where the other side is asked for its attacks, it says so."""
        done = self.do(reorganizing.fight, side, bout(ours, theirs, side), typed(**faces))
        if self.campaign.phase.gathered:
            done = self.do(reorganizing.fight, other(side), together(ours, theirs, side), typed(**faces))
        return done

    def fight_round(self, side):
        """The rest of the round by the app; the other side agrees where it is asked."""
        done = self.do(reorganizing.fight_round, side)
        if self.campaign.phase.requested and self.campaign.phase.requested.extent == "round":
            done = self.do(reorganizing.resolve_rest, other(side), "round")
        return done

    def to(self, step):
        """Everybody stays, and the app rolls, until the phase stands at a step."""
        while self.step is not step:
            (side, *_) = self.deciders()
            if self.step in (Step.EXISTING, Step.BATTLE):
                self.fight_round(side)
            else:
                self.leave(side)
        return self


def bout(ours, theirs, side=GERMAN):
    return Bout(tuple((side, n) for n in ours), tuple((other(side), n) for n in theirs))


def together(ours, theirs, side=GERMAN):
    """The same, with the attacks of both sides spelt out."""
    plain = bout(ours, theirs, side)
    return replace(plain, attacks=tuple(plain.attacks_of(attacker)[0] for attacker in (side, other(side))))
