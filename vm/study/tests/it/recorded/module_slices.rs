//! Slices of modules of WebAssembly: through bytes that overlap, operations on whole memories and tables, and calls through tables.
//!
//! In: text modules, by hand and by chance; reads of variables as criteria. Out: slices against the dependence graph by brute force, forward ones beside those of an execution that
//! was kept, and lines of small modules with their reasons.

use super::programs::TestProgram;
use super::random_module::random_module;
use super::{forward_slices, random_slices};
use crate::common::programs::seeds;
use holloway_profiler::wpp::slice::Approach;
use holloway_study::trace::facts::place::PlaceError;
use holloway_study::trace::slice::{SliceQuestion, SourceSlice, slice};

/// Stores of 1 to 8 bytes that overlap each other and loads.
const OVERLAPS: &str = "(module
(memory 1)
(func (export \"_start\") (local $a i32) (local $b i32) (local $c i64) (local i32)
(i32.store (i32.const 100) (i32.const 0x01020304))
(i32.store8 (i32.const 101) (i32.const 5))
(i32.store16 (i32.const 103) (i32.const 6))
(i64.store offset=8 (i32.const 100) (i64.const 7))
(local.set $a (i32.load8_u (i32.const 100)))
(local.set $b (i32.load (i32.const 100)))
(local.set $c (i64.load (i32.const 102)))
(local.set 3 (i32.load offset=4 (i32.const 100)))
(drop (i32.add (local.get $a) (local.get $b)))))
";

