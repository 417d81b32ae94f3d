"""Rules in words and pictures: meanings of names, diagrams, the book."""
