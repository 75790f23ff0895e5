//! Every failure, with its text, its span and its stack; and the catching of failures.

use super::*;

const HEADER: &str = r#"
type t0 = int
type t1 = str
type t2 = array t0
type t3 = optional t1
sig0 = () -> t0
sig1 = (t0) -> t0
string s0 = "my message"
string s1 = "; "
string s2 = "\xff"
"#;

/// Runs `f0`, which calls `f1`, which has the given body from `v1` on; `v0` is its int parameter.
fn failing(body: &str, argument: i64) -> String {
    run(&format!(
        r#"{HEADER}
        function f0 "main" sig0() -> int !0:1..2 {{
        local v0: int
        block0:
            v0 = copy 5 !0:10..11
            v0 = call f1({argument}) !0:20..21
            return v0 !0:30..31
        }}
        function f1 "inner" sig1(v0: int) -> int !0:3..4 {{
        {body}
        }}"#
    ))
}

fn message(body: &str, argument: i64) -> String {
    let text = failing(body, argument);
    let (message, rest) = text.split_once(" @ ").expect("a failure");
    assert_eq!(rest, "50..55\n  in inner @ 50..55\n  in main @ 20..21", "place and stack of {message:?}");
    message.to_owned()
}

#[test]
fn every_failure_has_its_text_its_place_and_its_stack() {
    let array = "local v1: ref local v2: int block0: v1 = new_array int 3, 0";
    let string = "local v1: int block0:";
    for (body, argument, text) in [
        (
            format!("{array} v2 = elem_get int v1, v0 !0:50..55 return v2"),
            7,
            "index out of range: the length is 3 but the index is 7",
        ),
        (
            format!("{array} elem_set int v1, v0, 1 !0:50..55 return 0"),
            -1,
            "index out of range: the length is 3 but the index is -1",
        ),
        (
            format!("{string} v1 = elem_get char s0, v0 !0:50..55 return 0"),
            10,
            "index out of range: the length is 10 but the index is 10",
        ),
        (format!("{string} v1 = idiv v0, 0 !0:50..55 return v1"), 7, "division by zero"),
        (format!("{string} v1 = irem 5, v0 !0:50..55 return v1"), 0, "division by zero"),
        ("local v1: ref block0: v1 = unwrap none !0:50..55 return 0".into(), 0, "unwrapped none"),
        ("local v1: func block0: v1 = unwrap nofunc !0:50..55 return 0".into(), 0, "unwrapped none"),
        ("local v1: ref block0: v1 = new_array int v0, 1 !0:50..55 return 0".into(), -2, "negative array length: -2"),
        ("local v1: ref block0: v1 = new_array int v0, 1 !0:50..55 return 0".into(), i64::MAX, "out of memory"),
        ("local v1: ref block0: v1 = new_array byte v0, 1 !0:50..55 return 0".into(), 65 << 20, "out of memory"),
        ("block0: fail assert none !0:50..55".into(), 0, "assertion failed"),
        ("block0: fail assert s0 !0:50..55".into(), 0, "assertion failed: my message"),
        ("block0: fail user s0 !0:50..55".into(), 0, "my message"),
        ("block0: fail step_is_zero none !0:50..55".into(), 0, "step is zero"),
        (
            "local v1: ref block0: v1 = builtin str_slice(s0, 2, v0) !0:50..55 return 0".into(),
            11,
            "slice out of range: 2..11 of length 10",
        ),
        (
            "local v1: ref block0: v1 = builtin chr(v0) !0:50..55 return 0".into(),
            -5,
            "invalid character: -5 is no Unicode scalar value",
        ),
    ] {
        assert_eq!(message(&body, argument), text);
    }
}

#[test]
fn endless_recursion_overflows_at_the_call() {
    let text = failing(
        "local v1: int
         block0: v0 = iadd v0, 1 !0:40..41 v1 = call f1(v0) !0:50..55 return v1 !0:60..61",
        0,
    );
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("stack overflow @ 50..55"));
    let frames: Vec<_> = lines.collect();
    assert_eq!(frames.len(), MAX_FRAMES);
    assert!(frames[..MAX_FRAMES - 1].iter().all(|frame| *frame == "  in inner @ 50..55"));
    assert_eq!(frames[MAX_FRAMES - 1], "  in main @ 20..21");
}

#[test]
fn exactly_the_limit_of_frames_fits() {
    for (calls, expected) in [(MAX_FRAMES as i64 - 2, "= 0"), (MAX_FRAMES as i64 - 1, "stack overflow @ 50..55")] {
        let text = failing(
            "local v1: int
             local v2: bool
             block0: v2 = ieq v0, 0 branch v2, block1, block2
             block1: return 0
             block2: v0 = isub v0, 1 v1 = call f1(v0) !0:50..55 return v1",
            calls,
        );
        assert_eq!(text.lines().next(), Some(expected), "{calls} calls inside `inner`");
    }
}

