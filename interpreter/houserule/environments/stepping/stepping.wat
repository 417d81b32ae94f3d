;; Many games under way. The block of each lies in a row of games, with the streams of its
;; bots and its number behind it. One call takes every game to the next decision that is
;; made outside, and writes what its seat sees. `under` is the game at work: where a fault
;; ends the call, the host takes it up again there.

(func $game_at (param $game i32) (result i32)
  (i32.add (i32.const {games}) (i32.mul (local.get $game) (i32.const {game_width}))))
(func $number_at (param $game i32) (result i32)
  (i32.add (call $game_at (local.get $game)) (i32.const {number_in_game})))
(func $row_of (param $game i32) (result i32)
  (i32.add (i32.const {observations}) (i32.mul (local.get $game) (i32.const {row_width}))))
(func $last_row_of (param $game i32) (result i32)
  (i32.add (i32.const {last_rows}) (i32.mul (local.get $game) (i32.const {row_width}))))
(func $of_game (param $array i32) (param $game i32) (result i32)
  (i32.add (local.get $array) (i32.shl (local.get $game) (i32.const 2))))

;; Seats bots and those outside in a game, as its number says.
(func $seat_all (param $number i64)
  (i32.store (i32.const {greedy_seats}) (call $turned (i32.load offset={order.greedy} (i32.const {order})) (local.get $number)))
  (i32.store (i32.const {outside_now}) (call $turned (i32.load (i32.const {outside})) (local.get $number)))
  (call $turn_efforts (local.get $number)))
(func $take_up (param $game i32) (local $from i32)
  (local.set $from (call $game_at (local.get $game)))
  (memory.copy (i32.const {start}) (local.get $from) (i32.const {block}))
  (memory.copy (i32.const {bot_at}) (i32.add (local.get $from) (i32.const {block})) (i32.const {bots_width}))
  (call $renew)
  (call $seat_all (i64.load (call $number_at (local.get $game)))))
(func $put_down (param $game i32) (local $to i32)
  (local.set $to (call $game_at (local.get $game)))
  (memory.copy (local.get $to) (i32.const {start}) (i32.const {block}))
  (memory.copy (i32.add (local.get $to) (i32.const {block})) (i32.const {bot_at}) (i32.const {bots_width})))

;; Begins all games, the first ones of a seed.
(func $begin_all (export "begin_all") (param $seed i64) (param $greedy i32) (param $outside i32) (param $turning i32) (param $most i32)
  (local $game i32)
  (i64.store (i32.const {order}) (local.get $seed))
  (i32.store offset={order.most} (i32.const {order}) (local.get $most))
  (i32.store offset={order.greedy} (i32.const {order}) (local.get $greedy))
  (i32.store offset={order.rotating} (i32.const {order}) (local.get $turning))
  (i32.store (i32.const {outside}) (local.get $outside))
  (i32.store (i32.const {beginning}) (i32.const 1))
  (i32.store (i32.const {never_asked}) (i32.const 0))
  (loop $again
    (i64.store (call $number_at (local.get $game)) (i64.sub (i64.extend_i32_u (local.get $game)) (i64.const {many})))
    (local.set $game (i32.add (local.get $game) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $game) (i32.const {many}))))
  (i32.store (i32.const {under}) (i32.const 0))
  (call $on_with_all))
;; Takes in every game the option that is chosen outside; where its number is below 0, the
;; game stays as it is.
(func $step_all (export "step_all")
  (i32.store (i32.const {beginning}) (i32.const 0))
  (i32.store (i32.const {under}) (i32.const 0))
  (call $on_with_all))
