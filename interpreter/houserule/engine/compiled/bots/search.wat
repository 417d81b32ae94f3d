;; The search bot: the same as `bots/search.py` of the package, with the same draws. Each
;; pass imagines one game (world 0 of the greedy bot), goes down the tree, plays on at
;; random and gives back what came of it. A fault in what is imagined ends the call, as
;; with the greedy bot; `recover` then ends that pass as lost, and goes on.

;; ---- what the seat that thinks sees, as a number: `$sight` is written for each program

;; One more word, turned so that small differences of two words never cancel: none and 0
;; differ in the last bit of a word alone.
(func $turned_in (param $h i64) (param $x i64) (result i64)
  (i64.rotl (i64.mul (i64.xor (local.get $h) (local.get $x)) (i64.const 0x9e3779b97f4a7c15)) (i64.const 23)))
;; So many bytes, in fours: four rows of words side by side, each word with those before it.
(func $mix_run (param $h i64) (param $at i32) (param $bytes i32) (result i64) (local $a i64) (local $b i64) (local $c i64) (local $end i32)
  (local.set $end (i32.add (local.get $at) (local.get $bytes)))
  (if (i32.ge_u (local.get $bytes) (i32.const 32)) (then
    (local.set $a (i64.rotl (local.get $h) (i64.const 16)))
    (local.set $b (i64.rotl (local.get $h) (i64.const 32)))
    (local.set $c (i64.rotl (local.get $h) (i64.const 48)))
    (loop $lines
      (local.set $h (call $turned_in (local.get $h) (i64.load (local.get $at))))
      (local.set $a (call $turned_in (local.get $a) (i64.load offset=8 (local.get $at))))
      (local.set $b (call $turned_in (local.get $b) (i64.load offset=16 (local.get $at))))
      (local.set $c (call $turned_in (local.get $c) (i64.load offset=24 (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $lines (i32.ge_u (i32.sub (local.get $end) (local.get $at)) (i32.const 32))))
    (local.set $h (call $mixed (call $mixed (call $mixed (call $mix (local.get $h)) (call $mix (local.get $a))) (call $mix (local.get $b))) (call $mix (local.get $c))))))
  (block $out (loop $words
    (br_if $out (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 8)))
    (local.set $h (call $turned_in (local.get $h) (i64.load (local.get $at))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br $words)))
  (if (i32.lt_u (local.get $at) (local.get $end)) (then
    (local.set $h (call $mixed (local.get $h) (i64.load32_s (local.get $at))))))
  (local.get $h))
(func $mix_numbers (param $h i64) (param $at i32) (param $count i32) (result i64)
  (call $mix_run (local.get $h) (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
(func $mix_words (param $h i64) (param $at i32) (param $count i32) (result i64)
  (call $mix_run (local.get $h) (local.get $at) (i32.shl (local.get $count) (i32.const 3))))
;; Of what is seen in a row, or was shown, its place is mixed in: no number of a cell or a
;; zone comes near those. What is not seen leaves no trace.
(func $mix_place (param $h i64) (param $i i32) (result i64)
  (call $mixed (local.get $h) (i64.xor (i64.const {unseen}) (i64.extend_i32_u (local.get $i)))))
(func $mix_seen_numbers (param $h i64) (param $at i32) (param $count i32) (param $each i32) (param $seen i32) (result i64) (local $i i32)
  (loop $again
    (if (call $sees (local.get $seen) (local.get $i)) (then
      (local.set $h (call $mix_numbers (call $mix_place (local.get $h) (local.get $i)) (local.get $at) (local.get $each)))))
    (local.set $at (i32.add (local.get $at) (i32.shl (local.get $each) (i32.const 2))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (local.get $count))))
  (local.get $h))
;; The same of single numbers, four at a time, in two rows: what is not seen counts as 0, and
;; which of them are seen is mixed in too.
(func $mix_seen_cells (param $h i64) (param $at i32) (param $count i32) (param $seen i32) (result i64) (local $fours i32) (local $both i64) (local $which i64) (local $beside i64)
  (local.set $fours (i32.shr_u (local.get $count) (i32.const 2)))
  (local.set $beside (i64.rotl (local.get $h) (i64.const 32)))
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $fours)))
    (local.set $both (call $both_seen (i64.load (local.get $seen))))
    (local.set $h (call $turned_in (local.get $h) (i64.and (i64.load (local.get $at)) (i64.mul (local.get $both) (i64.const 0xffffffff)))))
    (local.set $which (i64.or (i64.shl (local.get $which) (i64.const 2)) (local.get $both)))
    (local.set $both (call $both_seen (i64.load offset=8 (local.get $seen))))
    (local.set $beside (call $turned_in (local.get $beside) (i64.and (i64.load offset=8 (local.get $at)) (i64.mul (local.get $both) (i64.const 0xffffffff)))))
    (local.set $which (i64.or (local.get $which) (i64.shl (local.get $both) (i64.const 1))))
    (local.set $at (i32.add (local.get $at) (i32.const 16)))
    (local.set $seen (i32.add (local.get $seen) (i32.const 16)))
    (local.set $fours (i32.sub (local.get $fours) (i32.const 1)))
    (br_if $again (i32.and (local.get $fours) (i32.const 15)))
    (local.set $h (call $turned_in (local.get $h) (local.get $which)))
    (local.set $which (i64.const 0))
    (br $again)))
  (local.set $h (call $mixed (call $mix (local.get $h)) (local.get $beside)))
  (if (result i64) (i32.and (local.get $count) (i32.const 3))
    (then (call $mix_seen_numbers (local.get $h) (local.get $at) (i32.and (local.get $count) (i32.const 3)) (i32.const 1) (local.get $seen)))
    (else (local.get $h))))
;; Which of two numbers are seen whose seers stand side by side: a bit in each half.
(func $both_seen (param $seers i64) (result i64)
  (i64.and (i64.const 0x100000001) (i64.shr_u (local.get $seers) (i64.extend_i32_u (i32.ctz (global.get $eye))))))
(func $mix_seen_words (param $h i64) (param $at i32) (param $count i32) (param $each i32) (param $seen i32) (result i64) (local $i i32)
  (loop $again
    (if (call $sees (local.get $seen) (local.get $i)) (then
      (local.set $h (call $mix_words (call $mix_place (local.get $h) (local.get $i)) (local.get $at) (local.get $each)))))
    (local.set $at (i32.add (local.get $at) (i32.shl (local.get $each) (i32.const 3))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (local.get $count))))
  (local.get $h))
(func $mix_faces (param $h i64) (param $at i32) (param $count i32) (param $seen i32) (param $known i32) (result i64) (local $i i32)
  (loop $again
    (if (i32.or (call $sees (local.get $known) (local.get $i)) (call $sees (local.get $seen) (local.get $i))) (then
      (local.set $h (call $mixed (call $mix_place (local.get $h) (local.get $i)) (i64.load32_s (i32.add (local.get $at) (i32.shl (local.get $i) (i32.const 2))))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (local.get $count))))
  (local.get $h))
;; The zones of a family; `seen` is 0 where all see into all.
(func $mix_zones (param $h i64) (param $place i32) (param $count i32) (param $seen i32) (param $known i32) (param $things i32) (param $pile i32) (result i64) (local $i i32) (local $zone i32) (local $shown i32)
  (if (local.get $seen) (then (local.set $shown (call $some_shown (local.get $known) (local.get $things)))))
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $count)))
    (local.set $zone (call $zone (i32.add (local.get $place) (local.get $i))))
    (local.set $h (if (result i64)
      (if (result i32) (local.get $seen) (then (call $sees (local.get $seen) (local.get $i))) (else (i32.const 1)))
      (then (if (result i64) (local.get $pile)
        (then (call $mix_numbers (local.get $h) (i32.load offset={zone.order} (local.get $zone))
          (i32.add (i32.load (i32.load offset={zone.order} (local.get $zone))) (i32.const 1))))
        (else (call $mix_words (local.get $h) (i32.load (local.get $zone)) (i32.load offset={zone.words} (local.get $zone))))))
      (else (call $mixed (local.get $h) (i64.extend_i32_u (call $lie_count (local.get $zone)))))))
    (if (local.get $shown) (then
      (if (i32.eqz (call $sees (local.get $seen) (local.get $i))) (then
        (local.set $h (call $mix_shown (local.get $h) (local.get $zone) (local.get $known)))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again)))
  (local.get $h))
;; Those things in a zone that the seat was shown.
(func $mix_shown (param $h i64) (param $zone i32) (param $known i32) (result i64) (local $word i32) (local $bits i64) (local $thing i32)
  (loop $again
    (local.set $bits (i64.load (i32.add (i32.load (local.get $zone)) (i32.shl (local.get $word) (i32.const 3)))))
    (block $out (loop $things
      (br_if $out (i64.eqz (local.get $bits)))
      (local.set $thing (i32.add (i32.shl (local.get $word) (i32.const 6)) (i32.wrap_i64 (i64.ctz (local.get $bits)))))
      (if (call $sees (local.get $known) (local.get $thing)) (then
        (local.set $h (call $mix_place (local.get $h) (local.get $thing)))))
      (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
      (br $things)))
    (local.set $word (i32.add (local.get $word) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $word) (i32.load offset={zone.words} (local.get $zone)))))
  (local.get $h))
;; Whether the seat was shown any of so many things.
(func $some_shown (param $known i32) (param $count i32) (result i32) (local $all i64) (local $end i32)
  (local.set $end (i32.add (local.get $known) (i32.shl (i32.and (local.get $count) (i32.const -4)) (i32.const 2))))
  (block $out (loop $again
    (br_if $out (i32.eq (local.get $known) (local.get $end)))
    (local.set $all (i64.or (local.get $all) (i64.or (i64.load (local.get $known)) (i64.load offset=8 (local.get $known)))))
    (local.set $known (i32.add (local.get $known) (i32.const 16)))
    (br $again)))
  (local.set $end (i32.add (local.get $known) (i32.shl (i32.and (local.get $count) (i32.const 3)) (i32.const 2))))
  (block $out (loop $again
    (br_if $out (i32.eq (local.get $known) (local.get $end)))
    (local.set $all (i64.or (local.get $all) (i64.load32_u (local.get $known))))
    (local.set $known (i32.add (local.get $known) (i32.const 4)))
    (br $again)))
  (i32.and (i32.or (i32.wrap_i64 (local.get $all)) (i32.wrap_i64 (i64.shr_u (local.get $all) (i64.const 32)))) (global.get $eye)))

;; ---- the tree: edges (record `edge`) in a table of hashes. Those of another search have
;; its number, and count as empty places.

;; The edge of a key; 0 where there is none, or (`make`) no room for it.
(func $edge (param $key i64) (param $make i32) (result i32) (local $slot i32) (local $at i32)
  (local.set $slot (i32.and (i32.wrap_i64 (local.get $key)) (i32.load (i32.const {last_slot}))))
  (loop $again
    (local.set $at (i32.add (i32.load (i32.const {table})) (i32.shl (local.get $slot) (i32.const 5))))
    (if (i32.ne (i32.load offset={edge.search} (local.get $at)) (i32.load (i32.const {search_number}))) (then
      (if (i32.eqz (local.get $make)) (then (return (i32.const 0))))
      (if (i32.ge_s (i32.load (i32.const {edges_made})) (i32.const {edges_at_most})) (then (return (i32.const 0))))
      (i32.store (i32.const {edges_made}) (i32.add (i32.load (i32.const {edges_made})) (i32.const 1)))
      (i64.store (local.get $at) (local.get $key))
      (i32.store offset={edge.search} (local.get $at) (i32.load (i32.const {search_number})))
      (i32.store offset={edge.tried} (local.get $at) (i32.const 0))
      (i32.store offset={edge.met} (local.get $at) (i32.const {met_once}))
      (i64.store offset={edge.total} (local.get $at) (i64.const 0))
      (i32.store offset={edge.proof} (local.get $at) (i32.const 0))
      (return (local.get $at))))
    (if (i64.eq (i64.load (local.get $at)) (local.get $key)) (then (return (local.get $at))))
    (local.set $slot (i32.and (i32.add (local.get $slot) (i32.const 1)) (i32.load (i32.const {last_slot}))))
    (br $again))
  (unreachable))
(func $part_key (param $key i64) (param $low i64) (param $high i64) (result i64)
  (local $size i64) (local $number i64)
  (local.set $size (i64.sub (local.get $high) (local.get $low)))
  (local.set $number (i64.div_u (local.get $low) (local.get $size)))
  (call $beside (call $mixed (call $mixed (local.get $key) (local.get $size)) (i64.shr_u (local.get $number) (i64.const 5)))
    (i64.and (local.get $number) (i64.const 31))
    (call $mixed (call $mixed (local.get $key) (local.get $low)) (local.get $high))))
;; A key whose last bits, by which its place is found, are those of a place and so many
;; further: what is looked at together lies together, which is several times as quick.
(func $beside (param $place i64) (param $number i64) (param $key i64) (result i64)
  (i64.xor (local.get $key) (i64.and (i64.const {nearest})
    (i64.xor (local.get $key) (i64.add (local.get $place) (local.get $number))))))
;; A larger table, where that of now is half full; only where nobody holds an edge but the
;; way, and often enough that the other half is never filled.
(func $room_for_edges
  (if (i32.le_u (i32.shl (i32.load (i32.const {edges_made})) (i32.const 1)) (i32.load (i32.const {last_slot}))) (then (return)))
  (if (i32.lt_u (i32.load (i32.const {last_slot})) (i32.const {last_of_all})) (then (call $widen_tree))))
;; All tables lie one behind the other. The edges of the way are sought again.
(func $widen_tree (local $at i32) (local $end i32)
  (local.set $at (i32.load (i32.const {table})))
  (local.set $end (i32.add (local.get $at) (i32.shl (i32.add (i32.load (i32.const {last_slot})) (i32.const 1)) (i32.const 5))))
  (i32.store (i32.const {table}) (local.get $end))
  (i32.store (i32.const {last_slot}) (i32.or (i32.shl (i32.load (i32.const {last_slot})) (i32.const {widening})) (i32.const {widened})))
  (i32.store (i32.const {edges_made}) (i32.const 0))
  (loop $again
    (if (i32.eq (i32.load offset={edge.search} (local.get $at)) (i32.load (i32.const {search_number}))) (then
      (memory.copy (call $edge (i64.load (local.get $at)) (i32.const 1)) (local.get $at) (i32.const {edge.width}))))
    (local.set $at (i32.add (local.get $at) (i32.const {edge.width})))
    (br_if $again (i32.lt_u (local.get $at) (local.get $end))))
  (local.set $at (i32.const {way}))
  (local.set $end (call $visit (i32.load (i32.const {way_length}))))
  (block $out (loop $visits
    (br_if $out (i32.ge_u (local.get $at) (local.get $end)))
    (i32.store (local.get $at) (call $edge (i64.load (i32.load (local.get $at))) (i32.const 0)))
    (local.set $at (i32.add (local.get $at) (i32.const {visit_width})))
    (br $visits))))
(func $arm (param $number i32) (result i32)
  (i32.add (i32.const {arms}) (i32.mul (local.get $number) (i32.const {arm_width}))))
;; About the logarithm of a number of at least 1 to base 2: its exponent as a floating point
;; number, and what its fraction is more than 1.
(func $logarithm (param $n i32) (result f64) (local $bits i64)
  (local.set $bits (i64.reinterpret_f64 (f64.convert_i32_u (local.get $n))))
  (f64.add (f64.convert_i32_s (i32.sub (i32.wrap_i64 (i64.shr_u (local.get $bits) (i64.const 52))) (i32.const 1023)))
    (f64.sub (f64.reinterpret_i64 (i64.or (i64.and (local.get $bits) (i64.const 0xfffffffffffff)) (i64.const 0x3ff0000000000000))) (f64.const 1))))
;; The upper confidence bound of what a seat gets by an edge, which so many passes met.
(func $bound (param $edge i32) (param $met i32) (result f64) (local $tried f64)
  (local.set $tried (f64.convert_i32_u (i32.load offset={edge.tried} (local.get $edge))))
  (f64.div
    (f64.add (f64.convert_i64_s (i64.load offset={edge.total} (local.get $edge)))
      (f64.mul (select (f64.const {whole_exploration}) (f64.const {exploration}) (i32.load (i32.const {aim_whole})))
        (f64.sqrt (f64.mul (call $logarithm (local.get $met)) (local.get $tried)))))
    (local.get $tried)))
;; Notes who of two wins for certain where the way is now, and what follows of that for
;; the choices before.
(func $prove (param $winner i32) (local $i i32) (local $at i32) (local $mine i32)
  (if (i32.load (i32.const {broken})) (then (return)))
  (local.set $i (i32.load (i32.const {way_length})))
  (block $out (loop $back
    (br_if $out (i32.eqz (local.get $i)))
    (local.set $i (i32.sub (local.get $i) (i32.const 1)))
    (local.set $at (call $visit (local.get $i)))
    (local.set $mine (i32.eq (i32.load offset={visit.seat} (local.get $at)) (local.get $winner)))
    (i32.store offset={edge.proof} (i32.load (local.get $at)) (select (i32.const 1) (i32.const -1) (local.get $mine)))
    (br_if $back (local.get $mine))
    (br_if $back (call $all_lost (i64.load offset={visit.key} (local.get $at)) (i64.load offset={visit.low} (local.get $at)) (i64.load offset={visit.high} (local.get $at))))
    (i32.store (i32.const {stopped}) (i32.load offset={visit.depth} (local.get $at)))
    (return)))
  (i32.store (i32.const {decided}) (i32.const 1)))
;; Whether each of the arms into which numbers of options are divided loses for certain.
(func $all_lost (param $key i64) (param $low i64) (param $high i64) (result i32) (local $size i64) (local $next i64) (local $edge i32)
  (local.set $size (call $part_size (local.get $low) (local.get $high)))
  (loop $again
    (local.set $next (call $part_end (local.get $low) (local.get $size) (local.get $high)))
    (local.set $edge (call $edge (call $part_key (local.get $key) (local.get $low) (local.get $next)) (i32.const 0)))
    (if (i32.eqz (local.get $edge)) (then (return (i32.const 0))))
    (if (i32.ge_s (i32.load offset={edge.proof} (local.get $edge)) (i32.const 0)) (then (return (i32.const 0))))
    (local.set $low (local.get $next))
    (br_if $again (i64.lt_u (local.get $low) (local.get $high))))
  (i32.const 1))
(func $visit (param $number i32) (result i32)
  (i32.add (i32.const {way}) (i32.mul (local.get $number) (i32.const {visit_width}))))
;; Where a game that is solved has come to its end in the tree: who has won.
(func $prove_end (local $winners i64)
  (if (i32.eqz (i32.const {is_solved})) (then (return)))
  (if (i32.ne (i32.load (i32.const {outcome})) (i32.const 1)) (then (return)))
  (local.set $winners (i64.load (i32.const {winners})))
  (if (i64.eq (i64.popcnt (local.get $winners)) (i64.const 1)) (then
    (call $prove (i32.wrap_i64 (i64.ctz (local.get $winners)))))))
;; The arm to take of so many, noted on the way: one that wins for certain; one that is new;
;; else that of the highest bound, but none that loses for certain if there is another.
;; Below the beginning nothing is noted where it is certain who wins: the pass ends there.
(func $pick_arm (param $many i32) (result i32) (local $i i32) (local $arm i32) (local $edge i32) (local $known i32) (local $won i32) (local $lost i32) (local $chosen i32)
  (loop $look
    (local.set $arm (call $arm (local.get $i)))
    (local.set $edge (call $edge (i64.load (local.get $arm)) (i32.const 0)))
    (i32.store offset={arm.edge} (local.get $arm) (local.get $edge))
    (i32.store offset={arm.credit} (local.get $arm) (i32.const 0))
    (if (local.get $edge) (then
      (local.set $known (i32.add (local.get $known) (i32.const 1)))
      (i32.store offset={edge.met} (local.get $edge) (i32.add (i32.load offset={edge.met} (local.get $edge)) (i32.const {counts_met})))
      (if (i32.and (i32.eqz (local.get $won)) (i32.gt_s (i32.load offset={edge.proof} (local.get $edge)) (i32.const 0))) (then
        (local.set $won (i32.add (local.get $i) (i32.const 1)))))
      (local.set $lost (i32.add (local.get $lost) (i32.lt_s (i32.load offset={edge.proof} (local.get $edge)) (i32.const 0))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $look (i32.lt_s (local.get $i) (local.get $many))))
  (local.set $lost (i32.eq (local.get $lost) (local.get $many)))
  (if (i32.or (local.get $lost) (local.get $won)) (then
    (local.set $edge (i32.load (i32.const {seat})))
    (if (local.get $lost) (then (local.set $edge (i32.sub (i32.const 1) (local.get $edge)))))
    (call $prove (local.get $edge))
    (if (i32.load (i32.const {depth_in_tree})) (then
      (i32.store (i32.const {certain}) (i32.shl (i32.const 1) (local.get $edge)))
      (return (i32.const 0))))))
  (if (i32.const {only_ends_tell}) (then (call $note_proofs (local.get $many))))
  (local.set $known (i32.and (i32.ne (local.get $known) (i32.const 0)) (i32.load (i32.const {credits_here}))))
  (if (local.get $known) (then (call $look_up_credit (local.get $many))))
  (local.set $chosen (if (result i32) (local.get $won)
    (then (i32.sub (local.get $won) (i32.const 1)))
    (else (call $best_arm (local.get $many) (local.get $known) (local.get $lost)))))
  (call $note_way (call $arm (local.get $chosen)))
  (local.get $chosen))
;; Notes at the choice before how many choices have at least to be looked at to prove that
;; who made it wins by it, or loses. A new arm is one choice.
(func $note_proofs (param $many i32) (local $i i32) (local $edge i32) (local $win i32) (local $lose i32) (local $swap i32)
  (if (i32.or (i32.eqz (i32.load (i32.const {way_length}))) (i32.load (i32.const {broken}))) (then (return)))
  (local.set $win (i32.const {far}))
  (loop $look
    (local.set $edge (i32.load offset={arm.edge} (call $arm (local.get $i))))
    (if (i32.eqz (local.get $edge))
      (then
        (local.set $win (i32.const 1))
        (local.set $lose (i32.add (local.get $lose) (i32.const 1))))
      (else (if (i32.eqz (i32.load offset={edge.proof} (local.get $edge))) (then
        (if (i32.lt_u (i32.load16_u offset={edge.to_win} (local.get $edge)) (local.get $win)) (then
          (local.set $win (i32.load16_u offset={edge.to_win} (local.get $edge)))))
        (local.set $lose (i32.add (local.get $lose) (i32.load16_u offset={edge.to_lose} (local.get $edge))))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $look (i32.lt_s (local.get $i) (local.get $many))))
  (if (i32.gt_u (local.get $lose) (i32.const {far})) (then (local.set $lose (i32.const {far}))))
  (local.set $i (call $visit (i32.sub (i32.load (i32.const {way_length})) (i32.const 1))))
  (local.set $swap (i32.ne (i32.load offset={visit.seat} (local.get $i)) (i32.load (i32.const {seat}))))
  (local.set $edge (i32.load (local.get $i)))
  (i32.store16 offset={edge.to_win} (local.get $edge) (select (local.get $lose) (local.get $win) (local.get $swap)))
  (i32.store16 offset={edge.to_lose} (local.get $edge) (select (local.get $win) (local.get $lose) (local.get $swap))))
;; How many choices an arm that is not proved wants at least to be proved won.
(func $least_to_win (param $many i32) (result i32) (local $i i32) (local $edge i32) (local $least i32)
  (local.set $least (i32.const {far}))
  (loop $look
    (local.set $edge (i32.load offset={arm.edge} (call $arm (local.get $i))))
    (if (i32.eqz (local.get $edge)) (then (return (i32.const 1))))
    (if (i32.and (i32.eqz (i32.load offset={edge.proof} (local.get $edge))) (i32.lt_u (i32.load16_u offset={edge.to_win} (local.get $edge)) (local.get $least))) (then
      (local.set $least (i32.load16_u offset={edge.to_win} (local.get $edge)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $look (i32.lt_s (local.get $i) (local.get $many))))
  (local.get $least))
;; One of the arms that are new, drawn; if none is, that of the highest bound.
(func $best_arm (param $many i32) (param $credited i32) (param $lost i32) (result i32) (local $i i32) (local $arm i32) (local $edge i32) (local $new i32) (local $tried i32) (local $chosen i32) (local $bound f64) (local $best f64) (local $least i32)
  (loop $look
    (local.set $arm (call $arm (local.get $i)))
    (local.set $edge (i32.load offset={arm.edge} (local.get $arm)))
    (if (local.get $edge)
      (then (local.set $tried (i32.add (local.get $tried) (i32.load offset={edge.tried} (local.get $edge)))))
      (else (local.set $new (i32.add (local.get $new) (i32.eqz (i32.load offset={arm.credit} (local.get $arm)))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $look (i32.lt_s (local.get $i) (local.get $many))))
  (local.set $i (i32.const 0))
  (if (local.get $new) (then
    (local.set $new (call $lucky (local.get $new)))
    (loop $seek
      (local.set $arm (call $arm (local.get $i)))
      (if (i32.eqz (i32.or (i32.load offset={arm.edge} (local.get $arm)) (i32.load offset={arm.credit} (local.get $arm)))) (then
        (if (i32.eqz (local.get $new)) (then (return (local.get $i))))
        (local.set $new (i32.sub (local.get $new) (i32.const 1)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $seek))))
  (local.set $best (f64.const -2))
  (local.set $least (select (call $least_to_win (local.get $many)) (i32.const 0x10000) (i32.load (i32.const {short}))))
  (loop $rate
    (local.set $arm (call $arm (local.get $i)))
    (local.set $edge (i32.load offset={arm.edge} (local.get $arm)))
    (local.set $bound (if (result f64) (local.get $credited)
      (then (call $credited (local.get $edge) (i32.load offset={arm.credit} (local.get $arm)) (local.get $tried)))
      (else (call $bound (local.get $edge) (if (result i32) (i32.const {only_ends_tell}) (then (local.get $tried)) (else (i32.load offset={edge.met} (local.get $edge))))))))
    (if (i32.and (i32.ne (local.get $edge) (i32.const 0)) (i32.eqz (local.get $lost))) (then
      (if (i32.or (i32.lt_s (i32.load offset={edge.proof} (local.get $edge)) (i32.const 0)) (i32.gt_u (i32.load16_u offset={edge.to_win} (local.get $edge)) (local.get $least))) (then
        (local.set $bound (f64.const -1))))))
    (if (f64.gt (local.get $bound) (local.get $best)) (then
      (local.set $best (local.get $bound))
      (local.set $chosen (local.get $i))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $rate (i32.lt_s (local.get $i) (local.get $many))))
  (local.get $chosen))
;; Notes the edge of an arm on the way; a new one is made if there is room.
(func $note_way (param $arm i32) (local $edge i32) (local $length i32) (local $at i32)
  (local.set $length (i32.load (i32.const {way_length})))
  (if (i32.eqz (i32.load (i32.const {beyond}))) (then
    (i32.store (i32.const {known_length}) (i32.add (local.get $length) (i32.const 1)))))
  (local.set $edge (i32.load offset={arm.edge} (local.get $arm)))
  (if (i32.eqz (local.get $edge)) (then
    (i32.store (i32.const {beyond}) (i32.const 1))
    (local.set $edge (call $edge (i64.load (local.get $arm)) (i32.lt_s (local.get $length) (i32.const {deepest}))))))
  (if (i32.or (i32.eqz (local.get $edge)) (i32.ge_s (local.get $length) (i32.const {deepest}))) (then
    (i32.store (i32.const {broken}) (i32.const 1))
    (return)))
  (local.set $at (call $visit (local.get $length)))
  (i32.store (local.get $at) (local.get $edge))
  (i32.store offset={visit.seat} (local.get $at) (i32.load (i32.const {seat})))
  (i32.store offset={visit.depth} (local.get $at) (i32.load (i32.const {depth_in_tree})))
  (i64.store offset={visit.key} (local.get $at) (i64.load (i32.const {node_key})))
  (i64.store offset={visit.low} (local.get $at) (i64.load (i32.const {node_low})))
  (i64.store offset={visit.high} (local.get $at) (i64.load (i32.const {node_high})))
  (i64.store offset={visit.said} (local.get $at) (if (result i64) (i32.load (i32.const {credits_here}))
    (then (call $said (i64.load offset={arm.low} (local.get $arm))))
    (else (i64.const 0))))
  (i32.store (i32.const {way_length}) (i32.add (local.get $length) (i32.const 1))))

;; ---- credit: a choice counts for all earlier nodes at which its seat could have made it

;; What stands for an option at whatever node it is chosen; never 0.
(func $said (param $number i64) (result i64)
  (i64.or (i64.const 1) (call $said_key (if (result i64) (i32.eq (i32.load (i32.const {decision})) (i32.const 1))
    (then (i64.const 0))
    (else (call $mixed (i64.load32_u (i32.const {decision})) (i64.load32_u (i32.const {site})))))
    (local.get $number))))
;; Where the credit of a choice at a node is kept, as an edge; 0 where there is none.
(func $credit (param $node i64) (param $said i64) (param $make i32) (result i32)
  (call $edge (call $beside (local.get $node) (i64.and (local.get $said) (i64.const 63)) (call $mixed (call $mixed (local.get $node) (i64.const {unseen})) (local.get $said))) (local.get $make)))
(func $look_up_credit (param $many i32) (local $i i32) (local $arm i32)
  (loop $again
    (local.set $arm (call $arm (local.get $i)))
    (i32.store offset={arm.credit} (local.get $arm)
      (call $credit (i64.load (i32.const {node_key})) (call $said (i64.load offset={arm.low} (local.get $arm))) (i32.const 0)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (local.get $many)))))
(func $mean (param $edge i32) (result f64)
  (f64.div (f64.convert_i64_s (i64.load offset={edge.total} (local.get $edge)))
    (f64.mul (f64.convert_i32_u (i32.load offset={edge.tried} (local.get $edge))) (f64.const {whole}))))
;; The bound of what a seat gets by an edge, from its passes and its credit (0: none).
(func $credited (param $edge i32) (param $credit i32) (param $tried i32) (result f64) (local $times f64) (local $value f64) (local $part f64)
  (if (local.get $edge) (then
    (local.set $times (f64.convert_i32_u (i32.load offset={edge.tried} (local.get $edge))))
    (local.set $value (call $mean (local.get $edge)))))
  (if (local.get $credit) (then
    (local.set $part (f64.sqrt (f64.div (f64.const {credit_half}) (f64.add (f64.const {credit_half}) (f64.mul (f64.const 3) (local.get $times))))))
    (local.set $value (f64.add (f64.mul (f64.sub (f64.const 1) (local.get $part)) (local.get $value)) (f64.mul (local.get $part) (call $mean (local.get $credit)))))))
  (f64.add (local.get $value) (f64.mul (f64.div (f64.const {credit_percent}) (f64.const 100))
    (f64.sqrt (f64.div (call $logarithm (i32.add (local.get $tried) (i32.const 1))) (f64.add (local.get $times) (f64.const 1)))))))
;; Credits what a seat chose later on to the same choice at the node of a visit.
(func $give_credit (param $number i32) (local $visit i32) (local $later i32) (local $edge i32)
  (local.set $visit (call $visit (local.get $number)))
  (if (i64.eqz (i64.load offset={visit.said} (local.get $visit))) (then (return)))
  (call $room_for_edges)
  (loop $again
    (local.set $later (call $visit (local.get $number)))
    (if (i32.and (i32.eq (i32.load offset={visit.seat} (local.get $visit)) (i32.load offset={visit.seat} (local.get $later))) (i64.ne (i64.load offset={visit.said} (local.get $later)) (i64.const 0))) (then
      (local.set $edge (call $credit (i64.load offset={visit.key} (local.get $visit)) (i64.load offset={visit.said} (local.get $later)) (i32.const 1)))
      (if (local.get $edge) (then (call $add_pass (local.get $edge) (i32.load offset={visit.seat} (local.get $visit)))))))
    (local.set $number (i32.add (local.get $number) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $number) (i32.load (i32.const {way_length}))))))

;; ---- down the tree

(func $take_number (param $number i64)
  (if (i32.eq (i32.load (i32.const {decision})) (i32.const 1))
    (then (call $chosen_one (call $seek_sensible (local.get $number))))
    (else (i64.store (i32.const {answer}) (local.get $number)))))
;; Counts the advised options; all options if none is advised.
(func $count_sensible (result i64)
  (global.set $left (i32.const {work_at_most}))
  (call $heed_advice))
(func $drawn_from_many (param $n i64) (result i64)
  (call $luck (select (i64.const 0x100000000) (local.get $n) (i64.gt_u (local.get $n) (i64.const 0x100000000)))))
;; What tells a decision apart from others in the tree.
(func $node (param $depth i32) (result i64)
  (call $mixed (call $mixed (call $mixed (call $mixed (call $sight) (i64.extend_i32_u (local.get $depth)))
    (i64.load32_u (i32.const {seat}))) (i64.load32_u (i32.const {decision}))) (i64.load32_u (i32.const {site}))))
;; How many numbers of options each part has, and before which number one ends.
(func $part_size (param $low i64) (param $high i64) (result i64)
  (local.set $high (i64.sub (local.get $high) (local.get $low)))
  (select (i64.div_u (i64.add (local.get $high) (i64.const {parts_less_one})) (i64.const {parts})) (i64.const 1)
    (i64.gt_u (local.get $high) (i64.const {flat}))))
(func $part_end (param $low i64) (param $size i64) (param $high i64) (result i64)
  (local.set $low (i64.add (local.get $low) (local.get $size)))
  (select (local.get $high) (local.get $low) (i64.gt_u (local.get $low) (local.get $high))))
;; Divides the numbers of options into arms; returns how many.
(func $divide (param $key i64) (param $low i64) (param $high i64) (result i32) (local $size i64) (local $arm i32)
  (local.set $size (call $part_size (local.get $low) (local.get $high)))
  (local.set $arm (i32.const {arms}))
  (loop $again
    (i64.store offset={arm.low} (local.get $arm) (local.get $low))
    (local.set $low (call $part_end (local.get $low) (local.get $size) (local.get $high)))
    (i64.store offset={arm.high} (local.get $arm) (local.get $low))
    (i64.store (local.get $arm) (call $part_key (local.get $key) (i64.load offset={arm.low} (local.get $arm)) (local.get $low)))
    (local.set $arm (i32.add (local.get $arm) (i32.const {arm_width})))
    (br_if $again (i64.lt_u (local.get $low) (local.get $high))))
  (i32.div_u (i32.sub (local.get $arm) (i32.const {arms})) (i32.const {arm_width})))
(func $by_parts (param $key i64) (param $n i64) (result i64) (local $low i64) (local $arm i32)
  (i64.store (i32.const {node_key}) (local.get $key))
  (block $certain (loop $again
    (i64.store (i32.const {node_low}) (local.get $low))
    (i64.store (i32.const {node_high}) (local.get $n))
    (i32.store (i32.const {credits_here}) (i32.and (i32.const {only_ends_tell}) (i64.le_u (i64.sub (local.get $n) (local.get $low)) (i64.const {flat}))))
    (local.set $arm (call $arm (call $pick_arm (call $divide (local.get $key) (local.get $low) (local.get $n)))))
    (br_if $certain (i32.load (i32.const {certain})))
    (local.set $low (i64.load offset={arm.low} (local.get $arm)))
    (local.set $n (i64.load offset={arm.high} (local.get $arm)))
    (br_if $again (i64.gt_u (i64.sub (local.get $n) (local.get $low)) (i64.const 1)))))
  (local.get $low))
;; The key of an option by what it says: its action, and the values of that.
(func $said_key (param $key i64) (param $number i64) (result i64) (local $action i32)
  (if (i32.ne (i32.load (i32.const {decision})) (i32.const 1)) (then
    (return (call $mixed (local.get $key) (local.get $number)))))
  (local.set $action (call $seek_sensible (local.get $number)))
  (local.set $key (call $mixed (local.get $key) (i64.extend_i32_s (local.get $action))))
  (if (i32.lt_s (local.get $action) (i32.const 0)) (then (return (local.get $key))))
  (memory.fill (i32.const {said}) (i32.const 0) (i32.const {said_bytes}))
  (call $keep (local.get $action) (i32.const {said}))
  (call $mix_words (local.get $key) (i32.const {said}) (i32.const {said_words})))
(func $by_value (param $key i64) (param $n i64) (result i64) (local $many i64) (local $i i64) (local $arm i32) (local $said i64)
  (i32.store (i32.const {credits_here}) (i32.const 0))
  (local.set $many (select (i64.const {flat}) (local.get $n) (i64.gt_u (local.get $n) (i64.const {flat}))))
  (local.set $arm (i32.const {arms}))
  (loop $draw
    (i64.store offset={arm.low} (local.get $arm)
      (if (result i64) (i64.gt_u (local.get $n) (i64.const {flat})) (then (call $drawn_from_many (local.get $n))) (else (local.get $i))))
    (local.set $arm (i32.add (local.get $arm) (i32.const {arm_width})))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br_if $draw (i64.lt_u (local.get $i) (local.get $many))))
  (local.set $i (i64.const 0))
  (local.set $arm (i32.const {arms}))
  (loop $say
    (local.set $said (call $said_key (local.get $key) (i64.load offset={arm.low} (local.get $arm))))
    (i64.store (local.get $arm) (if (result i64) (i64.gt_u (local.get $n) (i64.const {flat}))
      (then (local.get $said))
      (else (call $beside (local.get $key) (i64.and (local.get $said) (i64.const 63)) (local.get $said)))))
    (local.set $arm (i32.add (local.get $arm) (i32.const {arm_width})))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br_if $say (i64.lt_u (local.get $i) (local.get $many))))
  (i64.load offset={arm.low} (call $arm (call $pick_arm (i32.wrap_i64 (local.get $many))))))
;; The number of the option that the search tries at a decision in the tree.
(func $tried_number (result i64) (local $n i64) (local $key i64)
  (local.set $n (call $count_sensible))
  (if (i64.eq (local.get $n) (i64.const 1)) (then (return (i64.const 0))))
  ;; Where a search begins its seat sees the same in all that it imagines.
  (local.set $key (if (result i64) (i32.load (i32.const {depth_in_tree}))
    (then (call $node (i32.load (i32.const {depth_in_tree}))))
    (else (i64.load (i32.const {root_node})))))
  (if (result i64) (i32.or (i32.const {all_open}) (i32.eq (i32.load (i32.const {seat})) (i32.load (i32.const {thinker}))))
    (then (call $by_parts (call $mixed (local.get $key) (local.get $n)) (local.get $n)))
    (else (call $by_value (local.get $key) (local.get $n)))))
;; Where `done` may be said it is said half of the time: it is the last of the options.
(func $number_at_random (result i64) (local $n i64)
  (local.set $n (call $count_sensible))
  (if (i32.and (i32.eq (i32.load (i32.const {decision})) (i32.const 1)) (i32.load (i32.const {done}))) (then
    (if (i64.gt_u (local.get $n) (i64.const 1)) (then
      (if (call $lucky (i32.const 2)) (then (return (i64.sub (local.get $n) (i64.const 1)))))))))
  (call $drawn_from_many (local.get $n)))
(func $try_number (param $number i64)
  (i32.store (i32.const {looked_at}) (i32.add (i32.load (i32.const {looked_at})) (i32.const 1)))
  (call $take_number (local.get $number))
  (call $onward))
;; Takes the option that every pass begins with, whatever speaks against it.
(func $try_aim
  (i32.store (i32.const {looked_at}) (i32.add (i32.load (i32.const {looked_at})) (i32.const 1)))
  (drop (call $count_sensible))
  (call $choose (i64.load (i32.const {aim_option})))
  (call $onward))
;; Looks after how many others of its phase the seat is asked, where all choose at once;
;; else -1. Returns whether it chooses at once with the one before.
(func $look_amid (result i32) (local $before i32) (local $asked i32)
  (local.set $before (i32.load (i32.const {asked_before})))
  (local.set $asked (i32.const -1))
  (if (i32.and (i32.eq (i32.load (i32.const {decision})) (i32.const 1)) (i32.ne (call $at_once) (i32.const 0))) (then
    (if (i32.lt_s (i32.load offset={phase.resolved} (call $act_of (call $top))) (i32.const 0)) (then
      (local.set $asked (i32.load offset={phase.picked} (call $act_of (call $top))))))))
  (i32.store (i32.const {asked_before}) (local.get $asked))
  (i32.and (i32.gt_s (local.get $asked) (local.get $before)) (i32.ge_s (local.get $before) (i32.const 0))))
;; What others choose at once with the choice that is sought is drawn, like what those have
;; chosen that were asked before.
(func $go_down (local $number i64) (local $amid i32) (local $depth i32) (local $drawn i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (i32.load (i32.const {decision}))))
    (local.set $amid (call $look_amid))
    (br_if $out (i32.and (i32.and (i32.load (i32.const {beyond})) (i32.eqz (local.get $amid))) (i32.eqz (i32.const {only_ends_tell}))))
    (local.set $depth (i32.load (i32.const {depth_in_tree})))
    (if (i32.load (i32.const {short})) (then (memory.copy (call $position (local.get $depth)) (i32.const {start}) (i32.const {block}))))
    (local.set $drawn (i32.or (i32.and (local.get $drawn) (local.get $amid))
      (i32.and (i32.eqz (local.get $depth)) (i32.ge_s (i32.load (i32.const {asked_before})) (i32.const 0)))))
    (if (i32.and (local.get $drawn) (i32.ne (local.get $depth) (i32.const 0)))
      (then
        (call $take_number (call $drawn_from_many (call $count_sensible)))
        (call $onward))
      (else
        (if (i32.or (local.get $depth) (i64.lt_s (i64.load (i32.const {aim_option})) (i64.const 0)))
          (then
            (local.set $number (call $tried_number))
            (br_if $out (i32.load (i32.const {certain})))
            (call $try_number (local.get $number)))
          (else (call $try_aim)))))
    (i32.store (i32.const {depth_in_tree}) (i32.add (local.get $depth) (i32.const 1)))
    (br $again))))
;; Plays on at random; where a position can be valued, until the seat that thinks is asked
;; again after the others. Where all choose at once they all are asked when the first is.
(func $play_beyond (local $i i32) (local $amid i32) (local $at_once i32) (local $mine i32) (local $others i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (i32.load (i32.const {decision}))))
    (br_if $out (i32.ge_s (local.get $i) (select (i32.const {ahead}) (i32.const {ahead_unvalued}) (call $values_leads))))
    (local.set $amid (call $look_amid))
    (local.set $at_once (i32.ge_s (i32.load (i32.const {asked_before})) (i32.const 0)))
    (local.set $mine (select (i32.eqz (local.get $amid))
      (i32.eq (i32.load (i32.const {seat})) (i32.load (i32.const {thinker}))) (local.get $at_once)))
    (br_if $out (i32.and (i32.and (local.get $others) (local.get $mine)) (call $values_leads)))
    (local.set $others (i32.or (local.get $others) (i32.or (local.get $at_once) (i32.eqz (local.get $mine)))))
    (call $try_number (call $number_at_random))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again))))

;; Whether it counts how far seats lead, and not only who wins.
(func $values_leads (result i32)
  (i32.and (i32.ne (i32.const {ranking_keys}) (i32.const 0)) (i32.eqz (i32.load (i32.const {aim_whole})))))

;; ---- what each seat got: the keys of all seats lie at `keys`, one key after the other

(func $begin_worth (local $at i32)
  (if (i32.load (i32.const {based})) (then (return)))
  (call $look_standing)
  (call $lay_leads (i32.const {first_leads}))
  (i32.store (i32.const {based}) (i32.const 1)))
;; Lays down how far each seat leads by each key.
(func $lay_leads (param $to i32) (local $row i32) (local $seat i32)
  (block $out (loop $again
    (br_if $out (i32.ge_u (local.get $row) (i32.const {leads_end})))
    (local.set $seat (i32.const 0))
    (loop $seats
      (i64.store (i32.add (local.get $to) (i32.add (local.get $row) (i32.shl (local.get $seat) (i32.const 3))))
        (call $lead (i32.add (i32.const {keys}) (local.get $row)) (local.get $seat)))
      (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
      (br_if $seats (i32.lt_s (local.get $seat) (i32.const {seats}))))
    (local.set $row (i32.add (local.get $row) (i32.const {seat_bytes})))
    (br $again))))
(func $look_gains (local $at i32) (local $row i32) (local $gain i64)
  (call $look_standing)
  (call $lay_leads (i32.const {gained}))
  (block $out (loop $again
    (br_if $out (i32.ge_u (local.get $at) (i32.const {leads_end})))
    (local.set $gain (i64.sub (i64.load offset={gained} (local.get $at)) (i64.load offset={first_leads} (local.get $at))))
    (i64.store offset={gained} (local.get $at) (local.get $gain))
    (local.set $row (i32.shl (i32.div_u (local.get $at) (i32.const {seat_bytes})) (i32.const 3)))
    (i64.store offset={spread} (local.get $row) (i64.add (i64.load offset={spread} (local.get $row))
      (select (i64.sub (i64.const 0) (local.get $gain)) (local.get $gain) (i64.lt_s (local.get $gain) (i64.const 0)))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br $again)))
  (i32.store (i32.const {valued}) (i32.add (i32.load (i32.const {valued})) (i32.const {seats}))))
;; From 0 to 1 how much better a seat stands than at the beginning of the search.
(func $share_of (param $seat i32) (result f64) (local $at i32) (local $key i32) (local $total f64) (local $weights f64) (local $weight f64) (local $gain f64) (local $size f64)
  (if (i32.load (i32.const {aim_whole})) (then (return (f64.const 0.5))))
  (local.set $weight (f64.const 1))
  (local.set $at (i32.shl (local.get $seat) (i32.const 3)))
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $key) (i32.const {ranking_keys})))
    (local.set $gain (f64.convert_i64_s (i64.load offset={gained} (local.get $at))))
    (local.set $size (f64.add (f64.abs (local.get $gain))
      (f64.div (f64.convert_i64_s (i64.load offset={spread} (i32.shl (local.get $key) (i32.const 3)))) (f64.convert_i32_u (i32.load (i32.const {valued}))))))
    (if (f64.gt (local.get $size) (f64.const 0)) (then
      (local.set $total (f64.add (local.get $total) (f64.div (f64.mul (local.get $weight) (local.get $gain)) (local.get $size))))))
    (local.set $weights (f64.add (local.get $weights) (local.get $weight)))
    (local.set $weight (f64.div (local.get $weight) (f64.const 4)))
    (local.set $at (i32.add (local.get $at) (i32.const {seat_bytes})))
    (local.set $key (i32.add (local.get $key) (i32.const 1)))
    (br $again)))
  (if (f64.eq (local.get $weights) (f64.const 0)) (then (return (f64.const 0.5))))
  (f64.add (f64.const 0.5) (f64.div (f64.mul (f64.const 0.5) (local.get $total)) (local.get $weights))))
;; What a game is worth that is not over: in the middle part of all values.
(func $unfinished (param $share f64) (result f64) (local $part f64)
  (local.set $part (f64.div (f64.const {unfinished_percent}) (f64.const 100)))
  (f64.add (f64.sub (f64.const 0.5) (f64.mul (f64.const 0.5) (local.get $part)))
    (f64.mul (local.get $part) (local.get $share))))
(func $all_get (param $got i64) (local $seat i32)
  (loop $again
    (i64.store offset={got} (i32.shl (local.get $seat) (i32.const 3)) (local.get $got))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $seat) (i32.const {seats})))))
(func $value_world (local $seat i32) (local $share f64) (local $won f64) (local $winners i64)
  (if (i32.eq (i32.load (i32.const {outcome})) (i32.const 3)) (then
    (call $all_get (i64.const {half}))
    (return)))
  (call $look_gains)
  (local.set $winners (call $who_won))
  (loop $again
    (local.set $share (call $share_of (local.get $seat)))
    (if (i64.ne (local.get $winners) (i64.const -1)) (then
      (local.set $won (f64.const 0))
      (if (i32.wrap_i64 (i64.and (i64.shr_u (local.get $winners) (i64.extend_i32_u (local.get $seat))) (i64.const 1))) (then
        (local.set $won (f64.div (f64.const 1) (f64.convert_i64_u (select (i64.const 1) (i64.popcnt (local.get $winners)) (i32.const {common})))))))
      (local.set $share (if (result f64) (call $values_leads)
        (then (f64.add (f64.mul (f64.const 0.75) (local.get $won)) (f64.mul (f64.const 0.25) (local.get $share))))
        (else (local.get $won)))))
      (else (local.set $share (call $unfinished (local.get $share)))))
    (i64.store offset={got} (i32.shl (local.get $seat) (i32.const 3)) (i64.trunc_f64_s (f64.mul (f64.const {whole}) (local.get $share))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $seat) (i32.const {seats})))))
