"""How large a match may grow, so that no request about it takes a worker longer than a second.

The longest campaign, four firefights of eight turns with forty rolls a turn, comes to 1,500 lines and 2 MB.
"""

MOST_LINES = 10_000  # of a log that is played on
MOST_WEIGHT = 4_200_000  # bytes of such a log, about: what log.weight adds up
# A file may hold a full log, the lines that say where it came from, its charts and a campaign.
MOST_LINES_OF_FILE = MOST_LINES + 500
LARGEST_FILE = 7_000_000  # bytes, photos and all
MOST_STEPS = 60  # rolls that are due
# As JSON, in characters. A roll with twelve units comes to a tenth of it.
LARGEST_STEP, LARGEST_QUEUE, LARGEST_RESULT, LARGEST_RECORD = 10_000, 200_000, 150_000, 100_000
LARGEST_COUNTERS = 400_000  # a thousand counters with a note each
LONGEST_OVER = 120  # letters of what goes along with "Over to you"
MOST_PROPOSED = 200  # changes of counters that wait for players
LARGEST_PHOTO, MOST_PHOTOS = 150_000, 30  # bytes of one as it is kept; of a match
MOST_PHOTOS_WEIGHT = 1_400_000  # bytes of all photos of a match; in a file a third more
