;; What every module has: numbers, chance, sets of places, things that move, the flow.
;; Names in braces are addresses and sizes of the program at hand.

(func $fault (param $which i32)
  (i32.store (i32.const {fault}) (local.get $which)))

;; ---- numbers: division by floor, as everywhere

(func $floor (param $a i32) (param $b i32) (result i32) (local $q i32)
  (local.set $q (i32.div_s (local.get $a) (local.get $b)))
  (if (result i32) (i32.and (i32.ne (i32.mul (local.get $q) (local.get $b)) (local.get $a))
      (i32.lt_s (i32.xor (local.get $a) (local.get $b)) (i32.const 0)))
    (then (i32.sub (local.get $q) (i32.const 1)))
    (else (local.get $q))))
(func $ceiling (param $a i32) (param $b i32) (result i32)
  (i32.sub (i32.const 0) (call $floor (i32.sub (i32.const 0) (local.get $a)) (local.get $b))))
(func $modulo (param $a i32) (param $b i32) (result i32)
  (i32.sub (local.get $a) (i32.mul (call $floor (local.get $a) (local.get $b)) (local.get $b))))

;; The word with its n lowest bits set; none for n of 0 or less, all for 64 or more.
(func $low_bits (param $n i32) (result i64)
  (if (i32.le_s (local.get $n) (i32.const 0)) (then (return (i64.const 0))))
  (if (i32.ge_s (local.get $n) (i32.const 64)) (then (return (i64.const -1))))
  (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $n))) (i64.const 1)))

;; ---- chance: docs/language/random.md

(func $mix (param $z i64) (result i64)
  (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30))) (i64.const 0xbf58476d1ce4e5b9)))
  (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27))) (i64.const 0x94d049bb133111eb)))
  (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))
;; Begins a stream: its state, its increment, and that it was not drawn from.
(func $begin_stream (param $at i32) (param $key i64)
  (local.set $key (i64.add (local.get $key) (i64.const 0x9e3779b97f4a7c15)))
  (i64.store (local.get $at) (call $mix (local.get $key)))
  (i64.store offset={stream.increment} (local.get $at) (i64.or (call $mix (i64.add (local.get $key) (i64.const 0x9e3779b97f4a7c15))) (i64.const 1)))
  (i64.store offset={stream.drawn} (local.get $at) (i64.const 0)))
(func $key_of_game (param $seed i64) (param $game i64) (result i64)
  (call $mix (i64.add (i64.xor (call $mix (i64.add (local.get $seed) (i64.const 0x9e3779b97f4a7c15))) (local.get $game)) (i64.const 0x9e3779b97f4a7c15))))
(func $next_word (param $at i32) (result i64) (local $s i64) (local $w i32)
  (local.set $s (i64.load (local.get $at)))
  (local.set $w (i32.wrap_i64 (i64.shr_u (i64.xor (i64.shr_u (local.get $s) (i64.const 18)) (local.get $s)) (i64.const 27))))
  (i64.store (local.get $at) (i64.add (i64.mul (local.get $s) (i64.const 6364136223846793005)) (i64.load offset={stream.increment} (local.get $at))))
  (i64.extend_i32_u (i32.rotr (local.get $w) (i32.wrap_i64 (i64.shr_u (local.get $s) (i64.const 59))))))
;; A number below n, 1 < n <= 2^32.
(func $below (param $at i32) (param $n i64) (result i64) (local $p i64) (local $least i64) (local $s i64)
  (local.set $s (i64.load (local.get $at)))
  (i64.store (local.get $at) (i64.add (i64.mul (local.get $s) (i64.const 6364136223846793005)) (i64.load offset={stream.increment} (local.get $at))))
  (local.set $p (i64.mul (local.get $n) (i64.extend_i32_u (i32.rotr
    (i32.wrap_i64 (i64.shr_u (i64.xor (i64.shr_u (local.get $s) (i64.const 18)) (local.get $s)) (i64.const 27)))
    (i32.wrap_i64 (i64.shr_u (local.get $s) (i64.const 59)))))))
  (if (i64.lt_u (i64.and (local.get $p) (i64.const 0xffffffff)) (local.get $n)) (then
    (local.set $least (i64.rem_u (i64.sub (i64.const 0x100000000) (local.get $n)) (local.get $n)))
    (block $out (loop $again
      (br_if $out (i64.ge_u (i64.and (local.get $p) (i64.const 0xffffffff)) (local.get $least)))
      (local.set $p (i64.mul (call $next_word (local.get $at)) (local.get $n)))
      (br $again)))))
  (i64.shr_u (local.get $p) (i64.const 32)))
