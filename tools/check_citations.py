"""Hold a ruleset's margins and register against the source text itself.

    python -m tools.check_citations rules.txt rulesets/pig book

says which margins name no single sentence, and which sentences of the register read
differently in the text: then clauses that cite them are suspect. Exit status 1 if any.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.registers import changed_sentences, cites_of, doubtful

from houserule.files import read_source

# Inside: registers of sources are made here; the package only reads them.
from houserule.manifest.load import load_ruleset


def main(text_file: str, folder: str, name: str) -> int:
    """Check one source; return the exit status."""
    ruleset, _ = load_ruleset(Path(folder))
    if ruleset is None or name not in ruleset.registers:
        print(f"{folder} has no register of a source {name}")
        return 2
    text = read_source(Path(text_file)).text
    cites = list(cites_of(ruleset.units, name))
    doubts = doubtful(text, cites)
    changes = list(changed_sentences(ruleset.registers[name], text))
    for doubt in doubts:
        print(f"{doubt.cite.span}: {doubt.cite.heading}: {doubt.reason}")
    for heading, number, how in changes:
        print(f"{heading}, sentence {number}: {how}")
    print(f"{len(cites)} citations, {len(doubts)} doubtful; {len(changes)} changes")
    return 1 if doubts or changes else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
