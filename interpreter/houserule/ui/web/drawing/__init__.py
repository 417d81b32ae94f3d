"""Draw the page of one seat as HTML: its view, its options, and explanations.

This package knows no particular game and no server. Addresses:

- GET `base?path=KEY&path=KEY…`: the choice after a path. `first=NUMBER` lists its
  options from that one on, `about=AREA&about=THING…` only those about some components;
  `why=1` explains it, `hint=1` adds a bot's suggestion; `log=1` shows the whole log.
- GET `base/part?…`: the same, only `table_part`. GET `base/events`: new versions.
- POST `base/choose` with `version` and `path…` makes a choice. POST `base/undo`,
  `base/restart`, `base/ask-undo`, `base/agree`, `base/refuse`, `base/rematch`.

A POST by the script has the header `X-Part`; the response is `table_part`.
"""

from houserule.ui.web.drawing.page import replay_page as replay_page
from houserule.ui.web.drawing.page import replay_part as replay_part
from houserule.ui.web.drawing.page import table_page as table_page
from houserule.ui.web.drawing.page import table_part as table_part
from houserule.ui.web.drawing.seat_page import SeatPage as SeatPage
from houserule.ui.web.drawing.seat_page import ShownFilm as ShownFilm
