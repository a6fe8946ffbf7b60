"""What a browser sends and is sent: requests, addresses, tokens. It knows no game and no match."""