(func $on_with_all (local $game i32)
  (block $out (loop $again
    (local.set $game (i32.load (i32.const {under})))
    (br_if $out (i32.ge_s (local.get $game) (i32.const {many})))
    (br_if $out (i32.load (i32.const {stop})))
    (call $clear (local.get $game))
    (if (i32.load (i32.const {beginning}))
      (then
        (call $begin_next (local.get $game))
        (call $finish_one (local.get $game)))
      (else (if (i32.lt_s (i32.load (call $of_game (i32.const {chosen_numbers}) (local.get $game))) (i32.const 0))
        (then (i32.store (i32.const {under}) (i32.add (local.get $game) (i32.const 1))))
        (else
          (call $step_one (local.get $game))
          (call $finish_one (local.get $game))))))
    (br $again))))
;; Goes on after a fault in a game that a bot imagined.
(func $step_on (export "step_on")
  (call $recover)
  (call $end_decision)
  (call $go_on (i32.load (i32.const {under})))
  (call $finish_one (i32.load (i32.const {under})))
  (call $on_with_all))
;; Goes on after a fault in a game itself: it is cut off, and the next one begins. What was
;; seen last stays what was seen last.
(func $skip (export "skip") (local $game i32)
  (call $wake)
  (call $forget_asking)
  (local.set $game (i32.load (i32.const {under})))
  (if (i32.eqz (i32.load (i32.const {beginning}))) (then
    (if (i32.eqz (i32.or (i32.load (call $of_game (i32.const {terminated}) (local.get $game))) (i32.load (call $of_game (i32.const {truncated}) (local.get $game))))) (then
      (memory.copy (call $last_row_of (local.get $game)) (call $row_of (local.get $game)) (i32.const {row_width}))
      (i32.store (call $of_game (i32.const {truncated}) (local.get $game)) (i32.const 1))))))
  (call $begin_next (local.get $game))
  (call $finish_one (local.get $game))
  (call $on_with_all))

(func $clear (param $game i32)
  (i32.store (call $of_game (i32.const {terminated}) (local.get $game)) (i32.const 0))
  (i32.store (call $of_game (i32.const {truncated}) (local.get $game)) (i32.const 0))
  (i32.store (call $of_game (i32.const {passed_over}) (local.get $game)) (i32.const 0))
  (memory.fill (i32.add (i32.const {rewards}) (i32.mul (local.get $game) (i32.const {rewards_width}))) (i32.const 0) (i32.const {rewards_width})))
(func $step_one (param $game i32)
  (call $take_up (local.get $game))
  (global.set $left (i32.const {work_at_most}))
  (call $choose (call $option_of (local.get $game)))
  (call $end_decision)
  (call $go_on (local.get $game)))
;; Plays by bots to the next decision that is made outside; where the game is over, what
;; came of it is written, and the next one begins.
(func $go_on (param $game i32)
  (block $out (loop $again
    (if (i32.or (i32.eqz (i32.load (i32.const {decision})))
        (i32.ge_s (i32.load (i32.const {decisions})) (i32.load offset={order.most} (i32.const {order})))) (then
      (call $close (local.get $game))
      (if (i32.ge_s (i32.load (call $of_game (i32.const {passed_over}) (local.get $game))) (i32.const {passed_at_most})) (then
        (i32.store (i32.const {never_asked}) (i32.const 1))
        (return)))
      (call $start_next (local.get $game))
      (br $again)))
    (br_if $out (i32.and (i32.shr_u (i32.load (i32.const {outside_now})) (i32.load (i32.const {seat}))) (i32.const 1)))
    (br_if $out (i32.load (i32.const {stop})))
    (call $decide)
    (call $end_decision)
    (br $again))))
(func $begin_next (param $game i32)
  (call $start_next (local.get $game))
  (call $go_on (local.get $game)))
(func $start_next (param $game i32) (local $number i64)
  (local.set $number (i64.add (i64.load (call $number_at (local.get $game))) (i64.const {many})))
  (i64.store (call $number_at (local.get $game)) (local.get $number))
  (call $seat_all (local.get $number))
  (call $reset (i64.load (i32.const {order})) (local.get $number))
  (call $advance))
