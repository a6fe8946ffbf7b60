"""The rules as rolls and questions of the frame: what players give goes in, a Result comes out."""
