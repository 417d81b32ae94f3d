"""The table in the browser: pages for seats, their database, and the server.

In: a seat's view at one moment (`seat`), and the house rules (`configurator`). Out:
HTML, which works without scripts. Needs the extra `[web]`.
"""
