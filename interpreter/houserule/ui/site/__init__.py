"""Houserule in a page without a server: Python itself runs in the browser."""