;; The seats that have won, or win for certain; -1 where that is not known.
(func $who_won (result i64)
  (if (i32.load (i32.const {certain})) (then (return (i64.load32_u (i32.const {certain})))))
  (if (i32.eq (i32.load (i32.const {outcome})) (i32.const 1)) (then (return (i64.load (i32.const {winners})))))
  (i64.const -1))
;; Adds what came of a pass to all that was chosen on the way, and to what is counted of
;; all passes: how many, and what each seat got.
(func $give_back (local $i i32) (local $at i32)
  (i32.store (i32.const {counted}) (i32.add (i32.load (i32.const {counted})) (i32.const 1)))
  (loop $seats
    (local.set $at (i32.shl (local.get $i) (i32.const 3)))
    (i64.store offset={all_gained} (local.get $at) (i64.add (i64.load offset={all_gained} (local.get $at)) (i64.load offset={got} (local.get $at))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $seats (i32.lt_s (local.get $i) (i32.const {seats}))))
  (local.set $i (i32.const 0))
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (i32.load (i32.const {way_length}))))
    (local.set $at (call $visit (local.get $i)))
    (call $add_pass (i32.load (local.get $at)) (i32.load offset={visit.seat} (local.get $at)))
    (if (i32.lt_s (local.get $i) (i32.load (i32.const {known_length}))) (then (call $give_credit (local.get $i))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again))))