/// `f0` tries `f1(2)`, `f1(1)`, `f1(0)` one after the other and prints the messages; `f1(n)` recurs n deep, then fails.
const CATCHING: &str = r#"
function f0 "main" sig0() -> int !0:1..2 {
local v0: int
local v1: ref
local v2: bool
block0: v0 = copy 2 jump block1
block1 catch block3: call f1(v0) !0:20..21 jump block2
block2: return -1
block3: v1 = catch_message
    builtin write t1(v1)
    builtin write t1(s1)
    v0 = isub v0, 1
    v2 = ige v0, 0
    branch v2, block1, block4
block4: return v0
}
function f1 "inner" sig1(v0: int) -> int !0:3..4 {
local v1: int
local v2: ref
local v3: bool
block0: v3 = igt v0, 0 branch v3, block1, block2
block1: v0 = isub v0, 1 v1 = call f1(v0) !0:40..41 return v1
block2: v2 = builtin str_of_int(v0) v2 = builtin str_concat(s0, v2) fail user v2 !0:50..55
}
"#;

#[test]
fn failures_are_caught_across_calls() {
    assert_eq!(run(&format!("{HEADER}{CATCHING}")), "my message0; my message0; my message0; = -1");
}

#[test]
fn messages_are_bytes() {
    let text = run(&format!(
        r#"{HEADER}
        function f0 "main" sig0() -> int {{
        local v0: ref
        local v1: int
        block0 catch block1: fail user s2
        block1: v0 = catch_message
            v1 = len v0
            v1 = elem_get char v0, 0
            return v1
        }}"#
    ));
    assert_eq!(text, "= 255");
}

#[test]
fn a_failure_in_a_handler_goes_to_the_next_one_out() {
    let text = run(&format!(
        r#"{HEADER}
        function f0 "main" sig0() -> int {{
        local v0: ref
        local v1: int
        block0 catch block3: jump block1
        block1 catch block2: v1 = idiv 1, 0 jump block4
        block2 catch block3: v0 = catch_message
            builtin write t1(v0)
            builtin write t1(s1)
            fail user s0
        block3: v0 = catch_message
            builtin write t1(v0)
            return 7
        block4: return 8
        }}"#
    ));
    assert_eq!(text, "division by zero; my message= 7");
}

#[test]
fn locals_assigned_before_the_failure_keep_their_values() {
    let text = run(&format!(
        r#"{HEADER}
        function f0 "main" sig0() -> int {{
        local v0: int
        local v1: ref
        block0: v0 = copy 1 jump block1
        block1 catch block2: v0 = copy 2 v0 = idiv 5, 0 jump block3
        block2: v1 = catch_message return v0
        block3: return -1
        }}"#
    ));
    assert_eq!(text, "= 2", "the division assigned nothing");
}

#[test]
fn stack_overflow_and_lack_of_memory_are_caught() {
    let text = run(&format!(
        r#"{HEADER}
        function f0 "main" sig0() -> int {{
        local v0: int
        local v1: ref
        block0 catch block1: call f1(0) return 0
        block1: v1 = catch_message builtin write t1(v1) builtin write t1(s1) jump block2
        block2 catch block3: v1 = new_array int 100000000, 0 return 1
        block3: v1 = catch_message builtin write t1(v1) return 2
        }}
        function f1 "inner" sig1(v0: int) -> int {{
        block0: v0 = call f1(v0) return v0
        }}"#
    ));
    assert_eq!(text, "stack overflow; out of memory= 2");
}

#[test]
fn exit_leaves_through_every_handler() {
    let text = run(&format!(
        r#"{HEADER}
        function f0 "main" sig0() -> int {{
        local v0: ref
        block0 catch block1: builtin write t1(s0) call f1(3) return 0
        block1: v0 = catch_message return 1
        }}
        function f1 "inner" sig1(v0: int) -> int {{
        block0: v0 = iadd v0, 300 exit v0
        }}"#
    ));
    assert_eq!(text, "my messageexit 303");
}

#[test]
fn provided_functions_are_no_place_of_a_failure() {
    let text = r#"
        type t0 = int
        sig0 = ()
        function f0 "main" sig0() !0:1..2 {
        block0:
            call f1() !0:3..4
            return !0:5..6
        }
        provided f1 "outer" sig0() !0:11..12 {
        block0:
            call f2() !0:13..14
            return !0:15..16
        }
        function f2 "own" sig0() !0:21..22 {
        block0:
            call f3() !0:23..24
            return !0:25..26
        }
        provided f3 "inner" sig0() !0:31..32 {
        block0:
            builtin index_failure(5, 3) !0:33..34
            return !0:35..36
        }"#;
    let found = "index out of range: the length is 3 but the index is 5 @ 23..24\n  in own @ 23..24\n  in main @ 3..4";
    assert_eq!(run(text), found);
    let alone = text.replace("function", "provided");
    let found = "index out of range: the length is 3 but the index is 5 @ 33..34\n  in inner @ 33..34";
    assert_eq!(run(&alone), found);
}
