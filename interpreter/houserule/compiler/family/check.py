"""Check of the whole product line: all combinations of variants.

Not every table is composed. Every item has a condition over switches, and so has every
error. A decision diagram decides whether some valid table satisfies it, and finds the
smallest such table and their number.
"""

from __future__ import annotations

from functools import partial
from random import Random

from houserule.base.diagnostics.diagnostic import Diagnostic, fault, in_reading_order
from houserule.base.frozen import frozen
from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.choices.feature_model import Features, features_of
from houserule.compiler.choices.random_walk import RandomWalk
from houserule.compiler.choices.relation_diagram import TooManySwitchesError
from houserule.compiler.compose.compose import compose
from houserule.compiler.family.feature_checks import check_model, unknown_variants
from houserule.compiler.family.findings import Finding, Findings
from houserule.compiler.family.name_checks import check_names
from houserule.compiler.family.ordering_conflicts import SAMPLES, W403, check_clusters
from houserule.compiler.merge.laws import faults_of
from houserule.compiler.merge.resolve import resolution_of
from houserule.compiler.rules import ChosenTable
from houserule.language.manifest.ruleset import LoadedRuleset


@frozen
class FamilyReport:
    """The result of checking a product line.

    Attributes:
        diagnostics: every error once, in reading order.
        switches: the variants, by alphabet.
        valid_tables: the number of valid sets of variants; 0 if it is too large to
            count.
        tables_checked: the number of them checked: all, or a random sample.
        findings: the conflicts, each with its tables.
        features: the switches and their relations.
    """

    diagnostics: tuple[Diagnostic, ...]
    switches: tuple[str, ...]
    valid_tables: int
    tables_checked: int
    findings: tuple[Finding, ...]
    features: Features


def check_family(ruleset: LoadedRuleset) -> FamilyReport:
    """Check all combinations of variants of a ruleset.

    It finds all errors of composition (E101 to E103, E201 to E215, W210, W211) at all
    tables, and only those. Errors of single tables (types, reads and writes) are not
    found here. If the relations are too many for a proof, it composes a random sample
    of tables.
    """
    features = features_of(ruleset)
    try:
        tables = Configurations(features)
        resolution = resolution_of(ruleset)
        findings = Findings(tables)
        for each in faults_of(ruleset):
            tell = partial(each.tell, each.parties)
            findings.add(each.when, tell, usual=each.usual)
        check_names(resolution, findings)
        sampled = check_clusters(resolution, findings)
        found = [*check_model(ruleset, tables), *sampled]
        found += [each.diagnostic for each in findings.found]
        valid = checked = tables.count
        conflicts = tuple(findings.found)
    except TooManySwitchesError as error:
        walk = RandomWalk(features, Random(0))
        walks = [walk.smallest(), *(walk.at_random() for _ in range(SAMPLES))]
        some = dict.fromkeys(each for each in walks if each is not None)
        many = fault(
            W403,
            f"{len(error.names)} variants depend on one another in too many ways to "
            f"look at all combinations; I looked at {len(some)} tables drawn at "
            "random.",
            ruleset.base.names[0].span,
            details=[f"They are: {', '.join(error.names)}."],
            fixes=[
                "Cut a relation between them (requires, implies, excludes), or put "
                "variants that always go together into one."
            ],
        )
        found = [*unknown_variants(ruleset), many]
        known = {(each.code, each.message) for each in found}
        for variants in some:
            table = ChosenTable(ruleset.id, 0, variants, {})
            at = f"At this table: {' + '.join(sorted(variants)) or 'the base game'}."
            for diagnostic in compose(ruleset, table)[1]:
                if (diagnostic.code, diagnostic.message) not in known:
                    known.add((diagnostic.code, diagnostic.message))
                    found.append(diagnostic.with_details(at))
        valid, checked, conflicts = 0, len(some), ()
    return FamilyReport(
        diagnostics=tuple(in_reading_order(found)),
        switches=features.variants,
        valid_tables=valid,
        tables_checked=checked,
        findings=conflicts,
        features=features,
    )
