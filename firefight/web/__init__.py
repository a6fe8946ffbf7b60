"""What a browser sends and is sent: requests, addresses, tokens. It knows nothing about games or matches."""
