"""Laying charts out on a page."""

from django import template

register = template.Library()


@register.filter
def table_rows(chart):
    """The rows of a grid or matrix, each with its cells in column order."""
    return [(row, [chart.cells.get((row, column)) for column in chart.columns]) for row in chart.rows]
