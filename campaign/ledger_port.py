"""What a campaign does for the match that it leads: the frame's ``Ledger`` (firefight/table/act/ports.py), by name."""

# ruff: noqa: F401 - the frame calls all of them

from campaign.acts.content import put_right_points, refuse_content, take_content
from campaign.acts.counters import at_start, list_cards, open_store
from campaign.archive import dump, flaws, gather_earlier, load, missing, narrowed, shape
from campaign.ledger.missions import follow_record
from campaign.presenters.standing import find_standings, home
from campaign.presenters.story import (
    chart_ledger,
    draw_map,
    draw_map_of,
    draw_strip,
    group_titles,
    join_story_titles,
    judge_line,
    list_story_parts,
    map_addresses,
    name_story_chapters,
    tell_bout,
    tell_outcome,
    tell_sectors_won,
)

leads = True  # its turns, and which units there are
points = "CP"
keeps_turns = "The campaign keeps the turns: end this one on its firefight page."
