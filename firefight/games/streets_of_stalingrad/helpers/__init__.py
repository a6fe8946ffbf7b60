"""What the assistant offers for Streets of Stalingrad: one module for each group of helpers."""

from . import losses

HELPERS = (*losses.HELPERS,)