/// Operations on the whole memory, calls, `br_table`, and calls through a table that changes.
const WHOLE: &str = "(module
(memory 1 3)
(table $t 3 funcref)
(elem (i32.const 0) $twice $next)
(data (i32.const 16) \"abcd\")
(global $sum (mut i32) (i32.const 0))
(type $f (func (param i32) (result i32)))
(func $twice (type $f) (param $x i32) (result i32)
(i32.mul (local.get $x) (i32.const 2)))
(func $next (type $f) (param $x i32) (result i32)
(global.set $sum (i32.add (global.get $sum) (i32.const 1)))
(i32.add (local.get $x) (global.get $sum)))
(func $pick (param $n i32) (result i32)
(block $other (block $one (block $none
(br_table $none $one $other (local.get $n)))
(return (i32.load8_u (i32.const 17))))
(return (i32.load (i32.const 32))))
(memory.size))
(func (export \"_start\") (local $i i32) (local $r i32)
(memory.copy (i32.const 32) (i32.const 16) (i32.const 4))
(memory.fill (i32.const 33) (i32.const 9) (i32.const 1))
(drop (memory.grow (i32.const 1)))
(i32.store offset=65000 (i32.const 1000) (i32.const 3))
(table.set $t (i32.const 2) (ref.func $next))
(table.copy (i32.const 0) (i32.const 2) (i32.const 1))
(local.set $i (i32.const 3))
(loop $more
(local.set $r (call_indirect $t (type $f) (call $pick (i32.sub (local.get $i) (i32.const 1))) (local.get $i)
(i32.const 1) (i32.eq) (i32.const 1) (i32.xor)))
(i32.store (i32.const 64) (i32.add (local.get $r) (i32.load (i32.const 64))))
(br_if $more (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))
(drop (i32.add (i32.load (i32.const 64)) (i32.load8_s (i32.const 66000))))))
";

fn ask(program: &TestProgram, line: u32, variable: &str) -> SourceSlice {
    let at = program.line(line);
    let question = SliceQuestion { at, variable, occurrence: None, approach: Approach::Instances };
    slice(program.sourced(), &program.execution(""), question).expect("it is a place")
}

fn lines(slice: &SourceSlice) -> Vec<u32> {
    slice.lines.iter().map(|line| line.at.line).collect()
}

#[test]
fn a_load_depends_on_each_store_that_wrote_a_byte_of_it() {
    let program = TestProgram::of_module(OVERLAPS);
    let of = |variable| lines(&ask(&program, 12, variable));
    assert_eq!([of("$a"), of("a")], [[4, 8]; 2]);
    assert_eq!(of("b"), [4, 5, 6, 9]);
    assert_eq!(of("c"), [4, 6, 7, 10]);
    assert_eq!(of("local3"), [6, 11]);
    let why: Vec<String> = ask(&program, 12, "local3").lines.into_iter().flat_map(|line| line.why).collect();
    assert_eq!(why, ["data: stores the bytes that line 11 loads", "data: sets `local3`, the value asked about"]);
}

#[test]
fn what_is_no_variable_is_told_with_those_there_are() {
    let program = TestProgram::of_module(OVERLAPS);
    let at = program.line(12);
    let question = SliceQuestion { at, variable: "d", occurrence: None, approach: Approach::Instances };
    let known = ["a", "b", "c", "local3"].map(str::to_owned).to_vec();
    let error = Err(PlaceError::NoVariable { name: "d".to_owned(), known });
    assert_eq!(slice(program.sourced(), &program.execution(""), question), error);
}

#[test]
fn operations_on_the_whole_memory_are_told() {
    let program = TestProgram::of_module(
        "(module
(memory 1 2)
(data $d \"xyz\")
(func (export \"_start\") (local $a i32) (local $b i32)
(i32.store8 (i32.const 4) (i32.const 1))
(memory.init $d (i32.const 5) (i32.const 0) (i32.const 2))
(memory.copy (i32.const 20) (i32.const 4) (i32.const 2))
(memory.fill (i32.const 21) (i32.const 7) (i32.const 1))
(local.set $a (i32.load16_u (i32.const 20)))
(drop (memory.grow (i32.const 1)))
(local.set $b (i32.add (i32.load8_u (i32.const 70000)) (memory.size)))
(drop (local.get $a))))
",
    );
    let found = ask(&program, 12, "a");
    assert_eq!(lines(&found), [5, 6, 7, 8, 9]);
    let why: Vec<&str> = found.lines.iter().flat_map(|line| line.why.iter().map(String::as_str)).collect();
    assert_eq!(
        why,
        [
            "data: stores the bytes that line 7 copies",
            "data: copies from a data segment the bytes that line 7 copies",
            "data: copies the bytes that line 9 loads",
            "data: fills the bytes that line 9 loads",
            "data: sets `a`, the value asked about",
        ]
    );
    let why: Vec<String> = ask(&program, 12, "b").lines.into_iter().flat_map(|line| line.why).collect();
    assert_eq!(
        why,
        [
            "data: grows the memory whose size is used, read at line 11",
            "data: adds the bytes that line 11 loads",
            "data: sets `b`, the value asked about",
        ]
    );
}

#[test]
fn slices_of_modules_by_hand_equal_those_by_brute_force() {
    for (name, text) in [("overlaps", OVERLAPS), ("whole", WHOLE)] {
        let program = TestProgram::of_module(text);
        assert!(random_slices::check_program(name, text, &program) > 5, "{name}");
        assert!(forward_slices::check_program(text, &program) > 0, "{name}");
    }
}

#[test]
fn slices_of_random_modules_equal_those_by_brute_force() {
    let of = |seed| {
        let text = random_module(seed);
        random_slices::check_program(&format!("seed {seed}"), &text, &TestProgram::of_module(&text))
    };
    let statements: usize = seeds(14).map(of).sum();
    assert!(statements > 300, "{statements} statements in slices");
}

#[test]
fn slices_of_random_modules_are_the_same_forward() {
    let of = |seed| {
        let text = random_module(seed);
        forward_slices::check_program(&text, &TestProgram::of_module(&text))
    };
    let with_lines: usize = seeds(3).map(of).sum();
    assert!(with_lines > 5, "{with_lines} slices had lines");
}
