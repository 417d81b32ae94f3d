"""Words of English and of other languages, with their meanings in rules.

The grammar decides which meaning fits (`search`): a word may have several.
"""

from __future__ import annotations

import re

_ROWS = """
at least <-
    > = ; = > ; no less than ; not less than ; greater than or equal to ; greater
    than or equal ; greater or equal to ; greater or equal ; more than or equal to ;
    more or equal ; cannot be less than ; may not be less than ; must not be less than ;
    can be at least ; minimum ; min ; no fewer than ; not fewer than ; is at least ;
    greater than or equals
at most <-
    < = ; = < ; no more than ; not more than ; less than or equal to ; less than or
    equal ; less or equal to ; less or equal ; maximum ; max ; up to ; limited to ;
    cannot be more than ; may not be more than ; must not be more than ; may not
    exceed ; cannot exceed ; must not exceed ; can be at most ; no greater than ; not
    over ; limit ; only ; a maximum of ; with at most ; of at most ; with up to ;
    holding at most ; with max ; a limit of ; the maximum of ; fewer than or equal to
more than <-
    > ; greater than ; bigger than ; larger than ; higher than ; above ; over ; exceeds
    ; greater ; bigger ; beyond ; is more than ; superior to ; is superior to
less than <-
    < ; fewer than ; smaller than ; lower than ; below ; under ; smaller ; fewer ; is
    less than ; inferior to ; is inferior to
is <-
    reaches ; drops to ; falls to ; = = ; = = = ; = ; equals ; equal to ; is equal to ;
    is the same as ; are ; was ; must be ; has to be ; should be ; same as ; being ; be
    ; is exactly ; exactly ; just ; ≡ ; is only
showing <-
    showing faces ; with faces ; showing numbers ; showing the numbers
starts as <-
    starts with ; starts full of ; starts full with ; starts filled with ; filled with ;
    starts containing ; begins with ; begins as ; starting with ; starting as ;
    beginning with
is not <-
    is not the same as ; not the same as ; ! = ; ! = = ; < > ; is not equal to ; is
    different from ; differs from ; not equal to ; does not equal ; must not be ;
    isn ' t ; aren ' t ; are not ; other than ; is other than
is in <-
    is one of ; is among ; belongs to ; is within ; is part of ; lies in ; is a
    member of ; is an element of ; in ; is inside ; is on ; is any of ; are in
is not in <-
    not in ; is none of ; is not one of ; is not among ; is outside
and <-
    & & ; & ; as well as ; but also ; and also ; while ; but
or <-
    exception ; exception to ; except ; except when ; | | ; or else ; or if
not <-
    ! ; never
becomes <-
    drops to ; falls to ; rises to ; goes to ; = ; : = ; is set to ; is now ; changes to
    ; turns into ; turns ; turns to ; is reset to ; resets to ; equals ; is ; will be ;
    to ; <- ; passes to ; now is
gains 1 <-
    + +
loses 1 <-
    - -
gains <-
    plus ; + = ; increases by ; goes up by ; is increased by ; grows by ; rises by ;
    gets ; receives ; earns ; gain ; + ; wins ; adds
loses <-
    minus ; - = ; decreases by ; goes down by ; is decreased by ; falls by ; is
    reduced by ; drops by ; shrinks by ; pays ; lose ; - ; spends
starts as <-
    starts with ; starts at ; starts ; begins as ; begins with ; begins at ; initially ;
    is initially ; initialized to ; initial ; starting as ; starting with ; starting at
    ; default ; defaults to ; = ; : = ; start as ; start at ; start with ; is ; starts
    empty as ; starts out as ; from ; starts off as ; at start ; to start with ; first ;
    filled with ; containing ; contains ; holding ; with all ; with ; full of
starts as {} <-
    starts empty ; , initially empty ; , empty ; , starts empty ; empty ; initially
    empty ; starts as empty
at random among <-
    randomly among ; randomly from ; at random from ; at random of ; random ; as
    random ; as a random ; with a random ; at random in ; random from ; as any of ;
    randomly in ; at random out of ; as one of
starts at random among players <-
    chosen at random ; randomly chosen ; at random ; is random ; starts as a random
    player ; starts with a random player ; starts as random player ; starts random ;
    is chosen at random
seen only by <-
    visible only to ; visible to ; only visible to ; shown only to ; shown to ; only
    seen by ; private to ; known only to ; known to ; seen just by ; hidden except
    for ; hidden from everyone but ; hidden from all but ; seen by only ; secret to ;
    is seen only by ; seen exclusively by ; open to ; only shown to ; known by ; seen
    by ; viewable by ; readable by
seen by everyone <-
    visible for everyone ; visible for all ; public ; open ; visible ; face up ;
    seen by all ; visible to all ; visible to everyone ; known to all ; seen by
    everybody ; shown ; visible to everybody ; openly ; open to all ; seen by all
    players ; seen by anyone ; face - up ; is public
seen by nobody <-
    hidden ; hidden from everybody ; hidden from all players ; hidden to all ; secret ;
    face down ; seen by no one ; seen by none ; invisible ; not visible ; unseen ;
    hidden from all ; hidden from everyone ; face - down ; not seen ; seen by noone ; is
    hidden
seen only by p <-
    private ; hidden from others ; seen only by owner
showing <-
    with faces ; faces ; shows ; show ; numbered ; with sides ; revealing ; with
    values ; marked
normally <-
    default ; defaults to ; by default ; usually ; default is ; = ; is ; starts as ;
    starts at ; default = ; standard ; initially ; defaulting to ; with default ;
    with a default of ; normal ; and is normally
step <-
    in steps of ; steps of ; by steps of ; by ; in step of ; stepping ; every ; steps ;
    stage
yes or no <-
    boolean ; bool ; yes / no ; true or false ; flag ; yes | no ; yes , no ; no or yes ;
    yes ; true / false ; a boolean ; yes - or - no ; truth state ; true / false value
or none <-
    or nobody ; or nothing ; or null ; / none ; | none ; ? ; | null ; | None ; or no
    one ; or no ; , or none ; or empty
none <-
    nobody ; nothing ; null ; nil ; no one ; noone
yes <-
    true
no <-
    false ; none of the ; not any ; there is no ; not some ; never ; nobody ; none ;
    there are no ; not a
everyone <-
    all ; everybody ; all players ; every player ; each player ; the players
players <-
    all players ; every player ; each player ; everyone ; the players ; player ;
    number of players ; player count
nobody <-
    no one ; noone ; none ; nobody
has <-
    have ; where ; with ; that has ; has that ; satisfies ; : ; for which ; such that ;
    with which ; if
where <-
    if ; such that ; with ; which ; who ; that ; when ; for which ; so that ; having ;
    whose ; for whom ; only if ; who have ; who has ; where it holds that ; | ; if and
    only if ; provided
for <-
    for each ; for every ; for all ; foreach ; for any ; over ; over all ; per ; of ;
    loop
for each <-
    with ; having ; for every ; for all ; for ; per ; of each ; one for each ; for
    any
each <-
    every ; per ; a ; in each ; in every ; this ; for each ; for every ; per each ;
    in one ; during each ; , reset each ; reset each ; reset every ; , reset every ;
    reset to 0 each ; cleared each ; , each ; renewed each ; in a ; during a ; in ;
    during ; during one ; for one
every <-
    all ; each ; for all ; for every ; for each ; all of ; all the ; forall
some <-
    any ; at least one ; there is a ; there is ; there exists ; exists ; an ; a ; one ;
    there is some ; there are ; one of ; there is an ; there exists a
those p in players where <-
    everyone with ; everybody with ; all players with ; players with ; every player with
    ; each player with ; the players with ; everyone who has ; players who have ; anyone
    with ; whoever has ; every player whose
those <-
    all ; the set of ; every ; each ; all those ; set of ; which ; only those ; the list
    of ; list of ; the set of all
the one <-
    the ; the only one ; the single ; a ; that ; one ; the player
the only <-
    the single ; the one ; only ; the unique
the first <-
    first ; a ; the earliest ; the next
most <-
    highest ; the most ; the highest ; maximum ; max ; greatest ; biggest ; largest ;
    best ; the greatest ; the largest ; the best ; more ; maximal
least <-
    lowest ; the least ; the lowest ; fewest ; the fewest ; minimum ; min ; smallest ;
    the smallest ; less ; minimal
with most <-
    highest by ; maximizing ; by most ; with highest ; sorted by most
by most <-
    sorted by ; ordered by ; in order of ; by highest ; with most ; in descending
    order of ; by descending ; in order of most
by least <-
    by ascending ; in ascending order of ; with least ; by lowest
sum of <-
    total of ; the sum of ; the total of ; sum ; the total ; add up ; sum over
count of <-
    number of ; how many ; the number of ; amount of ; the count of ; count
highest of <-
    max of ; maximum of ; largest of ; the highest ; the maximum of ; highest ; max ;
    the greatest ; greatest of ; best of ; most of ; biggest of
lowest of <-
    min of ; minimum of ; smallest of ; the lowest ; the minimum of ; lowest ; min ;
    the smallest ; fewest of ; least of
top of <-
    the top of ; top card of ; the top card of ; first of ; the topmost of ; topmost
    of ; top tile of ; on top of ; the first card of
bottom of <-
    the bottom of ; bottom card of ; last of ; under ; underneath ; below ; beneath ;
    the end of
to bottom of <-
    under ; underneath ; below ; beneath ; at the bottom of ; at bottom of ; on the
    bottom of ; onto the bottom of ; into the bottom of
to <-
    - > ; = > ; → ; to be ; into ; onto ; on ; in ; towards ; on to ; in to ; toward ;
    over to ; on top of ; to the top of ; onto the top of ; to top of ; at the top of ;
    on the top of ; with
from <-
    : ; out of ; off ; of ; in ; off of ; from the top of ; from top of ; on ; is from
in <-
    starting in ; starts in ; beginning in ; from ; of ; among ; out of ; from among ;
    on ; within ; is in ; over ; from all ; at ; amongst ; being ; between ; start in ;
    begin in ; ∈
of <-
    from ; in ; out of ; among ; any of
if <-
    when ; whenever ; in case ; provided ; only if ; if and only if ; where ; as long
    as ; provided that ; only when ; given ; unless not
if not <-
    unless
until <-
    up until ; till ; ends when ; which ends when ; ends if ; finishes when ; ending
    when ; to
until not <-
    while ; as long as ; whilst ; so long as
, at most <-
    or no more than ; but no more than ; or not more than ; and no more than ; at
    most ; up to ; for at most ; max ; maximum ; or at most ; limit ; within ; but
    at most ; with at most ; and at most ; , maximum ; no more than ; for ; , max ;
    at maximum ; , up to ; , or at most ; or after ; , limit
, if any <-
    if any ; if it exists ; if there is one ; , if there is one ; if one ; if exists ; ,
    if it exists ; if not none ; if there is any ; , if one ; , if there is any ; if it
    is not none ; when there is one
, if possible <-
    if possible ; when possible ; , when possible ; if you can ; if they can ; where
    possible ; , if you can ; , if able ; if able
, none on a tie <-
    none on a tie ; , or none on a tie ; or none on a tie ; , or nobody on a tie ; ,
    nobody if tied ; or none if tied ; , or none if tied ; none if tied ; none if tie ;
    , none on tie ; or none ; , none if tied ; , none if there is a tie ; , none if
    equal ; , or none ; , none if a tie ; , none in a tie ; , none for a tie ; , if no
    tie ; , none on ties ; , nobody on a tie ; none on tie ; else none ; , else none ; ,
    none when tied ; , none in case of a tie ; , none if drawn ; if unique ; or nobody ;
    , otherwise none ; , none with a tie ; , no one on a tie
, then stop <-
    then stop ; and then stop ; , and then stop ; and stop ; , stop ; , after that
    stop
may choose <-
    can choose ; may pick ; may select ; can pick ; could choose ; may take ; might
    choose ; optionally choose ; may choose to take ; can select
must choose <-
    choose ; chooses ; must pick ; must select ; pick ; select ; has to choose ; must
    choose one ; have to choose ; will choose ; choose one
random <-
    random pick ; pick random ; choose random ; choose a random ; a random ; pick a
    random ; for random ; for a random ; randomly choose ; at random ; let random ;
    randomly pick ; randomly ; choose at random ; select random
share <-
    split ; divide ; distribute ; spread
over <-
    among ; between ; across ; to ; amongst ; on ; for
any number <-
    any number of times ; unlimited ; as often as you like ; any times ; any amount ; as
    many as you like ; many times ; repeatedly ; any ; may act any number of times ; may
    act any number ; as often as wanted ; can act any number of times ; freely ; any
    number of actions ; any number of moves ; infinitely ; several times ; as many times
    as you want ; as many as you want ; as often as you want ; as many times as you like
at most once <-
    once ; may act once ; can act once ; optional ; once at most ; up to once ; may act
    ; at most 1 time ; at most 1 ; optionally ; one time at most ; maximum once ; max
    once ; not more than once ; at most one time ; act at most once ; may act at most
    once ; at most one ; one time or less ; once or never ; zero or one time
must act once , if possible <-
    must act exactly once , if possible ; must act only once , if possible ; must act ;
    exactly once ; act once ; required ; mandatory ; must act if possible ; must act
    once ; act once if possible ; has to act once ; must be done once ; must act exactly
    once ; must act once if possible ; must act one time ; must act once , if they can ;
    must act 1 time ; must act at least once ; exactly one action ; one action ; one
    move ; exactly one move
once <-
    one time ; 1 time ; 1 ; a single time ; one ; 1 times
at most 2 times each turn <-
    twice ; twice a turn ; twice per turn ; twice each turn
2 times <-
    twice ; two times
3 times <-
    thrice ; three times
times <-
    multiply ; multiply by ; multiplied by ; x ; time ; iterations ; rounds ; turns ;
    laps ; repeats ; rounds at most
each turn <-
    a turn ; per turn ; every turn ; in a turn ; in one turn ; each turns
by <-
    with ; of ; because ; from ; if ; chosen by ; as
during <-
    in ; at ; when in ; on ; when ; while ; in phase ; in step ; during step ; during
    phase ; within ; for ; at step ; if in ; while in ; only during
together <-
    simultaneously ; at the same time ; at once ; in parallel ; all at once ; all
    together ; jointly ; concurrently
then <-
    and then ; , then ; , ; before ; -> ; > ; followed by ; next ; , and then ; ; ; -
    > ; and ; then by ; , then by ; after that
| <-
    , ; ; ; or ; / ; , or ; and ; , and
; <-
    and then ; , then ; and ; , ; then ; . ; , and ; , and then ; & & ; and also
, <-
    ; ; and ; , and ; & ; plus ; | ; + ; together with
: <-
    = ; - > ; is ; - ; then ; do ; , ; that ; are ; to be ; means ; , then ; if ;
    then do ; { ; when
= <-
    : ; is ; : = ; as ; equals ; = = ; means ; are ; to ; be ; has ; is true if ; is
    true when
.. <-
    to ; - ; through ; . . . ; until ; and ; up to ; – ; … ; — ; till
mod <-
    % ; modulo ; modulus
* <-
    x ; times ; × ; multiplied by ; ·
/ <-
    divided by ; / / ; over ; ÷
- <-
    minus
+ <-
    plus
but <-
    except ; without ; minus ; other than ; excluding ; except for ; besides ; not ; but
    not ; apart from ; - ; not including ; \\
plus <-
    add ; and ; + ; with ; union ; together with ; as well as ; |
within <-
    intersection ; intersect ; & ; and ; intersected with ; also in
rounded down <-
    round down ; rounding down ; floored ; floor ; rounded downwards ; rounded ;
    rounded off ; round ; rounded to floor
rounded up <-
    round up ; rounding up ; ceil ; rounded upwards ; ceiling
when <-
    if ; in case ; whenever ; where ; while ; on ; upon ; as soon as ; once
otherwise <-
    else ; in all other cases ; in other cases ; by default ; default ; or else
else <-
    otherwise ; or ; if none ; or else ; ? ?
else if <-
    elif ; elsif ; elseif ; otherwise if ; or if
changes <-
    change ; changed ; is changed ; has changed ; changes value ; changes its value
after <-
    following ; once ; as soon as ; on ; upon ; when
before <-
    prior to ; ahead of ; just before
instead of <-
    replaces ; instead ; rather than ; in place of ; replacing ; in lieu of
called <-
    named ; as ; titled ; with name ; name ; known as ; by the name
reached from <-
    reachable from ; connected to ; reached starting at ; that are reached from ;
    accessible from ; reached by
since <-
    from ; after ; following ; starting from
among the last <-
    in the last ; of the last ; within the last ; out of the last ; over the last
with the same <-
    where the same ; having the same ; with equal ; with same ; of the same
are alike <-
    are the same ; are equal ; are identical ; are interchangeable ; alike ; are
    indistinguishable ; are equivalent
those with the same <-
    things with the same ; cards with the same ; ones with the same ; all with the
    same ; all those with the same
pile <-
    stack ; deck ; list ; queue ; ordered set ; sequence ; heap
set <-
    list ; collection ; group ; bag ; pool ; array ; hand ; row
slot <-
    one ; place ; space ; cell ; field ; single
needs <-
    need ; requires ; require ; must ; condition ; if ; only if ; needed ;
    requirement ; precondition ; must have ; allowed if ; check
does <-
    do ; effect ; then ; doing ; done ; result
cost <-
    costs ; price ; pay
limit <-
    limits ; limited ; max
asks <-
    ask ; asking ; question
usual <-
    usually ; normal ; common ; typical
winners <-
    winner ; winner is ; winners are ; the winner ; the winner is ; wins
drawn by <-
    draw by ; draw if ; drawn if ; drawn when ; tie by ; draw ; drawn ; tie if ; draw
    when ; tied by ; tied if ; a draw by
bots strive for <-
    bots want ; bots aim for ; bots maximize ; bots try for ; bots strive to ; bots
    prefer ; bots like ; bots go for ; bot strives for ; bots strive ; bots seek ;
    bots value ; bots
always <-
    invariant ; ever ; never not
warn <-
    warning ; warns ; alert
type <-
    enum ; enumeration ; class ; types ; typedef
value <-
    function ; func ; def ; define ; let ; const ; fn ; formula ; values ; fun ;
    constant
state <-
    var ; variable ; counter ; int ; let ; global ; states
zone <-
    area ; place ; location ; region ; zones ; container
dice <-
    die ; dices
component <-
    components ; piece ; pieces ; card ; cards ; things ; thing ; comp
tokens <-
    token ; chips ; markers ; counters
option <-
    options ; setting ; parameter ; config ; choice
action <-
    move ; act ; actions
reaction <-
    trigger ; event ; reactions ; on ; react
effect <-
    procedure ; function ; routine ; sub ; proc ; effects
phase <-
    stage ; part ; phases
order <-
    sequence ; ordering ; orders
change <-
    replace ; edit ; modify ; alter ; changes ; update ; override ; amend
remove <-
    delete ; drop ; cancel ; disable ; removes ; omit ; without ; remove the following :
default <-
    defaults ; set ; set default ; change default ; set option ; default option ;
    change ; change option ; set the default of ; default for
raise <-
    increase ; raises ; increment ; add to ; bump
lower <-
    decrease ; reduce ; lowers ; decrement
extend <-
    add to ; extends ; expand ; enlarge ; augment
extends <-
    extend ; inherits ; based on ; inherits from
excludes <-
    exclude ; incompatible with ; conflicts with ; forbids ; not with ; not compatible
    with ; cannot be with ; contradicts ; cannot be combined with ; can not be combined
    with ; may not be combined with ; not allowed with
requires <-
    only with ; only together with ; require ; needs ; depends on ; need ; must have
implies <-
    imply ; includes ; turns on ; brings ; include ; automatically includes ; switches
    on ; always with
suggests <-
    suggest ; recommends ; goes with ; recommend
release <-
    free ; loosen ; drop ; undo
up to <-
    at most ; max ; maximum ; no more than ; as many as ; at the most
move <-
    put ; take ; draw ; deal ; place ; discard ; give ; pass ; transfer ; send ; moves ;
    return ; push ; bring ; lay ; hand ; collect ; turn up ; flip ; lift
move all <-
    empty ; clear ; move everything ; take all ; put all ; move every ; move all of
all <-
    everything ; every ; all the ; all of ; all cards ; everything in
roll <-
    re - roll ; throw ; reroll ; rolls ; toss ; cast
shuffle <-
    mix ; shuffles
end <-
    stop ; finish ; ends ; exit ; quit ; terminate
again <-
    repeat ; redo ; go to ; goto ; restart ; back to ; return to ; retry ; go back to
show <-
    reveal ; display ; tell ; shows ; expose ; uncover
let <-
    set ; define ; var ; const ; say ; compute
assert <-
    ensure ; verify ; check ; asserts ; require
note <-
    remark ; comment ; notes
with <-
    use ; uses ; if ; when ; where ; using
, then <-
    and then ; then ; and
1 <-
    a ; an ; one ; the top ; one card ; a card ; a single ; the top card ; top ; one
    random
2 <-
    both ; twice
me <-
    I ; myself ; you ; current player ; the current player ; active player ; the
    active player ; the player ; self ; acting player ; this player
next_player(me) <-
    the next player ; next player
previous_player(me) <-
    the previous player ; previous player
size <-
    len ; length ; count ; number ; sizeof ; size of
exactly one of <-
    one of ; either of ; exactly 1 of ; just one of
at most one of <-
    at most 1 of ; one or none of ; no more than one of ; max one of ; only one of
asks itself <-
    recursive ; calls itself ; is recursive ; refers to itself
total of <-
    sum of ; total ; the total of ; the sum of
equal faces in <-
    same faces in ; all equal in ; all faces equal in ; all faces the same in ; all
    the same in ; identical faces in ; equal faces of
all faces different in <-
    different faces in ; all different in ; no equal faces in ; all faces are
    different in ; all faces different of
part of <-
    some of ; several of ; subset of ; a subset of ; a part of ; at least 1 of
any part of <-
    any of ; any number of ; any subset of ; any amount of ; 0 or more of
in pairs of <-
    pairs of ; in pairs in ; pairs in ; as pairs of ; in pairs from ; two of
"""

FILLERS = frozenset(
    """
    a all also an are be been both by can currently do each either every exactly is
    it its just must new now of own should so that the then there this very will
    """.split()  # noqa: SIM905  # as one list of words
)
"""Words that English has where rules need none."""

THINGS = frozenset(
    """
    card chip coin cube item marker meeple one ones pawn piece point stone thing
    tile token
    """.split()  # noqa: SIM905  # as one list of words
)
"""Nouns that only repeat what kind of thing is meant."""


SYNONYMS = tuple(
    (right, tuple(each.strip() for each in " ".join(wrongs.split()).split(" ; ")))
    for right, wrongs in re.findall(r"^(\S.*) <-\n((?: .*\n)+)", _ROWS, re.MULTILINE)
)
"""Each meaning, with the phrases that people write for it."""
