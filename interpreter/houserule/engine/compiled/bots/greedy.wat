;; The greedy bot, which looks one turn ahead: the same as `bots/greedy.py` of the package,
;; with the same draws. Its progress is kept in memory: a fault of the rules in an imagined
;; game ends the call, the host then calls `recover` or `resume`, and the bot goes on with
;; the next one. The stage says where it
;; is: 1 where the invariants are asked of what was drawn, 2 where an imagined
;; game is played on, 3 where what others chose unseen is drawn, 4 where watched values
;; are worked out for an imagined game, 5 where it is looked what is certain, 0 where a
;; fault is one of the real game.

;; ---- what a seat does not see is drawn from a stream of its own

(func $luck (param $n i64) (result i64)
  (if (i64.eq (local.get $n) (i64.const 1)) (then (return (i64.const 0))))
  (call $below (i32.const {luck}) (local.get $n)))
(func $lucky (param $n i32) (result i32)
  (i32.wrap_i64 (call $luck (i64.extend_i32_u (local.get $n)))))
(func $sees (param $masks i32) (param $number i32) (result i32)
  (i32.and (i32.load (i32.add (local.get $masks) (i32.shl (local.get $number) (i32.const 2)))) (global.get $eye)))

;; The word of a zone that holds the bit of a thing, and that bit.
(func $word_at (param $zone i32) (param $thing i32) (result i32)
  (i32.add (i32.load (local.get $zone)) (i32.shl (i32.shr_u (local.get $thing) (i32.const 6)) (i32.const 3))))
(func $bit_of (param $thing i32) (result i64)
  (i64.shl (i64.const 1) (i64.extend_i32_u (i32.and (local.get $thing) (i32.const 63)))))

;; Redealing hidden things: each record `hidden` is a place, and one of the things.
;; Of the place: its zone, its number there, what lies there now, who was shown that, bit
;; by bit the variables that hold it, the classes of things that look alike (0: all do), a
;; byte for each thing that says whether it is barred from there (0: none is), how many
;; things fit, and which of them is dealt to it. Of the thing: the place (owner) that it is
;; dealt to, -1 for none, and whether `$make_room` has tried it.

(func $held (param $number i32) (result i32)
  (i32.add (i32.const {held}) (i32.mul (local.get $number) (i32.const {hidden_width}))))
(func $gather_hidden (param $place i32) (param $count i32) (param $seen i32) (param $known i32) (param $classes i32) (param $bars i32) (param $size i32) (param $n i32) (result i32)
  (local $zone i32) (local $many i32) (local $nth i32) (local $thing i32) (local $at i32)
  (block $out (loop $zones
    (br_if $out (i32.ge_s (local.get $zone) (local.get $count)))
    (if (i32.eqz (call $sees (local.get $seen) (local.get $zone))) (then
      (local.set $many (call $lying (i32.add (local.get $place) (local.get $zone)) (i32.const {lying})))
      (local.set $nth (i32.const 0))
      (block $last (loop $things
        (br_if $last (i32.ge_s (local.get $nth) (local.get $many)))
        (local.set $thing (i32.load offset={lying} (i32.shl (local.get $nth) (i32.const 2))))
        (if (i32.eqz (call $sees (local.get $known) (local.get $thing))) (then
          (local.set $at (call $held (local.get $n)))
          (i32.store (local.get $at) (local.get $thing))
          (i32.store offset={hidden.lies} (local.get $at) (local.get $thing))
          (i64.store offset={hidden.held} (local.get $at) (i64.const 0))
          (i32.store offset={hidden.zone} (local.get $at) (i32.add (local.get $place) (local.get $zone)))
          (i32.store offset={hidden.number} (local.get $at) (local.get $nth))
          (i32.store offset={hidden.shown} (local.get $at) (i32.load (i32.add (local.get $known) (i32.shl (local.get $thing) (i32.const 2)))))
          (i32.store offset={hidden.classes} (local.get $at) (local.get $classes))
          (i32.store offset={hidden.owner} (local.get $at) (i32.const -1))
          (i32.store offset={hidden.barred} (local.get $at) (local.get $bars))
          (local.set $n (i32.add (local.get $n) (i32.const 1)))))
        (local.set $nth (i32.add (local.get $nth) (i32.const 1)))
        (br $things)))))
    (local.set $zone (i32.add (local.get $zone) (i32.const 1)))
    (local.set $bars (i32.add (local.get $bars) (local.get $size)))
    (br $zones)))
  (local.get $n))
;; Notes which of what lies hidden a variable of an effect under way holds: a thing, or a set.
(func $mark_held (param $n i32) (param $slot i32) (param $bit i64) (local $at i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $n)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (local.set $at (call $held (local.get $n)))
    (br_if $again (i32.ne (i32.load (local.get $slot)) (i32.load offset={hidden.lies} (local.get $at))))
    (i64.store offset={hidden.held} (local.get $at) (i64.or (i64.load offset={hidden.held} (local.get $at)) (local.get $bit)))
    (br $again))))
(func $mark_held_set (param $n i32) (param $slot i32) (param $bit i64) (local $at i32) (local $thing i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $n)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (local.set $at (call $held (local.get $n)))
    (local.set $thing (i32.load offset={hidden.lies} (local.get $at)))
    (br_if $again (i64.eqz (i64.and (call $bit_of (local.get $thing))
      (i64.load (i32.add (local.get $slot) (i32.shl (i32.shr_u (local.get $thing) (i32.const 6)) (i32.const 3)))))))
    (i64.store offset={hidden.held} (local.get $at) (i64.or (i64.load offset={hidden.held} (local.get $at)) (local.get $bit)))
    (br $again))))
