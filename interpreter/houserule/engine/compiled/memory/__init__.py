"""Memory: its layout, how values look there, and the codec to and from states."""
