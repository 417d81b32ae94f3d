"""Play a program: its state, two engines that do the same, and bots."""