;; Puts places into an order that says nothing of what lies there, and things into that of
;; their numbers. Zones and piles are in order already.
(func $put_in_order (param $n i32) (param $size i32) (local $i i32) (local $p i32) (local $left i32)
  (local.set $i (i32.const 1))
  (block $out (loop $next
    (br_if $out (i32.ge_s (local.get $i) (local.get $n)))
    (local.set $p (local.get $i))
    (block $found (loop $back
      (br_if $found (i32.eqz (local.get $p)))
      (br_if $found (i32.eqz (call $comes_before (call $held (local.get $p)) (call $held (i32.sub (local.get $p) (i32.const 1))))))
      (memory.copy (call $held (local.get $size)) (call $held (local.get $p)) (i32.const {hidden_width}))
      (local.set $p (i32.sub (local.get $p) (i32.const 1)))
      (memory.copy (call $held (i32.add (local.get $p) (i32.const 1))) (call $held (local.get $p)) (i32.const {hidden_width}))
      (memory.copy (call $held (local.get $p)) (call $held (local.get $size)) (i32.const {hidden_width}))
      (br $back)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (memory.fill (i32.const {instead}) (i32.const 0) (i32.shl (local.get $size) (i32.const 2)))
  (local.set $i (i32.const 0))
  (local.set $left (local.get $n))
  (block $out (loop $next
    (br_if $out (i32.ge_s (local.get $i) (local.get $n)))
    (i32.store offset={instead} (i32.shl (i32.load offset={hidden.lies} (call $held (local.get $i))) (i32.const 2)) (i32.const 1))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.set $i (local.get $size))
  (block $out (loop $next
    (br_if $out (i32.eqz (local.get $left)))
    (local.set $i (i32.sub (local.get $i) (i32.const 1)))
    (br_if $next (i32.eqz (i32.load offset={instead} (i32.shl (local.get $i) (i32.const 2)))))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (i32.store (call $held (local.get $left)) (local.get $i))
    (br $next))))
;; Whether a place comes before another in the same set: by what shows of what lies there,
;; who was shown it, and which variables hold it.
(func $comes_before (param $one i32) (param $other i32) (result i32) (local $classes i32) (local $a i32) (local $b i32)
  (if (i32.ne (i32.load offset={hidden.zone} (local.get $one)) (i32.load offset={hidden.zone} (local.get $other))) (then (return (i32.const 0))))
  (if (i32.load offset={zone.order} (call $zone (i32.load offset={hidden.zone} (local.get $one)))) (then (return (i32.const 0))))
  (local.set $classes (i32.load offset={hidden.classes} (local.get $one)))
  (if (local.get $classes) (then
    (local.set $a (call $class_of (local.get $classes) (i32.load offset={hidden.lies} (local.get $one))))
    (local.set $b (call $class_of (local.get $classes) (i32.load offset={hidden.lies} (local.get $other))))
    (if (i32.ne (local.get $a) (local.get $b)) (then (return (i32.lt_s (local.get $a) (local.get $b)))))))
  (local.set $a (i32.load offset={hidden.shown} (local.get $one)))
  (local.set $b (i32.load offset={hidden.shown} (local.get $other)))
  (if (i32.ne (local.get $a) (local.get $b)) (then (return (i32.lt_s (local.get $a) (local.get $b)))))
  (i64.lt_u (i64.load offset={hidden.held} (local.get $one)) (i64.load offset={hidden.held} (local.get $other))))
(func $class_of (param $classes i32) (param $thing i32) (result i32)
  (i32.load (i32.add (local.get $classes) (i32.shl (local.get $thing) (i32.const 2)))))
;; Whether all fit a place, whatever shows of them.
(func $open_to_all (param $place i32) (result i32)
  (i32.eqz (i32.or (i32.load offset={hidden.classes} (local.get $place)) (i32.load offset={hidden.barred} (local.get $place)))))
;; Whether a thing may lie at a place: what a seat sees of it is what it sees there, and
;; no invariant bars it from there.
(func $fits (param $place i32) (param $thing i32) (result i32) (local $classes i32)
  (if (call $bars_it (local.get $place) (local.get $thing)) (then (return (i32.const 0))))
  (local.set $classes (i32.load offset={hidden.classes} (local.get $place)))
  (if (i32.eqz (local.get $classes)) (then (return (i32.const 1))))
  (i32.eq (call $class_of (local.get $classes) (i32.load offset={hidden.lies} (local.get $place)))
    (call $class_of (local.get $classes) (i32.load (local.get $thing)))))
(func $bars_it (param $place i32) (param $thing i32) (result i32) (local $bars i32)
  (local.set $bars (i32.load offset={hidden.barred} (local.get $place)))
  (if (i32.eqz (local.get $bars)) (then (return (i32.const 0))))
  (i32.load8_u (i32.add (local.get $bars) (i32.load (local.get $thing)))))
;; Whether any thing is barred from any place; where none is from one, it is open.
(func $some_barred (param $n i32) (result i32) (local $i i32) (local $place i32) (local $bars i32) (local $last i32) (local $here i32) (local $some i32)
  (loop $places
    (local.set $place (call $held (local.get $i)))
    (local.set $bars (i32.load offset={hidden.barred} (local.get $place)))
    ;; Places of one zone, which follow one another, have the same bars.
    (if (i32.ne (local.get $bars) (local.get $last)) (then
      (local.set $last (local.get $bars))
      (local.set $here (call $bars_some (local.get $bars) (local.get $n)))
      (local.set $some (i32.or (local.get $some) (local.get $here)))))
    (if (i32.eqz (local.get $here)) (then (i32.store offset={hidden.barred} (local.get $place) (i32.const 0))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $places (i32.lt_s (local.get $i) (local.get $n))))
  (local.get $some))
;; Lets all things lie everywhere, and none is dealt.
(func $lift_bars (param $n i32)
  (loop $again
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (i32.store offset={hidden.barred} (call $held (local.get $n)) (i32.const 0))
    (i32.store offset={hidden.owner} (call $held (local.get $n)) (i32.const -1))
    (br_if $again (local.get $n))))
(func $bars_some (param $bars i32) (param $n i32) (result i32)
  (if (i32.eqz (local.get $bars)) (then (return (i32.const 0))))
  (block $none (loop $things
    (br_if $none (i32.eqz (local.get $n)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br_if $things (i32.eqz (i32.load8_u (i32.add (local.get $bars) (i32.load (call $held (local.get $n)))))))
    (return (i32.const 1))))
  (i32.const 0))
;; How many things fit a place, of all, or (`free`) of those not dealt yet.
(func $fitting (param $at i32) (param $n i32) (param $free i32) (result i32) (local $i i32) (local $other i32) (local $many i32)
  (loop $again
    (local.set $other (call $held (local.get $i)))
    (if (i32.or (i32.eqz (local.get $free)) (i32.lt_s (i32.load offset={hidden.owner} (local.get $other)) (i32.const 0))) (then
      (local.set $many (i32.add (local.get $many) (call $fits (local.get $at) (local.get $other))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (local.get $n))))
  (local.get $many))
;; Whether the place before one is sure to take the same things.
(func $as_before (param $number i32) (result i32) (local $place i32) (local $before i32)
  (if (i32.eqz (local.get $number)) (then (return (i32.const 0))))
  (local.set $place (call $held (local.get $number)))
  (local.set $before (call $held (i32.sub (local.get $number) (i32.const 1))))
  (i32.and
    (i32.eqz (i32.or (i32.load offset={hidden.classes} (local.get $place)) (i32.load offset={hidden.classes} (local.get $before))))
    (i32.eq (i32.load offset={hidden.barred} (local.get $place)) (i32.load offset={hidden.barred} (local.get $before)))))
;; Sorts the places by how many things fit them, fewest first; ties stay in their order.
(func $sort_places (param $n i32) (local $i i32) (local $p i32) (local $many i32) (local $before i32)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $n)))
    (local.set $many (local.get $n))
    (if (i32.eqz (call $open_to_all (call $held (local.get $i)))) (then
      (local.set $many (if (result i32) (call $as_before (local.get $i))
        (then (i32.load offset={hidden.fitting} (call $held (i32.sub (local.get $i) (i32.const 1)))))
        (else (call $fitting (call $held (local.get $i)) (local.get $n) (i32.const 0)))))))
    (i32.store offset={hidden.fitting} (call $held (local.get $i)) (local.get $many))
    (local.set $p (i32.shl (local.get $i) (i32.const 2)))
    (block $found (loop $back
      (br_if $found (i32.eqz (local.get $p)))
      (local.set $before (i32.load (i32.add (i32.const {sorted}) (i32.sub (local.get $p) (i32.const 4)))))
      (br_if $found (i32.le_s (i32.load offset={hidden.fitting} (call $held (local.get $before))) (local.get $many)))
      (i32.store offset={sorted} (local.get $p) (local.get $before))
      (local.set $p (i32.sub (local.get $p) (i32.const 4)))
      (br $back)))
    (i32.store offset={sorted} (local.get $p) (local.get $i))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again))))
;; The same where all fit every place: the places are sorted as they are, and `sorted` is
;; from there on the row of those that are free.
(func $deal_freely (param $n i32) (local $i i32) (local $left i32) (local $which i32) (local $at i32) (local $thing i32)
  (local.set $left (local.get $n))
  (loop $next
    (local.set $which (call $lucky (local.get $left)))
    (local.set $at (i32.add (i32.const {sorted}) (i32.shl (local.get $which) (i32.const 2))))
    (local.set $thing (i32.load (local.get $at)))
    (i32.store offset={hidden.dealt} (call $held (local.get $i)) (local.get $thing))
    (i32.store offset={hidden.owner} (call $held (local.get $thing)) (local.get $i))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const 4)) (i32.shl (i32.sub (local.get $left) (local.get $which)) (i32.const 2)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $next (local.get $left))))
;; Deals to each place a thing that fits it, drawn from those still free. If no deal fits,
;; an invariant does not hold: then nothing is barred.
(func $deal (param $n i32) (param $where i32) (param $known i32) (local $barred i32)
  (if (i32.eqz (local.get $n)) (then (return)))
  (local.set $barred (call $some_barred (local.get $n)))
  (if (i32.eqz (call $match (local.get $n))) (then
    (if (i32.eqz (local.get $barred)) (then (unreachable)))
    (local.set $barred (i32.const 0))
    (call $lift_bars (local.get $n))
    (drop (call $match (local.get $n)))))
  (if (local.get $barred) (then (call $exchange_places (local.get $n))))
  (call $lay (local.get $n) (local.get $where) (local.get $known)))
(func $match (param $n i32) (result i32) (local $i i32) (local $place i32) (local $free i32)
  (call $sort_places (local.get $n))
  (if (i32.eq (i32.load offset={hidden.fitting} (call $held (i32.load (i32.const {sorted})))) (local.get $n)) (then
    (call $deal_freely (local.get $n))
    (return (i32.const 1))))
  (loop $next
    (local.set $place (i32.load offset={sorted} (i32.shl (local.get $i) (i32.const 2))))
    (local.set $free (i32.sub (local.get $n) (local.get $i)))
    (if (i32.eqz (call $open_to_all (call $held (local.get $place)))) (then
      (local.set $free (call $fitting (call $held (local.get $place)) (local.get $n) (i32.const 1)))))
    (if (local.get $free)
      (then (call $give (local.get $place) (call $lucky (local.get $free))))
      (else
        (call $untry (local.get $n))
        (if (i32.eqz (call $make_room (local.get $place) (local.get $n))) (then (return (i32.const 0))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $next (i32.lt_s (local.get $i) (local.get $n))))
  (i32.const 1))
;; Exchanges what two places drawn at random have, where both fit, again and again.
(func $exchange_places (param $n i32) (local $left i32) (local $one i32) (local $other i32) (local $mine i32) (local $theirs i32)
  (local.set $left (i32.mul (i32.const {exchanges}) (local.get $n)))
  (loop $again
    (local.set $one (call $held (call $lucky (local.get $n))))
    (local.set $other (call $held (call $lucky (local.get $n))))
    (local.set $mine (i32.load offset={hidden.dealt} (local.get $one)))
    (local.set $theirs (i32.load offset={hidden.dealt} (local.get $other)))
    (if (call $fits (local.get $one) (call $held (local.get $theirs))) (then
      (if (call $fits (local.get $other) (call $held (local.get $mine))) (then
        (i32.store offset={hidden.dealt} (local.get $one) (local.get $theirs))
        (i32.store offset={hidden.dealt} (local.get $other) (local.get $mine))))))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br_if $again (local.get $left))))
;; Deals to a place the free thing of a number, among those that fit.
(func $give (param $place i32) (param $which i32) (local $i i32) (local $at i32) (local $other i32)
  (local.set $at (call $held (local.get $place)))
  (loop $again
    (local.set $other (call $held (local.get $i)))
    (if (i32.lt_s (i32.load offset={hidden.owner} (local.get $other)) (i32.const 0)) (then
      (if (call $fits (local.get $at) (local.get $other)) (then
        (if (i32.eqz (local.get $which)) (then
          (i32.store offset={hidden.dealt} (local.get $at) (local.get $i))
          (i32.store offset={hidden.owner} (local.get $other) (local.get $place))
          (return)))
        (local.set $which (i32.sub (local.get $which) (i32.const 1)))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again)))
(func $untry (param $n i32)
  (loop $again
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (i32.store offset={hidden.tried} (call $held (local.get $n)) (i32.const 0))
    (br_if $again (local.get $n))))
;; Deals to a place a thing that is taken: the place that had it gets another one, if need
;; be by the same exchange (an augmenting path of a matching). Returns whether it succeeds.
(func $make_room (param $place i32) (param $n i32) (result i32) (local $i i32) (local $at i32) (local $other i32) (local $owner i32)
  (local.set $at (call $held (local.get $place)))
  (loop $again
    (local.set $other (call $held (local.get $i)))
    (if (i32.and (i32.eqz (i32.load offset={hidden.tried} (local.get $other))) (call $fits (local.get $at) (local.get $other))) (then
      (i32.store offset={hidden.tried} (local.get $other) (i32.const 1))
      (local.set $owner (i32.load offset={hidden.owner} (local.get $other)))
      (if (if (result i32) (i32.lt_s (local.get $owner) (i32.const 0)) (then (i32.const 1))
          (else (call $make_room (local.get $owner) (local.get $n)))) (then
        (i32.store offset={hidden.owner} (local.get $other) (local.get $place))
        (i32.store offset={hidden.dealt} (local.get $at) (local.get $i))
        (return (i32.const 1))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (local.get $n))))
  (i32.const 0))
;; Moves all things to where they were dealt: first out of their zones, then in.
(func $lay (param $n i32) (param $where i32) (param $known i32) (local $i i32) (local $at i32) (local $thing i32) (local $zone i32) (local $word i32)
  (loop $out
    (local.set $at (call $held (local.get $i)))
    (local.set $thing (i32.load offset={hidden.lies} (local.get $at)))
    (local.set $word (call $word_at (call $zone (i32.load offset={hidden.zone} (local.get $at))) (local.get $thing)))
    (i64.store (local.get $word) (i64.and (i64.load (local.get $word)) (i64.xor (call $bit_of (local.get $thing)) (i64.const -1))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $out (i32.lt_s (local.get $i) (local.get $n))))
  (local.set $i (i32.const 0))
  (loop $in
    (local.set $at (call $held (local.get $i)))
    (local.set $thing (i32.load (call $held (i32.load offset={hidden.dealt} (local.get $at)))))
    (local.set $zone (call $zone (i32.load offset={hidden.zone} (local.get $at))))
    (local.set $word (call $word_at (local.get $zone) (local.get $thing)))
    (i64.store (local.get $word) (i64.or (i64.load (local.get $word)) (call $bit_of (local.get $thing))))
    (if (i32.load offset={zone.order} (local.get $zone)) (then
      (i32.store offset=4 (i32.add (i32.load offset={zone.order} (local.get $zone)) (i32.shl (i32.load offset={hidden.number} (local.get $at)) (i32.const 2))) (local.get $thing))))
    (local.set $thing (i32.shl (local.get $thing) (i32.const 2)))
    (i32.store (i32.add (local.get $where) (local.get $thing)) (i32.load offset={hidden.zone} (local.get $at)))
    (i32.store (i32.add (local.get $known) (local.get $thing)) (i32.load offset={hidden.shown} (local.get $at)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $in (i32.lt_s (local.get $i) (local.get $n)))))
;; What was dealt to the place of each thing of a kind; things that did not hide stay.
(func $note_dealt (param $n i32) (param $size i32) (local $i i32)
  (loop $all
    (i32.store offset={instead} (i32.shl (local.get $i) (i32.const 2)) (local.get $i))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $all (i32.lt_s (local.get $i) (local.get $size))))
  (block $out (loop $dealt
    (br_if $out (i32.eqz (local.get $n)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (i32.store offset={instead} (i32.shl (i32.load offset={hidden.lies} (call $held (local.get $n))) (i32.const 2))
      (i32.load (call $held (i32.load offset={hidden.dealt} (call $held (local.get $n))))))
    (br $dealt))))
;; Exchanges the thing, or the set of things, that an effect under way holds.
(func $exchange (param $at i32) (param $size i32)
  (if (i32.lt_u (i32.load (local.get $at)) (local.get $size)) (then
    (i32.store (local.get $at) (i32.load offset={instead} (i32.shl (i32.load (local.get $at)) (i32.const 2)))))))
(func $exchange_set (param $at i32) (param $words i32) (local $word i32) (local $rest i64) (local $thing i32) (local $to i32)
  (memory.fill (i32.const {exchanged}) (i32.const 0) (i32.shl (local.get $words) (i32.const 3)))
  (loop $words
    (local.set $rest (i64.load (i32.add (local.get $at) (i32.shl (local.get $word) (i32.const 3)))))
    (block $out (loop $bits
      (br_if $out (i64.eqz (local.get $rest)))
      (local.set $thing (i32.load offset={instead} (i32.shl
        (i32.add (i32.wrap_i64 (i64.ctz (local.get $rest))) (i32.shl (local.get $word) (i32.const 6))) (i32.const 2))))
      (local.set $to (i32.add (i32.const {exchanged}) (i32.shl (i32.shr_u (local.get $thing) (i32.const 6)) (i32.const 3))))
      (i64.store (local.get $to) (i64.or (i64.load (local.get $to)) (call $bit_of (local.get $thing))))
      (local.set $rest (i64.and (local.get $rest) (i64.sub (local.get $rest) (i64.const 1))))
      (br $bits)))
    (local.set $word (i32.add (local.get $word) (i32.const 1)))
    (br_if $words (i32.lt_s (local.get $word) (local.get $words))))
  (memory.copy (local.get $at) (i32.const {exchanged}) (i32.shl (local.get $words) (i32.const 3))))
;; Rolls the dice whose faces the seat does not see.
(func $throw_hidden (param $dice i32) (param $seen i32) (param $known i32) (param $faces i32) (param $table i32) (param $many i32) (local $die i32)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $die) (local.get $dice)))
    (if (i32.eqz (i32.or (call $sees (local.get $known) (local.get $die)) (call $sees (local.get $seen) (local.get $die)))) (then
      (i32.store (i32.add (local.get $faces) (i32.shl (local.get $die) (i32.const 2)))
        (i32.load (i32.add (local.get $table) (i32.shl (call $lucky (local.get $many)) (i32.const 2)))))))
    (local.set $die (i32.add (local.get $die) (i32.const 1)))
    (br $again))))
(func $some_hidden (param $seen i32) (param $count i32) (result i32) (local $i i32)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $count)))
    (if (i32.eqz (call $sees (local.get $seen) (local.get $i))) (then (return (i32.const 1))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again)))
  (i32.const 0))
;; Values that may be dealt to cells: exchanges two of them.
(func $swap_values (param $pool i32) (param $one i32) (param $other i32) (local $value i32)
  (local.set $one (i32.add (local.get $pool) (i32.shl (local.get $one) (i32.const 2))))
  (local.set $other (i32.add (local.get $pool) (i32.shl (local.get $other) (i32.const 2))))
  (local.set $value (i32.load (local.get $one)))
  (i32.store (local.get $one) (i32.load (local.get $other)))
  (i32.store (local.get $other) (local.get $value)))
;; Takes a value out of them, if it is there: the last one comes to its place. Returns
;; their new number.
(func $taken_from (param $pool i32) (param $many i32) (param $value i32) (result i32) (local $i i32)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $many)))
    (if (i32.eq (i32.load (i32.add (local.get $pool) (i32.shl (local.get $i) (i32.const 2)))) (local.get $value)) (then
      (local.set $many (i32.sub (local.get $many) (i32.const 1)))
      (call $swap_values (local.get $pool) (local.get $i) (local.get $many))
      (return (local.get $many))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again)))
  (local.get $many))
