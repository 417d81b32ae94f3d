from __future__ import annotations

import re
from collections import Counter

import pytest
from tests.support.ir.verify import verify
from tests.support.lower_cases import Case, cases, checked

CODES = {f"E{number:03}" for number in range(10, 30)} | {"E005", "E211", "E212"}
CODES |= {"E046", "E050", "E106", "E107", "E503", "E504", "W012", "W502"}


@pytest.mark.parametrize("case", cases("bad"), ids=lambda case: case.name)
def test_every_fault_is_found_where_it_is(case: Case) -> None:
    program, faults = checked(case.text)
    found = Counter((each.code, each.span.line if each.span else 0) for each in faults)
    assert found == case.wanted, "\n".join(f"{e.span} {e.message}" for e in faults)
    errors = [code for code, _ in case.wanted if code.startswith("E")]
    assert (program is None) == bool(errors)
    for each in faults:  # sentences of the author
        assert each.message.endswith((".", "?", "`")), each.message
        assert each.span is not None
        for word in ("invalid", "unexpected", "illegal", "ir.", "None", "NoneType"):
            assert word not in each.message


@pytest.mark.parametrize("case", cases("good"), ids=lambda case: case.name)
def test_what_is_right_becomes_a_lawful_program(case: Case) -> None:
    program, faults = checked(case.text)
    assert not faults, "\n".join(f"{e.span} {e.message}" for e in faults)
    assert program is not None
    assert verify(program) == []


def test_every_code_has_two_bad_cases() -> None:
    marked = Counter(code for case in cases("bad") for code, _ in case.wanted)
    assert {code for code in CODES if marked[code] < 2} == set()
    assert set(marked) <= CODES


@pytest.mark.parametrize("case", cases("bad"), ids=lambda case: case.name)
def test_the_variable_of_a_fix_is_free(case: Case) -> None:
    lines = case.text.split("\n")
    for each in checked(case.text)[1]:
        let = each.fixes[0] if each.fixes else ""
        at = each.span.line - 1 if each.span else 0
        found = re.fullmatch(r"let (\w+) = (.*), if any: …", let)
        written = re.fullmatch(r"( +does \w+: (?:for .*?: )?)(.*?) +#.*", lines[at])
        if found and written:
            body = written[2].replace(found[2], found[1])
            right = f"{written[1]}{let.removesuffix('…')}{body}"
            after = checked("\n".join([*lines[:at], right, *lines[at + 1 :]]))[1]
            assert at + 1 not in {e.span.line for e in after if e.span}, after
