"""Your own rules at the browser's table: brought, checked, and played under limits.

Nothing of a text that somebody brings is parsed, composed or played in the process of
the server. It is kept as it came (`kept`) once a check in a process of its own has
found it sound (`checked`); what tables and menus with it are asked is answered by the
same server in processes under limits (`worker`), which `workers` starts and ends.
"""
