"""The table in the browser: pages for seats, the store behind them, the server.

In: what the core gives for one seat at one moment (`seat`), and the house rules
(`configurator`). Out: HTML, made here and complete without scripts. Needs the extra
`[web]`.
"""