;; Draws a set: of each place whether it is a member; returns whether any is.
(func $draw_set (param $at i32) (param $places i32) (result i32) (local $i i32) (local $word i32) (local $some i32)
  (memory.fill (local.get $at) (i32.const 0) (i32.shl (i32.shr_u (i32.add (local.get $places) (i32.const 63)) (i32.const 6)) (i32.const 3)))
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $places)))
    (if (call $lucky (i32.const 2)) (then
      (local.set $some (i32.const 1))
      (local.set $word (i32.add (local.get $at) (i32.shl (i32.shr_u (local.get $i) (i32.const 6)) (i32.const 3))))
      (i64.store (local.get $word) (i64.or (i64.load (local.get $word)) (call $bit_of (local.get $i))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again)))
  (local.get $some))
;; Gives every stream of the game a new state, so that draws to come are unknown; the
;; increments are the same whatever the seed of the game is.
(func $refresh_streams (local $i i32) (local $at i32) (local $high i64)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (i32.const {streams})))
    (local.set $at (i32.load offset={chance_table} (i32.shl (local.get $i) (i32.const 2))))
    (local.set $high (i64.shl (call $luck (i64.const 0x100000000)) (i64.const 32)))
    (i64.store (local.get $at) (i64.or (local.get $high) (call $luck (i64.const 0x100000000))))
    (i64.store offset={stream.increment} (local.get $at) (i64.load offset={increments} (i32.shl (local.get $i) (i32.const 3))))
    (i64.store offset={stream.drawn} (local.get $at) (i64.const 1))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again))))

