"""How the counters of Combat! Stalingrad look."""
