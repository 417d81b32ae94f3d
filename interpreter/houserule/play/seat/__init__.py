"""One seat at one moment: its view, its legal moves, and explanations.

Every front end (terminal, browser, paper) draws the values of `seat_model` and adds
nothing.
"""