;; Writes what came of a game, once a step: of one that is over before anything was decided
;; outside nothing is told.
(func $close (param $game i32)
  (if (i32.or (i32.load (i32.const {beginning}))
      (i32.or (i32.load (call $of_game (i32.const {terminated}) (local.get $game))) (i32.load (call $of_game (i32.const {truncated}) (local.get $game))))) (then
    (i32.store (call $of_game (i32.const {passed_over}) (local.get $game)) (i32.add (i32.load (call $of_game (i32.const {passed_over}) (local.get $game))) (i32.const 1)))
    (return)))
  (if (i32.load (i32.const {decision}))
    (then (i32.store (call $of_game (i32.const {truncated}) (local.get $game)) (i32.const 1)))
    (else
      (i32.store (call $of_game (i32.const {terminated}) (local.get $game)) (i32.const 1))
      (call $reward (i32.add (i32.const {rewards}) (i32.mul (local.get $game) (i32.const {rewards_width}))))))
  (call $observe (i32.load (call $of_game (i32.const {seats_asked}) (local.get $game))) (call $last_row_of (local.get $game))))
;; What each seat gets: by how many won, what each of them and each of the others gets; or
;; how far it is ahead of the mean in what bots strive for (`payoff.py`).
(func $reward (param $to i32) (local $seat i32) (local $gains i32) (local $sum i64) (local $mean f64)
  (if (i32.load (i32.const {by_goal})) (then
    (call $goal_now (i32.const {goals_now}))
    (loop $add
      (local.set $sum (i64.add (local.get $sum) (i64.load32_s offset={goals_now} (i32.shl (local.get $seat) (i32.const 3)))))
      (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
      (br_if $add (i32.lt_s (local.get $seat) (i32.const {seats}))))
    (if (i32.gt_s (i32.const {seats}) (i32.const 1)) (then
      (local.set $mean (f64.div (f64.convert_i64_s (local.get $sum)) (f64.const {seats})))))
    (local.set $seat (i32.const 0))
    (loop $goal
      (f64.store (i32.add (local.get $to) (i32.shl (local.get $seat) (i32.const 3)))
        (f64.mul (f64.const {goal_sign}) (f64.sub
          (f64.convert_i32_s (i32.load offset={goals_now} (i32.shl (local.get $seat) (i32.const 3)))) (local.get $mean))))
      (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
      (br_if $goal (i32.lt_s (local.get $seat) (i32.const {seats}))))
    (return)))
  (local.set $gains (i32.add (i32.const {gains}) (i32.shl (i32.wrap_i64 (i64.popcnt (i64.load (i32.const {winners})))) (i32.const 4))))
  (loop $again
    (f64.store (i32.add (local.get $to) (i32.shl (local.get $seat) (i32.const 3)))
      (select (f64.load (local.get $gains)) (f64.load offset=8 (local.get $gains))
        (i32.wrap_i64 (i64.and (i64.shr_u (i64.load (i32.const {winners})) (i64.extend_i32_u (local.get $seat))) (i64.const 1)))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $again (i32.lt_s (local.get $seat) (i32.const {seats})))))
;; Writes what is seen at the decision, and puts the game down; one that was stopped is not
;; done.
(func $finish_one (param $game i32) (local $seat i32)
  (if (i32.load (i32.const {stop})) (then (return)))
  (if (i32.load (i32.const {never_asked})) (then
    (i32.store (i32.const {under}) (i32.const {many}))
    (return)))
  (local.set $seat (i32.load (i32.const {seat})))
  (i32.store (call $of_game (i32.const {seats_asked}) (local.get $game)) (local.get $seat))
  (call $observe (local.get $seat) (call $row_of (local.get $game)))
  (i64.store (i32.add (i32.const {option_counts}) (i32.shl (local.get $game) (i32.const 3)))
    (select (i64.load (i32.const {count})) (i64.const 0) (i32.load (i32.const {decision}))))
  (i64.store (i32.add (i32.const {game_numbers}) (i32.shl (local.get $game) (i32.const 3))) (i64.load (call $number_at (local.get $game))))
  (call $note_numbers (local.get $game))
  (call $put_down (local.get $game))
  (i32.store (i32.const {under}) (i32.add (local.get $game) (i32.const 1))))

;; ---- what a seat sees: the parts of an observation (`entries.py`)

(func $is_eye (param $mask i32) (result i32) (i32.and (i32.load (local.get $mask)) (global.get $eye)))
(func $put_all (param $to i32) (param $count i32) (param $value i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $count)))
    (i32.store (local.get $to) (local.get $value))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $again))))
