"""The forms of the language: each row links a grammar rule, a node and its text.

`read.build` makes nodes by these rows, and `write` makes text. A row has the name of
the rule, the node, the field with a fixed value if several rules make this node, and
the form. In a form `{field}` is a placeholder; placeholders are in the order of the
rule's parts. A group in square brackets is written if one of its fields has a value.

After a colon, a placeholder specifies how to write its field. That is the grammar rule
of an expression (`sum`), the separator of a list (` and `), or the words for yes and no
(`must/may`). `long`, `first`, `block` and `beneath` may be on lines below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache

from houserule.base.frozen import frozen
from houserule.language.syntax import tree as t

_ROWS = """
players         | Players               | players {low}..{high}
needs_players   | NeedsPlayers          | needs players {low}..{high}
source          | SourceText            | source {name} {title}
requires        | Relates kind=requires | requires {names}
implies         | Relates kind=implies  | implies {names}
excludes        | Relates kind=excludes | excludes {names}
one_of          | OneOf or_none=False
                | exactly one of {name}: {names}[ normally {normally}]
at_most_one_of  | OneOf or_none=True    | at most one of {name}: {names}
suggests        | Suggests              | suggests {names}
sealed          | Sealed                | sealed {target}
extends_preset  | Extends               | extends {name}
preset_with     | PresetWith            | with {names}
preset_set      | PresetSet             | set {name}: {value}
remark          | Remark                | note[ {caption}]

field           | Field                 | {name}[({params})]: {type}
alike_line      | AlikeLine             | those with the same {names: and } are alike
slot            | Slot                  | {name}[({keys})]
slot_key        | SlotKey               | {name}[: {type}]
tokens          | Tokens
                | tokens {name}[({params})][ {caption}]: {amount:sum} in {slots}
zone            | Zone
                | zone {name}[({params})][ {caption}]: {kind} of {member}
                  [ at most {at_most:sum}][ showing {showing}]
                  [ starts as {starts:sum}][ {seen:seen}]
state           | State
                | state {name}[({params})][ {caption}]: {type}[ each {each}] starts
                  {starts:first}[ {seen:seen}]
value           | Value
                | value {name}[({params})][ {caption}]
                  [ asks itself, at most {deep} deep]: {type} = {definition:long}
                  {layers:beneath}
value_layer     | ValueLayer            | then {op} {name}, if any
multiply        | Adjust op=times
                | multiply {target}[({params})] called {name}[ {caption}]: {amount:long}
add_to          | Adjust op=plus
                | add to {target}[({params})] called {name}[ {caption}]: {amount:long}
keep_least      | Adjust op=at least
                | keep {target}[({params})] called {name}[ {caption}]: at least
                  {amount:long}
keep_most       | Adjust op=at most
                | keep {target}[({params})] called {name}[ {caption}]: at most
                  {amount:long}
option          | Option
                | option {name}[ {caption}]: {type}[ step {step}] normally {normally}
always          | Always
                | always {name}[({params})][ {caption}]: {condition:long}
warn            | Warn                  | warn {name}[ {caption}]: {condition:long}
winners         | Winners               | winners[ {caption}]: {who:long}
drawn           | DrawnBy               | drawn by {name}[ {caption}]: {condition:long}
striving        | Striving              | bots strive for[ {caption}]: {who:long}

effect          | Effect
                | effect {name}[({params})][ {caption}]{clauses:beneath}
action          | Action
                | action {name}[({params})] during {at}[ {caption}]
                  {clauses:beneath}
when            | Reaction moment=when
                | reaction {name} when {event}[({params})] changes[ from {old} to {new}]
                  [ {caption}]{clauses:beneath}
before          | Reaction moment=before
                | reaction {name} before {event}[({params})][ {caption}]
                  {clauses:beneath}
after           | Reaction moment=after
                | reaction {name} after {event}[({params})][ {caption}]{clauses:beneath}
instead         | Reaction moment=instead
                | reaction {name} instead of {event}[({params})][ {caption}]
                  {clauses:beneath}
phase           | Phase
                | phase {name}[ {caption}][ {for_whom}][ {together:together/}]
                  [ if {guard}][ {until}]{items:beneath}
for_whom        | ForWhom               | for {name} in {source:sum}
until           | Until
                | until {condition:or_test}, at most {times:or_test} times{stops:then}
