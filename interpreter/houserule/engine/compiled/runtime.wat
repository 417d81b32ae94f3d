;; What every module has: numbers, chance, sets of places, things that move, the flow.
;; Names in braces are addresses, offsets and sizes of the program that is compiled; the
;; fields of records are those of `RECORDS` in `memory/layout.py`.

;; Notes which fault the game ends with; a trap follows.
(func $fault (param $which i32)
  (i32.store (i32.const {fault}) (local.get $which)))

;; Counts what is looked at or done; too much without a decision is the fault `which`.
(func $spend (param $which i32) (param $many i32)
  (global.set $left (i32.sub (global.get $left) (local.get $many)))
  (if (i32.lt_s (global.get $left) (i32.const 0)) (then (call $fault (local.get $which)) (unreachable))))

;; ---- numbers: division rounds down, also below 0

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

;; A word whose n lowest bits are set: none for n of 0 or less, all for 64 or more.
(func $low_bits (param $n i32) (result i64)
  (if (i32.le_s (local.get $n) (i32.const 0)) (then (return (i64.const 0))))
  (if (i32.ge_s (local.get $n) (i32.const 64)) (then (return (i64.const -1))))
  (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $n))) (i64.const 1)))

;; ---- chance: the generator and its streams are those of docs/language/random.md

(func $mix (param $z i64) (result i64)
  (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30))) (i64.const 0xbf58476d1ce4e5b9)))
  (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27))) (i64.const 0x94d049bb133111eb)))
  (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))
;; Seeds a stream from a key: its state, its increment; nothing was drawn from it yet.
(func $begin_stream (param $at i32) (param $key i64)
  (local.set $key (i64.add (local.get $key) (i64.const 0x9e3779b97f4a7c15)))
  (i64.store (local.get $at) (call $mix (local.get $key)))
  (i64.store offset={stream.increment} (local.get $at) (i64.or (call $mix (i64.add (local.get $key) (i64.const 0x9e3779b97f4a7c15))) (i64.const 1)))
  (i64.store offset={stream.drawn} (local.get $at) (i64.const 0)))
;; The key that all streams of one game are seeded from.
(func $key_of_game (param $seed i64) (param $game i64) (result i64)
  (call $mix (i64.add (i64.xor (call $mix (i64.add (local.get $seed) (i64.const 0x9e3779b97f4a7c15))) (local.get $game)) (i64.const 0x9e3779b97f4a7c15))))
;; The next 32 random bits of a stream.
(func $next_word (param $at i32) (result i64) (local $s i64) (local $w i32)
  (local.set $s (i64.load (local.get $at)))
  (local.set $w (i32.wrap_i64 (i64.shr_u (i64.xor (i64.shr_u (local.get $s) (i64.const 18)) (local.get $s)) (i64.const 27))))
  (i64.store (local.get $at) (i64.add (i64.mul (local.get $s) (i64.const 6364136223846793005)) (i64.load offset={stream.increment} (local.get $at))))
  (i64.extend_i32_u (i32.rotr (local.get $w) (i32.wrap_i64 (i64.shr_u (local.get $s) (i64.const 59))))))
;; A number below n, 1 < n <= 2^32, each with the same probability: numbers that would
;; favour the lower ones are drawn again.
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
;; A number below n. Where n is 1 nothing is drawn, and the stream stays unused.
(func $draw (param $at i32) (param $n i32) (result i32)
  (if (i32.eq (local.get $n) (i32.const 1)) (then (return (i32.const 0))))
  (i64.store offset={stream.drawn} (local.get $at) (i64.const 1))
  (i32.wrap_i64 (call $below (local.get $at) (i64.extend_i32_u (local.get $n)))))

;; ---- subsets: the members of a set in a row, and of a subset their numbers in that row

;; Appends the members of a word of a set to a row of n; returns the new length.
(func $gather (param $set i64) (param $to i32) (param $n i32) (param $word i32) (result i32)
  (block $out (loop $again
    (br_if $out (i64.eqz (local.get $set)))
    (i32.store (i32.add (local.get $to) (i32.shl (local.get $n) (i32.const 2)))
      (i32.add (i32.wrap_i64 (i64.ctz (local.get $set))) (i32.shl (local.get $word) (i32.const 6))))
    (local.set $set (i64.and (local.get $set) (i64.sub (local.get $set) (i64.const 1))))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br $again)))
  (local.get $n))
