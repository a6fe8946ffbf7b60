"""The rules of Inferno on the Volga, by subject: plain values in and out.

The text does not number its rules; citations name its chapters, and the numbers in its lists.
"""