;; ---- the game, and what it may be: blocks that are copied

;; Results, indexes, watched values and lists of options are kept outside the block, each
;; with the version of the state that it belongs to. After another block is copied in, all
;; of them are old.

(func $enter (param $from i32)
  (memory.copy (i32.const {start}) (local.get $from) (i32.const {block}))
  (call $renew))
(func $world_at (param $number i32) (result i32)
  (i32.add (i32.const {worlds}) (i32.mul (local.get $number) (i32.const {block}))))
;; What is drawn next in a world: a stream, then whether the rules failed in it already,
;; and whether others choose at once with the seat.
(func $luck_of (param $world i32) (result i32)
  (i32.add (i32.const {world_luck}) (i32.mul (local.get $world) (i32.const {stream_width}))))
(func $bot_stream (param $seat i32) (result i32)
  (i32.add (i32.const {bot_at}) (i32.mul (local.get $seat) (i32.const {stream_width}))))
(func $imagine_all (local $made i32)
  (block $out (loop $again
    (local.set $made (i32.load (i32.const {made})))
    (br_if $out (i32.ge_s (local.get $made) (i32.load (i32.const {wanted}))))
    (if (i32.eqz (i32.load (i32.const {stage}))) (then (call $begin_world)))
    (if (i32.eq (i32.load (i32.const {stage})) (i32.const 5)) (then
      (memory.fill (i32.const {bars}) (i32.const 0) (i32.const {bar_bytes}))
      (if (i32.eqz (i32.load (i32.const {uncertain}))) (then (call $look_what_is_certain)))
      (call $deal_all)
      (call $renew)
      (i32.store (i32.const {tries}) (i32.const 0))
      (i32.store (i32.const {stage}) (i32.const 1))))
    (if (i32.eq (i32.load (i32.const {stage})) (i32.const 1)) (then
      (call $draw_cells)
      (call $refresh_streams)
      (call $begin_pending)))
    (if (i32.eq (i32.load (i32.const {stage})) (i32.const 3)) (then
      (call $draw_pending)
      (i32.store (i32.const {stage}) (i32.const 4))
      (if (i32.eq (i32.load (i32.const {decision})) (i32.const 1))
        (then (call $look))
        (else
          (call $look_hidden)
          (i32.store (i32.const {dirty}) (i32.const 1))))))
    (i32.store (i32.const {stage}) (i32.const 0))
    ;; A search plays on in it at once.
    (if (i32.eqz (i32.load (i32.const {searching}))) (then
      (memory.copy (call $world_at (local.get $made)) (i32.const {start}) (i32.const {block}))))
    (memory.copy (call $luck_of (local.get $made)) (i32.const {luck}) (i32.const {stream_width}))
    (i32.store (i32.const {made}) (i32.add (local.get $made) (i32.const 1)))
    (br $again))))