;; The first choice of k: the numbers 0 to k - 1.
(func $first_places (param $at i32) (param $k i32) (local $i i32)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $k)))
    (i32.store (i32.add (local.get $at) (i32.shl (local.get $i) (i32.const 2))) (local.get $i))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again))))
;; One word of the subset whose k numbers are given.
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
;; The next choice of k of n in lexicographic order; returns 0 after the last.
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

;; ---- shares: the ways to divide n pieces among m; first come those in which the first
;; takes most

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
;; Writes the shares of the way of a number, one after another.
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

;; The same of which alike members get none more than one before them. Of each class it is
;; known how many members are still to come ($room) and what each may have at most ($top).
;; Rows of r numbers that never rise, none above t, are counted by their sums: each member j
;; divides by 1 - x^j and multiplies by 1 - x^(t+j).
(func $open_shares (param $n i32) (param $m i32) (param $kind i32) (param $many i32) (param $room i32) (param $top i32) (local $i i32) (local $at i32)
  (block $out (loop $next
    (br_if $out (i32.ge_u (local.get $i) (local.get $many)))
    (i32.store (i32.add (local.get $room) (i32.shl (local.get $i) (i32.const 2))) (i32.const 0))
    (i32.store (i32.add (local.get $top) (i32.shl (local.get $i) (i32.const 2))) (local.get $n))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next)))
  (local.set $i (i32.const 0))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $i) (local.get $m)))
    (local.set $at (i32.add (local.get $room) (i32.shl (i32.load (i32.add (local.get $kind) (i32.shl (local.get $i) (i32.const 2)))) (i32.const 2))))
    (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $more))))
(func $alike_shares (param $n i32) (param $many i32) (param $room i32) (param $top i32) (param $ways i32) (result i64) (local $c i32) (local $j i32) (local $k i32) (local $step i32) (local $at i32)
  (local.set $k (local.get $n))
  (loop $clear
    (i64.store (i32.add (local.get $ways) (i32.shl (local.get $k) (i32.const 3))) (i64.extend_i32_u (i32.eqz (local.get $k))))
    (local.set $k (i32.sub (local.get $k) (i32.const 1)))
    (br_if $clear (i32.ge_s (local.get $k) (i32.const 0))))
  (block $out (loop $class
    (br_if $out (i32.ge_u (local.get $c) (local.get $many)))
    (local.set $j (i32.const 1))
    (block $next (loop $member
      (br_if $next (i32.gt_u (local.get $j) (i32.load (i32.add (local.get $room) (i32.shl (local.get $c) (i32.const 2))))))
      (local.set $k (local.get $j))
      (block $divided (loop $up
        (br_if $divided (i32.gt_s (local.get $k) (local.get $n)))
        (local.set $at (i32.add (local.get $ways) (i32.shl (local.get $k) (i32.const 3))))
        (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (i64.load (i32.sub (local.get $at) (i32.shl (local.get $j) (i32.const 3))))))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $up)))
      (local.set $step (i32.add (local.get $j) (i32.load (i32.add (local.get $top) (i32.shl (local.get $c) (i32.const 2))))))
      (local.set $k (local.get $n))
      (block $multiplied (loop $down
        (br_if $multiplied (i32.lt_s (local.get $k) (local.get $step)))
        (local.set $at (i32.add (local.get $ways) (i32.shl (local.get $k) (i32.const 3))))
        (i64.store (local.get $at) (i64.sub (i64.load (local.get $at)) (i64.load (i32.sub (local.get $at) (i32.shl (local.get $step) (i32.const 3))))))
        (local.set $k (i32.sub (local.get $k) (i32.const 1)))
        (br $down)))
      (local.set $j (i32.add (local.get $j) (i32.const 1)))
      (br $member)))
    (local.set $c (i32.add (local.get $c) (i32.const 1)))
    (br $class)))
  (i64.load (i32.add (local.get $ways) (i32.shl (local.get $n) (i32.const 3)))))
