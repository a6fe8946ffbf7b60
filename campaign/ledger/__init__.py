"""The rows of a campaign as one ledger, an act on it, the content it is played with."""
