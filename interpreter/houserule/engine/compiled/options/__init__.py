"""Options: walks that count them, find one by number and list the first."""