(func $unrank_alike_share (param $n i32) (param $m i32) (param $index i64) (param $to i32) (param $kind i32) (param $many i32) (param $room i32) (param $top i32) (param $ways i32) (local $class i32) (local $amount i32) (local $here i64)
  (block $last (loop $next
    (br_if $last (i32.eqz (local.get $m)))
    (local.set $class (i32.shl (i32.load (local.get $kind)) (i32.const 2)))
    (local.set $kind (i32.add (local.get $kind) (i32.const 4)))
    (i32.store (i32.add (local.get $room) (local.get $class)) (i32.sub (i32.load (i32.add (local.get $room) (local.get $class))) (i32.const 1)))
    (local.set $amount (i32.load (i32.add (local.get $top) (local.get $class))))
    (if (i32.gt_s (local.get $amount) (local.get $n)) (then (local.set $amount (local.get $n))))
    (block $found (loop $less
      (i32.store (i32.add (local.get $top) (local.get $class)) (local.get $amount))
      (local.set $here (call $alike_shares (i32.sub (local.get $n) (local.get $amount)) (local.get $many) (local.get $room) (local.get $top) (local.get $ways)))
      (br_if $found (i64.lt_u (local.get $index) (local.get $here)))
      (local.set $index (i64.sub (local.get $index) (local.get $here)))
      (local.set $amount (i32.sub (local.get $amount) (i32.const 1)))
      (br $less)))
    (i32.store (local.get $to) (local.get $amount))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (local.get $amount)))
    (local.set $m (i32.sub (local.get $m) (i32.const 1)))
    (br $next))))

;; ---- things in zones (record `zone`). What lies there is a set, a bit for each thing; a
;; pile has an order besides: how many things, then the things from the bottom.

(func $zone (param $place i32) (result i32)
  (i32.add (i32.const {zone_table}) (i32.shl (local.get $place) (i32.const 4))))
