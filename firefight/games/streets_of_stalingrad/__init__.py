"""Streets of Stalingrad: 67 days of 15 phases, with every roll and every question that its players have."""
