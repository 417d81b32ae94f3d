"""Slips: common wrong lines by authors who know English, other games or Python.

Each row has a wrong pattern and its correction. A row counts only if the corrected line
parses (`fixes`). The first row that helps wins.
"""

# ruff: noqa: E501  # a row is one line, so that the table can be read
from __future__ import annotations

import re
from functools import cache
from itertools import product

from houserule.base.diagnostics.wording import NUMBERS
from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.language.syntax.vocabulary import (
    OPENINGS,
    STATEMENTS_ELSEWHERE,
    reserved,
)


@frozen
class Slip:
    """One slip.

    Attributes:
        pattern: matches wrong text in a line whose quoted texts are `~`; replaces only
            its group `a`, if there is one.
            A group named like a word of declarations, such as `zone`, must be a name
            that the file declares so; the group `new` must be none of its names.
        instead: the replacement, with the numbers of groups.
        reason: the explanation, in a sentence, if the fix does not show it.
    """

    pattern: re.Pattern[str]
    instead: str
    reason: str = ""


_BEGIN = r"(?:(?:^|\n)[ \t]*|[:;][ \t]*|\b(?:does|cost|step) [\w.]+: *)"
_TERM = r"[A-Za-z][\w.]*(?:\([^()]*\))?"
_PARAMS = r"(?:\([^()]*\))?"
_ENDS = r"(?= *(?:;|\n|$))"
_ALL_PLAYERS = r"(?:(?:each|every|all)(?: of)?(?: the)? players?|everyone|everybody)"
_SIDE = rf"(?:{_TERM}|\d+)"
_QUERY = r"\b(?:some|every|no|count of|those|the one|the only|the first) \w+(?:, \w+)* "

_EACH = r"(?:(?:for |in )?(?:each|every|a)|per|this|(?:of|in) the)"
_FLOW = r"(?:game|round|turn|phase|step)"
_FOLD = r"(?:sum|count|total|highest|lowest|top|bottom|set|pile|slot|part)"
_NONE = r"(?:nobody|nothing|null|None|nil)"
_CASES = "An expression has no `if`. Write a line for each case."
_NUMBERS = NUMBERS[2:]
_BENEATH = "Write the lines that need the variant below this one, indented."
SIGNS = {
    **{"<": "less than", "<=": "at most", ">": "more than", ">=": "at least"},
    **{"=": "is", "==": "is", "!=": "is not"},
    **{"≤": "at most", "≥": "at least", "≠": "is not"},
}
"""Signs for comparing in other languages, with the words of the language."""
_WHERE = r"(?: where [^=<>:]*? (?:is|has|at least|at most|more|less)\b[^=<>:]*?)?"
_BRACKETS = "A query needs brackets before a comparison."
_THING = r"(?:cards?|tokens?|coins?|pieces?|markers?|tiles?|points?|dice|die|ones?)"
_CHANGED = "To change a state, use `becomes`, `gains` or `loses`."
_COMPARED = "Things are compared with `is`; `=` only defines."
_LOOP = "A loop says when it ends, and at most how many times it repeats."
_DEFAULT = "What holds if nobody chooses is the default of an option."
_NORMALLY = "An option needs a default value."
_LIFETIME = "`each …` comes after the type."
_STARTS = "Everything has a first value."
_ALONE = [word for word, row in OPENINGS.items() if row.alone]
_AGAIN = "`again` names the step or phase that begins again."
_PLAYERS = "A player has no number of its own: a state such as `score(me)` has it."
_DRAWN = "A draw has a name that you choose."
_RANGE = "A number of players is a range."
_MOST_PLAYERS = f"{_RANGE} It may go beyond that of the game."
_CALLED = (
    "An effect is called by its plain name. An action cannot be called: move what it "
    "does to an effect, and call that in both places."
)
_LOSES = r"(?:loses|misses|skips) (?:\w+ )?turn"
_SKIPPED = (
    "A lost turn is a state of a player, such as `state NAME(p: Player): yes or no`. "
    "The phase of turns asks for it: `if not NAME(me)`."
)
_CONTRIBUTION = "A contribution has a name of its own after `called`."

_CHOSEN = r"(?:any part|part|\w+\.\.\w+) of\b"
_SIZE = (
    "The number to choose is a number or an option. For any other, choose a part, and "
    "add a condition: `needs NAME: size(…) is …`, or `where size(…) is …`."
)
_KEYED = r"[A-Za-z]\w*(?:\((?:[^()]|\([^()]*\))*\))?"
_COMPARES = r"(?: (?:is|at|more|less)\b| *[-+*/]|,| *$)"
_OLD = "`change` quotes the old text, so that it notices when that changes."
_OPENING = "|".join(OPENINGS)
_RESERVED = "|".join(sorted(reserved()))
_PUBLIC = "A roll is open to everyone already."
_TYPED = "A value has a type."
_KEYWORD = "A clause begins with its keyword."
_RIGHT = "`next_player(me)` sits to the left of `me`."
_WINS = "`winners` says who wins; a statement only ends the game."
_BELOW = "What a parameter must be is in a clause beneath."
_PLAYER_PLACE = "A player is not a place: a zone such as `hand(me)` is."
_EVERY_PLAYER = "A loop does something for each player."
_TURNED = "A thing is turned over when it moves to a zone that everyone sees."
_CHOICE = "A choice has a name, a set, and what it is for."
_SWAPPED = "Two things change places by way of a name for the first."


