"""How large a match may grow and what one act may bring, so that no request takes a worker longer than a second.

How long the log of a match in play may grow, its game says (kit/game.py): in lines, and in bytes as
writing.weigh_entry adds them up. How much of a longer list a single page shows is bounded where it is shown.
"""

# A file. It may hold a full log, the lines that say where it came from, its charts, photos and a campaign.
LINES_BESIDE, BYTES_BESIDE = 500, 2_800_000  # the log of a match in play
SPARE_LINES = 100  # beyond a full log, in which the sides can still agree to end the match
LARGEST_FILE = 7_000_000  # bytes as it is sent; a longer one goes packed
LARGEST_PHOTO, MOST_PHOTOS = 150_000, 30  # bytes of one as it is kept; of a match
MOST_PHOTOS_WEIGHT = 1_400_000  # bytes of all photos of a match; in a file a third more

# What else a match keeps. As JSON, in characters: a roll with twelve units comes to a tenth of a result.
MOST_STEPS = 60  # rolls that are due
MOST_CONDUCTED = 400  # steps that a procedure takes in one act; then somebody lets it go on
LARGEST_STEP, LARGEST_QUEUE, LARGEST_RESULT, LARGEST_RECORD = 10_000, 200_000, 150_000, 100_000
LARGEST_COUNTERS = 400_000  # a thousand counters with a note each
MOST_PROPOSED = 200  # changes of counters that wait for players
MOST_SHEETS, LONGEST_SHEET, LARGEST_SHEETS = 60, 8_000, 120_000  # of units; characters of one, of all
LONGEST_CONTENT, LARGEST_CONTENT = 20_000, 60_000  # of sheets of content; characters of one, of all
MOST_VALUES = 500  # that owners have given kinds of counters
MOST_DEVICES = 100  # at one seat, which matters to observers: whoever has been away longest makes room
MOST_LIFTED = 8  # covers that one browser has lifted; beyond that a match is covered again

# Counters.
MOST_COUNTERS = 400  # in play
MOST_COUNTERS_AT_ONCE = 200  # set or added in one act
MOST_NAMED = 60  # of one role in a roll
HIGHEST_LEVEL = 999  # of any number that a counter has, and as far below 0
LONGEST_NOTE, LONGEST_PLACE, LONGEST_LEVEL, LONGEST_LIST = 120, 20, 12, 4_000
# The numbers of a side's counters: those that come openly are counted on, those that come hidden drawn.
MOST_OPEN, HIDDEN_NUMBERS = 999, range(1_000, 10_000)
MOST_NUMBERED = 6_000  # of a side: beyond that it would take long to draw one that is free

# Fields of forms, in letters unless it says otherwise.
NAME_LENGTH = 60  # of a match or a campaign
NOTE_LENGTH = 500
LONGEST_OVER = 120  # what goes along with "Over to you"
LONGEST_WORD = 40  # that names something: a side, a counter, a state
LONGEST_VALUE = 100  # the name of a value of a kind of counter
MOST_NUMBERS = 300  # in one field
