"""What every room uses: texts and places, messages, files, limits, the cache."""
