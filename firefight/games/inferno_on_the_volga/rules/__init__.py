"""The rules of Inferno on the Volga, by subject: plain values in and out.

The text numbers no rules; what is cited are its chapters, and the numbers in its lists.
"""
