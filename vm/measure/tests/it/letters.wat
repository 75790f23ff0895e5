;; Prints a letter for each character of its argument, of two kinds in turn.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_get" (func $args (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $at i32) (local $text i32)
    (drop (call $args (i32.const 64) (i32.const 128)))
    (local.set $text (i32.load (i32.const 68)))
    (loop $next
      (if (i32.and (local.get $at) (i32.const 1))
        (then (i32.store8 (i32.add (i32.const 512) (local.get $at)) (i32.const 111)))
        (else (i32.store8 (i32.add (i32.const 512) (local.get $at)) (i32.const 101))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.load8_u (i32.add (local.get $text) (local.get $at)))))
    (i32.store (i32.const 0) (i32.const 512))
    (i32.store (i32.const 4) (local.get $at))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))))
