"""The fields of a helper's form."""