(func $entry (param $value i32) (param $less i32) (result i32)
  (select (i32.const {entry_none}) (i32.sub (local.get $value) (local.get $less)) (i32.eq (local.get $value) (i32.const {none}))))
;; Numbers that all see.
(func $show_numbers (param $from i32) (param $count i32) (param $less i32) (param $to i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $count)))
    (i32.store (local.get $to) (call $entry (i32.load (local.get $from)) (local.get $less)))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $again))))
;; Numbers that some see: for each there is a mask.
(func $show_some (param $from i32) (param $count i32) (param $less i32) (param $masks i32) (param $to i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $count)))
    (i32.store (local.get $to)
      (if (result i32) (call $is_eye (local.get $masks))
        (then (call $entry (i32.load (local.get $from)) (local.get $less)))
        (else (i32.const {entry_hidden}))))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (local.set $masks (i32.add (local.get $masks) (i32.const 4)))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $again))))
;; One set: an entry for each place. `present` is where it says that there is a set, or 0.
(func $show_set (param $from i32) (param $places i32) (param $present i32) (param $to i32) (local $i i32)
  (if (local.get $present) (then
    (if (i64.eqz (i64.load (local.get $present))) (then
      (call $put_all (local.get $to) (local.get $places) (i32.const {entry_none}))
      (return)))))
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $places)))
    (i32.store (i32.add (local.get $to) (i32.shl (local.get $i) (i32.const 2)))
      (i32.and (i32.const 1) (i32.shr_u
        (i32.load8_u (i32.add (local.get $from) (i32.shr_u (local.get $i) (i32.const 3))))
        (i32.and (local.get $i) (i32.const 7)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again))))
;; Sets, `width` bytes each; `present`: how far into them it says whether there is one, or
;; 0; `masks`: who sees each, or 0.
(func $show_sets (param $from i32) (param $count i32) (param $width i32) (param $places i32) (param $present i32) (param $masks i32) (param $to i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $count)))
    (if (if (result i32) (local.get $masks) (then (call $is_eye (local.get $masks))) (else (i32.const 1)))
      (then (call $show_set (local.get $from) (local.get $places)
        (select (i32.add (local.get $from) (local.get $present)) (i32.const 0) (local.get $present)) (local.get $to)))
      (else (call $put_all (local.get $to) (local.get $places) (i32.const {entry_hidden}))))
    (if (local.get $masks) (then (local.set $masks (i32.add (local.get $masks) (i32.const 4)))))
    (local.set $from (i32.add (local.get $from) (local.get $width)))
    (local.set $to (i32.add (local.get $to) (i32.shl (local.get $places) (i32.const 2))))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $again))))
;; Where each thing lies, if the seat was shown it or sees into the zone.
(func $show_where (param $where i32) (param $known i32) (param $count i32) (param $to i32) (local $zone i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $count)))
    (local.set $zone (i32.load (local.get $where)))
    (i32.store (local.get $to)
      (if (result i32) (i32.lt_s (local.get $zone) (i32.const 0))
        (then (i32.const {entry_none}))
        (else (if (result i32) (call $is_eye (local.get $known))
          (then (local.get $zone))
          (else (select (local.get $zone) (i32.const {entry_hidden})
            (call $is_eye (i32.load offset={eyes_of_zones} (i32.shl (local.get $zone) (i32.const 2))))))))))
    (local.set $where (i32.add (local.get $where) (i32.const 4)))
    (local.set $known (i32.add (local.get $known) (i32.const 4)))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $again))))
