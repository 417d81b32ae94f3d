"""The site draws each chart of the pages itself."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from tests.docs.fences import Fence, fences_of, pages
from tools.charts import chart_svg, levels

CHARTS = [f for page in pages() for f in fences_of(page) if f.language == "mermaid"]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.place)
def test_a_picture_has_the_words_and_arrows_of_its_chart(chart: Fence) -> None:
    svg = chart_svg(chart.text)
    words = " ".join(ElementTree.fromstring(svg).itertext()).split()
    labels = " ".join(re.findall(r'\["(.*?)"\]', chart.text))
    assert sorted(words) == sorted(re.sub("</?b>|<br>", " ", labels).split())
    assert svg.count("marker-end") == chart.text.count("-->")


def test_arrows_lead_down_to_the_next_row_if_they_can() -> None:
    arrows = [("a", "b"), ("b", "d"), ("c", "d"), ("a", "d"), ("a", "e")]
    assert levels([*"abcde"], arrows) == {"a": 0, "b": 1, "c": 1, "d": 2, "e": 1}