;; How many things lie in a zone.
(func $lie_count (param $zone i32) (result i32) (local $n i32) (local $i i32)
  (if (i32.load offset={zone.order} (local.get $zone)) (then (return (i32.load (i32.load offset={zone.order} (local.get $zone))))))
  (loop $again
    (local.set $n (i32.add (local.get $n) (i32.wrap_i64 (i64.popcnt (i64.load
      (i32.add (i32.load (local.get $zone)) (i32.shl (local.get $i) (i32.const 3))))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (i32.load offset={zone.words} (local.get $zone)))))
  (local.get $n))
;; Removes a thing from an order: those above move down, the last entry becomes 0.
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
;; Moves a thing. `target` is twice the number of a zone, plus 1 for the bottom of a pile;
;; `full` is the fault if the zone has no room. No seat has been shown the thing after it.
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
;; Copies the things of a zone into a row, a pile from the bottom up, others by number;
;; returns how many.
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
;; Shuffles a pile. No seat has been shown its things after it.
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
;; Clears which seats were shown n things of a row.
(func $forget (param $at i32) (param $n i32) (param $known i32)
  (loop $again
    (i32.store (i32.add (local.get $known) (i32.shl (i32.load (local.get $at)) (i32.const 2))) (i32.const 0))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br_if $again (local.get $n))))

;; ---- the flow: each phase has a function of its own (`$phase.…`). Its record `phase`
;; holds where it is, `arrays` where its items and its choices lie.

(func $record (param $phase i32) (result i32)
  (i32.add (i32.const {phase_table}) (i32.shl (local.get $phase) (i32.const 4))))
;; Where the record `phase` of a phase lies.
(func $act_of (param $phase i32) (result i32) (i32.load offset={act_table} (i32.shl (local.get $phase) (i32.const 2))))
;; Whether all seats choose at once in a phase, and whether only the first who claims acts.
(func $is_together (param $phase i32) (result i32) (i32.ne (call $how_together (local.get $phase)) (i32.const 0)))
(func $is_claimed (param $phase i32) (result i32) (i32.eq (call $how_together (local.get $phase)) (i32.const 2)))
(func $how_together (param $phase i32) (result i32) (i32.load offset={together_table} (i32.shl (local.get $phase) (i32.const 2))))
;; The phase on top of the stack: the innermost one under way.
(func $top (result i32) (i32.load offset={below_stack} (i32.shl (i32.load (i32.const {depth})) (i32.const 2))))
(func $at_depth (param $d i32) (result i32) (i32.load offset={stack} (i32.shl (local.get $d) (i32.const 2))))
;; The item at hand of a phase; none where it goes over no items, or is done with all.
(func $item_of (param $phase i32) (result i32) (local $act i32)
  (local.set $act (call $act_of (local.get $phase)))
  (if (i32.or (i32.eqz (i32.load offset={phase.listed} (local.get $act))) (i32.ge_s (i32.load offset={phase.index} (local.get $act)) (i32.load offset={phase.count} (local.get $act))))
    (then (return (i32.const {none}))))
  (i32.load (i32.add (i32.load (call $record (local.get $phase))) (i32.shl (i32.load offset={phase.index} (local.get $act)) (i32.const 2)))))
;; Puts a phase back to the beginning of its item.
(func $begin_anew (param $act i32)
  (i32.store (local.get $act) (i32.const 1))
  (i64.store offset={phase.over} (local.get $act) (i64.const 0))
  (i32.store offset={phase.resolved} (local.get $act) (i32.const -1))
  (i32.store offset={phase.picked} (local.get $act) (i32.const 0)))
;; Ends the game, won (1) or stalled in a phase (2); `$complete` ends one that is drawn.
(func $finish (param $kind i32) (param $phase i32) (local $winners i64)
  (local.set $winners (call $winners))
  (i32.store (i32.const {outcome}) (local.get $kind))
  (i32.store (i32.const {stalled}) (local.get $phase))
  (i64.store (i32.const {winners}) (if (result i64) (i32.eq (local.get $kind) (i32.const 1)) (then (local.get $winners)) (else (i64.const 0))))
  (i32.store (i32.const {task_proc}) (i32.const -1)))
;; The seat that acts in the phase on top, or none.
(func $acting (result i32) (call $acting_in (call $top)))
(func $say_done (call $say_done_in (call $top)))
;; ---- simultaneous phases: all choose, then what they chose happens seat by seat

;; A choice is kept as its action (-1: `done`) and the values of that action.

(func $chosen_at (param $phase i32) (param $number i32) (result i32)
  (i32.add (i32.load offset={arrays.chosen} (call $record (local.get $phase))) (i32.mul (local.get $number) (i32.load offset={arrays.width} (call $record (local.get $phase))))))
;; Plays on in a simultaneous phase. `picked` counts the seats that have been asked,
;; `resolved` those whose choice has been carried out; it is -1 while they are asked.
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
        (if (i32.or (call $finds_options (local.get $seat)) (call $is_claimed (local.get $phase))) (then
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
      (if (call $is_claimed (local.get $phase)) (then
        (i32.store offset={phase.resolved} (local.get $act) (i32.load offset={phase.picked} (local.get $act)))))
      (call $fetch (i32.load (local.get $at)) (i32.add (local.get $at) (i32.const 8)))
      (call $take (i32.load (local.get $at)))))
    (return)))
  (i32.store (local.get $act) (i32.const 3)))

;; ---- requests of clauses: to end the game or a phase, to begin a phase again, to open a
;; step again. They are carried out when the clause is over.

;; How deep in the stack a phase is, -1 where it is not under way.
(func $depth_of (param $phase i32) (result i32) (local $d i32)
  (local.set $d (i32.load (i32.const {depth})))
  (block $out (loop $down
    (br_if $out (i32.eqz (local.get $d)))
    (local.set $d (i32.sub (local.get $d) (i32.const 1)))
    (if (i32.eq (call $at_depth (local.get $d)) (local.get $phase)) (then (return (local.get $d))))
    (br $down)))
  (i32.const -1))
;; Forgets what was requested.
(func $forget_wishes
  (i64.store (i32.const {ends}) (i64.const 0))
  (i64.store (i32.const {agains}) (i64.const 0))
  (i64.store (i32.const {reopened}) (i64.const 0))
  (i32.store (i32.const {wished}) (i32.const 0))
  (i32.store (i32.const {end_game}) (i32.const 0)))