(func $begin_world (local $seat i32)
  (local.set $seat (i32.load (i32.const {thinker})))
  (call $enter (i32.const {real}))
  (global.set $eye (i32.shl (i32.const 1) (local.get $seat)))
  (call $begin_stream (i32.const {luck}) (i64.xor (i64.const {imagined_tag})
    (call $key_of_game (call $below (call $bot_stream (local.get $seat)) (i64.const 0x100000000)) (i64.const 0))))
  (call $look_who_sees)
  (i32.store (i32.const {uncertain}) (i32.const 0))
  (i32.store (i32.const {stage}) (i32.const 5)))
(func $deal_again
  (call $enter (i32.const {real}))
  (call $deal_all)
  (call $renew))

;; ---- what others choose unseen, where everybody plays at once

;; Draws an option of a seat; returns its action, whose values stand in its frame. -1:
;; `done`, or there is nothing that the seat can do.
(func $draw_unseen (param $seat i32) (result i32) (local $n i64) (local $index i64) (local $action i32)
  (global.set $advised (i32.const 0))
  (local.set $n (call $count_offered (local.get $seat)))
  (if (i64.eqz (local.get $n)) (then
    (if (call $is_claimed (call $top)) (then (i32.store offset={luck.at_once} (i32.const {luck}) (i32.const 1))))
    (return (i32.const -1))))
  (local.set $n (call $advise (local.get $seat)
    (i64.add (local.get $n) (i64.extend_i32_u (i32.load (i32.const {done}))))))
  (local.set $index (call $luck
    (select (i64.const 0x100000000) (local.get $n) (i64.gt_u (local.get $n) (i64.const 0x100000000)))))
  (local.set $action (if (result i32) (global.get $advised)
    (then (call $seek_wise (local.get $seat) (local.get $index)))
    (else (call $seek_offered (local.get $seat) (local.get $index)))))
  (i32.store offset={luck.at_once} (i32.const {luck}) (i32.const 1))
  (local.get $action))
