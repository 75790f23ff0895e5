//! Results of instructions.

use super::*;

const TYPES: &str = r#"
type t0 = int
type t1 = str
type t2 = byte
type t3 = record r0
type t4 = optional t3
type t5 = array t1
type t6 = func sig1
sig0 = () -> t0
sig1 = (t0, t0) -> t0
sig2 = ()
record r0 "Pair" { "a": t0, "small": t2, "next": t4, "name": t1 }
string s0 = "hello, "
string s1 = "world"
string s2 = "\n"
global g0 "counter": t0
global g1 "text": t1
"#;

fn with_types(functions: &str) -> String {
    format!("{TYPES}{functions}")
}

#[test]
fn loops_and_switches_go_where_they_should() {
    let text = int_function(
        "local v0: int
         local v1: int
         local v2: bool
         block0: v0 = copy 0  v1 = copy 0  jump block1
         block1: v2 = ilt v0, 10  branch v2, block2, block6
         block2: switch v0 [3: block3, 5: block4, -1: block3], block5
         block3: v1 = iadd v1, 100  jump block5
         block4: v1 = iadd v1, 1000  jump block5
         block5: v1 = iadd v1, 1  v0 = iadd v0, 1  jump block1
         block6: return v1",
    );
    assert_eq!(run(&text), "= 1110");
}

#[test]
fn records_keep_what_is_stored() {
    let text = with_types(
        r#"function f0 "main" sig0() -> int {
         local v0: ref
         local v1: ref
         local v2: int
         local v3: int
         local v4: ref
         block0:
             v0 = new_record r0(1, 511, none, s0)
             v1 = new_record r0(2, 2, v0, s1)
             v2 = field_get r0 1, v0
             field_set r0 1, v1, -1
             v3 = field_get r0 1, v1
             v2 = imul v2, 1000
             v2 = iadd v2, v3
             v4 = field_get r0 2, v1
             v4 = unwrap v4
             v3 = field_get r0 0, v4
             builtin show t3(v1)
             v2 = iadd v2, v3
             return v2
         }"#,
    );
    assert_eq!(
        run(&text),
        r#"Pair(a: 2, small: 255, next: Pair(a: 1, small: 255, next: none, name: "hello, "), name: "world")= 255256"#
    );
}

#[test]
fn arrays_of_every_element_are_made_read_and_written() {
    for (elem, stored, read) in [("int", "-7", "-7"), ("byte", "-7", "249"), ("byte", "300", "44")] {
        let text = int_function(&format!(
            "local v0: ref
             local v1: int
             local v2: int
             block0:
                 v0 = new_array {elem} 3, {stored}
                 v1 = elem_get {elem} v0, 2
                 elem_set {elem} v0, 1, {stored}
                 v2 = elem_get {elem} v0, 1
                 v1 = isub v1, v2
                 v1 = iadd v1, v2
                 return v1"
        ));
        assert_eq!(run(&text), format!("= {read}"), "{elem}");
    }
    let text = with_types(
        r#"function f0 "main" sig0() -> int {
         local v0: ref
         local v1: ref
         local v2: int
         local v3: int
         block0:
             v0 = array_of ref(s0, s1, s2)
             v1 = elem_get ref v0, 1
             v2 = elem_get char v1, 4
             v3 = len v1
             builtin write t5(v0)
             v3 = imul v3, v2
             return v3
         }"#,
    );
    assert_eq!(run(&text), "[\"hello, \", \"world\", \"\\n\"]= 500");
}

#[test]
fn calls_pass_arguments_and_take_results() {
    let text = with_types(
        r#"function f0 "main" sig0() -> int {
         local v0: int
         local v1: func
         local v2: bool
         block0:
             v0 = call f1(100, 58)
             v1 = copy f1
             v2 = fneq v1, f1
             branch v2, block1, block2
         block1:
             v0 = call_indirect sig1 v1(v0, 1)
             call f2()
             v0 = call f1(v0, 7)
             call f1(0, 0)
             return v0
         block2:
             return -1
         }
         function f1 "difference" sig1(v0: int, v1: int) -> int {
         block0: v0 = isub v0, v1  return v0
         }
         function f2 "count" sig2() {
         local v0: int
         block0: v0 = global_get g0  v0 = iadd v0, 1  global_set g0, v0  return
         }"#,
    );
    assert_eq!(run(&text), "= 34");
}

#[test]
fn globals_live_on_between_calls() {
    let text = with_types(
        r#"function f0 "main" sig0() -> int {
         local v0: int
         local v1: ref
         block0:
             v0 = global_get g0
             v0 = iadd v0, 1
             global_set g0, v0
             v1 = builtin str_of_int(v0)
             global_set g1, v1
             return v0
         }
         function f1 "show" sig2() {
         local v0: ref
         block0: v0 = global_get g1  builtin write t1(v0)  return
         }"#,
    );
    let mut rt = runtime(&text, Limits::default(), 1);
    let mut interpreter = Interpreter::new();
    for expected in 1..=3 {
        assert_eq!(interpreter.call(&mut rt, FuncRef::from_u32(0), &[]), Ok(Some(expected)));
    }
    rt.collect(&[]);
    assert_eq!(interpreter.call(&mut rt, FuncRef::from_u32(1), &[]), Ok(None));
    assert_eq!(rt.output.take_captured(), b"3");
}

#[test]
fn garbage_is_collected_while_the_program_runs() {
    let text = with_types(
        r#"function f0 "main" sig0() -> int {
         local v0: ref
         local v1: int
         local v2: bool
         block0: v0 = copy s0  v1 = copy 0  jump block1
         block1: v2 = ilt v1, 20000  branch v2, block2, block3
         block2:
             v0 = builtin str_concat(s0, s1)
             v0 = builtin str_slice(v0, 0, 8)
             v1 = iadd v1, 1
             jump block1
         block3: builtin write t1(v0)  return v1
         }"#,
    );
    assert_eq!(run(&text), "hello, w= 20000");
}

#[test]
fn a_new_body_is_used_from_the_next_call_on() {
    let text = |value: i64| int_function(&format!("block0: return {value}"));
    let mut rt = runtime(&text(1), Limits::default(), 0);
    let mut interpreter = Interpreter::new();
    assert_eq!(interpreter.call(&mut rt, FuncRef::from_u32(0), &[]), Ok(Some(1)));
    rt.install(module(&text(2)));
    assert_eq!(interpreter.call(&mut rt, FuncRef::from_u32(0), &[]), Ok(Some(2)));
}
