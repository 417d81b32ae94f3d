"""Draw the page of one seat as HTML: its view, its options, and explanations.

Nothing here knows a game or a server. Addresses and what they do:

- GET `base?path=KEY&path=KEY…`: a choice as far as it was made. `first=NUMBER` lists
  its options from that one on, `about=AREA&about=THING…` those about some things;
  `why=1` asks why it can be made or not, `hint=1` a bot; `log=1` tells the whole log.
- GET `base/part?…` the same, `table_part` alone; GET `base/events` tells new versions.
- POST `base/choose` with `version` and `path…` makes a choice. POST `base/undo`,
  `base/restart`, `base/ask-undo`, `base/agree`, `base/refuse`, `base/rematch`.

A POST by the script has the header `X-Part`; it is answered by `table_part`.
"""

from houserule.ui.web.drawing.page import replay_page as replay_page
from houserule.ui.web.drawing.page import replay_part as replay_part
from houserule.ui.web.drawing.page import table_page as table_page
from houserule.ui.web.drawing.page import table_part as table_part
from houserule.ui.web.drawing.seat_page import SeatPage as SeatPage
from houserule.ui.web.drawing.seat_page import ShownFilm as ShownFilm