# fmt: off
def _idioms() -> list[tuple[str, ...]]:
    """Return the rows for whole phrases: they come before those for single words."""
    return [
        # ---- headers, declarations
        (r"[:=] (?P<a>(?:an? )?(?:number|integer|int)s? (?:from |in )?)(?=\d)", ""),
        (r"^(?:zone|state|value|effect|always) \w+\((?P<a>(?:(?:for )?(?:each|every|a|the) )?[Pp]layers?)\)", "p: Player", "A parameter has a name and a type."),
        (r"^(?P<a>remove (\w+) (?:from|of|in) (\w+))$", r"remove \3.\2", "An address names the action first."),
        (r"\blimit [\w.]+(?: ~+)?: (?P<a>(?:at most )?(?:one|1)(?: time)? (?:per|a|each|every) )(?=\w+$)", "at most once each "),
        (r"^(?P<a>(needs|does|cost|limit) (\w+) (?:for|of|to|in|on|after) (\w+))(?=(?: ~+)?:)", r"\2 \4.\3", "An address names the action first."),
        (r"\blimit [\w.]+(?: ~+)?: at most \d+(?P<a> (?:per|a|an|every|in each) )(?=\w+$)", " times each "),
        (r"^raise [\w.]+ (?P<a>\+ ?)(?=\d)", "by "),
        (r"^players(?P<a>:? (\d+)(?:, ?\d+)*(?:,|,? (?:or|and)) ?(\d+))$", r" \2..\3"),
        (r"^(?:variant|preset) \w+(?P<a>[- ])(?=\w+(?:[- ]\w+)* for\b)", "_", "A name is one word."),
        (r"^(?:excludes|requires|implies|suggests) \w+(?<!variant)(?<!variants)(?<!preset)(?P<a>[- ])(?=\w+$)", "_", "A name is one word."),
        (r"\b(?:from|rows) (?P<a>([\w./-]+\.(?:ya?ml|csv)))(?= |$)", r'"\2"', "A file is named in quotation marks."),
        (r"^[ \t]*note (?P<a>([A-Za-z][^~\n]*))$", r'"\2"', "A text has quotation marks."),
        (r"^zone [^:\n]*: (?P<a>)(?=[A-Z]\w*\b)", "set of "),
        (r"^(?:state|value|option) .*?\d\.\.(?P<a>)(?= |$)", "999", "A range has two ends."),
        (r"^(?P<a>((?:state|zone|value|action|effect|always) \w+) ?(~+) ?(\([^()]*\)))", r"\2\4 \3", "The caption comes after the parameters."),
        (r"^(?:state|zone|value) \w+(?P<a>,? (?:(?:for|of|per|in) )?(?:each|every|all|a|per) players?)(?=(?: ~+)?:)", "(p: Player)", "A parameter has a name and a type."),
        (r"\bstarts? (?P<a>(?:as|with) (?:a )?random(?:ly)?)(?= (?:among|from)\b)", "at random"),
        (r"^value \w+(?:\([^()]*\))?(?: ~+)?(?P<a>)(?= = ?\(?(?:count|sum|size|total|highest|lowest)\b)", ": 0..99", _TYPED),
        (r"^(?P<a>drawn (?:if|when|on))(?= \w+(?: ~+)?:)", "drawn by"),
        (r"\b(?:counter)?clockwise(?P<a> (?:from|after|of|starting (?:with|at|from)|beginning (?:with|at)) (\w+))", r"(\2)"),
        (r"\bin [\w()]+ but (?P<a>not )(?=\w)", ""),
        (r"\bin (?P<a>(?:the )?other players)\b", "players but me"),
        (r"^(?P<a>(reaction \w+) (~+) ((?:after|before|instead|when)\b[^\n]*))", r"\2 \4 \3", "The caption comes at the end."),
        (r"^(?P<a>(reaction \w+ when \S+ changes) (~+)( from \w+ to \w+))", r"\2\4 \3", "The caption comes at the end."),
        (rf"^reaction \w+ when {_TERM} (?P<a>(?:(?:drops|falls|sinks|rises|climbs|grows|gets|goes|comes) (?:down |up |back )?to|reaches|hits|becomes|is) {_SIDE})(?= *(?:\n|$))", "changes", "A `needs` beneath asks what the value has become."),
        (r"\breaction \w+ when \S+ (?P<a>(?:is |has |gets )?changed?)\b", "changes"),
        (r"^reaction(?P<a>)(?= (?:after|before|instead|when)\b)", " NAME", "A reaction has a name that you choose."),
        (rf"^(?P<a>((?:state|zone) \w+)((?: ~+)?: [^\n]*?),? (?:(?:one )?(?:for|per|of) )?{_ALL_PLAYERS})$", r"\2(p: Player)\3", "A parameter has a name and a type."),
        (r"^zone [^:\n]*: (?:set|pile) of (?P<a>(?:(?:up to|at most|max) )?(\d+) (\w+))(?= seen\b| starts\b|$)", r"\3 at most \2"),
        (r"^tokens [^:\n]*: (?:\d+|\w+)(?P<a>)$", " in NAME", "Tokens begin in a place."),
        (r"^(?P<a>replace ([\w.]+) (?:with|by) )", r"change \2 from OLD to ", _OLD),
        (r"^(?P<a>(\w+\.[\w.]+) (?:is|becomes|=) )", r"change \2 from OLD to ", _OLD),
        (r"^change (?P<a>(?:the )?(?:caption|text|title|name|label) of ([\w.]+) (?:to|into))(?= ~)", r"\2"),
        (r"^(?P<a>action (\w+) (?:also )?(needs|does|limit) )", r"\3 \2.NAME: ", "An address names the action first."),
        (rf"^(?P<a>(?:add|new|also|and|insert|define|declare|create) (?:an? |the )?(?:new )?)(?=(?:{_OPENING})\b)", ""),
        # ---- actions, clauses
        (rf"^action \w+(?P<a> (\w+(?: in|:) {_KEYED}(?:, \w+(?: in|:) {_KEYED})*))(?= ~| during\b| by\b|$)", r"(\2)"),
        (r"^action \w+(?P<a> ([a-z]))(?= during)", r"(\2 in NAME)", "A parameter has a name and a set."),
        (r"^action \w+\((?:.*, )?(?P<a>(?!Player)([A-Z]\w*) (\w+))(?=[,)])", r"\3 in \2"),
        (r"[(,] ?(?P<a>([A-Z]\w*) ([a-z]\w*))(?=[,)])", r"\3: \2", "The type comes after the name."),
        (rf"^(?P<a>(action \w+\(\w+ in {_KEYED}) where ([^\n]*?)(\) during [^\n]*))$", "\\2\\4\n  needs NAME: \\3", _BELOW),
        (r"\blimit [\w.]+(?: ~+)?: (?P<a>)(?=\d+ times|once|twice|thrice)", "at most "),
        (r"^[ \t]*step [^:\n]*: (?P<a>(?:exactly|at least) (?:once|1|one)(?: times?)?)$", "must act once, if possible"),
        # ---- variants
        (r"^(?P<a>change (?P<option>\w+)(?: to(?: be)?| =) (\d+|yes|no))$", r"default \2: \3", _DEFAULT),
        (r"^change (?:the )?[\w.]+(?:\(.*?\))?(?: ~+)?(?P<a>)(?= to (?!be ))", " from OLD", _OLD),
        (r"^change (?:the )?[\w.]+(?:\(.*?\))?(?: ~+)?(?P<a> to be)(?= )", " from OLD to", _OLD),
        (r"^change [\w.]+(?:\(.*?\))?(?: ~+)?(?P<a>:| =)(?= )", " from OLD to", _OLD),
        (r"^(?P<a>add (\w+(?:\([^()]*\))?) to ([A-Z]\w*))$", r"extend \3 with \2"),
        (r"^(?P<a>add (\w+) to ([\w.]+(?:\([^()]*\))?( called \w+(?: ~+)?)))$", r"add to \3: \2"),
        (r"^release (?P<a>(?:the )?order (?:of )?)", ""),
        (r"^exactly one of (?P<a>)(?=\w+,)", "NAME: ", "A group of variants has a name that you choose."),
        # ---- expressions
        (r"^[ \t]*(?:needs|or) [\w.]+(?: ~+)?: (?P<a>(?:only )?(?:if|when) (?:the )?)", ""),
        (rf"(?P<a>\b({_TERM}) (?:exists|is there|is something))\b", r"\2 is not none"),
        (rf"(?P<a>\b({_TERM}) (?:does not|doesn'?t) exist)\b", r"\2 is none"),
        (rf"(?<!\bin )\b(?P<a>(?:between|from) ({_SIDE}) (?:and|to) ({_SIDE}))(?= *$| and\b| or\b)", r"is in \2..\3"),
        (r"\b(?P<a>(me|[a-z]) (?:has|is|have) (not )?(?:already )?([a-z]+ed|out|done))(?= *$| and\b| or\b)", r"\3\4(\2)", "Keys go in round brackets."),
        (r"\bis(?: not)? (?P<a>~(~+)~)", r"\2", "A member has no quotation marks."),
        (r"\b(?:count of|some|every|no|those|any|all) (?P<a>([A-Z]\w*))(?= (?:where|has|with) [^:\n]*?\b\w+\(([a-z])\))", r"\3 in \2", "A query names each of the things."),
        (r"\b(?P<a>(?:any|some|exists)\((\w+ in [^:\n]*?) where ((?:[^()\n]|\([^()]*\))*)\))", r"some \2 has \3"),
        (r"\b(?P<a>(some|every|no|any) player (?:has|with|where) (\w+))(?= (?:at|is|more|less)\b)", r"\2 p in players has \3(p)"),
        (r"\b(?P<a>(some|every|no|any) player (?:has|is) (\w+))(?= *$)", r"\2 p in players has \3(p)"),
        (r"\b(?P<a>all players (?:have|are) (\w+))(?= *$)", r"every p in players has \2(p)"),
        (r"\b(?P<a>(no|every|some) other players? (?:has|have|is|are) (\w+))(?= *$)", r"\2 p in players but me has \3(p)"),
        (r"\b(?P<a>(?:the )?(highest|lowest|sum) (\w+) (?:of|among) (?:any|all|every)(?: the)? players?)(?= *$)", r"\2 of \3(p) for p in players"),
        (rf"\b(?P<a>(?:there (?:is|are) )?(?:at least )?(\d+) (?:or more )?{_THING} (?:left |lie |are )?in ({_KEYED}))(?= *$| and\b| or\b|:)", r"size(\3) at least \2"),
        (r"\b(?P<a>(some|every|no|any) player (?:has|is) (\w+) (and|or) (\w+))(?= *$)", r"\2 p in players has \3(p) \4 \5(p)"),
        (r"\|(?! )([^|\n]*?[^|\s])\|", r"abs(\1)"),
        (rf"\b(?P<a>sum of (tray|dice|cup|[A-Z]\w*|\w*dice))(?={_COMPARES})", r"(total of \2)", "`total of` adds up the faces of dice."),
        (r"\b(?:all|every|each|any)(?= \w+ reached\b)", "those"),
        (r"\bthose \w+(?P<a> in \w+)(?= reached\b)", ""),
        (rf"(?P<a>\b(at least|at most|more than|less than) (\w+) ({_KEYED}))(?= *$| and\b| or\b)", r"\4 \2 \3", "What is compared comes first."),
        (r"\b(?:sum|highest|lowest) of [^()\n]*?\b([a-z]\w*)\.\w+(?P<a> in)(?= )", r" for \1 in"),
        (rf"\b({_KEYED}) is(?: not)? in {_KEYED} (?:and|or)(?P<a>)(?= (?:not )?in\b)", r" \1 is", "Each comparison says what it compares."),
        (r"(?P<a>\b(?:the )?player (?:on|to) (?:the|my) left)\b(?! of)", "next_player(me)", _RIGHT),
        (r"(?P<a>\b(?:the )?player (?:on|to) (?:the|my) right)\b(?! of)", "previous_player(me)", "`previous_player(me)` sits to the right of `me`."),
        (r"(?P<a>\b(?:the )?(?:player )?(?:(?:on|to) the )?left of (\w+))", r"next_player(\2)", _RIGHT),
        (rf"\b(?:is(?: not)?|at least|at most|than) \d+(?P<a> (?:players?|{_THING}))(?= *$| and\b| or\b)", ""),
        (r"= (?P<a>return )", ""),
        (rf"\b(?P<a>(?!(?:{_RESERVED})\b)([a-z]\w*) (me|[a-z]))(?= (?:is|at least|at most|more than|less than)\b| *[-+*/] )", r"\2(\3)", "Keys go in round brackets."),
        # ---- statements
        (rf"{_BEGIN}(?P<a>(?:swap|exchange|switch) (?P<state>\w+)({_PARAMS}) (?:and|with|for) ({_KEYED})){_ENDS}", r"let old = \2\3; \2\3 becomes \4; \4 becomes old", _SWAPPED),
        (rf"{_BEGIN}(?P<a>(?:swap|exchange|switch) (?P<zone>\w+)({_PARAMS}) (?:and|with|for) ({_KEYED})){_ENDS}", r"let old = \2\3; move \4 to \2\3; move old to \4", _SWAPPED),
        (rf"{_BEGIN}(?P<a>(?:deal|move|give|hand|pass|deal out) all(?: cards)? from ({_KEYED}) to {_ALL_PLAYERS}){_ENDS}", "let n = size(\\2) / size(players) rounded down\nfor p in players: move n from \\2 to NAME(p)", _EVERY_PLAYER),
        (rf"{_BEGIN}(?P<a>(?:deal|move|give|hand|pass|deal out) ({_SIDE})(?: {_THING})? from ({_KEYED}) to {_ALL_PLAYERS}){_ENDS}", r"for p in players: move \2 from \3 to NAME(p)", _EVERY_PLAYER),
        (rf"{_BEGIN}(?P<a>(?:deal|give|hand|pass|deal out) ({_SIDE})(?: {_THING})? to {_ALL_PLAYERS}){_ENDS}", r"for p in players: move \2 from NAME to NAME(p)", _EVERY_PLAYER),
        (rf"{_BEGIN}(?P<a>{_ALL_PLAYERS} (?:draws?|takes?) (?:an?|one) {_THING}){_ENDS}", "for p in players: move 1 from NAME to NAME(p)", _EVERY_PLAYER),
        (rf"{_BEGIN}(?P<a>{_ALL_PLAYERS} (?:draws?|takes?) (\d+)(?: {_THING})?){_ENDS}", r"for p in players: move \2 from NAME to NAME(p)", _EVERY_PLAYER),
        (rf"{_BEGIN}(?P<a>{_ALL_PLAYERS} discards? (?:all )?(?:of )?(?:the|their|his or her)(?: whole| entire)? (?!{_THING}\b)(\w+)){_ENDS}", r"for p in players: move all from \2(p) to NAME", _EVERY_PLAYER),
        (rf"{_BEGIN}(?P<a>(?:turn|flip)(?: over| up)? (?:the )?(?:top|next) (?:{_THING} )?(?:of|from|in) ({_KEYED})(?: over| up)?){_ENDS}", r"move 1 from \2 to NAME", _TURNED),
        (rf"{_BEGIN}(?P<a>(?:turn|flip)(?: over| up)? (?:the )?(?:top|next) {_THING}(?: over| up)?){_ENDS}", "move 1 from NAME to NAME", _TURNED),
        (rf"{_BEGIN}(?P<a>(?:must |me )?chooses? (?:an? |one )?([a-z]\w+) ([a-z])){_ENDS}", r"must choose \3 in NAME: NAME becomes \3", _CHOICE),
        (rf"{_BEGIN}(?P<a>(?:must |me )?chooses? (?:an?|one) ([a-z])\w*){_ENDS}", r"must choose \2 in NAME: NAME becomes \2", _CHOICE),
        (rf"{_BEGIN}(?P<a>(?:must |me )?chooses? (?:an? |one )?([a-z]\w+) ([a-z]))(?=:)", r"must choose \3 in NAME", _CHOICE),
        (rf"{_BEGIN}(?P<a>(?:the )?next player (?:becomes|is) (?:the )?(\w+)){_ENDS}", r"\2 becomes next_player(me)", _CHANGED),
        (r"\bchoose (?P<a>any number of (\w+) (?:in|from|of))(?= )", r"\2 any part of"),
        (rf"{_BEGIN}(?P<a>{_ALL_PLAYERS} (?:gains?|gets?|scores?|receives?|earns?) ({_SIDE})(?: {_THING})?){_ENDS}", r"for p in players: NAME(p) gains \2", _EVERY_PLAYER),
        (rf"{_BEGIN}(?P<a>{_ALL_PLAYERS} (?:loses?|pays?|spends?) ({_SIDE})(?: {_THING})?){_ENDS}", r"for p in players: NAME(p) loses \2", _EVERY_PLAYER),
        (rf"{_BEGIN}(?P<a>(me|[a-z]) (?:pays?|gives?|hands?|returns?) ({_SIDE})(?: {_THING})? to (?!(?:me|[a-z])\b)({_KEYED})){_ENDS}", r"move \3 from NAME(\2) to \4", _PLAYER_PLACE),
        (rf"{_BEGIN}(?P<a>(?:give|hand|pass|deal|send) ({_SIDE})(?: {_THING})?( from {_KEYED})? to (?:player )?(me|[a-z])){_ENDS}", r"move \2\3 to NAME(\4)", _PLAYER_PLACE),
        (rf"{_BEGIN}(?P<a>discard (all|\d+)(?: {_THING})? from ({_KEYED})){_ENDS}", r"move \2 from \3 to NAME"),
        (rf"\bchoose (?P<a>(?:an?|one|any) {_THING} (?:from|in|of))(?= {_KEYED}[^:\n]*: (?:move|show) ([a-z])\b)", r"\2 in"),
        (rf"{_BEGIN}(?P<a>({_KEYED}) (?:becomes|is|=) (?:(?:an? )?random (?:member of )?|at random (?:among|from|in) )({_KEYED})){_ENDS}", r"random x in \3: \2 becomes x"),
        (r"\broll (?P<a>(?:all )?the dice)\b", "Die", "`roll` names the dice by their type, a variable or a zone."),
        (rf"{_BEGIN}(?P<a>discard ({_KEYED}))(?= *(?:;|\n|$))", r"move \2 to NAME"),
        (rf"{_BEGIN}(?P<a>({_KEYED}) (?:moves|goes|is moved|is put|returns) (?:back )?)(?=to\b)", r"move \2 "),
        (rf"{_BEGIN}(?P<a>add)(?= [a-z] to (?P<zone>\w+))", "move"),
        (r"\bmove all(?P<a>(?: the| of the)? \w+)(?= from\b)", ""),
        (rf"{_BEGIN}(?P<a>(\w+) (gains|loses) ({_KEYED}) {_THING})(?= *(?:;|\n|$))", r"NAME(\2) \3 \4", _PLAYERS),
        (rf"{_BEGIN}(?P<a>(?:do|call|run|execute) (?P<action>\w+)(?=\())", "NAME", _CALLED),
        (rf"{_BEGIN}(?P<a>(?:(?:me |you )?(?:take|takes|get|gets|have) (?:another|an extra|one more|an additional) turn|(?:me |you )?(?:play|plays|go|goes) again))(?= *(?:;|\n|$))", "again NAME", _AGAIN),
        (rf"{_BEGIN}(?P<a>)(?=(?P<new>[a-z]\w*) = (?!yes\b|no\b|none\b))", "let ", "`let` names a value that is used in the next statements."),
        (r"\broll [\w()]+(?P<a>(?: and|,|;)(?: then)? (?:show|reveal) (?:it|them|the result)(?: to \w+)?)", "", _PUBLIC),
        (r"\bshow [^;:\n]*? to (?P<a>(?:both )?(\w+) and (\w+))", r"{\2, \3}"),
        (r"\bend (?:turn|round|phase|game|step)(?P<a> (?:of|for|by) \w+)", ""),
        (rf"{_BEGIN}(?P<a>{_KEYED} (?:wins|has won|is the winner)(?: (?:the )?game)?)(?= *(?:;|\n|$))", "end game", _WINS),
        (r"\bfor (?P<a>(?:each|every|all|any)(?: of the| the)? players?)(?=: [^\n]*?\((\w)\))", r"\2 in players"),
        (rf"{_BEGIN}(?P<a>(?:all|each|every) players?)(?=: [^\n]*?\((\w)\))", r"for \2 in players"),
        (rf"{_BEGIN}(?:move|roll|end|show|again)\b[^\n]*? (?P<a>//)(?= \w)", "#", "A comment begins with `#`."),
    ]