open_step       | Step                  | step {name}[ {caption}]: {mode:mode}
automatic_step  | Step
                | step {name}[ {caption}][ if {guard}]: {body:block}
order           | Order                 | order {names: then }

needs           | Needs                 | needs {name}[ {caption}]: {condition:long}
unwise          | Advice usual=False    | unwise {name}[ {caption}]: {condition:long}
usual           | Advice usual=True     | usual {name}[ {caption}]: {condition:long}
cost            | Cost
                | cost {name}[({params})][ {caption}]: {body:block}
limit           | Limit
                | limit {name}[ {caption}]: at most {count:often} each {phase}
does            | Does                  | does {name}[ {caption}]: {body:block}
asks            | Asks                  | asks {name}[ {caption}]: {who:long}
shrinks         | UsesUp
                | ends as this shrinks[ {caption}]: {measure:long}

recaption       | Recaption             | change {target}[ {caption}]
default         | SetDefault            | default {target}: {value}
raise_by        | Tune sign=1           | raise {target} by {amount}
lower_by        | Tune sign=-1          | lower {target} by {amount}
remove          | Remove                | remove {target}
release_among   | Release among=True    | release order among {names}
release_pair    | Release among=False   | release {names: then }
or_else         | Lift                  | or {target}[ {caption}]: {condition:long}
extend_with     | ExtendMembers         | extend {target} with {names}
extend_rows     | ExtendRows            | extend {target} with rows {rows}
extend_fields   | ExtendFields          | extend {target}{fields:beneath}
mute            | Mute                  | mute {variant} at {target}
assertion       | Assert                | assert[ {caption}]: {condition:long}
with_guard      | WithGuard             | with {names}:{items:beneath}

choose          | Choose
                | {must:must/may} choose {binder}[ where {where:or_test}]
                  [ by {by:sum}]: {body:block}
random          | Random
                | random {binder}[ where {where:or_test}]: {body:block}
share           | Share
                | share {amount:sum} over {binder}[ where {where:or_test}] as {count}:
                  {body:block}
for_            | For
                | for {binders: and }[ where {where:or_test}][ {order:by}]: {body:block}
repeat          | Repeat                | {until}: {body:block}
if_             | If                    | if {condition}: {body:block}
else_if         | ElseIf                | else if {condition}: {body:block}
let_if_any      | LetIfAny              | let {name} = {value}, if any: {body:block}
move            | Move                  | move {what:sum} to {to:sum}
move_n          | MoveCount up_to=False | move {count} from {source:sum} to {to:sum}
move_up_to      | MoveCount up_to=True
                | move up to {count} from {source:sum} to {to:sum}
move_all        | MoveCount up_to=False | move all from {source:sum} to {to:sum}
becomes         | Becomes               | {target:sum} becomes {value}
gains           | Gains sign=1          | {target:sum} gains {value}
loses           | Gains sign=-1         | {target:sum} loses {value}
roll            | Roll                  | roll {dice:sum}
shuffle         | Shuffle               | shuffle {pile:sum}
let             | Let                   | let {name} = {value}
again           | Again                 | again {name}
end             | End                   | end {name}
show            | Show                  | show {what:sum} to {to:sum}
do              | Call                  | {name}[({args})]

typed           | Typed                 | {names}: {type}
in_             | Binder how=in         | {names} in {source:sum}
in_pairs        | Binder how=in pairs   | {names} in pairs of {source:sum}
part_of         | Binder how=part       | {names} part of {source:sum}
any_part_of     | Binder how=any part   | {names} any part of {source:sum}
some_of         | Binder how=some       | {names} {low}[..{high}] of {source:sum}
part_how        | HowMany how=part      | part of {source:sum}
any_part_how    | HowMany how=any part  | any part of {source:sum}
some_how        | HowMany how=some      | {low}[..{high}] of {source:sum}
range_type      | RangeType             | {low}..{high}
named_type      | NamedType             | {name}
flag            | FlagType              | yes or no
set_type        | SetType               | set of {member}
part_type       | PartType              | part of {member}
maybe           | MaybeType             | {inner} or none
ruling          | Ruling                | ruling {name}

name            | Name                  | {name}
int             | Int                   | {value}
limit_once      | Int value=1           | once
yes             | Bool value=True       | yes
no_             | Bool value=False      | no
none            | NoneValue             | none
negative        | Negative              | -{operand:factor}
not_            | Not                   | not {operand:not_open}
plus            | Arith op=+            | {left:arith} + {right:term}
minus           | Arith op=-            | {left:arith} - {right:term}
times           | Arith op=*            | {left:term} * {right:factor}
mod             | Arith op=mod          | {left:term} mod {right:factor}
divide          | Divide
                | {left:term} / {right:factor} rounded {rounding}