(func $at_once (result i32) (call $is_together (call $top)))
;; The block is kept where the world will be, since options are bound in frames that may
;; be in use: one who has chosen already may be asked amid what comes of it.
(func $begin_pending (local $from i32)
  (i32.store (i32.const {stage}) (i32.const 3))
  (i32.store offset={luck.at_once} (i32.const {luck}) (i32.const 0))
  (if (i32.eqz (call $at_once)) (then (return)))
  (local.set $from (i32.load offset={phase.resolved} (call $act_of (call $top))))
  (i32.store (i32.const {pending}) (select (local.get $from) (i32.const 0) (i32.gt_s (local.get $from) (i32.const 0))))
  (memory.copy (call $world_at (i32.load (i32.const {made}))) (i32.const {start}) (i32.const {block})))
;; Draws anew what others have chosen and what did not take effect yet. Who has no
;; options, or whose options make the rules fail, says `done`.
(func $draw_pending (local $phase i32) (local $act i32) (local $number i32) (local $seat i32) (local $at i32)
  (if (i32.eqz (call $at_once)) (then (return)))
  (local.set $phase (call $top))
  (local.set $act (call $act_of (local.get $phase)))
  (block $out (loop $next
    (local.set $number (i32.load (i32.const {pending})))
    (br_if $out (i32.ge_s (local.get $number) (i32.load offset={phase.picked} (local.get $act))))
    (i32.store (i32.const {pending}) (i32.add (local.get $number) (i32.const 1)))
    (i32.store offset={phase.index} (local.get $act) (local.get $number))
    (local.set $seat (call $item_of (local.get $phase)))
    (br_if $next (i32.eq (local.get $seat) (i32.load (i32.const {thinker}))))
    (i32.store offset={phase.item} (local.get $act) (local.get $seat))
    (local.set $at (call $chosen_at (local.get $phase) (local.get $number)))
    (i32.store (local.get $at) (i32.const -1))
    (br_if $next (i32.eqz (call $guard (local.get $phase) (local.get $seat))))
    (call $offer_together (local.get $phase))
    (i32.store (local.get $at) (call $draw_unseen (local.get $seat)))
    (if (i32.ge_s (i32.load (local.get $at)) (i32.const 0)) (then
      (call $keep (i32.load (local.get $at)) (i32.add (local.get $at) (i32.const 8)))))
    (br $next)))
  (local.set $at (call $chosen_at (local.get $phase) (i32.const 0)))
  (memory.copy
    (i32.add (call $world_at (i32.load (i32.const {made}))) (i32.sub (local.get $at) (i32.const {start})))
    (local.get $at)
    (i32.mul (i32.load offset={phase.picked} (local.get $act)) (i32.load offset={arrays.width} (call $record (local.get $phase)))))
  (call $enter (call $world_at (i32.load (i32.const {made}))))
  ;; Amid what comes of a choice it was made before, and not at once with this one.
  (if (i32.ge_s (i32.load offset={phase.resolved} (local.get $act)) (i32.const 0)) (then
    (i32.store offset={luck.at_once} (i32.const {luck}) (i32.const 0)))))