(func $is_hidden (param $row_of_where i32) (param $thing i32) (result i32)
  (i32.eq (i32.load (i32.add (local.get $row_of_where) (i32.shl (local.get $thing) (i32.const 2)))) (i32.const {entry_hidden})))
;; What lies at each place of some zones; with classes, behind that what shows at each.
(func $show_order (param $place i32) (param $zones i32) (param $room i32) (param $seen i32) (param $classes i32) (param $to i32)
  (local $end i32) (local $n i32) (local $i i32) (local $thing i32) (local $behind i32)
  (local.set $end (i32.add (local.get $place) (local.get $zones)))
  (local.set $behind (i32.shl (i32.mul (local.get $zones) (local.get $room)) (i32.const 2)))
  (block $out (loop $zone
    (br_if $out (i32.ge_s (local.get $place) (local.get $end)))
    (local.set $n (call $lying (local.get $place) (i32.const {things_lying})))
    (local.set $i (i32.const 0))
    (block $last (loop $thing
      (br_if $last (i32.ge_s (local.get $i) (local.get $room)))
      (if (i32.lt_s (local.get $i) (local.get $n))
        (then
          (local.set $thing (i32.load offset={things_lying} (i32.shl (local.get $i) (i32.const 2))))
          (i32.store (local.get $to) (select (i32.const {entry_hidden}) (local.get $thing) (call $is_hidden (local.get $seen) (local.get $thing))))
          (if (local.get $classes) (then
            (i32.store (i32.add (local.get $to) (local.get $behind)) (i32.load (i32.add (local.get $classes) (i32.shl (local.get $thing) (i32.const 2))))))))
        (else
          (i32.store (local.get $to) (i32.const {entry_none}))
          (if (local.get $classes) (then
            (i32.store (i32.add (local.get $to) (local.get $behind)) (i32.const {entry_none}))))))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $thing)))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $zone))))
;; How many hidden things lie in some zones, by class.
(func $show_hidden (param $place i32) (param $zones i32) (param $many i32) (param $seen i32) (param $classes i32) (param $to i32)
  (local $end i32) (local $n i32) (local $i i32) (local $thing i32) (local $at i32)
  (local.set $end (i32.add (local.get $place) (local.get $zones)))
  (call $put_all (local.get $to) (i32.mul (local.get $zones) (local.get $many)) (i32.const 0))
  (block $out (loop $zone
    (br_if $out (i32.ge_s (local.get $place) (local.get $end)))
    (local.set $n (call $lying (local.get $place) (i32.const {things_lying})))
    (local.set $i (i32.const 0))
    (block $last (loop $thing
      (br_if $last (i32.ge_s (local.get $i) (local.get $n)))
      (local.set $thing (i32.load offset={things_lying} (i32.shl (local.get $i) (i32.const 2))))
      (if (call $is_hidden (local.get $seen) (local.get $thing)) (then
        (local.set $at (local.get $to))
        (if (local.get $classes) (then
          (local.set $at (i32.add (local.get $to) (i32.shl (i32.load (i32.add (local.get $classes) (i32.shl (local.get $thing) (i32.const 2)))) (i32.const 2))))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $thing)))
    (local.set $to (i32.add (local.get $to) (i32.shl (local.get $many) (i32.const 2))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $zone))))
;; Faces by number; `masks`: who sees each die, or 0; `numbers`: of each face from the least.
(func $show_faces (param $faces i32) (param $known i32) (param $count i32) (param $masks i32) (param $least i32) (param $numbers i32) (param $to i32)
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $count)))
    (i32.store (local.get $to)
      (if (result i32) (i32.or (i32.eqz (local.get $masks)) (i32.or (call $is_eye (local.get $known))
          (if (result i32) (local.get $masks) (then (call $is_eye (local.get $masks))) (else (i32.const 0)))))
        (then (i32.load (i32.add (local.get $numbers) (i32.shl (i32.sub (i32.load (local.get $faces)) (local.get $least)) (i32.const 2)))))
        (else (i32.const {entry_hidden}))))
    (if (local.get $masks) (then (local.set $masks (i32.add (local.get $masks) (i32.const 4)))))
    (local.set $faces (i32.add (local.get $faces) (i32.const 4)))
    (local.set $known (i32.add (local.get $known) (i32.const 4)))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $again))))
