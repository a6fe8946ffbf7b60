"""Under which names a line of the log keeps what it has changed."""

CHANGES = "changes"  # of record and place: a roll in its result's details, what a hand has set in its inputs
# A roll among these changes, which is no field of the record; a COUNTER line in its inputs.
CHANGED_COUNTERS = "counters"
PLACE = "place"  # where on the board what a line tells has happened
SHEET = "sheet"  # the sheet of units that a note is about
AGAIN = "again"  # so a line that tells again what an earlier one told names the first of them
BY_HAND = "By hand"  # so the sentence of a hand's setting begins
BACK_TO = "Back to"  # so a line begins that takes back more than one act at once
