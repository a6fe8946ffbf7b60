"""The chart room: books that owners type in, on screen and on paper."""
