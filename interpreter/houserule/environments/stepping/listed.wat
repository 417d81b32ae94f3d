;; Options are numbered as they are listed.
(func $option_of (param $game i32) (result i64)
  (i64.extend_i32_u (i32.load (call $of_game (i32.const {chosen_numbers}) (local.get $game)))))
(func $note_numbers (param $game i32))