;; One possibility draws nothing and opens no stream.
(func $draw (param $at i32) (param $n i32) (result i32)
  (if (i32.eq (local.get $n) (i32.const 1)) (then (return (i32.const 0))))
  (i64.store offset={stream.drawn} (local.get $at) (i64.const 1))
  (i32.wrap_i64 (call $below (local.get $at) (i64.extend_i32_u (local.get $n)))))

;; ---- subsets: members in a row, places of those chosen

;; Appends the places of a word's members to a row of n; returns how many are there.
(func $gather (param $set i64) (param $to i32) (param $n i32) (param $word i32) (result i32)
  (block $out (loop $again
    (br_if $out (i64.eqz (local.get $set)))
    (i32.store (i32.add (local.get $to) (i32.shl (local.get $n) (i32.const 2)))
      (i32.add (i32.wrap_i64 (i64.ctz (local.get $set))) (i32.shl (local.get $word) (i32.const 6))))
    (local.set $set (i64.and (local.get $set) (i64.sub (local.get $set) (i64.const 1))))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br $again)))
  (local.get $n))
(func $first_places (param $at i32) (param $k i32) (local $i i32)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $k)))
    (i32.store (i32.add (local.get $at) (i32.shl (local.get $i) (i32.const 2))) (local.get $i))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again))))
(func $chosen (param $members i32) (param $at i32) (param $k i32) (param $word i32) (result i64) (local $i i32) (local $place i32) (local $set i64)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $k)))
    (local.set $place (i32.load (i32.add (local.get $members)
      (i32.shl (i32.load (i32.add (local.get $at) (i32.shl (local.get $i) (i32.const 2)))) (i32.const 2)))))
    (if (i32.eq (i32.shr_u (local.get $place) (i32.const 6)) (local.get $word)) (then
      (local.set $set (i64.or (local.get $set) (i64.shl (i64.const 1) (i64.extend_i32_u (i32.and (local.get $place) (i32.const 63))))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again)))
  (local.get $set))
;; The next choice of k places of n, lexicographically; 0 behind the last.
(func $next_places (param $at i32) (param $k i32) (param $n i32) (result i32) (local $i i32) (local $p i32)
  (local.set $i (i32.sub (local.get $k) (i32.const 1)))
  (loop $back
    (if (i32.lt_s (local.get $i) (i32.const 0)) (then (return (i32.const 0))))
    (local.set $p (i32.load (i32.add (local.get $at) (i32.shl (local.get $i) (i32.const 2)))))
    (if (i32.ge_s (local.get $p) (i32.sub (i32.add (local.get $i) (local.get $n)) (local.get $k))) (then
      (local.set $i (i32.sub (local.get $i) (i32.const 1)))
      (br $back))))
  (loop $on
    (local.set $p (i32.add (local.get $p) (i32.const 1)))
    (i32.store (i32.add (local.get $at) (i32.shl (local.get $i) (i32.const 2))) (local.get $p))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $on (i32.lt_s (local.get $i) (local.get $k))))
  (i32.const 1))

;; ---- shares

(func $count_shares (param $n i32) (param $m i32) (result i64) (local $k i32) (local $i i32) (local $c i64)
  (if (i32.lt_s (local.get $n) (i32.const 0)) (then (return (i64.const 0))))
  (if (i32.eqz (local.get $m)) (then (return (i64.extend_i32_u (i32.eqz (local.get $n))))))
  (local.set $k (i32.sub (local.get $m) (i32.const 1)))
  (local.set $c (i64.const 1))
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $k)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (local.set $c (i64.div_u (i64.mul (local.get $c) (i64.extend_i32_u (i32.add (local.get $n) (local.get $i)))) (i64.extend_i32_u (local.get $i))))
    (br $again)))
  (local.get $c))
(func $unrank_share (param $n i32) (param $m i32) (param $index i64) (param $to i32) (local $first i32) (local $here i64)
  (block $last (loop $next
    (br_if $last (i32.le_s (local.get $m) (i32.const 1)))
    (local.set $first (local.get $n))
    (local.set $m (i32.sub (local.get $m) (i32.const 1)))
    (block $found (loop $less
      (local.set $here (call $count_shares (i32.sub (local.get $n) (local.get $first)) (local.get $m)))
      (br_if $found (i64.lt_u (local.get $index) (local.get $here)))
      (local.set $index (i64.sub (local.get $index) (local.get $here)))
      (local.set $first (i32.sub (local.get $first) (i32.const 1)))
      (br $less)))
    (i32.store (local.get $to) (local.get $first))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (local.get $first)))
    (br $next)))
  (i32.store (local.get $to) (local.get $n)))

;; ---- things: a zone's record is its masks, its order (0: none), its room (-1: no
;; limit) and its words

(func $zone (param $place i32) (result i32)
  (i32.add (i32.const {zone_table}) (i32.shl (local.get $place) (i32.const 4))))
