"""Users' own rules on the server: uploaded, checked, and played under limits.

The server's process never parses, composes or plays an uploaded text. A check in a
separate process must find it sound (`checked`); then it is stored unchanged
(`rules_store`). For its tables and configurators, the same server answers in processes
under limits (`worker`), which `workers` starts and ends.
"""
