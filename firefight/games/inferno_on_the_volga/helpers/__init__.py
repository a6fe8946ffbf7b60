"""Forms and helpers of Inferno on the Volga."""
