"""The names under which a line of the log keeps what it has changed."""

CHANGES = "changes"  # of record and place: a roll in its result's details, what a hand has set in its inputs
# A roll has it among these changes, though it is not a field of the record; a COUNTER line in its inputs.
CHANGED_COUNTERS = "counters"
NAMES = "names"  # what a line calls the counters that it changes, by id, where they are several
PLACE = "place"  # where on the board the events of a line happened
SHEET = "sheet"  # the sheet of units that a note is about
AGAIN = "again"  # where a line that repeats what an earlier one told names the first of them
BEGINS = "begins"  # where a ledger's line says that play begins afresh: what was rolled before it is done with
BY_HAND = "By hand"  # how the sentence of a change by hand begins
UNDER_SEAL = ", under seal."  # how it ends for those who may not know what a roll or a procedure says
BACK_TO = "Back to"  # how a line begins that takes back more than one act at once
