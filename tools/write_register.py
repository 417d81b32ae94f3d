"""Write the register of a source text that a ruleset cites.

    python -m tools.write_register rules.txt rulesets/pig book

reads `rules.txt`, collects the margins in `rulesets/pig` that cite the source `book`,
and writes `rulesets/pig/sources/book.yaml`. Run it after margins have changed. Margins
that name no single sentence are listed, and the exit status is then 1.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.registers import (
    NoHeadings,
    cites_of,
    make_register,
    register_text,
)

from houserule.files import read_source

# Inside: registers of sources are made here; the package only reads them.
from houserule.manifest.load import load_manifest, load_ruleset


def main(text_file: str, folder: str, name: str) -> int:
    """Write one register; return the exit status."""
    manifest, _ = load_manifest(Path(folder))
    ruleset, faults = load_ruleset(Path(folder))
    if manifest is None or ruleset is None or name not in manifest.sources:
        print(f"{folder} is no ruleset with a source {name}", *faults, sep="\n")
        return 2
    try:
        register, doubts = make_register(
            manifest.sources[name].title,
            read_source(Path(text_file)).text,
            cites_of(ruleset.units, name),
            ruleset.registers.get(name),
        )
    except NoHeadings as error:
        print(f"{text_file}: {error}")
        return 2
    target = Path(folder, manifest.register_of(name))
    target.parent.mkdir(exist_ok=True)
    target.write_text(register_text(register), encoding="utf-8")
    for doubt in doubts:
        print(f"{doubt.cite.span}: {doubt.cite.heading}: {doubt.reason}")
    return 1 if doubts else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