def _rows() -> list[tuple[str, ...]]:
    """Return the rows: pattern, replacement, reason."""
    return [
        (r"^(?P<a>(?:change|set) (?:(?:the )?(?:default|option)(?: of| for)? )(\w+) to (\w+))$", r"default \2: \3", _DEFAULT),
        (r"^(?P<a>(?:change )?option (\w+) (?:normally|default|defaults to|is now|becomes) (\w+))$", r"default \2: \3", _DEFAULT),
        (r"^(?P<a>(?:raise|lower|increase|decrease|reduce) (?P<option>\w+) (?:from \w+ )?to ([^\n]+))$", r"default \2: \3", _DEFAULT),
        (r"^(?P<a>(?:raise|lower|increase|decrease|reduce) ([\w.]+) to ([^\n]+))$", r"change \2 from OLD to \3", _OLD),
        (r"^(?P<a>(?:raise|lower|increase|decrease|reduce) ([\w.]+) from (\w+) to ([^\n]+))$", r"change \2 from \3 to \4", "`raise` and `lower` add up."),
        (r"^[ \t]*(?P<a>(\w+) (needs|does|cost|limit) (\w+))(?=(?: ~+)?:)", r"\3 \2.\4", _KEYWORD),
        (r"^(?P<a>(action \w+(?:\(.*\))?) (~+) (during \w+))$", r"\2 \4 \3", "The caption comes at the end."),
        # ---- comparing
        (r"(?:must|should|has to) (?:be )?equals?(?: to)?\b", "is"),
        (r"(?:is not|isn'?t|not) at least\b", "less than"),
        (r"is (?:within|inside|among|in (?:the )?range)\b", "is in"),
        (rf"is neither ({_SIDE}) nor ({_SIDE})", r"is not in {\1, \2}"),
        (rf"is (not )?either ({_SIDE}) or ({_SIDE})", r"is \1in {\2, \3}"),
        (rf"is (not )?(?:(?:one|any|either) of|in) ({_SIDE}(?:, {_SIDE})*),? (?:or|and) ({_SIDE})", r"is \1in {\2, \3}"),
        (rf"is (not )?(?:(?:one|any) of|in) ({_SIDE}(?:, {_SIDE})+)", r"is \1in {\2}"),
        # ---- cases
        (r"[:=](?P<a> if ([^\n]*?),? then ([^\n]*?),? else ([^\n]*))$", "\n  \\3 when \\2\n  \\4 otherwise", _CASES),
        (r"[:=](?P<a> ([^\n:=]*?) if ([^\n]*?) else ([^\n]*))$", "\n  \\2 when \\3\n  \\4 otherwise", _CASES),
        (r"\b(?:must|should|has to) be (?=at (?:least|most)\b|more\b|less\b)", ""),
        (rf"({_TERM}) (is [^:;,]*?) but (?=at (?:least|most)\b)", r"\1 \2 and \1 "),
        (r"is (not )?(?:an? )?(?:member|part|element) of\b", r"is \1in"),
        (r"(?:is )?(?:no|not) (?:more|greater) than\b", "at most"),
        (r"(?:is )?(?:no|not) (?:less|fewer) than\b", "at least"),
        (rf"(?:is )?({_SIDE}) or more\b", r"at least \1"),
        (rf"(?:is )?({_SIDE}) or (?:less|fewer)\b", r"at most \1"),
        (r"\bis (?P<a>(?:exactly|strictly|really|also|just) )", ""),
        (r"(?:is )?equal to\b|\bequals?\b", "is"),
        (r"(?:does|do|is) not equal(?: to)?\b|isn'?t\b|!=|<>|≠", "is not"),
        (rf"({_TERM}) ((?:is|at|more|less)\b[^,;:]*?) (or|and) (?=(?:is|at|more|less)\b)", r"\1 \2 \3 \1 ", "Each comparison says what it compares."),
        *[
            (rf"{a} ({_SIDE}) {b} ", rf"{SIGNS[a]} \1 and \1 {SIGNS[b]} ", "")
            for a, b in product(("<", "<=", ">", ">="), repeat=2)
            if a[0] == b[0]
        ],
        *(
            (
                rf"(?<!\()\b({_FOLD} of (?:(?! where )[^=<>:])*?{_WHERE}) ?{sign}(?= )",
                rf"(\1) {word}",
                _BRACKETS,
            )
            for sign, word in SIGNS.items()
        ),
        (r">=|=>|≥", "at least"),
        (r"<=|=<|≤", "at most"),
        (r">", "more than"),
        (r"<", "less than"),
        (rf"(?<=\w|\)) (?P<a>)(?=not (?:in )?{_SIDE})", "is "),
        (r"(?<=\w|\)) (?P<a>)(?=in [\w{[])", "is ", "`is in` asks whether something is in a set."),
        (rf"\b((?:at least|at most|more than|less than) ({_TERM})) " r"(?P<a>)(?=at least|at most|more than|less than|is\b)", r"and \2 ", "Two comparisons are joined with `and`."),
        (r"(?<=\w|\))(?P<a>)(?= (?:none on a tie|if any|if possible)\b)", ","),
        (r"(?<=\w|\))(?P<a>)(?= at most \w+ times)", ","),
        # ---- and, or, not, arithmetic
        (r"&&?", "and"),
        (r"\|\|", "or"),
        (r"\bbut (?=not\b)", "and "),
        (r"(?<=\w|\)),(?= \w)", " and"),
        (rf"{_BEGIN}(?P<a>(\w[^:;\n]*) unless ([^:;\n]*))", r"if not (\3): \2", "The condition comes first."),
        (r"\bunless\b", "or"),
        (r"\brounded(?P<a>)(?! up| down)", " down"),
        (r"÷|\bdivided by\b", "/"),
        (r"(?<=\w|\)) (?P<a>minus)\b", "-"),
        (rf"\b\d+ (?P<a>)(?={_TERM} (?:is|at|more|less|[-+*/])\b)", "* "),
        (r"(\w+)\[([^\]]*)\]", r"\1(\2)", "Keys go in round brackets."),
        (r"\[([^\]]*)\](?! *$)", r"{\1}"),
        (r"(?:from )?(?<!by )(\d+) ?(?:to|\.\.\.|…|through) ?(\w+)", r"\1..\2"),
        (r"(?<= )[–—](?= )", "-"),
        (rf"(?:at least|at most|than|becomes|gains|loses) {_SIDE}(?P<a>[–—])(?=\w)", " - "),
        # ---- sets, piles, dice
        (r"\b(?:except|without|minus|excluding)\b", "but"),
        (r"\b(?:top|bottom) (?P<a>(?:cards?|tiles?) )(?=of\b)", ""),
        (r"\ball faces (?:equal|the same|alike)\b", "equal faces"),
        (r"\b(?:the )?first (?:card|tile|token) of\b", "top of"),
        # ---- queries
        (rf"\b(?:some|every|no) (\w+) in {_TERM} (?P<a>)(?=(?:is|at|more|less)\b)(?!is \w+\(\1\b)", r"has \1 "),
        (r"\bsince (?P<a>(?:the )?last )", ""),
        (r"\bthere (?:is|are) (?=some|no)", ""),
        (r"\b(?:any|exists|at least one|there is an?)\b(?= \w+ in\b)", "some"),
        (r"\b(?:no one|not any)\b(?= \w+ in\b)", "no"),
        (r"\bfor (?:all|each|every) (\w+ in \S+?):? (?!has\b)", r"every \1 has "),
        (rf"\b(?:all|each) ({_TERM} in .*?) (?:have|are)\b", r"every \1 has"),
        (rf"\b(?:the )?(?:number|count) of (\w+ in {_TERM})(?= (?:is\b|at\b|more\b|less\b|[=<>]))", r"(count of \1)", _BRACKETS),
        (r"\b(?:max(?:imum)?|largest|greatest|biggest) of\b", "highest of"),
        (r"\bmax\((.* for .* in .*?)\)(?= |$)", r"(highest of \1)"),
        (r"\bmin\((.* for .* in .*?)\)(?= |$)", r"(lowest of \1)"),
        (r"\b(sum|count|highest|lowest)\((.* (?:for|in) .*)\)", r"\1 of \2"),
        (rf"\b{_FOLD} (?P<a>)(?!of\b|{_THING} (?:from|of)\b)", "of "),
        (r"\bcount of (?!each)(\w+?)s? (?=since|with|for)", r"count of each \1 "),
        (r"\b(?:since \w+)(?P<a>,)", " or"),
        (r"\bwith (?P<a>)(?=same)", "the "),
        (r"\b(?:sum|highest|lowest|count) of (?:[^():]*\((\w+)\)) for (?P<a>(?:all|every|each) (player)s?)(?! \w+ in\b)", r"\1 in \3s"),
        (r"\bcount of (?:each )?\w+ for (?P<a>(?:all|every|each|the) players?)\b", "me", "`for` names the player whose turns are counted."),
        (r",? \b(?:such that|so that|if|with|who|which|that)\b", " where"),
        (r"\b(?:most|least) [^,]*\)(?P<a>,)(?! none)", " then"),
        (r"\b(?:the )?(?:highest|greatest|largest|biggest|max)\b", "most"),
        (rf"\b(most|least) ([^,;]*?) (?:and|then) \1 ({_TERM})", r"\1 \2 then \3"),
        (rf"\b(?:and|then) (?:most|least) ({_TERM})", r"then -\1", "All keys of a `with` go the same way: a minus turns one round."),
        (r"\bthe (?P<a>)(?=\w+ in\b)", "one "),
        # ---- clauses
        (r" (?P<a>'([^'\n]*)')(?=:| *$)", r'"\2"', "A text has double quotes."),
        (r"(?P<a>: *(~+)) ", r" \2:", "A caption comes before the colon."),
        (r"(?P<a>[;.,:])[ \t]*(?=\n|$)", ""),
        (r"\b(?:times|once) " r"(?P<a>per|a|every|(?:in|during)(?: an?| each| every| the)?)\b", "each"),
        # ---- statements
        (rf"{_BEGIN}(?P<a>(?!you\b|players?\b)(\w+) ((?:must|may) choose [^:\n]*))(?=:)", r"\3 by \2", "The player who chooses comes after `by`."),
        (rf"{_BEGIN}(?P<a>(\w+) (gains|loses) (\w+) (?!{_THING})(\w+))(?= *(?:;|\n|$))", r"\5(\2) \3 \4", _PLAYERS),
        (r"^[ \t]*(?P<a>step)(?= \w+ (?:then|before) \w)", "order"),
        *(
            (rf"\b{word}(?: {_THING}(?= from\b)|(?= times\b))", str(number), "")
            for number, word in enumerate(_NUMBERS, 2)
        ),
        (rf"{_BEGIN}let \w+ = [^;:\n]*?(?P<a>, )(?=\w+ =)", "; let "),
        (r"\b(?:if|for|choose)\b[^:;\n]*(?P<a>;)", ":"),
        (rf"\bmove (?P<a>(?:an?|one|(?:the )?top)(?: {_THING})?)(?= from\b)", "1"),
        (rf"\bmove (\w+)(?P<a> {_THING} (to [^;\n]*?) (from \S[^;\n]*))", r" \4 \3", "`from …` comes before `to …`."),
        (rf"\broll (?P<a>(?:\d+|all(?: the)?|an?|the|one|{'|'.join(_NUMBERS)}) )(?=[A-Z]\w*)", "", "`roll Die` rolls all dice of that kind."),
        (r"\b(?:count of|some|every|no|those|the one) (?P<a>(\w+) where \2 (?:is )?in\b)", r"\2 in"),
        (rf"\bmove all (?P<a>{_THING} (?:in|of) )", "from "),
        (rf"{_BEGIN}move [^;\n]*(?P<a> back)(?= to\b)", ""),
        (r"\bchoose (?P<a>(\d+) (\w+) (?:in|from|of))\b", r"\3 \2 of", "How many are chosen comes after the name."),
        (rf"\bchoose (?P<a>(?:an? |one )?{_THING} )(?=\w+ in\b)", ""),
        (r"(?<=\w|\)) (?:is now|resets? to|changes to)\b", " becomes"),
        (r"(?<=\w|\)) (?:gets|adds?|goes up by|receives)\b", " gains"),
        (rf"{_BEGIN}(?P<a>(me|[a-z]|players?) (gains|loses) (\w+) {_THING})(?= *(?:;|\n|$))", r"NAME(\2) \3 \4", _PLAYERS),
        (rf"{_BEGIN}(?P<a>(?:(?:the )?next player {_LOSES}|skip (?:the )?next player(?:'s turn)?))(?= *(?:;|\n|$))", "NAME(next_player(me)) becomes yes", _SKIPPED),
        (rf"{_BEGIN}(?P<a>({_TERM}) {_LOSES})(?= *(?:;|\n|$))", r"NAME(\2) becomes yes", _SKIPPED),
        (rf"{_BEGIN}(?P<a>({_TERM}) doubles|double ({_TERM}))(?= *(?:;|\n|$))", r"\2\3 becomes \2\3 * 2", _CHANGED),
        (rf"{_BEGIN}(?P<a>\w+ again)(?= *(?:;|\n|$))", "again NAME", _AGAIN),
        (r"(?<=\w|\))(?P<a>\.)(?= \w)", ";"),
        (rf"{_BEGIN}(?P<a>(?:while|repeat while) (?:true|True|yes|1))(?=:)", "until no, at most 100 times", _LOOP),
        (rf"{_BEGIN}(?P<a>(?:while|repeat while) not (\w+))(?=:)", r"until \2, at most 100 times", _LOOP),
        (rf"{_BEGIN}(?P<a>(?:while|repeat while) ([^:\n]*))(?=:)", r"until not (\2), at most 100 times", _LOOP),
        (r" ?\+ ?=|(?<=\w|\)) (?:increases|rises|is increased) by\b|(?<=\w|\)) \+(?= )", " gains"),
        (r" ?- ?=|(?<=\w|\)) (?:decreases|falls|is reduced) by\b|(?<=\w|\)) -(?= )", " loses"),
        (rf"{_BEGIN}(?P<a>reset ({_TERM}))", r"\2 becomes 0", _CHANGED),
        (rf"{_BEGIN}(?:let|var|const) \w+ (?P<a>be|:=|is)\b", "="),
        (rf"{_BEGIN}(?P<a>if (let \w+ = [^:\n]*?)(?:, if any)?)(?=:)", r"\2, if any"),
        (r"(?<=\w|\)) *(?:turns|is set to|goes to|is|:=|: ?=|=)(?= )", " becomes"),
        (r" *(?:==|=)(?= )", " is", _COMPARED),
        (r"(?<=\w|\)) +(?:then|do)(?= )|, *then\b", ":"),
        (r"(?<=\w|\)) *\{ *([^{}]*?);? *\}", r": \1"),
        (r"(?<=\w|\))(?: and then| and| then|,)(?= \w)", ";"),
        (rf"{_BEGIN}(?P<a>(\w[^:;\n]*) if ([^:;\n]*))", r"if \3: \2", "The condition comes first."),
        (rf"{_BEGIN}(?P<a>when|whenever)\b", "if"),
        (r"\b(?:for|may choose|must choose|random) \w+ (?P<a>of|from)\b", "in"),
        (r"\b(?P<a>(?:sorted|ordered|order|sort) )by\b", ""),
        (rf"{_BEGIN}(?P<a>)choose\b", "must "),
        (rf"{_BEGIN}(?P<a>let (\w+) = random \2 in ([^:\n]*?)(?:, if any)?)(?=:)", r"random \2 in \3"),
        (rf"{_BEGIN}(?P<a>(?:you|players?|the player) )(?=may|must)", ""),
        (r"\bchoose (?P<a>(?:one|any|a|an|exactly one) )(?=\w+ in)", ""),
        (r"\brandom (?P<a>choose )", ""),
        (r"\bshare [^:]*\w(?P<a>)(?=:)", " as n"),
        (rf"{_BEGIN}(?P<a>(?:call|do|run|execute) )", "", _CALLED),
        (rf"{_BEGIN}(?P<a>game over|stop game)\b", "end game"),
        (r"\bmove (?P<a>(\w+(?:, \w+)+))(?= (?:to|from))", r"{\2}"),
        (r"\bmove \w+ (?P<a>)(?=\w)", "from "),
        (r"->|→|=>", "to"),
        (r"\b(?:into|onto)\b", "to"),
        (rf"{_BEGIN}move [^;\n]*? (?P<a>on|in)\b", "to"),
        (r"^dice .*? (?P<a>with|has)(?= \d)", "showing"),
        # ---- flow
        (r"\bmust act(?P<a>(?:,? if possible)?)(?= *$)", " once, if possible"),
        (r"\bfor (?P<a>(?:each|every|all) players?)(?= *$| until| if| together)", "me in players"),
        (r"\buntil .*\w(?P<a>,? (?:max\.?|maximum|or|for|but at most) )(?=\w+ times)", ", at most "),
        (rf"\bduring (?P<a>(?:the )?(\w+) {_FLOW})(?= *(?:\n|$))", r"\2"),
        (r"\bstep [\w.]+: at most once(?P<a> (?:per|a|each|every) \w+)(?= *$)", ""),
        (r"\bfor (?P<a>)(?=players\b|clockwise\b)", "me in "),
        (r"\b(?P<a>while not\b)", "until"),
        (r"\b(?P<a>repeat |repeated )until", ""),
        (r"\bphase [\w.]+ (?P<a>(\d+) times)", r"for lap in 1..\2"),
        # ---- things on the table, values
        (r"(?P<a> starts?(?: as| out)? empty)\b", "", "Without `starts as`, a zone is empty."),
        (r"\bstarts as \w+(?P<a> (?!seen)\w+ed)\b", "", "A zone is put in order later, in a step of the set-up."),
        (r"^(?P<a>(zone \w+\([^()]*\)) (?:visible to|seen (?:only )?by) (\w+)(: [^\n]*))$", r"\2\4 seen only by \3", "The players who see it come at the end."),
        (rf"^(?P<a>(state \w+{_PARAMS}[^\n]*?) (seen (?:only )?by [^\n]*?)( each \w+ starts as [^\n]*))$", r"\2\4 \3", "The players who see it come at the end."),
        (r"^winners(?: ~+)?: (?P<a>(?:the )?players?)(?= with (?:most|least) \w+\(p\))", "those p in players"),
        (r"^winners(?: ~+)?: (?P<a>(?:the player )?(\w+))(?= with (?:most|least) \w+\(\2\))", r"those \2 in players"),
        (r"^(?P<a>(?:between |from )?(\d+) ?(?:\.\.|to|and|-|–) ?(\d+) players)", r"players \2..\3"),
        (r"(?<== )\(([^()]*)\)$", r"\1"),
        (r"\bplayers(?P<a> =)", ""),
        (r"(?P<a> \|)[ \t]*$", ""),
        (r": (?P<a>\[(\w+\.\.\w+)\])", r"\2"),
        (r"(?P<a> (starts as \w+) (?:per|every|in each) (\w+))$", r" each \3 \2", "`each …` comes before `starts as …`."),
        (rf"^(?P<a>(state \w+{_PARAMS}) {_EACH} (\w+)((?: ~+)?: [^\n]*?)(?= starts))", r"\2\4 each \3", _LIFETIME),
        (rf"^(?P<a>(state \w+{_PARAMS} ~+) {_EACH} (\w+)(: [^\n]*?)(?= starts))", r"\2\4 each \3", _LIFETIME),
        (rf"^[ \t]*limit [\w.]+(?P<a>((?: ~+)?) {_EACH} (\w+)((?: ~+)?: (?:at most )?(?:\w+ times|once))(?: each)?)$", r"\2\4 each \3", "`each …` comes at the end."),
        (rf"^(?P<a>state {_EACH} (\w+):? (\w+{_PARAMS}(?: ~+)?: [^\n]*?)(?= starts))", r"state \3 each \2", _LIFETIME),
        (rf"^state [^:\n]*(?P<a>: {_EACH} (\w+)[:,]? ([^\n]*?)(?= starts))", r": \3 each \2", _LIFETIME),
        (r"\bseen (?P<a>(?:just|exclusively) )", "only "),
        (r" \((?:default|normally)[: ]+(\w+)\)", r" normally \1"),
        (r"^value [^={]*\w(?P<a> \{ *([^{}]*?) *\})$", r" = \2"),
        (r"^type .*?(?P<a>~(~+)~)", r"\2", "A member has no quotation marks."),
        (r"^(?P<a>(effect \w+(?:\([^()]*\))?) ?[:=] (\S[^\n]*))$", "\\2\n  does NAME: \\3", "What is done is in a clause beneath."),
        (r"^(?P<a>((?:action|reaction) [^\n]*?): (\S[^\n]*))$", "\\2\n  does NAME: \\3", "What is done is in a clause beneath."),
        (r"^option [^:\n]*: yes or no(?P<a>)(?= *$)", " normally no", _NORMALLY),
        (r",? none (?:on|if|in|for) ?(?:a |there is a )?(?:tied?|draw|ties)\b(?! on)", ", none on a tie"),
        (r"\bplayers (?P<a>(\d+))(?= *$)", r"\2..\2", _RANGE),
        (r"\btype \w+(?P<a>:)", " ="),
        (r"^(?P<a>(?:enum|type|class) (\w+) ?\{ *([^{}]*?) *\})$", r"type \2 = \3"),
        (r"\?\.(?=\w)", "."),
        (r"(?<== )\{([^{}]*)\}", r"\1"),
        (r"(?<=\w),(?= \w)", " |"),
        (r"\bfor (?P<a>)(?=\w+(?::| in))", "each "),
        (r"\bdice (\w+)(?P<a>)(?= showing)", ": die", "The dice have names."),
        (r"(?P<a> in ([^:\n]*): (\w+))(?= *$)", r": \3 in \2"),
        (r"\b(?:max|maximum|limit|up to)\b", "at most"),
        (r"\((?:p|q|who|me|player|seat)(?P<a>)\)(?=[: \n]|$)", ": Player", "A parameter has a type."),
        (r"\(\w+(?P<a>)\)(?=[: \n]|$)", ": TYPE", "A parameter has a type."),
        (r"\b(?:every|per)\b", "each"),
        (r"(?<=\w) (?:\||/)(?= none)", " or"),
        (r"\bnone or (\w+)\b", r"\1 or none"),
        (r"^option .*?(?P<a>(?:by|in steps of|steps?|every) )(?=\d)", "step "),
        (r"\((?P<a>(\w+): \w+ in) ", r"\2 in"),
        (r"^(?:action|effect) \w+(?P<a> (?:with|of|on) (\w+ in \S+))", r"(\2)"),
        (r"\bseen (?P<a>by (\w+) only)", r"only by \2"),
        (r"\b(?:in|during) (?P<a>(?:step|phase) )", ""),
        (r"(?<=[(,])(\w+|\s\w+): ?(?=\w+\()", r"\1 in ", "A set comes after `in`."),
        (r"[\w)](?P<a>[,;])(?= (?:starts|normally|seen|showing|at most|each|step|during))", ""),
        (r"\b(?:after|before) [\w.]+(?P<a> (?:ends|begins|starts|is over))", ""),
        (r"\b(?:change|default|raise|lower|remove|extend) (?P<a>(?:the )?(?:type|option|rule|clause|value|state|zone|action|effect|reaction|step|phase|needs|does|cost|limit) |the )", ""),
        (r"\bfor (?P<a>\((\w+ in [^:]*)\))(?=:)", r"\2"),
        (r"\bstarts (?P<a>random(?:ly)? (?:among|from|in))", "at random among"),
        (r"\bat random (?P<a>from|in|of)\b", "among"),
        (r"\)(?P<a>)(?= = .*(?:\bat |\bis\b|\bhas\b|\bmore |\bless | [<>=]=? ))", ": yes or no"),
        (r"^(?P<a>([ \t]*)(?:otherwise|else):? (.+))", r"\2\3 otherwise"),
        (r"^(?P<a>([ \t]*)(?:when|if) (.*?): *(.*))", r"\2\4 when \3"),
        (r"^(?P<a>multiply ([\w.]+(?:\(.*?\))?) by )", r"multiply \2 called NAME: ", _CONTRIBUTION),
        (r"^(?P<a>add (\w+) to ([\w.]+(?:\(.*?\))?))", r"add to \3 called NAME: \2", _CONTRIBUTION),
        (r"\bkeep .*: (?P<a>)", "at least "),
        (r"^drawn (?:when|if) ", "drawn by NAME: "),
        (r"^drawn(?= *(?:~+ *)?:)", "drawn by NAME", _DRAWN),
        (r"^drawn(?= \w+ *(?:~+ *)?:)", "drawn by"),
        # ---- actions, reactions
        (rf"[(,] ?(?P<a>(?:an? |one |the )?{_THING} )(?=\w+ (?:in|of|from)\b)", ""),
        (r"\(\w+ (?P<a>(?:up to|at most) (\w+))(?= of\b)", r"0..\2"),
        (rf"\((?P<a>(\d+) {_THING} (?:of|from|in))\b", r"NAME \2 of", "A parameter has a name."),
        (r"\baction \w+(?P<a> (during \w+)(\(.*\)))", r"\3 \2"),
        (r"(?<=\w)(?P<a> )(?=[A-Z])", ": "),
        (r"(?:\beach|,) \w+(?P<a>)(?= \d)", ":"),
        (rf"^(?P<a>((?:before|after) (?!{_FLOW}\b|\w*ing(?:_|\b))\w+)(?=:| *$))", r"reaction NAME \2.NAME", "A reaction names a clause of an action or an effect. Steps and phases have none."),
        (r"^(?P<a>)(?:when|before|after|instead of)\b", "reaction NAME "),
        (r"\binstead (?P<a>)(?!of)", "of "),
        # ---- names
        (rf"^(?:{'|'.join(_ALONE)}) \w+(?P<a> )(?=\w+(?: ~+)?:)", ".", "A clause on a line of its own names its action too."),
        (r"^[ \t]*\w+ (?!for )[a-z]\w*(?P<a>[- ])(?=\w+(?:\(.*\))?(?: ~+)?:)", "_"),
        # ---- variants
        (r"\bchange [\w.]+(?P<a>: | )(?=[\w.{(]+ to\b)", " from "),
        (r"\bfrom .* (?P<a>into|becomes|->)\b", "to"),
        (r"^change (?P<a>(.*?) from (.*?) to (.*))", "\\2\n  from \\3\n  to \\4", "What a clause does is changed beneath: `from …` and `to …`, each on a line " "of its own."),
        (r"^(?:excludes|requires|implies|suggests|remove|extend) .*?(?P<a> ?(?:&&?|\+) ?)", ", "),
        (r"^(?P<a>(?:is |goes )?not (?:together )?with)\b", "excludes"),
        (r"^(?P<a>with ([\w, ]+): (\S[^\n]*))$", "with \\2:\n  \\3", _BENEATH),
        (r"\bwith (?P<a>\{([^{}]*)\})", r"\2"),
        (r"\bextend \w+(?P<a>:| by| to| \+| and)(?= )", " with"),
        (r"^extend [A-Z]\w*(?P<a> )(?=[a-z]\w*$)", " with "),
        (r"(?<=,) (?:or|and)(?= )", ""),
        (r"\b(?:becomes|gains|loses) (?P<a>= )", ""),
        (r"(?:\(|, |\bchoose )\w+ (?P<a>(?:[\w.]+\.\.)?\(?\w+\([^()]*\)[^,:()\n]*\)?) of\b", "part", _SIZE),
        (r"\(\)", ""),
        (r"^(?P<a>if)\b", "with"),
        (r"\bneeds (?P<a>(\d+\.\.\d+) players)", r"players \2"),
        (r"^needs (?P<a>(?:players )?(?:is )?at least (\d+)(?: players)?)$", rf"players \2..{limit('players')}", _MOST_PLAYERS),
        (r"^needs (?P<a>(?:players )?(?:is )?at most (\d+)(?: players)?)$", r"players 1..\2", _RANGE),
        (r"^needs (?P<a>(?:players )?(?:exactly |is )*(\d+)(?: players)?)$", r"players \2..\2", _RANGE),
        (r"^option [^:\n]*: (\w+)\.\.\w+(?P<a>)(?= *$)", r" normally \1", _NORMALLY),
        (r"^state [^:\n]*: yes or no(?P<a>)(?= *$)", " starts as no", _STARTS),
        (rf"{_BEGIN}(?P<a>(\w+) (?!{_FLOW}\b|\w+s\b)({_SIDE}))(?= *(?:;|\n|$))", r"\2(\3)"),
        # ---- players
        (r"\bthe first player\b(?! in\b)", "first_of(players)"),
        # ---- superfluous words
        (rf"(?P<a>\b(?:the|a|an|that|of|then|do|be|by|it|now|to|are|current|this|(?:each|all|every)(?! (?:{_FLOW}\b|player\b(?! in\b)))) )", ""),
        (rf"^[ \t]*(?P<a>)(?=(?!(?:{_OPENING}|{_RESERVED}|need|do|costs|limits)\b)[a-z]\w*(?: ~+)?: \S)", "does ", _KEYWORD),
        (r"(?<=\w|\))(?P<a>:)(?= \w| *$)", ""),
    ]


# fmt: on
@cache
def slips() -> tuple[Slip, ...]:
    """Return all slips; phrases come first, then words of statements."""
    words = [
        (rf"{_BEGIN}(?P<a>{there})\b", here)
        for there, here in STATEMENTS_ELSEWHERE.items()
    ]
    return tuple(
        Slip(re.compile(pattern), instead, *reason)
        for pattern, instead, *reason in (*_idioms(), *words, *_rows())
    )