(func $lie_count (param $zone i32) (result i32) (local $n i32) (local $i i32)
  (if (i32.load offset={zone.order} (local.get $zone)) (then (return (i32.load (i32.load offset={zone.order} (local.get $zone))))))
  (loop $again
    (local.set $n (i32.add (local.get $n) (i32.wrap_i64 (i64.popcnt (i64.load
      (i32.add (i32.load (local.get $zone)) (i32.shl (local.get $i) (i32.const 3))))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (i32.load offset={zone.words} (local.get $zone)))))
  (local.get $n))
;; Takes a thing out of an order: the gap is closed, a nought is left at the end.
(func $out_of_order (param $at i32) (param $thing i32) (local $n i32)
  (local.set $n (i32.load (local.get $at)))
  (i32.store (local.get $at) (i32.sub (local.get $n) (i32.const 1)))
  (local.set $n (i32.add (local.get $at) (i32.shl (local.get $n) (i32.const 2))))
  (if (i32.ne (i32.load (local.get $n)) (local.get $thing)) (then
    (loop $find
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $find (i32.ne (i32.load (local.get $at)) (local.get $thing))))
    (memory.copy (local.get $at) (i32.add (local.get $at) (i32.const 4)) (i32.sub (local.get $n) (local.get $at)))))
  (i32.store (local.get $n) (i32.const 0)))
(func $place (param $where i32) (param $known i32) (param $thing i32) (param $target i32) (param $full i32)
  (local $zone i32) (local $place i32) (local $from i32) (local $at i32) (local $n i32) (local $word i32) (local $bit i64)
  (local.set $place (i32.shr_u (local.get $target) (i32.const 1)))
  (local.set $zone (call $zone (local.get $place)))
  (local.set $from (i32.load (i32.add (local.get $where) (i32.shl (local.get $thing) (i32.const 2)))))
  (if (i32.ge_s (i32.load offset={zone.room} (local.get $zone)) (i32.const 0)) (then
    (if (i32.ne (local.get $from) (local.get $place)) (then
      (if (i32.ge_s (call $lie_count (local.get $zone)) (i32.load offset={zone.room} (local.get $zone))) (then
        (call $fault (local.get $full)) (unreachable)))))))
  (local.set $word (i32.shl (i32.shr_u (local.get $thing) (i32.const 6)) (i32.const 3)))
  (local.set $bit (i64.shl (i64.const 1) (i64.extend_i32_u (i32.and (local.get $thing) (i32.const 63)))))
  (if (i32.ge_s (local.get $from) (i32.const 0)) (then
    (local.set $from (call $zone (local.get $from)))
    (local.set $at (i32.add (i32.load (local.get $from)) (local.get $word)))
    (i64.store (local.get $at) (i64.and (i64.load (local.get $at)) (i64.xor (local.get $bit) (i64.const -1))))
    (if (i32.load offset={zone.order} (local.get $from)) (then
      (call $out_of_order (i32.load offset={zone.order} (local.get $from)) (local.get $thing))))))
  (local.set $at (i32.add (i32.load (local.get $zone)) (local.get $word)))
  (i64.store (local.get $at) (i64.or (i64.load (local.get $at)) (local.get $bit)))
  (local.set $at (i32.load offset={zone.order} (local.get $zone)))
  (if (local.get $at) (then
    (local.set $n (i32.load (local.get $at)))
    (i32.store (local.get $at) (i32.add (local.get $n) (i32.const 1)))
    (if (i32.and (local.get $target) (i32.const 1))
      (then
        (memory.copy (i32.add (local.get $at) (i32.const 8)) (i32.add (local.get $at) (i32.const 4)) (i32.shl (local.get $n) (i32.const 2)))
        (i32.store offset=4 (local.get $at) (local.get $thing)))
      (else
        (i32.store (i32.add (local.get $at) (i32.shl (i32.add (local.get $n) (i32.const 1)) (i32.const 2))) (local.get $thing))))))
  (i32.store (i32.add (local.get $where) (i32.shl (local.get $thing) (i32.const 2))) (local.get $place))
  (i32.store (i32.add (local.get $known) (i32.shl (local.get $thing) (i32.const 2))) (i32.const 0)))
;; Copies what lies in a zone: a pile from the bottom up, else by id.
(func $lying (param $place i32) (param $to i32) (result i32) (local $zone i32) (local $n i32) (local $i i32) (local $word i64)
  (local.set $zone (call $zone (local.get $place)))
  (if (i32.load offset={zone.order} (local.get $zone)) (then
    (local.set $n (i32.load (i32.load offset={zone.order} (local.get $zone))))
    (memory.copy (local.get $to) (i32.add (i32.load offset={zone.order} (local.get $zone)) (i32.const 4)) (i32.shl (local.get $n) (i32.const 2)))
    (return (local.get $n))))
  (loop $words
    (local.set $word (i64.load (i32.add (i32.load (local.get $zone)) (i32.shl (local.get $i) (i32.const 3)))))
    (block $out (loop $again
      (br_if $out (i64.eqz (local.get $word)))
      (i32.store (i32.add (local.get $to) (i32.shl (local.get $n) (i32.const 2)))
        (i32.add (i32.wrap_i64 (i64.ctz (local.get $word))) (i32.shl (local.get $i) (i32.const 6))))
      (local.set $word (i64.and (local.get $word) (i64.sub (local.get $word) (i64.const 1))))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br $again)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $words (i32.lt_s (local.get $i) (i32.load offset={zone.words} (local.get $zone)))))
  (local.get $n))
(func $shuffle (param $stream i32) (param $at i32) (param $known i32) (local $last i32) (local $other i32) (local $thing i32)
  (i64.store offset={stream.drawn} (local.get $stream) (i64.const 1))
  (local.set $last (i32.sub (i32.load (local.get $at)) (i32.const 1)))
  (local.set $at (i32.add (local.get $at) (i32.const 4)))
  (if (i32.ge_s (local.get $last) (i32.const 0)) (then (call $forget (local.get $at) (i32.add (local.get $last) (i32.const 1)) (local.get $known))))
  (block $out (loop $again
    (br_if $out (i32.le_s (local.get $last) (i32.const 0)))
    (local.set $other (call $draw (local.get $stream) (i32.add (local.get $last) (i32.const 1))))
    (local.set $other (i32.add (local.get $at) (i32.shl (local.get $other) (i32.const 2))))
    (local.set $thing (i32.load (local.get $other)))
    (i32.store (local.get $other) (i32.load (i32.add (local.get $at) (i32.shl (local.get $last) (i32.const 2)))))
    (i32.store (i32.add (local.get $at) (i32.shl (local.get $last) (i32.const 2))) (local.get $thing))
    (local.set $last (i32.sub (local.get $last) (i32.const 1)))
    (br $again))))
(func $forget (param $at i32) (param $n i32) (param $known i32)
  (loop $again
    (i32.store (i32.add (local.get $known) (i32.shl (i32.load (local.get $at)) (i32.const 2))) (i32.const 0))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br_if $again (local.get $n))))

