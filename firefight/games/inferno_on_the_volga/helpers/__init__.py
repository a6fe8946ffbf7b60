"""What the assistant offers for Inferno on the Volga."""

from . import fighting, germans, played, soviets, standing

HELPERS = (*germans.HELPERS, *fighting.HELPERS, *played.HELPERS, *soviets.HELPERS, *standing.HELPERS)