range_set       | RangeSet              | {low:arith}..{high:arith}
but             | SetArith op=but       | {left:sum} but {right:range_}
with_also       | SetArith op=plus      | {left:sum} plus {right:range_}
within          | SetArith op=within    | {left:sum} within {right:range_}
compare         | Compare               | {left:side} {op} {right:side}
member          | Member negated=False  | {left:side} is in {right:sum}
not_member      | Member negated=True   | {left:side} is not in {right:sum}
and_            | Logic op=and          | {left:and_test} and {right:not_open}
or_             | Logic op=or           | {left:or_test} or {right:and_open}
default_value   | Default               | ({value} else {otherwise})
top             | PileEnd end=top       | top of {pile:atom}
bottom          | PileEnd end=bottom    | bottom of {pile:atom}
total           | Dice what=total       | total of {dice:atom}
equal_faces     | Dice what=equal       | equal faces in {dice:atom}
different_faces | Dice what=different   | all faces different in {dice:atom}
set_literal     | SetOf                 | {{items}}
dot             | Dot                   | {subject:atom}.{field}
dot_at          | DotAt                 | {field:atom}({key})
apply           | Apply                 | {name}({args})
at_random       | AtRandom              | at random among {among}
sum_of          | Fold kind=sum
                | sum of {body:or_test} for {binders: and }[ where {where:or_test}]
highest_of      | Fold kind=highest
                | highest of {body:or_test} for {binders: and }[ where {where:or_test}]
lowest_of       | Fold kind=lowest
                | lowest of {body:or_test} for {binders: and }[ where {where:or_test}]
count_of        | Count
                | count of {binders: and }[ where {where:or_test}]
count_each      | CountEach
                | count of each {phase}[ for {of:sum}][ since {since: or }]
                  [ with the same {same: and }][ among the last {last:arith}]
the_one         | TheOne
                | the one {binder}[ where {where:or_test}] {best:with}, none on a tie
the_only        | TheOnly               | the only {binder}[ where {where:or_test}]
the_first       | TheFirst
                | the first {binder}[ where {where:or_test}][ {best:with}]
those           | Those
                | those {binder}[ where {where:or_test}][ {best:with}]
reached         | Reached
                | those {name} reached from {start:arith} by {by:arith}
                  [ where {where:or_test}]
some            | Quantified kind=some
                | some {binders: and }[ where {where:or_test}] has {body}
every           | Quantified kind=every
                | every {binders: and }[ where {where:or_test}] has {body}
no              | Quantified kind=no
                | no {binders: and }[ where {where:or_test}] has {body}
position_after  | After                 | after {action}[({args})][ by {by:sum}]: {body}
best            | Best                  | with {direction} {keys: then }
sorted          | Best                  | by {direction} {keys: then }
rows            | Rows                  | {rows}
row             | Row                   | {value:or_test} when {when}
otherwise       | Row                   | {value:or_test} otherwise
"""
PLACE = re.compile(r"\{(\w+)(?::([^{}]+))?\}")
_VALUES = {"True": True, "False": False, "None": None, "1": 1, "-1": -1}


@frozen
class FormRow:
    """One row.

    Attributes:
        fixed: the field with a fixed value, and that value.
        places: the fields in the form, in its order.
        types: the annotation of each field of the node.
    """

    node: type[t.Node]
    fixed: Mapping[str, object]
    text: str
    places: tuple[str, ...]
    types: Mapping[str, str]


@cache
def forms() -> Mapping[str, FormRow]:
    """Return the form of each rule of the grammar that has a row."""
    found = {}
    for row in re.split(r"\n+(?=\w)", _ROWS.strip()):
        rule, kind, text = (" ".join(part.split()) for part in row.split("|"))
        name, _, fixed = kind.partition(" ")
        field, _, value = fixed.partition("=")
        node = getattr(t, name)
        found[rule] = FormRow(
            node,
            {field: _VALUES.get(value, value)} if field else {},
            text.replace(" [", "["),
            tuple(place for place, _ in PLACE.findall(text)),
            {each.name: str(each.type) for each in fields(node) if each.init},
        )
    return found