;; Carries out what was requested: the end of the game first, then of the outermost phase.
(func $honour (local $ends i64) (local $agains i64) (local $steps i64) (local $end i32) (local $d i32)
  (local.set $ends (i64.load (i32.const {ends})))
  (local.set $agains (i64.load (i32.const {agains})))
  (local.set $steps (i64.load (i32.const {reopened})))
  (local.set $end (i32.load (i32.const {end_game})))
  (call $forget_wishes)
  (if (local.get $end) (then
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
;; The depth of the outermost phase of a set; all must be under way.
(func $outermost (param $set i64) (result i32) (local $d i32) (local $best i32)
  (local.set $best (i32.const 1000000))
  (loop $again
    (local.set $d (call $depth_of (i32.wrap_i64 (i64.ctz (local.get $set)))))
    (if (i32.lt_s (local.get $d) (i32.const 0)) (then (call $fault (i32.const {not_under_way})) (unreachable)))
    (if (i32.lt_s (local.get $d) (local.get $best)) (then (local.set $best (local.get $d))))
    (local.set $set (i64.and (local.get $set) (i64.sub (local.get $set) (i64.const 1))))
    (br_if $again (i64.ne (local.get $set) (i64.const 0))))
  (local.get $best))
;; Leaves all phases deeper in the stack than this one.
(func $cut (param $depth i32) (local $d i32)
  (local.set $d (i32.load (i32.const {depth})))
  (block $out (loop $again
    (local.set $d (i32.sub (local.get $d) (i32.const 1)))
    (br_if $out (i32.le_s (local.get $d) (local.get $depth)))
    (i32.store offset={phase.item} (call $act_of (call $at_depth (local.get $d))) (i32.const {none}))
    (br $again)))
  (i32.store (i32.const {depth}) (i32.add (local.get $depth) (i32.const 1))))
;; Opens steps again, as far as their phases are under way.
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

;; Plays on to the next decision or to the end, and asks the invariants.
(func $advance (export "advance")
  (call $onward)
  (call $check))
;; Plays on to the next decision or to the end: the procedure under way, else the flow.
(func $onward
  (global.set $left (i32.const {work_at_most}))
  (global.set $steps (i32.const {steps_at_most}))
  (i32.store (i32.const {decision}) (i32.const 0))
  (block $out (loop $on
    (br_if $out (i32.load (i32.const {outcome})))
    (if (i32.ge_s (i32.load (i32.const {task_proc})) (i32.const 0))
      (then
        (br_if $out (call $run (i32.load (i32.const {task_proc}))))
        (i32.store (i32.const {task_proc}) (i32.const -1))
        (i32.store (i32.const {doing}) (i32.const {none}))
        (drop (call $complete)))
      (else
        (call $flow_in (call $top))
        (br_if $out (i32.load (i32.const {decision})))))
    (br $on))))
;; How many options the decision has, `done` included.
(func $options (export "options") (result i64) (i64.load (i32.const {count})))
(func $count_options (param $seat i32)
  (i64.store (i32.const {count}) (i64.add (call $count_offered (local.get $seat)) (i64.extend_i32_u (i32.load (i32.const {done}))))))
;; Whether there is an option besides `done`. Imagined games only look for one, since no bot
;; needs the number there.
(func $finds_options (param $seat i32) (result i32)
  (if (i32.eqz (i32.or (global.get $counting) (global.get $tallying))) (then (return (call $any_offered (local.get $seat)))))
  (call $count_options (local.get $seat))
  (i64.gt_u (i64.load (i32.const {count})) (i64.extend_i32_u (i32.load (i32.const {done})))))
;; Takes the option of a number below `options`.
(func $choose (export "choose") (param $index i64)
  (if (i64.ge_u (local.get $index) (i64.load (i32.const {count}))) (then (unreachable)))
  (if (i32.ne (i32.load (i32.const {decision})) (i32.const 1)) (then
    (i64.store (i32.const {answer}) (local.get $index))
    (return)))
  (call $chosen_one (call $seek_offered (i32.load (i32.const {seat})) (local.get $index))))
;; Takes an action whose values are in its frame, or `done` (-1): at once, or, where all
;; choose at once, it is kept.
(func $chosen_one (param $action i32) (local $phase i32) (local $act i32) (local $at i32)
  (local.set $phase (call $top))
  (if (call $is_together (local.get $phase)) (then
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

;; Begins a game: the state block as it is before play, and fresh streams of chance.
(func $reset (export "reset") (param $seed i64) (param $game i64) (local $key i64) (local $i i32)
  (memory.copy (i32.const {start}) (i32.const {initial}) (i32.const {block}))
  (call $renew)
  (call $forget_asking)
  (i32.store (i32.const {stage}) (i32.const 0))
  (i32.store (i32.const {searching}) (i32.const 0))
  (global.set $counting (i32.const 1))
  (global.set $tallying (i32.const 0))
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
;; Clears what a call that ended by a trap may have left in globals.
(func $forget_asking
  (global.set $imagined (i32.const 0))
  (global.set $quiet (i32.const 0))
  (global.set $hit (i32.const 0))
  (global.set $advised (i32.const 0))
  (global.set $asking (i32.const 0)))
;; Undoes all that is imagined: a call ended in the midst of it.
(func $wake
  (block $out (loop $again
    (br_if $out (i32.eqz (global.get $imagined)))
    (call $undo)
    (br $again))))
;; Looks at the leads if a round began since they were looked at.
(func $look_round
  (if (i32.eq (i32.load (i32.const {led})) (i32.load (i32.const {rounds}))) (then (return)))
  (i32.store (i32.const {led}) (i32.load (i32.const {rounds})))
  (call $look_leads))
;; Lets the bot of the deciding seat choose: the greedy one in the seats of `greedy_seats`,
;; else the random one, to which all advised options are equally likely.
(func $decide (export "decide") (local $n i64) (local $seat i32) (local $index i64)
  (global.set $left (i32.const {work_at_most}))
  (call $look_round)
  (local.set $n (i64.load (i32.const {count})))
  (local.set $seat (i32.load (i32.const {seat})))
  (if (i32.and (i32.shr_u (i32.load (i32.const {greedy_seats})) (local.get $seat)) (i32.const 1)) (then
    (call $decide_greedily)
    (return)))
  (if (i32.load offset={efforts_now} (i32.shl (local.get $seat) (i32.const 2))) (then
    (call $decide_by_search)
    (return)))
  (if (i32.ne (i32.load (i32.const {decision})) (i32.const 1)) (then
    (i64.store (i32.const {answer}) (call $drawn (local.get $seat) (local.get $n)))
    (return)))
  (global.set $advised (i32.const 0))
  (local.set $index (call $drawn (local.get $seat) (call $advise (local.get $seat) (local.get $n))))
  (call $chosen_one (if (result i32) (global.get $advised)
    (then (call $seek_wise (local.get $seat) (local.get $index)))
    (else (call $seek_offered (local.get $seat) (local.get $index))))))
;; The random bot's draw: a number below n, of the first 2^32 at most; 1 draws nothing.
(func $drawn (param $seat i32) (param $n i64) (result i64)
  (if (i64.eq (local.get $n) (i64.const 1)) (then (return (i64.const 0))))
  (if (i64.gt_u (local.get $n) (i64.const 0x100000000)) (then (local.set $n (i64.const 0x100000000))))
  (call $below (i32.add (i32.const {bot_at}) (i32.mul (local.get $seat) (i32.const {stream_width}))) (local.get $n)))
;; One game of a batch, by what it was called with (record `order`).
(func $play (param $game i64)
  (i32.store (i32.const {greedy_seats}) (call $turned (i32.load offset={order.greedy} (i32.const {order})) (local.get $game)))
  (call $turn_efforts (local.get $game))
  (call $reset (i64.load (i32.const {order})) (local.get $game))
  (call $advance)
  (call $play_on))
;; The seats of greedy bots in a game: with `rotating` each game moves them on by one.
(func $turned (param $seats i32) (param $game i64) (result i32) (local $by i32)
  (if (i32.eqz (i32.load offset={order.rotating} (i32.const {order}))) (then (return (local.get $seats))))
  (local.set $by (i32.wrap_i64 (i64.rem_u (local.get $game) (i64.const {seats}))))
  (i32.and (i32.sub (i32.shl (i32.const 1) (i32.const {seats})) (i32.const 1))
    (i32.or (i32.shl (local.get $seats) (local.get $by)) (i32.shr_u (local.get $seats) (i32.sub (i32.const {seats}) (local.get $by))))))
;; Seats the search bots of a game likewise.
(func $turn_efforts (param $game i64) (local $by i32) (local $seat i32)
  (if (i32.load offset={order.rotating} (i32.const {order})) (then
    (local.set $by (i32.wrap_i64 (i64.rem_u (local.get $game) (i64.const {seats}))))))
  (loop $again
    (i32.store offset={efforts_now} (i32.shl (i32.rem_u (i32.add (local.get $seat) (local.get $by)) (i32.const {seats})) (i32.const 2))
      (i32.load offset={efforts} (i32.shl (local.get $seat) (i32.const 2))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $seat) (i32.const {seats})))))
;; Plays to the end of the game, or as many decisions as may be, or until it is stopped.
(func $play_on (local $most i32)
  (local.set $most (i32.load offset={order.most} (i32.const {order})))
  (block $out (loop $on
    (br_if $out (i32.eqz (i32.load (i32.const {decision}))))
    (br_if $out (i32.ge_s (i32.load (i32.const {decisions})) (local.get $most)))
    (br_if $out (i32.load (i32.const {stop})))
    (call $decide)
    (call $end_decision)
    (br $on))))
;; What follows on a choice, up to the next decision; then it is counted.
(func $end_decision
  (i32.store (i32.const {begun}) (i32.const 1))
  (call $onward)
  (call $check)
  (i32.store (i32.const {begun}) (i32.const 0))
  (i32.store (i32.const {decisions}) (i32.add (i32.load (i32.const {decisions})) (i32.const 1))))
;; Called where the rules failed while options were counted in advance, for a decision: does
;; what the reference engine would have done up to its own count, which may fail earlier and
;; then is the fault of the game. Where `done` may be said, or all choose at once, it would
;; have looked for any option. Else it would have counted the decision before, looked at the
;; round, and counted with advice.
(func $late (export "late")
  (call $wake)
  (i32.store (i32.const {offering}) (i32.const 0))
  (if (i32.or (i32.load (i32.const {done})) (call $is_together (call $top))) (then
    (drop (call $any_offered (i32.load (i32.const {seat}))))))
  (if (i32.load (i32.const {begun})) (then
    (i32.store (i32.const {decisions}) (i32.add (i32.load (i32.const {decisions})) (i32.const 1)))))
  (call $look_round)
  (call $count_advised (i32.load (i32.const {seat}))))
;; Plays many games, and writes the record `result` of each. A host ends it early by
;; writing 1 to `stop`; `games_ended` counts the games that are finished.
(func $batch (export "batch") (param $seed i64) (param $first i64) (param $games i32) (param $most i32) (param $greedy i32) (param $turning i32)
  (i64.store (i32.const {order}) (local.get $seed))
  (i64.store offset={order.first} (i32.const {order}) (local.get $first))
  (i32.store offset={order.games} (i32.const {order}) (local.get $games))
  (i32.store offset={order.most} (i32.const {order}) (local.get $most))
  (i32.store offset={order.greedy} (i32.const {order}) (local.get $greedy))
  (i32.store offset={order.rotating} (i32.const {order}) (local.get $turning))
  (i32.store (i32.const {games_ended}) (i32.const 0))
  (call $play_all))
;; Goes on with a batch after a fault in a game that a bot imagined.
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
;; Writes how a game ended; it counts only if it was not stopped.
(func $lay_down (local $at i32)
  (local.set $at (i32.add (i32.const {results}) (i32.mul (i32.load (i32.const {games_ended})) (i32.const {result_width}))))
  (i32.store (local.get $at) (i32.load (i32.const {outcome})))
  (i32.store offset={result.stalled} (local.get $at) (i32.load (i32.const {stalled})))
  (i64.store offset={result.winners} (local.get $at) (i64.load (i32.const {winners})))
  (i64.store offset={result.drawn_by} (local.get $at) (i64.load (i32.const {drawn_by})))
  (i32.store offset={result.decisions} (local.get $at) (i32.load (i32.const {decisions})))
  (i32.store offset={result.rounds} (local.get $at) (i32.load (i32.const {rounds})))
  (i64.store offset={result.state} (local.get $at) (call $hash))
  (call $look_leads)
  (i32.store offset={result.lead_changes} (local.get $at) (i32.load (i32.const {lead_changes})))
  (call $scores (i32.add (local.get $at) (i32.const {result.scores})))
  (if (i32.eqz (i32.load (i32.const {stop}))) (then
    (i32.store (i32.const {games_ended}) (i32.add (i32.load (i32.const {games_ended})) (i32.const 1))))))
;; The number of a state: mixes one more word into it.
(func $mixed (param $h i64) (param $x i64) (result i64)
  (local.set $h (i64.mul (i64.xor (local.get $h) (local.get $x)) (i64.const 0x9e3779b97f4a7c15)))
  (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 29))))
