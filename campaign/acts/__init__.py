"""What a side can do in a campaign, one module for each part of it. Every function is one act (campaign.ledger.act)."""