;; ---- the flow: what each phase does is written for it (`$phase.…`). A phase's record
;; is its items, chosen, width of a choice. Fields of a phase: stage, index, passes,
;; listed, count, item, resolved, picked; then which children are over.

(func $record (param $phase i32) (result i32)
  (i32.add (i32.const {phase_table}) (i32.shl (local.get $phase) (i32.const 4))))
(func $act_of (param $phase i32) (result i32) (i32.load offset={act_table} (i32.shl (local.get $phase) (i32.const 2))))
(func $flags (param $phase i32) (result i32) (i32.load offset={flag_table} (i32.shl (local.get $phase) (i32.const 2))))
;; The phase on top of the stack.
(func $top (result i32) (i32.load offset={below_stack} (i32.shl (i32.load (i32.const {depth})) (i32.const 2))))
(func $at_depth (param $d i32) (result i32) (i32.load offset={stack} (i32.shl (local.get $d) (i32.const 2))))
(func $item_of (param $phase i32) (result i32) (local $act i32)
  (local.set $act (call $act_of (local.get $phase)))
  (if (i32.or (i32.eqz (i32.load offset={phase.listed} (local.get $act))) (i32.ge_s (i32.load offset={phase.index} (local.get $act)) (i32.load offset={phase.count} (local.get $act))))
    (then (return (i32.const {none}))))
  (i32.load (i32.add (i32.load (call $record (local.get $phase))) (i32.shl (i32.load offset={phase.index} (local.get $act)) (i32.const 2)))))
(func $begin_anew (param $act i32)
  (i32.store (local.get $act) (i32.const 1))
  (i64.store offset={phase.over} (local.get $act) (i64.const 0))
  (i32.store offset={phase.resolved} (local.get $act) (i32.const -1))
  (i32.store offset={phase.picked} (local.get $act) (i32.const 0)))
(func $finish (param $kind i32) (param $phase i32) (local $winners i64)
  (local.set $winners (call $winners))
  (i32.store (i32.const {outcome}) (local.get $kind))
  (i32.store (i32.const {stalled}) (local.get $phase))
  (i64.store (i32.const {winners}) (if (result i64) (i32.eq (local.get $kind) (i32.const 1)) (then (local.get $winners)) (else (i64.const 0))))
  (i32.store (i32.const {task_proc}) (i32.const -1)))
