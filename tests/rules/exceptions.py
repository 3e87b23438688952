"""What does not keep the rules yet. This list only shrinks: an exception that is no longer needed is a fault of its own."""

# structure.py: one step of each circle within a module.
CIRCLES = set()

# words.py: a word that docs/glossary.md calls gone.
WORDS = set()

# shape.py: a file of more than 500 lines.
LONG_FILES = set()