;; Notes what the seat that chose got of a pass.
(func $add_pass (param $edge i32) (param $seat i32)
  (i32.store offset={edge.tried} (local.get $edge) (i32.add (i32.load offset={edge.tried} (local.get $edge)) (i32.const 1)))
  (i64.store offset={edge.total} (local.get $edge) (i64.add (i64.load offset={edge.total} (local.get $edge))
    (i64.load offset={got} (i32.shl (local.get $seat) (i32.const 3))))))

;; ---- a search: begun, gone on with as often as wanted, and ended by taking the best

(func $decide_by_search
  (call $begin_search)
  (i32.store (i32.const {searching}) (i32.const 1))
  (i32.store offset=8 (i32.const {search_number}) (i32.load offset={efforts_now} (i32.shl (i32.load (i32.const {seat})) (i32.const 2))))
  (drop (call $search_on (select (i32.const 0x40000000) (i32.load offset=8 (i32.const {search_number}))
    (i32.lt_s (i32.load offset=8 (i32.const {search_number})) (i32.const 0)))))
  (call $take_best))
(func $begin_search (export "begin_search")
  (i32.store (i32.const {thinker}) (i32.load (i32.const {seat})))
  (global.set $eye (i32.shl (i32.const 1) (i32.load (i32.const {seat}))))
  (i32.store (i32.const {search_number}) (i32.add (i32.load (i32.const {search_number})) (i32.const 1)))
  (i32.store offset=8 (i32.const {search_number}) (i32.const 0))
  (i64.store (i32.const {root_count}) (call $count_sensible))
  (i64.store (i32.const {root_node}) (call $node (i32.const 0)))
  (i64.store (i32.const {root_key}) (call $mixed (i64.load (i32.const {root_node})) (i64.load (i32.const {root_count}))))
  (memory.copy (i32.const {real}) (i32.const {start}) (i32.const {block}))
  (i32.store (i32.const {searching}) (i32.const 2))
  (i32.store (i32.const {looked_at}) (i32.const 0))
  (i32.store (i32.const {edges_made}) (i32.const 0))
  (i32.store (i32.const {table}) (i32.const {tree}))
  (i32.store (i32.const {last_slot}) (i32.const {first_slots}))
  (i32.store (i32.const {way_length}) (i32.const 0))
  (i32.store (i32.const {based}) (i32.const 0))
  (i32.store (i32.const {valued}) (i32.const 0))
  (i64.store (i32.const {aim_option}) (i64.const -1))
  (i32.store (i32.const {aim_whole}) (i32.const 0))
  (i32.store (i32.const {decided}) (i32.const 0))
  (i32.store (i32.const {served}) (i32.const 0))
  (i32.store (i32.const {short}) (i32.const 0))
  (i32.store (i32.const {longest}) (i32.const 0))
  (i32.store (i32.const {aim_passes}) (i32.const 0))
  (i32.store (i32.const {passes_made}) (i32.const 0))
  (i32.store (i32.const {counted}) (i32.const 0))
  (memory.fill (i32.const {all_gained}) (i32.const 0) (i32.const {seat_bytes}))
  (memory.fill (i32.const {spread}) (i32.const 0) (i32.const {spread_bytes}))
  (global.set $counting (i32.const 0))
  (global.set $tallying (i32.const 1)))
