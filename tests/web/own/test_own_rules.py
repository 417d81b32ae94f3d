"""A rule of one's own at the browser's table: brought, checked, played under limits."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.web.drawing.parsed import StrictPage
from tests.web.drawing.test_pages import holds_to_the_policy
from tests.web.own.texts import EIGHT_LINES, bring, choice_in
from tests.web.serving import OpenTable, Served, open_table, served

from houserule.language.manifest import load
from houserule.language.manifest.folder import RulesFile
from houserule.ui.web.games import file_of
from houserule.ui.web.own import bringing, workers
from houserule.ui.web.own.checked import CheckedText, checked
from houserule.ui.web.own.rules_store import (
    LARGEST,
    OwnTexts,
    UnknownTextError,
    digest_of,
)

if TYPE_CHECKING:
    import httpx

DIGEST = digest_of(EIGHT_LINES)
RULE = f"pig?own={DIGEST}&with=patient"
FAULTY = 'variant odd for pig "Odd"\nneeds hold.odd "<b>Odd</b>": pott at least 10\n'
FORGED = "0" * 32
CAPTION = "Nobody holds with less than ten <points>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("own")) as found:
        OwnTexts(found.store).keep(EIGHT_LINES)
        yield found


@pytest.fixture
def guest(server: Served) -> httpx.Client:
    return server.guest()


@pytest.fixture(scope="module")
def table(server: Served) -> OpenTable:
    """Return a table with the rule at which two people play."""
    return open_table(server, RULE, ["ann", "bob"])


def processes() -> list[int]:
    """Return the processes for rules of one's own that this one has started."""
    every = Path("/proc").glob("[0-9]*/stat")
    ours = [int(e.parent.name) for e in every if parent_of(e) == os.getpid()]
    return [each for each in ours if b"own.worker" in command_of(each)]