;; ---- rating

;; Picks the options to try: all where they are few, else distinct ones, drawn.
(func $some (param $n i64) (param $stream i32) (result i32) (local $k i32) (local $i i32) (local $one i64)
  (block $out (loop $again
    (br_if $out (i64.eq (i64.extend_i32_u (local.get $k)) (local.get $n)))
    (br_if $out (i32.eq (local.get $k) (i32.const {most_tried})))
    (local.set $one (i64.extend_i32_u (local.get $k)))
    (if (i64.gt_u (local.get $n) (i64.const {most_tried})) (then
      (local.set $one (call $below (local.get $stream) (select (i64.const 0x100000000) (local.get $n) (i64.gt_u (local.get $n) (i64.const 0x100000000)))))))
    (local.set $i (i32.const 0))
    (block $new (loop $seek
      (br_if $new (i32.ge_s (local.get $i) (local.get $k)))
      (br_if $again (i64.eq (i64.load offset={picks} (i32.shl (local.get $i) (i32.const 3))) (local.get $one)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $seek)))
    (i64.store offset={picks} (i32.shl (local.get $k) (i32.const 3)) (local.get $one))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $again)))
  (local.get $k))
(func $choice_at (param $option i32) (result i32)
  (i32.add (i32.const {choices}) (i32.mul (local.get $option) (i32.const {choice_width}))))
(func $sum_at (param $option i32) (result i32)
  (i32.add (i32.const {sums}) (i32.mul (local.get $option) (i32.const {sum_width}))))
;; Binds an option of an action, of a number among those that are advised if there
;; is advice; returns its action.
(func $seek_sensible (param $index i64) (result i32)
  (if (result i32) (global.get $advised)
    (then (call $seek_wise (i32.load (i32.const {seat})) (local.get $index)))
    (else (call $seek_offered (i32.load (i32.const {seat})) (local.get $index)))))
(func $heed_advice (result i64)
  (global.set $advised (i32.const 0))
  (if (result i64) (i32.eq (i32.load (i32.const {decision})) (i32.const 1))
    (then (call $advise (i32.load (i32.const {seat})) (call $options)))
    (else (call $options))))
;; Keeps the picked options with their values, so that each world takes the same ones.
(func $note_choices (param $tried i32) (local $k i32) (local $at i32)
  (if (i32.ne (i32.load (i32.const {decision})) (i32.const 1)) (then (return)))
  (loop $again
    (local.set $at (call $choice_at (local.get $k)))
    (i32.store (local.get $at) (call $seek_sensible (i64.load offset={picks} (i32.shl (local.get $k) (i32.const 3)))))
    (if (i32.ge_s (i32.load (local.get $at)) (i32.const 0)) (then
      (call $keep (i32.load (local.get $at)) (i32.add (local.get $at) (i32.const 8)))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $k) (local.get $tried)))))
(func $take_noted (param $option i32) (local $at i32)
  (if (i32.ne (i32.load (i32.const {decision})) (i32.const 1)) (then
    (i64.store (i32.const {answer}) (i64.load offset={picks} (i32.shl (local.get $option) (i32.const 3))))
    (return)))
  (local.set $at (call $choice_at (local.get $option)))
  (if (i32.ge_s (i32.load (local.get $at)) (i32.const 0)) (then
    (call $fetch (i32.load (local.get $at)) (i32.add (local.get $at) (i32.const 8)))))
  (call $chosen_one (i32.load (local.get $at))))
(func $decide_greedily (local $seat i32) (local $tried i32)
  (local.set $seat (i32.load (i32.const {seat})))
  (local.set $tried (call $some (call $heed_advice) (call $bot_stream (local.get $seat))))
  (call $note_choices (local.get $tried))
  (if (i32.eq (local.get $tried) (i32.const 1)) (then
    (call $take_noted (i32.const 0))
    (return)))
  (memory.copy (i32.const {real}) (i32.const {start}) (i32.const {block}))
  (memory.fill (i32.const {sums}) (i32.const 0) (i32.mul (local.get $tried) (i32.const {sum_width})))
  (global.set $counting (i32.const 0))
  (i32.store (i32.const {thinker}) (local.get $seat))
  (i32.store (i32.const {tried}) (local.get $tried))
  (i32.store (i32.const {wanted}) (i32.div_u (i32.const {most_copies}) (local.get $tried)))
  (i32.store (i32.const {made}) (i32.const 0))
  (i32.store (i32.const {option}) (i32.const 0))
  (i32.store (i32.const {world}) (i32.const 0))
  (call $think))
(func $think
  (call $imagine_all)
  (call $rate_all)
  (call $enter (i32.const {real}))
  (global.set $counting (i32.const 1))
  (call $take_noted (call $best)))
(func $rate_all (local $option i32) (local $world i32)
  (block $out (loop $again
    (local.set $option (i32.load (i32.const {option})))
    (local.set $world (i32.load (i32.const {world})))
    (br_if $out (i32.ge_s (local.get $option) (i32.load (i32.const {tried}))))
    (if (i32.lt_s (local.get $world) (i32.load (i32.const {wanted})))
      (then
        (memory.copy (i32.const {luck}) (call $luck_of (local.get $world)) (i32.const {stream_width}))
        (if (i32.load offset={luck.failed} (i32.const {luck}))
          (then (call $add_to (call $sum_at (local.get $option)) (i64.const -1)))
          (else
            (call $enter (call $world_at (local.get $world)))
            (i32.store (i32.const {stage}) (i32.const 2))
            (call $take_noted (local.get $option))
            (call $onward)
            (call $play_quietly)
            (call $stand (i32.load (i32.const {thinker})) (call $sum_at (local.get $option)))
            (i32.store (i32.const {stage}) (i32.const 0))))
        (i32.store (i32.const {world}) (i32.add (local.get $world) (i32.const 1))))
      (else
        (i32.store (i32.const {option}) (i32.add (local.get $option) (i32.const 1)))
        (i32.store (i32.const {world}) (i32.const 0))))
    (br $again))))