;; Looks at so many decisions in all, those of before included.
(func $search_on (export "search_on") (param $decisions i32) (result i32)
  (i32.store (i32.const {sought}) (local.get $decisions))
  (if (i32.load (i32.const {aim_passes})) (then (i32.store (i32.const {aim_passes}) (i32.const 0x7fffffff))))
  (call $think_on)
  (i32.load (i32.const {looked_at})))
;; Begins a search that tells what comes of an option (none: below 0), or of whole games.
(func $begin_aim (export "begin_aim") (param $option i64) (param $whole i32)
  (call $begin_search)
  (i64.store (i32.const {aim_option}) (local.get $option))
  (i32.store (i32.const {aim_whole}) (local.get $whole))
  (i32.store (i32.const {aim_passes}) (i32.const 0x7fffffff)))
;; Makes so many passes in all, those of before included.
(func $pass_through (export "pass_through") (param $passes i32) (result i32)
  (i32.store (i32.const {aim_passes}) (local.get $passes))
  (i32.store (i32.const {sought}) (i32.const 0x7fffffff))
  (call $think_on)
  (call $passes))
;; How many passes were made, and how many of them were counted.
(func $passes (export "passes") (result i32) (i32.load (i32.const {passes_made})))
(func $counted (export "counted") (result i32) (i32.load (i32.const {counted})))
;; What a seat got of them.
(func $gained_by (export "gained_by") (param $seat i32) (result i64)
  (i64.load offset={all_gained} (i32.shl (local.get $seat) (i32.const 3))))
