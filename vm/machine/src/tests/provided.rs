//! Operations of the grown language in compiled code, and failures in functions that the compiler provides.

use super::*;
use holloway_ir::FuncRef;

/// Runs function 0 in each tier. Gives the output and the end, which are the same.
fn in_each_tier(text: &str, args: &[u64]) -> (String, Result<Option<u64>, Unwind>) {
    let module = module(text);
    let first = FuncRef::from_u32(0);
    let mut interpreted = runtime(&module, Limits::default());
    let expected = Interpreter::new().call(&mut interpreted, first, args);
    let output = interpreted.output.take_captured();
    for tier in [Tier::Baseline, Tier::Optimized] {
        let mut machine = Machine::new(runtime(&module, Limits::default())).expect("memory");
        machine.first_tier = tier;
        assert_eq!(machine.call(first, args), expected, "{tier:?}");
        let found = machine.runtime.output.take_captured();
        assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(&output), "{tier:?}");
    }
    (String::from_utf8_lossy(&output).into_owned(), expected)
}

const KIT: &str = r#"
type t0 = int
type t1 = str
type t2 = array t1
type t3 = bool
type t4 = float
type t5 = optional t4
type t6 = record r1
type t7 = optional t1
sig0 = () -> t0
record r0 "float?" box { "content": t4 }
record r1 "(int, float?)" tuple { "0": t0, "1": t5 }
string s0 = " one,two  thr\xffe\n"
string s1 = ","
string s2 = "+08.2f"
string s3 = "^+8"
string s4 = "*^9.4"
string s5 = "12"
string s6 = "/no/such"
string s7 = "\n"
function f0 "main" sig0() -> int {
    local v0: ref
    local v1: ref
    local v2: int
    local v3: bool
    local v4: float
block0:
    v0 = builtin str_trim_start(s0)
    v0 = builtin str_trim_end(v0)
    builtin show t1(v0)
    v1 = builtin str_split(v0, s1)
    builtin write t2(v1)
    v1 = builtin str_join(v1, 2, s7)
    builtin write t1(v1)
    v1 = builtin str_words(s0)
    builtin write t2(v1)
    v1 = builtin str_lines(s0)
    builtin write t2(v1)
    v1 = builtin str_chars(s5)
    builtin write t2(v1)
    v1 = builtin str_replace(s0, s1, s5)
    v1 = builtin str_upper(v1)
    v1 = builtin str_lower(v1)
    v1 = builtin str_repeat(v1, 2)
    builtin show t1(v1)
    v1 = builtin format_float(2.5f, s2)
    builtin show t1(v1)
    v1 = builtin format_int(7, s3)
    builtin show t1(v1)
    v1 = builtin format_str(v0, s4)
    builtin show t1(v1)
    v2 = builtin str_find(s0, s1, 2)
    builtin write t0(v2)
    v2 = builtin str_ord(s5)
    builtin write t0(v2)
    v3 = builtin str_starts_with(s0, s1)
    builtin write t3(v3)
    v3 = builtin str_ends_with(s0, s7)
    builtin write t3(v3)
    v3 = builtin str_is_int(s5)
    builtin write t3(v3)
    v3 = builtin str_is_float(s0)
    builtin write t3(v3)
    v1 = new_record r0(1.5f)
    v1 = new_record r1(3, v1)
    v1 = builtin display t6(v1)
    builtin write t1(v1)
    v1 = builtin display t4(0.5f)
    builtin write t1(v1)
    v1 = builtin display t3(true)
    builtin write t1(v1)
    v1 = builtin env(s6)
    builtin write t7(v1)
    v1 = builtin read_all()
    v4 = builtin time()
    v2 = builtin str_hash(s0)
    return v2
}
"#;

#[test]
fn operations_on_strings_agree() {
    let (output, end) = in_each_tier(KIT, &[]);
    let expected = [
        r#""one,two  thr\xffe"["one", "two  thr\xffe"]"#,
        "one\ntwo  thr\u{fffd}e",
        r#"["one,two", "thr\xffe"]"#,
        r#"[" one,two  thr\xffe"]["1", "2"]"#,
        r#"" one12two  thr\xffe\n one12two  thr\xffe\n""#,
        r#""+0002.50""   +7   ""**one,***""#,
        "449falsetruetruefalse(3, 1.5)0.5truenone",
    ];
    assert_eq!(output, expected.concat());
    assert!(end.is_ok_and(|hash| hash.is_some_and(|hash| (hash as i64) > 0)));
}

/// Function 0 calls provided ones, of which the inner one fails: by the builtin that the argument tells.
const PROVIDED: &str = r#"
type t0 = int
sig0 = (t0)
string s0 = "\"k\""
string s1 = "/no/such"
function f0 "main" sig0(v0: int) !0:1..2 {
block0:
    call f1(v0) !0:3..4
    return !0:5..6
}
provided f1 "outer" sig0(v0: int) !0:11..12 {
block0:
    call f2(v0) !0:13..14
    return !0:15..16
}
provided f2 "inner" sig0(v0: int) !0:21..22 {
    local v1: ref
block0:
    switch v0 [0: block1, 1: block2, 2: block3, 3: block4], block5 !0:23..24
block1:
    builtin index_failure(5, 3) !0:25..26
    return !0:27..28
block2:
    builtin slice_failure(1, 0, 3) !0:25..26
    return !0:27..28
block3:
    builtin key_failure(s0) !0:25..26
    return !0:27..28
block4:
    v1 = builtin read_file(s1) !0:25..26
    return !0:27..28
block5:
    fail user s0 !0:25..26
}
"#;

#[test]
fn failures_of_provided_functions_are_those_of_their_callers() {
    let messages = [
        "index out of range: the length is 3 but the index is 5",
        "slice out of range: 1..0 of length 3",
        "key not found: \"k\"",
        "files are not allowed",
        "\"k\"",
    ];
    for (at, message) in messages.into_iter().enumerate() {
        let (_, end) = in_each_tier(PROVIDED, &[at as u64]);
        let Err(Unwind::Failure(failure)) = end else { panic!("it fails") };
        assert_eq!(failure.to_string(), message);
        assert_eq!(failure.span.start, 3, "{message}");
        assert_eq!(failure.stack.iter().map(|frame| frame.function).collect::<Vec<_>>(), [FuncRef::from_u32(0)]);
    }
    let all = PROVIDED.replace("function f0", "provided f0");
    let (_, end) = in_each_tier(&all, &[4]);
    let Err(Unwind::Failure(failure)) = end else { panic!("it fails") };
    assert_eq!(failure.stack.iter().map(|frame| frame.function).collect::<Vec<_>>(), [FuncRef::from_u32(2)]);
    assert_eq!(failure.span.start, 25, "there is no other place");
}