;; Hides what a variable tells of things that the seat does not see; counts those in a set.
(func $hide_things (param $from i32) (param $places i32) (param $seen i32) (param $to i32) (local $i i32) (local $many i32)
  (block $out (loop $again
    (br_if $out (i32.ge_s (local.get $i) (local.get $places)))
    (if (call $is_hidden (local.get $seen) (local.get $i)) (then
      (i32.store (i32.add (local.get $to) (i32.shl (local.get $i) (i32.const 2))) (i32.const {entry_hidden}))
      (local.set $many (i32.add (local.get $many) (i32.and (i32.const 1) (i32.shr_u
        (i32.load8_u (i32.add (local.get $from) (i32.shr_u (local.get $i) (i32.const 3))))
        (i32.and (local.get $i) (i32.const 7))))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $again)))
  (i32.store (i32.add (local.get $to) (i32.shl (local.get $places) (i32.const 2))) (local.get $many)))
;; A phase: its item, its passes if they are told, whether each of its children is over.
(func $show_phase (param $phase i32) (param $goes_over i32) (param $less i32) (param $passes i32) (param $children i32) (param $to i32)
  (local $act i32) (local $over i64)
  (if (if (result i32) (i32.load (i32.const {decision}))
      (then (i32.lt_s (call $depth_of (local.get $phase)) (i32.const 0))) (else (i32.const 1))) (then
    (call $put_all (local.get $to) (i32.add (i32.const 1) (i32.add (local.get $passes) (local.get $children))) (i32.const {entry_none}))
    (return)))
  (local.set $act (call $act_of (local.get $phase)))
  (i32.store (local.get $to)
    (if (result i32) (local.get $goes_over) (then (call $entry (call $item_of (local.get $phase)) (local.get $less))) (else (i32.const 0))))
  (local.set $to (i32.add (local.get $to) (i32.const 4)))
  (if (local.get $passes) (then
    (i32.store (local.get $to) (i32.load offset={phase.passes} (local.get $act)))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))))
  (local.set $over (i64.load offset={phase.over} (local.get $act)))
  (block $out (loop $again
    (br_if $out (i32.eqz (local.get $children)))
    (i32.store (local.get $to) (i32.wrap_i64 (i64.and (local.get $over) (i64.const 1))))
    (local.set $over (i64.shr_u (local.get $over) (i64.const 1)))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (local.set $children (i32.sub (local.get $children) (i32.const 1)))
    (br $again))))
;; Who looks, who decides, what kind of decision it is, and where.
(func $show_decision (param $eye i32) (param $to i32) (local $kind i32)
  (local.set $kind (i32.load (i32.const {decision})))
  (i32.store (local.get $to) (local.get $eye))
  (i32.store offset=8 (local.get $to) (local.get $kind))
  (if (i32.eqz (local.get $kind)) (then
    (i32.store offset=4 (local.get $to) (i32.const {entry_none}))
    (i32.store offset=12 (local.get $to) (i32.const {entry_none}))
    (return)))
  (i32.store offset=4 (local.get $to) (i32.load (i32.const {seat})))
  (i32.store offset=12 (local.get $to)
    (if (result i32) (i32.eq (local.get $kind) (i32.const 1))
      (then (i32.load (i32.const {site})))
      (else (i32.load offset={numbers_of_sites} (i32.shl (i32.load (i32.const {site})) (i32.const 2)))))))
