"""What a side can do in a campaign, one module for each part of it; each function is one act (ledger.performing)."""