(func $think_on
  (if (i32.and (i64.eq (i64.load (i32.const {root_count})) (i64.const 1)) (i32.eqz (i32.load (i32.const {aim_passes})))) (then (return)))
  (block $out (loop $again
    (br_if $out (i32.load (i32.const {stop})))
    (br_if $out (i32.and (i32.load (i32.const {decided})) (i32.eqz (i32.load (i32.const {aim_passes})))))
    (br_if $out (i32.and (i32.ne (i32.load (i32.const {aim_passes})) (i32.const 0)) (i32.ge_s (i32.load (i32.const {passes_made})) (i32.load (i32.const {aim_passes})))))
    (br_if $out (i32.eq (i32.load offset=4 (i32.const {search_number})) (i32.load (i32.const {search_number}))))
    (br_if $out (i32.ge_s (i32.load (i32.const {looked_at})) (i32.load (i32.const {sought}))))
    (call $room_for_edges)
    (if (i32.eqz (call $turns_back)) (then (call $imagine_next)))
    (call $pass)
    (br $again))))
;; Imagines a game, or goes back to the one before if it has to serve more passes: then all
;; chance to come is drawn anew. The first passes have one each.
(func $imagine_next
  (if (i32.and (i32.gt_s (i32.load (i32.const {served})) (i32.const 0)) (i32.lt_s (i32.load (i32.const {served})) (i32.const {serves}))) (then
    (i32.store (i32.const {served}) (i32.add (i32.load (i32.const {served})) (i32.const 1)))
    (call $enter (call $world_at (i32.const 0)))
    (call $refresh_streams)
    (memory.copy (call $luck_of (i32.const 0)) (i32.const {luck}) (i32.const {stream_width}))
    (return)))
  (i32.store (i32.const {served}) (i32.const 0))
  (if (i32.eqz (i32.load (i32.const {stage}))) (then
    (i32.store (i32.const {made}) (i32.const 0))
    (i32.store (i32.const {wanted}) (i32.const 1))))
  (call $imagine_all)
  (if (i32.ge_s (i32.load (i32.const {passes_made})) (i32.const {alone})) (then
    (memory.copy (call $world_at (i32.const 0)) (i32.const {start}) (i32.const {block}))
    (i32.store (i32.const {served}) (i32.const 1)))))
