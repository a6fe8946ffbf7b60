"""The assistant: its games and helpers, their forms, their charts, and the desk that shows one of them."""
