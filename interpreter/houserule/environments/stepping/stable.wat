;; Options have stable numbers.
;; The option that has a stable number, of those at the decision.
(func $option_of (param $game i32) (result i64) (local $number i32) (local $index i64)
  (local.set $number (i32.load (call $of_game (i32.const {chosen_numbers}) (local.get $game))))
  (loop $again
    (if (i32.eq (call $number_of (local.get $index)) (local.get $number)) (then (return (local.get $index))))
    (local.set $index (i64.add (local.get $index) (i64.const 1)))
    (br_if $again (i64.lt_u (local.get $index) (i64.load (i32.const {count})))))
  (i64.load (i32.const {count})))
;; Notes the numbers of all options: a byte for each number there is.
(func $note_numbers (param $game i32) (local $at i32) (local $index i64)
  (local.set $at (i32.add (i32.const {legal}) (i32.mul (local.get $game) (i32.const {legal_width}))))
  (memory.fill (local.get $at) (i32.const 0) (i32.const {legal_width}))
  (if (i32.eqz (i32.load (i32.const {decision}))) (then (return)))
  (block $out (loop $again
    (br_if $out (i64.ge_u (local.get $index) (i64.load (i32.const {count}))))
    (i32.store8 (i32.add (local.get $at) (call $number_of (local.get $index))) (i32.const 1))
    (local.set $index (i64.add (local.get $index) (i64.const 1)))
    (br $again))))
(func $number_of (param $index i64) (result i32) (local $kind i32)
  (local.set $kind (i32.load (i32.const {decision})))
  (if (i32.eq (local.get $kind) (i32.const 1)) (then
    (return (call $number_of_taking (call $seek_offered (i32.load (i32.const {seat})) (local.get $index))))))
  (if (i32.eq (local.get $kind) (i32.const 2)) (then
    (return (call $number_of_pick (i32.load (i32.const {site})) (local.get $index)))))
  (i32.add (i32.wrap_i64 (local.get $index))
    (i32.load offset={first_answers} (i32.shl (i32.load (i32.const {site})) (i32.const 2)))))
;; The number of a set among those that a variable can have: by size, then by members in
;; order. `ranks` says how many sets stand before it, member by member (`_ranks`).
(func $rank_of_set (param $at i32) (param $places i32) (param $most i32) (param $ranks i32) (result i32)
  (local $size i32) (local $rank i32) (local $row i32) (local $place i32) (local $from i32) (local $width i32)
  (loop $count
    (local.set $size (i32.add (local.get $size) (call $has_place (local.get $at) (local.get $place))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br_if $count (i32.lt_s (local.get $place) (local.get $places))))
  (local.set $rank (i32.load (i32.add (local.get $ranks) (i32.shl (local.get $size) (i32.const 2)))))
  (local.set $width (i32.shl (i32.add (local.get $places) (i32.const 1)) (i32.const 2)))
  (local.set $row (i32.add (i32.add (local.get $ranks) (i32.shl (i32.add (local.get $most) (i32.const 1)) (i32.const 2)))
    (i32.mul (i32.mul (local.get $size) (local.get $most)) (local.get $width))))
  (local.set $place (i32.const 0))
  (block $out (loop $next
    (br_if $out (i32.ge_s (local.get $place) (local.get $places)))
    (if (call $has_place (local.get $at) (local.get $place)) (then
      (local.set $rank (i32.add (local.get $rank) (i32.sub
        (i32.load (i32.add (local.get $row) (i32.shl (local.get $place) (i32.const 2))))
        (i32.load (i32.add (local.get $row) (i32.shl (local.get $from) (i32.const 2)))))))
      (local.set $from (i32.add (local.get $place) (i32.const 1)))
      (local.set $row (i32.add (local.get $row) (local.get $width)))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $next)))
  (local.get $rank))
(func $has_place (param $at i32) (param $place i32) (result i32)
  (i32.and (i32.const 1) (i32.shr_u
    (i32.load8_u (i32.add (local.get $at) (i32.shr_u (local.get $place) (i32.const 3))))
    (i32.and (local.get $place) (i32.const 7)))))
