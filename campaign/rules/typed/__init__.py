"""The parts of a campaign's content as sheets that an owner types into, and back into the plain values of its files."""
