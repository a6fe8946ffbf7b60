"""Combat! Stalingrad."""

from tests.firefight.players import SAMPLES

__all__ = ["SAMPLES"]