(func $acting (result i32) (call $acting_in (call $top)))
(func $say_done (call $say_done_in (call $top)))
;; ---- everybody at once: a choice is the action (-1: done), then its values

(func $chosen_at (param $phase i32) (param $number i32) (result i32)
  (i32.add (i32.load offset={arrays.chosen} (call $record (local.get $phase))) (i32.mul (local.get $number) (i32.load offset={arrays.width} (call $record (local.get $phase))))))
(func $together (param $phase i32) (local $act i32) (local $seat i32) (local $number i32) (local $at i32)
  (local.set $act (call $act_of (local.get $phase)))
  (if (i32.lt_s (i32.load offset={phase.resolved} (local.get $act)) (i32.const 0)) (then
    (block $asked (loop $ask
      (local.set $number (i32.load offset={phase.picked} (local.get $act)))
      (br_if $asked (i32.ge_s (local.get $number) (i32.load offset={phase.count} (local.get $act))))
      (i32.store offset={phase.index} (local.get $act) (local.get $number))
      (local.set $seat (call $item_of (local.get $phase)))
      (i32.store offset={phase.item} (local.get $act) (local.get $seat))
      (if (call $guard (local.get $phase) (local.get $seat)) (then
        (call $offer_together (local.get $phase))
        (i32.store (i32.const {seat}) (local.get $seat))
        (if (call $finds_options (local.get $seat)) (then
          (i32.store (i32.const {decision}) (i32.const 1))
          (i32.store (i32.const {site}) (local.get $phase))
          (return)))))
      (i32.store (call $chosen_at (local.get $phase) (local.get $number)) (i32.const -1))
      (i32.store offset={phase.picked} (local.get $act) (i32.add (local.get $number) (i32.const 1)))
      (br $ask)))
    (i32.store offset={phase.resolved} (local.get $act) (i32.const 0))))
  (local.set $number (i32.load offset={phase.resolved} (local.get $act)))
  (if (i32.lt_s (local.get $number) (i32.load offset={phase.picked} (local.get $act))) (then
    (i32.store offset={phase.index} (local.get $act) (local.get $number))
    (local.set $seat (call $item_of (local.get $phase)))
    (i32.store offset={phase.resolved} (local.get $act) (i32.add (local.get $number) (i32.const 1)))
    (i32.store offset={phase.item} (local.get $act) (local.get $seat))
    (local.set $at (call $chosen_at (local.get $phase) (local.get $number)))
    (if (i32.ge_s (i32.load (local.get $at)) (i32.const 0)) (then
      (call $fetch (i32.load (local.get $at)) (i32.add (local.get $at) (i32.const 8)))
      (call $take (i32.load (local.get $at)))))
    (return)))
  (i32.store (local.get $act) (i32.const 3)))

;; ---- what was wished for

(func $depth_of (param $phase i32) (result i32) (local $d i32)
  (local.set $d (i32.load (i32.const {depth})))
  (block $out (loop $down
    (br_if $out (i32.eqz (local.get $d)))
    (local.set $d (i32.sub (local.get $d) (i32.const 1)))
    (if (i32.eq (call $at_depth (local.get $d)) (local.get $phase)) (then (return (local.get $d))))
    (br $down)))
  (i32.const -1))
(func $honour (local $ends i64) (local $agains i64) (local $steps i64) (local $d i32)
  (local.set $ends (i64.load (i32.const {ends})))
  (local.set $agains (i64.load (i32.const {agains})))
  (local.set $steps (i64.load (i32.const {reopened})))
  (i64.store (i32.const {ends}) (i64.const 0))
  (i64.store (i32.const {agains}) (i64.const 0))
  (i64.store (i32.const {reopened}) (i64.const 0))
  (i32.store (i32.const {wished}) (i32.const 0))
  (if (i32.load (i32.const {end_game})) (then
    (i32.store (i32.const {end_game}) (i32.const 0))
    (call $finish (i32.const 1) (i32.const 0))
    (return)))
  (if (i64.ne (local.get $ends) (i64.const 0)) (then
    (local.set $d (call $outermost (local.get $ends)))
    (call $cut (local.get $d))
    (call $next_item (call $at_depth (local.get $d)))
    (return)))
  (if (i64.ne (local.get $agains) (i64.const 0)) (then
    (local.set $d (call $outermost (local.get $agains)))
    (call $cut (local.get $d))
    (call $begin_anew (call $act_of (call $at_depth (local.get $d))))))
  (call $reopen (local.get $steps)))