;; Where it is kept how the game stood after so many decisions of a short game.
(func $position (param $depth i32) (result i32)
  (i32.add (i32.const {positions}) (i32.mul (i32.rem_u (local.get $depth) (i32.const {kept_positions})) (i32.const {block}))))
;; Goes back to where the proof of the pass before stopped: to the way up to there.
(func $turn_back (local $length i32) (local $depth i32)
  (local.set $depth (i32.load (i32.const {stopped})))
  (local.set $length (i32.load (i32.const {way_length})))
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $length)))
    (br_if $out (i32.lt_s (i32.load offset={visit.depth} (call $visit (i32.sub (local.get $length) (i32.const 1)))) (local.get $depth)))
    (local.set $length (i32.sub (local.get $length) (i32.const 1)))
    (br $again)))
  (call $enter (call $position (local.get $depth)))
  (i32.store (i32.const {way_length}) (local.get $length))
  (i32.store (i32.const {known_length}) (local.get $length))
  (i32.store (i32.const {depth_in_tree}) (local.get $depth)))
;; Whether the next pass goes on there: only in a short game, and only near its end.
(func $turns_back (result i32)
  (i32.and (i32.and (i32.load (i32.const {short})) (i32.ge_s (i32.load (i32.const {stopped})) (i32.const 0)))
    (i32.le_s (i32.sub (i32.load (i32.const {depth_in_tree})) (i32.load (i32.const {stopped}))) (i32.const {turns}))))