def parent_of(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def command_of(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


def hold_refused(table: OpenTable, seat: int) -> str:
    """Return the page that says why a seat may not hold."""
    address, asked = table.seats[seat], {"path": "hold", "why": "1"}
    return table.guests[seat].get(address, params=asked).text


# ---- the dream


def test_a_group_adds_eight_lines_of_its_own_and_plays(
    server: Served, guest: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside: list[object] = []
    read = load.load_ruleset

    def noted(folder: Path, own: Iterable[RulesFile] = ()) -> object:
        beside.extend(own)
        return read(folder, own)

    monkeypatch.setattr(load, "load_ruleset", noted)
    assert EIGHT_LINES.count("\n") == 8
    page = guest.get("/new/pig").text
    assert "/new/pig/own?lang=en" in page
    form = StrictPage(guest.get("/new/pig/own?lang=en").text)
    holds_to_the_policy(form)
    assert "variant our_rule for pig" in form.text
    menu = bring(guest, EIGHT_LINES, "lang=en")
    assert menu.status_code == 200, menu.text
    assert dict(menu.url.params)["own"] == DIGEST
    assert choice_in(menu.text) == f"{RULE}&lang=en"
    assert "with Patience" in StrictPage(menu.text).text
    opened = open_table(server, choice_in(menu.text), ["ann", "bob"])
    first = 0 if "your turn" in opened.part(0) else 1
    page = hold_refused(opened, first)
    assert CAPTION in unescape(page)
    assert "<points>" not in page
    refused = opened.post(first, "choose", ["hold"])
    assert refused.status_code == 422
    assert opened.post(first, "choose", ["throw"]).status_code == 200
    assert not beside, "the server itself reads nothing of it"


def test_the_menu_shows_what_is_one_s_own(guest: httpx.Client) -> None:
    page = StrictPage(guest.get(f"/new/{RULE}&lang=de").text)
    holds_to_the_policy(page)
    own = [each for each in page.elements if each.attributes.get("class") == "yours"]
    assert len(own) == 2  # the file, and its switch
    for name in ("go", "q"):
        form = next(e for e in page.elements if e.attributes.get("name") == name)
        assert form is not None
    every = [e.attributes.get("href", "") for e in page.elements]
    mine = [each for each in every if each.startswith("/new/pig?")]
    assert len(mine) > 5
    others = [each for each in mine if f"own={DIGEST}" not in each]
    assert others == ["/new/pig?lang=de"], "only what leaves it out is without it"
    change = next(e for e in every if f"edit={DIGEST}" in e)
    assert EIGHT_LINES in unescape(guest.get(change).text)


def test_what_a_rule_of_one_s_own_does_is_measured(guest: httpx.Client) -> None:
    effect = guest.get(f"/new/pig/effect?own={DIGEST}&with=patient&entry=patient")
    assert "200 games" in effect.text
    onward = re.search(r'data-effect="([^"]*)"', effect.text)
    assert onward is not None
    assert f"own={DIGEST}" in onward[1]


# ---- faults


@pytest.fixture(scope="module")
def faulty() -> CheckedText:
    return checked("pig", FAULTY, {})


def test_a_text_with_faults_comes_back_with_its_places(
    server: Served,
    guest: httpx.Client,
    faulty: CheckedText,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bringing, "checked", lambda *_: faulty)
    said = set()
    for language in ("en", "de", "fr", "it"):
        answer = bring(guest, FAULTY, f"lang={language}&with=patient")
        assert answer.status_code == 422
        page = StrictPage(answer.text)
        holds_to_the_policy(page)
        marked = re.findall(r"<mark>.*?</span>(.*?)<span", answer.text)
        assert marked == ["pott"]
        assert 'data-line="2"' in answer.text
        (found,) = re.findall(r'<h2 id="found">(.*?)</h2>', answer.text)
        said.add(found)
        assert field_of(answer.text) == FAULTY
        assert "<b>" not in answer.text
    assert len(said) == 4
    with pytest.raises(UnknownTextError):
        OwnTexts(server.store).text(digest_of(FAULTY))


def field_of(page: str) -> str:
    """Return what stands in the field for the text."""
    found = re.search(r"<textarea.*?>\n(.*?)</textarea>", page, re.DOTALL)
    assert found is not None
    return unescape(found[1])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"x" * (LARGEST + 1), "larger than 64 kB"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not a text in UTF-8"),
        ("variant gr\u00fcn".encode("latin-1"), "not a text in UTF-8"),
        (b"variant x\0", "not a text in UTF-8"),
        (b" \n", "nothing here yet"),
    ],
    ids=["large", "a picture", "Latin-1", "a nought", "empty"],
)
def test_what_is_no_text_is_refused_and_the_field_stays(
    content: bytes, says: str, guest: httpx.Client
) -> None:
    answer = bring(guest, "</textarea><b>", file=content)
    assert answer.status_code == 422
    assert says in answer.text
    assert field_of(answer.text) == "</textarea><b>"
    assert "<b>" not in answer.text


def test_a_text_that_is_far_too_large_is_told_as_one_that_is_too_large(
    guest: httpx.Client,
) -> None:
    answer = bring(guest, "x" * 500_000)
    assert answer.status_code == 422
    assert "larger than 64 kB" in answer.text


def test_a_file_stands_above_the_field_and_its_name_counts_for_nothing(
    guest: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def note(game: str, text: str, others: dict[str, str]) -> CheckedText:
        asked.append((game, text, others))
        return CheckedText(sound=False)

    monkeypatch.setattr(bringing, "checked", note)
    named = "../../<b>.exe"
    answer = bring(guest, "typed", f"own={DIGEST}", file=b"a\r\nb", named=named)
    assert asked == [("pig", "a\nb", {file_of(DIGEST): EIGHT_LINES})]
    assert ".exe" not in answer.text
    bring(guest, "typed", f"own={DIGEST}&edit={DIGEST}")
    assert asked[1][2] == {}, "what is changed is not beside itself"


def test_a_text_for_another_game_or_a_name_that_is_taken_is_a_fault() -> None:
    other = checked("nim", EIGHT_LINES, {})
    assert not other.sound
    assert other.faults
    twice = checked("pig", EIGHT_LINES, {file_of(DIGEST): EIGHT_LINES})
    assert not twice.sound
    places = [place.file for fault in twice.faults for place in fault.places]
    assert file_of(DIGEST) in places


# ---- links


@pytest.mark.parametrize(
    "address",
    [
        f"/new/pig?own={FORGED}",
        f"/new/pig/part?own={FORGED}",
        f"/new/pig/effect?own={FORGED}&entry=patient",
        f"/new/pig/own?own={FORGED}&edit={FORGED}",
    ],
)
def test_a_text_that_is_not_here_is_told_and_starts_no_process(
    address: str, guest: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "Answering", None)
    answer = guest.get(address)
    assert answer.status_code == 410
    assert "add it again" in answer.text


def test_a_link_that_names_no_text_is_refused(guest: httpx.Client) -> None:
    for own in ("x", "<b>", ",".join(f"{n:032x}" for n in range(9))):
        answer = guest.get("/new/pig", params={"own": own})
        assert answer.status_code == 422, own
        assert "names no house rules" in answer.text
        assert "<b>" not in answer.text
    for choice in (f"pig?own={FORGED}", "pig?own=x"):
        answer = guest.post("/tables", data={"choice": choice})
        assert answer.status_code in (410, 422)


def test_a_host_may_allow_no_rules_of_people_s_own(tmp_path: Path) -> None:
    with served(tmp_path, own=False) as strict, strict.guest() as guest:
        digest = OwnTexts(strict.store).keep(EIGHT_LINES)
        assert "/own" not in guest.get("/new/pig").text
        assert guest.get("/new/pig/own").status_code == 404
        assert bring(guest, EIGHT_LINES).status_code == 404
        for answer in (
            guest.get(f"/new/pig?own={digest}"),
            guest.post("/tables", data={"choice": f"pig?own={digest}"}),
        ):
            assert answer.status_code == 503
            assert "does not allow rules of your own" in answer.text


# ---- at the table


def test_bots_play_on_and_who_looks_on_is_told(server: Served) -> None:
    table = open_table(server, RULE, ["ann"])
    events = f"{table.seats[0]}/events"
    with table.guests[0].stream("GET", events) as stream:
        versions = (
            int(line[5:]) for line in stream.iter_lines() if line.startswith("data:")
        )
        seen, own = [next(versions)], 0
        for _ in range(300):
            if "your turn" in table.part(0):
                own += table.post(0, "choose", ["throw"]).status_code == 200
            seen.append(next(versions))  # a bot's, or an own one
            if seen[-1] - seen[0] >= own + 3:
                break
    assert seen[-1] - seen[0] >= own + 3, "bots have made three of these moves"
    assert seen == sorted({*seen})
    assert seen[-1] <= table.version(0)


def seen_by_both(table: OpenTable) -> tuple[str, str]:
    """Return what both see, once both have looked, so that nobody is away."""
    table.part(0)
    return table.part(1), table.part(0)


def test_a_killed_process_loses_nothing(table: OpenTable) -> None:
    before = seen_by_both(table)
    before_that = processes()
    for process in before_that:
        os.kill(process, signal.SIGKILL)
    first = table.guests[0].get(f"{table.seats[0]}/part")
    assert first.status_code == 503
    assert "Nothing of your game is lost" in first.text
    assert seen_by_both(table) == before
    assert before_that
    assert not {*before_that} & {*processes()}


def test_who_has_no_key_learns_nothing_by_the_process(table: OpenTable) -> None:
    role, key = table.seats[0].strip("/").split("/")
    assert role == "s"
    for address in (f"/w/{key}", f"/h/{key}", f"/s/{key}x", f"/s/{key}/record"):
        assert table.guests[1].get(address).status_code in (403, 404), address


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
def test_rules_that_need_too_much_are_ended_and_others_play_on(
    server: Served, guest: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = OwnTexts(server.store).keep(EIGHT_LINES.replace("ten", "10"))
    assert guest.get(f"/new/{RULE}&lang=it").status_code == 200
    monkeypatch.setattr(workers, "LIMITS", {"memory": 10_000_000, "seconds": 10})
    for _ in range(workers.DEATHS):
        answer = guest.get(f"/new/pig?own={digest}&lang=it")
        assert answer.status_code == 503
        assert "Della tua partita" in answer.text
    assert "dieci minuti" in guest.get(f"/new/pig?own={digest}&lang=it").text
    assert guest.get("/new/pig?lang=it").status_code == 200
    assert guest.get(f"/new/{RULE}&lang=it").status_code == 200  # its process lives