(func $outermost (param $set i64) (result i32) (local $d i32) (local $best i32)
  (local.set $best (i32.const 1000000))
  (loop $again
    (local.set $d (call $depth_of (i32.wrap_i64 (i64.ctz (local.get $set)))))
    (if (i32.lt_s (local.get $d) (i32.const 0)) (then (call $fault (i32.const {not_under_way})) (unreachable)))
    (if (i32.lt_s (local.get $d) (local.get $best)) (then (local.set $best (local.get $d))))
    (local.set $set (i64.and (local.get $set) (i64.sub (local.get $set) (i64.const 1))))
    (br_if $again (i64.ne (local.get $set) (i64.const 0))))
  (local.get $best))
(func $cut (param $depth i32) (local $d i32)
  (local.set $d (i32.load (i32.const {depth})))
  (block $out (loop $again
    (local.set $d (i32.sub (local.get $d) (i32.const 1)))
    (br_if $out (i32.le_s (local.get $d) (local.get $depth)))
    (i32.store offset={phase.item} (call $act_of (call $at_depth (local.get $d))) (i32.const {none}))
    (br $again)))
  (i32.store (i32.const {depth}) (i32.add (local.get $depth) (i32.const 1))))
(func $reopen (param $steps i64) (local $step i32) (local $act i32)
  (block $out (loop $again
    (br_if $out (i64.eqz (local.get $steps)))
    (local.set $step (i32.wrap_i64 (i64.ctz (local.get $steps))))
    (local.set $steps (i64.and (local.get $steps) (i64.sub (local.get $steps) (i64.const 1))))
    (if (i32.ge_s (call $depth_of (call $step_phase (local.get $step))) (i32.const 0)) (then
      (local.set $act (call $act_of (call $step_phase (local.get $step))))
      (i64.store offset={phase.over} (local.get $act) (i64.and (i64.load offset={phase.over} (local.get $act))
        (i64.xor (i64.shl (i64.const 1) (i64.extend_i32_u (call $step_bit (local.get $step)))) (i64.const -1))))))
    (br $again))))

;; ---- playing on

(func $advance (export "advance")
  (call $onward)
  (call $check))
(func $onward
  (i32.store (i32.const {decision}) (i32.const 0))
  (block $out (loop $on
    (br_if $out (i32.load (i32.const {outcome})))
    (if (i32.ge_s (i32.load (i32.const {task_proc})) (i32.const 0))
      (then
        (br_if $out (call $run (i32.load (i32.const {task_proc}))))
        (i32.store (i32.const {task_proc}) (i32.const -1))
        (i32.store (i32.const {doing}) (i32.const {none}))
        (if (i32.load (i32.const {wished})) (then (call $honour))))
      (else
        (call $flow_in (call $top))
        (br_if $out (i32.load (i32.const {decision})))))
    (br $on))))
;; How many options the decision has.
(func $options (export "options") (result i64) (i64.load (i32.const {count})))
(func $count_options (param $seat i32)
  (i64.store (i32.const {count}) (i64.add (call $count_offered (local.get $seat)) (i64.extend_i32_u (i32.load (i32.const {done}))))))
;; Whether there is an option but `done`. In an imagined game nobody asks how many.
(func $finds_options (param $seat i32) (result i32)
  (if (i32.eqz (global.get $counting)) (then (return (call $any_offered (local.get $seat)))))
  (call $count_options (local.get $seat))
  (i64.gt_u (i64.load (i32.const {count})) (i64.extend_i32_u (i32.load (i32.const {done})))))
;; Makes the choice of a number; the options were counted before.
(func $choose (export "choose") (param $index i64)
  (if (i64.ge_u (local.get $index) (i64.load (i32.const {count}))) (then (unreachable)))
  (if (i32.ne (i32.load (i32.const {decision})) (i32.const 1)) (then
    (i64.store (i32.const {answer}) (local.get $index))
    (return)))
  (call $chosen_one (call $seek_offered (i32.load (i32.const {seat})) (local.get $index))))
;; What follows on an action, whose values stand in its frame; -1: on `done`.
(func $chosen_one (param $action i32) (local $phase i32) (local $act i32) (local $at i32)
  (local.set $phase (call $top))
  (if (i32.and (call $flags (local.get $phase)) (i32.const {together})) (then
    (local.set $act (call $act_of (local.get $phase)))
    (local.set $at (call $chosen_at (local.get $phase) (i32.load offset={phase.picked} (local.get $act))))
    (i32.store (local.get $at) (local.get $action))
    (if (i32.ge_s (local.get $action) (i32.const 0)) (then
      (call $keep (local.get $action) (i32.add (local.get $at) (i32.const 8)))))
    (i32.store offset={phase.picked} (local.get $act) (i32.add (i32.load offset={phase.picked} (local.get $act)) (i32.const 1)))
    (return)))
  (if (i32.ge_s (local.get $action) (i32.const 0))
    (then (call $take (local.get $action)))
    (else (call $say_done))))

;; ---- whole games

