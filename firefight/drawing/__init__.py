"""Pictures and paper: a Drawing knows where things lie, a painter makes one kind of file of it."""
