"""Games that are over: looked at again and counted; their records, out and in."""
