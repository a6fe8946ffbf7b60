"""The rules of Turning Point: Stalingrad: pure functions of plain arguments."""