(func $reset (export "reset") (param $seed i64) (param $game i64) (local $key i64) (local $i i32)
  (memory.copy (i32.const {start}) (i32.const {initial}) (i32.const {block}))
  (call $renew)
  (call $forget_asking)
  (i32.store (i32.const {stage}) (i32.const 0))
  (global.set $counting (i32.const 1))
  (local.set $key (call $key_of_game (local.get $seed) (local.get $game)))
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (i32.const {streams})))
    (call $begin_stream (i32.add (i32.const {stream_at}) (i32.mul (local.get $i) (i32.const {stream_width})))
      (i64.xor (local.get $key) (i64.load offset={tag_table} (i32.shl (local.get $i) (i32.const 3)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again)))
  (local.set $i (i32.const 0))
  (loop $bots
    (call $begin_stream (i32.add (i32.const {bot_at}) (i32.mul (local.get $i) (i32.const {stream_width})))
      (i64.xor (local.get $key) (i64.load offset={bot_table} (i32.shl (local.get $i) (i32.const 3)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $bots (i32.lt_s (local.get $i) (i32.const {seats})))))
(func $forget_asking
  (global.set $hit (i32.const 0))
  (global.set $advised (i32.const 0))
  (global.set $asking (i32.const 0)))
(func $look_round (local $phase i32) (local $act i32)
  (if (i32.lt_s (i32.load (i32.const {depth})) (i32.const 2)) (then (return)))
  (local.set $phase (call $at_depth (i32.const 1)))
  (if (i32.eqz (i32.and (call $flags (local.get $phase)) (i32.const {counts_rounds}))) (then (return)))
  (local.set $act (call $act_of (local.get $phase)))
  (if (i32.and (i32.eq (i32.load (i32.const {last_phase})) (local.get $phase))
      (i32.and (i32.eq (i32.load (i32.const {last_pass})) (i32.load offset={phase.passes} (local.get $act)))
        (i32.eq (i32.load (i32.const {last_index})) (i32.load offset={phase.index} (local.get $act)))))
    (then (return)))
  (i32.store (i32.const {last_phase}) (local.get $phase))
  (i32.store (i32.const {last_pass}) (i32.load offset={phase.passes} (local.get $act)))
  (i32.store (i32.const {last_index}) (i32.load offset={phase.index} (local.get $act)))
  (i32.store (i32.const {rounds}) (i32.add (i32.load (i32.const {rounds})) (i32.const 1)))
  (call $look_leads))
;; One decision by the bot of its seat: the greedy one for the seats in the word at 20,
;; else one that takes any option that is not unwise, each alike.
(func $decide (export "decide") (local $n i64) (local $seat i32) (local $index i64)
  (call $look_round)
  (local.set $n (i64.load (i32.const {count})))
  (local.set $seat (i32.load (i32.const {seat})))
  (if (i32.and (i32.shr_u (i32.load (i32.const {greedy_seats})) (local.get $seat)) (i32.const 1)) (then
    (call $decide_greedily)
    (return)))
  (if (i32.ne (i32.load (i32.const {decision})) (i32.const 1)) (then
    (i64.store (i32.const {answer}) (call $drawn (local.get $seat) (local.get $n)))
    (return)))
  (global.set $advised (i32.const 0))
  (local.set $index (call $drawn (local.get $seat) (call $advise (local.get $seat) (local.get $n))))
  (call $chosen_one (if (result i32) (global.get $advised)
    (then (call $seek_wise (local.get $seat) (local.get $index)))
    (else (call $seek_offered (local.get $seat) (local.get $index))))))
;; One of so many, of the first 2^32 at most, each alike; one alone draws nothing.
(func $drawn (param $seat i32) (param $n i64) (result i64)
  (if (i64.eq (local.get $n) (i64.const 1)) (then (return (i64.const 0))))
  (if (i64.gt_u (local.get $n) (i64.const 0x100000000)) (then (local.set $n (i64.const 0x100000000))))
  (call $below (i32.add (i32.const {bot_at}) (i32.mul (local.get $seat) (i32.const {stream_width}))) (local.get $n)))
;; A row of games as it was ordered: seed, first number, how many, most decisions, the
;; seats of greedy bots in game 0, whether all bots sit one seat further in each game.
(func $play (param $game i64)
  (i32.store (i32.const {greedy_seats}) (call $turned (i32.load offset={order.greedy} (i32.const {order})) (local.get $game)))
  (call $reset (i64.load (i32.const {order})) (local.get $game))
  (call $advance)
  (call $play_on))
(func $turned (param $seats i32) (param $game i64) (result i32) (local $by i32)
  (if (i32.eqz (i32.load offset={order.rotating} (i32.const {order}))) (then (return (local.get $seats))))
  (local.set $by (i32.wrap_i64 (i64.rem_u (local.get $game) (i64.const {seats}))))
  (i32.and (i32.sub (i32.shl (i32.const 1) (i32.const {seats})) (i32.const 1))
    (i32.or (i32.shl (local.get $seats) (local.get $by)) (i32.shr_u (local.get $seats) (i32.sub (i32.const {seats}) (local.get $by))))))
(func $play_on (local $most i32)
  (local.set $most (i32.load offset={order.most} (i32.const {order})))
  (block $out (loop $on
    (br_if $out (i32.eqz (i32.load (i32.const {decision}))))
    (br_if $out (i32.ge_s (i32.load (i32.const {decisions})) (local.get $most)))
    (br_if $out (i32.load (i32.const {stop})))
    (call $decide)
    (call $end_decision)
    (br $on))))
(func $end_decision
  (i32.store (i32.const {begun}) (i32.const 1))
  (call $onward)
  (call $check)
  (i32.store (i32.const {begun}) (i32.const 0))
  (i32.store (i32.const {decisions}) (i32.add (i32.load (i32.const {decisions})) (i32.const 1))))
;; The rules failed while options were counted for a decision. Where `done` may be said,
;; or everybody decides at once, it was asked whether there is any: that may fail too.
;; Else who decides would have counted them, so the decision before is made, the round
;; looked at, and advice is asked about each option as it comes.
(func $late (export "late")
  (i32.store (i32.const {offering}) (i32.const 0))
  (if (i32.or (i32.load (i32.const {done})) (i32.and (call $flags (call $top)) (i32.const {together}))) (then
    (drop (call $any_offered (i32.load (i32.const {seat}))))))
  (if (i32.load (i32.const {begun})) (then
    (i32.store (i32.const {decisions}) (i32.add (i32.load (i32.const {decisions})) (i32.const 1)))))
  (call $look_round)
  (call $count_advised (i32.load (i32.const {seat}))))
;; Many games; what is told of each is laid down one after another. A host may stop
;; them by writing a 1 to address 16; address 12 counts the games that have ended.
(func $batch (export "batch") (param $seed i64) (param $first i64) (param $games i32) (param $most i32) (param $greedy i32) (param $turning i32)
  (i64.store (i32.const {order}) (local.get $seed))
  (i64.store offset={order.first} (i32.const {order}) (local.get $first))
  (i32.store offset={order.games} (i32.const {order}) (local.get $games))
  (i32.store offset={order.most} (i32.const {order}) (local.get $most))
  (i32.store offset={order.greedy} (i32.const {order}) (local.get $greedy))
  (i32.store offset={order.rotating} (i32.const {order}) (local.get $turning))
  (i32.store (i32.const {games_ended}) (i32.const 0))
  (call $play_all))
;; Goes on with them after a fault in a game that a bot imagined.
(func $resume (export "resume")
  (call $recover)
  (call $end_decision)
  (call $play_on)
  (call $lay_down)
  (call $play_all))
(func $play_all (local $i i32)
  (block $out (loop $on
    (local.set $i (i32.load (i32.const {games_ended})))
    (br_if $out (i32.ge_s (local.get $i) (i32.load offset={order.games} (i32.const {order}))))
    (br_if $out (i32.load (i32.const {stop})))
    (call $play (i64.add (i64.load offset={order.first} (i32.const {order})) (i64.extend_i32_u (local.get $i))))
    (call $lay_down)
    (br $on))))
(func $lay_down (local $at i32)
  (local.set $at (i32.add (i32.const {results}) (i32.mul (i32.load (i32.const {games_ended})) (i32.const {result_width}))))
  (i32.store (local.get $at) (i32.load (i32.const {outcome})))
  (i32.store offset={result.stalled} (local.get $at) (i32.load (i32.const {stalled})))
  (i64.store offset={result.winners} (local.get $at) (i64.load (i32.const {winners})))
  (i32.store offset={result.decisions} (local.get $at) (i32.load (i32.const {decisions})))
  (i32.store offset={result.rounds} (local.get $at) (i32.load (i32.const {rounds})))
  (i64.store offset={result.state} (local.get $at) (call $hash))
  (call $look_leads)
  (i32.store offset={result.lead_changes} (local.get $at) (i32.load (i32.const {lead_changes})))
  (call $scores (i32.add (local.get $at) (i32.const {result.scores})))
  (if (i32.eqz (i32.load (i32.const {stop}))) (then
    (i32.store (i32.const {games_ended}) (i32.add (i32.load (i32.const {games_ended})) (i32.const 1))))))
(func $mixed (param $h i64) (param $x i64) (result i64)
  (local.set $h (i64.mul (i64.xor (local.get $h) (local.get $x)) (i64.const 0x9e3779b97f4a7c15)))
  (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 29))))