;; Begins a pass anew; where no game could be imagined there is none.
(func $pass_anew (result i32)
  (memory.copy (i32.const {luck}) (call $luck_of (i32.const 0)) (i32.const {stream_width}))
  (if (i32.load offset={luck.failed} (i32.const {luck})) (then
    (i32.store (i32.const {looked_at}) (i32.add (i32.load (i32.const {looked_at})) (i32.const 1)))
    (i32.store (i32.const {served}) (i32.const 0))
    (return (i32.const 0))))
  (i32.store (i32.const {way_length}) (i32.const 0))
  (i32.store (i32.const {known_length}) (i32.const 0))
  (i32.store (i32.const {depth_in_tree}) (i32.const 0))
  (i32.const 1))
(func $pass
  (i32.store (i32.const {passes_made}) (i32.add (i32.load (i32.const {passes_made})) (i32.const 1)))
  (if (call $turns_back)
    (then (call $turn_back))
    (else (if (i32.eqz (call $pass_anew)) (then (return)))))
  (call $renew)
  (i32.store (i32.const {stage}) (i32.const 2))
  (i32.store (i32.const {stopped}) (i32.const -1))
  (i32.store (i32.const {short}) (call $is_short))
  (i32.store (i32.const {beyond}) (i32.const 0))
  (i32.store (i32.const {asked_before}) (i32.const -1))
  (i32.store (i32.const {broken}) (i32.const 0))
  (i32.store (i32.const {certain}) (i32.const 0))
  (call $begin_worth)
  (call $go_down)
  (call $prove_end)
  (if (i32.eqz (i32.load (i32.const {certain}))) (then (call $play_beyond)))
  (call $value_world)
  (i32.store (i32.const {stage}) (i32.const 0))
  (call $end_pass))