;; Plays on until the seat is asked again after the others, but not for ever.
(func $play_quietly (local $i i32) (local $others i32) (local $mine i32)
  (local.set $others (i32.load offset={luck.at_once} (i32.const {luck})))
  (loop $again
    (if (i32.eqz (i32.load (i32.const {decision}))) (then (return)))
    (local.set $mine (i32.eq (i32.load (i32.const {seat})) (i32.load (i32.const {thinker}))))
    (local.set $others (i32.or (local.get $others) (i32.eqz (local.get $mine))))
    (if (i32.and (local.get $others) (local.get $mine)) (then (return)))
    (call $choose_quietly)
    (call $onward)
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (i32.const {most_ahead})))))
;; Draws what another chooses unseen; else takes `done` where it is offered, else the
;; first sensible option.
(func $choose_quietly
  (if (i32.ne (i32.load (i32.const {decision})) (i32.const 1)) (then
    (i64.store (i32.const {answer}) (i64.const 0))
    (return)))
  (if (i32.and (call $at_once) (i32.ne (i32.load (i32.const {seat})) (i32.load (i32.const {thinker})))) (then
    (call $chosen_one (call $draw_unseen (i32.load (i32.const {seat}))))
    (return)))
  (call $chosen_one (if (result i32) (i32.load (i32.const {done}))
    (then (i32.const -1))
    (else (call $seek_first (i32.load (i32.const {seat})))))))
;; How far a seat is ahead of the best other one, by one winning key of all seats. Alone,
;; or if all strive for one number, it is the key.
(func $lead (param $at i32) (param $seat i32) (result i64) (local $other i32) (local $one i64) (local $mine i64) (local $best i64)
  (local.set $best (i64.const -0x8000000000000000))
  (loop $again
    (local.set $one (i64.mul (i64.const {direction}) (i64.load32_s (i32.add (local.get $at) (i32.shl (local.get $other) (i32.const 3))))))
    (if (i32.eq (local.get $other) (local.get $seat))
      (then (local.set $mine (local.get $one)))
      (else (if (i64.gt_s (local.get $one) (local.get $best)) (then (local.set $best (local.get $one))))))
    (local.set $other (i32.add (local.get $other) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $other) (i32.const {seats}))))
  (i64.sub (local.get $mine) (select (local.get $best) (i64.const 0) (i32.const {against}))))
(func $add_to (param $at i32) (param $more i64)
  (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (local.get $more))))
;; Compares two sums, key by key: -1 worse, 0 equal, 1 better.
(func $compare (param $one i32) (param $other i32) (result i32) (local $behind i32)
  (local.set $behind (i32.add (local.get $one) (i32.const {sum_width})))
  (loop $again
    (if (i64.ne (i64.load (local.get $one)) (i64.load (local.get $other))) (then
      (return (select (i32.const 1) (i32.const -1) (i64.gt_s (i64.load (local.get $one)) (i64.load (local.get $other)))))))
    (local.set $one (i32.add (local.get $one) (i32.const 8)))
    (local.set $other (i32.add (local.get $other) (i32.const 8)))
    (br_if $again (i32.lt_u (local.get $one) (local.get $behind))))
  (i32.const 0))
;; The best option tried; among equals one is drawn.
(func $best (result i32) (local $k i32) (local $best i32) (local $ties i32) (local $how i32)
  (loop $again
    (local.set $how (call $compare (call $sum_at (local.get $k)) (call $sum_at (local.get $best))))
    (if (i32.gt_s (local.get $how) (i32.const 0)) (then
      (local.set $best (local.get $k))
      (local.set $ties (i32.const 0))))
    (if (i32.ge_s (local.get $how) (i32.const 0)) (then (local.set $ties (i32.add (local.get $ties) (i32.const 1)))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $k) (i32.load (i32.const {tried})))))
  (if (i32.eq (local.get $ties) (i32.const 1)) (then (return (local.get $best))))
  (local.set $ties (i32.wrap_i64 (call $below (call $bot_stream (i32.load (i32.const {thinker}))) (i64.extend_i32_u (local.get $ties)))))
  (local.set $k (local.get $best))
  (loop $on
    (if (i32.eqz (call $compare (call $sum_at (local.get $k)) (call $sum_at (local.get $best)))) (then
      (if (i32.eqz (local.get $ties)) (then (return (local.get $k))))
      (local.set $ties (i32.sub (local.get $ties) (i32.const 1)))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $on))
  (unreachable))
;; After a fault in what was imagined: that try, that choice or that game failed.
(func $recover (export "recover") (local $stage i32)
  (call $wake)
  (call $forget_asking)
  (local.set $stage (i32.load (i32.const {stage})))
  (if (i32.eq (local.get $stage) (i32.const 4)) (then
    (i32.store offset={luck.failed} (i32.const {luck}) (i32.const 1))))
  (if (i32.eq (local.get $stage) (i32.const 1)) (then
    (i32.store (i32.const {tries}) (i32.add (i32.load (i32.const {tries})) (i32.const 1)))))
  (if (i32.eq (local.get $stage) (i32.const 5)) (then
    (i32.store (i32.const {uncertain}) (i32.const 1))))
  (if (i32.load (i32.const {searching})) (then
    (call $recover_search)
    (return)))
  (if (i32.eq (local.get $stage) (i32.const 2)) (then
      (call $add_to (call $sum_at (i32.load (i32.const {option}))) (i64.const -1))
      (i32.store (i32.const {stage}) (i32.const 0))
      (i32.store (i32.const {world}) (i32.add (i32.load (i32.const {world})) (i32.const 1)))))
  (call $think))