;; Whether no pass went on for longer than a short game, so that it is to be proved.
(func $is_short (result i32)
  (i32.and (i32.and (i32.const {only_ends_tell}) (i32.eqz (i32.load (i32.const {aim_passes}))))
    (i32.lt_u (i32.sub (i32.load (i32.const {longest})) (i32.const 1)) (i32.const {short_game}))))
(func $end_pass
  (if (i32.gt_s (i32.load (i32.const {depth_in_tree})) (i32.load (i32.const {longest}))) (then
    (i32.store (i32.const {longest}) (i32.load (i32.const {depth_in_tree})))))
  (call $give_back))
;; After a fault in what was imagined. Where it was played on, that pass counts as lost.
(func $recover_search
  (if (i32.eq (i32.load (i32.const {stage})) (i32.const 2)) (then
    (call $all_get (i64.const {half}))
    (i64.store offset={got} (i32.shl (i32.load (i32.const {thinker})) (i32.const 3)) (i64.const 0))
    (i32.store (i32.const {stage}) (i32.const 0))
    (i32.store (i32.const {served}) (i32.const 0))
    (i32.store (i32.const {stopped}) (i32.const -1))
    (call $end_pass)))
  (call $think_on)
  (if (i32.eq (i32.load (i32.const {searching})) (i32.const 1)) (then (call $take_best))))
;; Goes back from what was imagined to the game, and chooses nothing.
(func $leave_search
  (call $enter (i32.const {real}))
  (global.set $counting (i32.const 1))
  (global.set $tallying (i32.const 0))
  (i32.store (i32.const {searching}) (i32.const 0)))
;; Where the edge of some options of the decision lies that is thought about; 0: nowhere.
(func $edge_of (export "edge_of") (param $low i64) (param $high i64) (result i32)
  (call $edge (call $part_key (i64.load (i32.const {root_key})) (local.get $low) (local.get $high)) (i32.const 0)))
;; Ends the search: takes the option that was tried most, of equals the better one.
(func $take_best (export "take_best") (local $low i64) (local $high i64) (local $many i32)
  (call $leave_search)
  (local.set $high (call $count_sensible))
  (block $out (loop $again
    (br_if $out (i64.le_u (i64.sub (local.get $high) (local.get $low)) (i64.const 1)))
    (local.set $many (call $most_tried (call $divide (i64.load (i32.const {root_key})) (local.get $low) (local.get $high))))
    (if (i32.eqz (local.get $many)) (then
      (local.set $high (i64.sub (local.get $high) (local.get $low)))
      (local.set $low (i64.add (local.get $low) (call $below (call $bot_stream (i32.load (i32.const {thinker})))
        (select (i64.const 0x100000000) (local.get $high) (i64.gt_u (local.get $high) (i64.const 0x100000000))))))
      (br $out)))
    (local.set $low (i64.load offset={arm.low} (local.get $many)))
    (local.set $high (i64.load offset={arm.high} (local.get $many)))
    (br $again)))
  (call $take_number (local.get $low)))
;; Of so many arms that which was tried most; 0 where none was.
(func $most_tried (param $many i32) (result i32) (local $i i32) (local $arm i32) (local $edge i32) (local $any i32) (local $proof i32) (local $tried i32) (local $total i64)
  (local $best i32) (local $best_proof i32) (local $best_tried i32) (local $best_total i64)
  (loop $again
    (local.set $arm (call $arm (local.get $i)))
    (local.set $edge (call $edge (i64.load (local.get $arm)) (i32.const 0)))
    (local.set $proof (i32.const 0))
    (local.set $tried (i32.const 0))
    (local.set $total (i64.const 0))
    (if (local.get $edge) (then
      (local.set $proof (i32.load offset={edge.proof} (local.get $edge)))
      (local.set $tried (i32.load offset={edge.tried} (local.get $edge)))
      (local.set $total (i64.load offset={edge.total} (local.get $edge)))))
    (local.set $any (i32.or (local.get $any) (local.get $tried)))
    (if (i32.or (i32.eqz (local.get $i)) (if (result i32) (i32.ne (local.get $proof) (local.get $best_proof))
        (then (i32.gt_s (local.get $proof) (local.get $best_proof)))
        (else (if (result i32) (i32.ne (local.get $tried) (local.get $best_tried))
          (then (i32.gt_s (local.get $tried) (local.get $best_tried)))
          (else (i64.gt_s (local.get $total) (local.get $best_total))))))) (then
      (local.set $best (local.get $arm))
      (local.set $best_proof (local.get $proof))
      (local.set $best_tried (local.get $tried))
      (local.set $best_total (local.get $total))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $i) (local.get $many))))
  (select (local.get $best) (i32.const 0) (local.get $any)))
