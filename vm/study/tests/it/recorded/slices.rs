//! Slices of small programs, line by line.
//!
//! In: the program of [ZG01 Figure 10], and others with one behaviour each. Out: the lines of their slices, and the reasons.

use super::programs::TestProgram;
use holloway_profiler::wpp::slice::Approach;
use holloway_study::trace::facts::place::PlaceError;
use holloway_study::trace::slice::{SliceQuestion, SourceSlice, slice};

/// [ZG01 Figure 10]: line n + 3 is statement n, but that the figure's 7 and 8 are lines 10 and 11 within the `if`.
const FIGURE_10: &str = "fn f1(x: int) -> int { return x * 2 }
fn f3(x: int) -> int { return x + 1 }
fn figure() {
    let n = parse_int(input()!, 0)
    var i = 1
    var j = 0
    var x = 0; var y = 0; var z = 0
    while i <= n {
        x = parse_int(input()!, 0)
        if x < 0 {
            y = f1(x)
        } else {
            y = f3(x)
        }
        z = f3(y)
        print(z)
        j = 1
        i = i + 1
    }
    z = z + j
    print(z)
}
figure()
";

fn ask(program: &TestProgram, input: &str, (line, variable): (u32, &str), approach: Approach) -> SourceSlice {
    let question = SliceQuestion { at: program.line(line), variable, occurrence: None, approach };
    slice(program.sourced(), &program.execution(input), question).expect("it is a place")
}

fn lines(slice: &SourceSlice) -> Vec<u32> {
    slice.lines.iter().map(|line| line.at.line).collect()
}

#[test]
fn figure_10_has_the_papers_three_slices() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../profiler/tests/conformance/twpp-slicing-fig10.json");
    let text = std::fs::read_to_string(file).expect("the example is there");
    let example: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    // The line of each of the figure's statements, from 1.
    let line_of = [4, 5, 6, 8, 9, 10, 11, 13, 15, 16, 17, 18, 20, 21];
    let program = TestProgram::new(FIGURE_10);
    for (name, approach) in
        [("approach_1", Approach::Nodes), ("approach_2", Approach::Edges), ("approach_3", Approach::Instances)]
    {
        let listed = example["slice_on_Z_at_14"][name].as_array().expect("a list");
        let expected: Vec<u32> = listed.iter().map(|it| line_of[it.as_u64().expect("a number") as usize - 1]).collect();
        let found = ask(&program, "3\n-4\n3\n-2\n", (21, "z"), approach);
        // The functions and their call are not in the figure.
        let of_figure: Vec<u32> = lines(&found).into_iter().filter(|line| line_of.contains(line)).collect();
        assert_eq!(of_figure, expected, "{name}");
        assert_eq!(found.executions, 1);
    }
}

#[test]
fn elements_and_fields_are_told_apart() {
    let program = TestProgram::new(
        "struct P { x: int, y: int }
fn main() {
    let a = [0; 3]
    let p = P(x: 1, y: 2)
    a[0] = 5
    a[1] = 7
    p.x = a[1]
    p.y = a[0]
    let r = p.x
    print(r)
}
",
    );
    assert_eq!(lines(&ask(&program, "", (10, "r"), Approach::Instances)), [3, 4, 6, 7, 9]);
}

#[test]
fn arguments_are_needed_only_if_they_are_used() {
    let program = TestProgram::new(
        "fn f(a: int, b: int) -> int {
    return a
}
fn main() {
    let x = 1
    let y = 2
    let r = f(x, y)
    print(r)
}
",
    );
    let found = ask(&program, "", (8, "r"), Approach::Instances);
    assert_eq!(lines(&found), [2, 5, 7]);
    let why: Vec<&str> = found.lines.iter().flat_map(|line| line.why.iter().map(String::as_str)).collect();
    assert_eq!(
        why,
        [
            "data: returns the result of the call, read at line 7",
            "data: sets `x`, read at line 7",
            "data: sets `r`, the value asked about",
            "data: passes the argument `a`, read at line 2",
            "control: the call executes line 2",
        ]
    );
}

#[test]
fn a_handler_depends_on_what_failed_in_a_callee() {
    let program = TestProgram::new(
        "fn f(x: int) {
    if x > 3 {
        fail \"no\"
    }
}
fn main() {
    var y = 0
    let unused = 1
    try {
        f(5)
    } catch e {
        y = 1
    }
    print(y)
}
",
    );
    assert_eq!(lines(&ask(&program, "", (14, "y"), Approach::Instances)), [2, 3, 10, 12]);
}

#[test]
fn a_variable_is_the_one_that_the_line_sees() {
    let program = TestProgram::new(
        "var x = 10
fn main() {
    print(x)
    let x = 1
    if x == 1 {
        let x = 2
        print(x)
    }
    print(x)
    for x in 5..6 {
        print(x)
    }
}
",
    );
    let of = |line| lines(&ask(&program, "", (line, "x"), Approach::Instances));
    assert_eq!((of(3), of(7), of(9), of(11)), (vec![1], vec![4, 5, 6], vec![4], vec![10]));
}

#[test]
fn occurrences_count_executions_of_the_line() {
    let program = TestProgram::new(
        "fn main() {
    var s = 0
    for i in 0..4 {
        s = s + i
    }
    print(s)
}
",
    );
    let run = program.execution("");
    let ask = |line, occurrence| {
        let at = program.line(line);
        let question = SliceQuestion { at, variable: "s", occurrence, approach: Approach::Instances };
        slice(program.sourced(), &run, question)
    };
    let executions = |line| ask(line, None).map(|slice| slice.executions);
    assert_eq!((executions(3), executions(4), executions(6)), (Ok(5), Ok(4), Ok(1)));
    assert_eq!(ask(4, Some(1)).map(|slice| lines(&slice)), Ok(vec![2]));
    assert_eq!(ask(4, Some(2)).map(|slice| lines(&slice)), Ok(vec![2, 3, 4]));
    assert_eq!(ask(4, Some(5)), Err(PlaceError::FewerExecutions { executions: 4 }));
    assert_eq!(ask(1, None), Err(PlaceError::NoStatement));
}

#[test]
fn a_branch_does_not_decide_where_a_handler_joins_its_other_outcome() {
    let in_try = TestProgram::new(
        "fn f(x: int, z: int) -> int {
    try {
        if z > 3 { fail \"f\" }
    } catch e {
    }
    let y = x * 2
    return y
}
print(f(5, 2 + 2))
",
    );
    assert_eq!(lines(&ask(&in_try, "", (7, "y"), Approach::Instances)), [6, 9]);
    let in_loop = TestProgram::new(
        "fn f(a: [int]) -> int {
    var seen = 0
    try {
        for x in a {
            if x > 3 { fail \"f\" }
            seen += 1
        }
    } catch e {
        seen = 0 - seen
    }
    let y = len(a)
    return y + seen
}
print(f([1, 2, 3, 4, 5]))
",
    );
    assert_eq!(lines(&ask(&in_loop, "", (12, "y"), Approach::Instances)), [11, 14]);
    // The handler is executed because of the failure.
    assert_eq!(lines(&ask(&in_loop, "", (12, "seen"), Approach::Instances)), [2, 4, 5, 6, 9, 14]);
}

#[test]
fn a_loop_that_only_a_failure_ends_decides_nothing_behind_its_handler() {
    let program = TestProgram::new(
        "fn f(a: [int], c: bool) -> int {
    var i = 0
    var s = 0
    try {
        if c {
            while true {
                s += a[i]
                i += 1
            }
        }
    } catch e {
        s += 1
    }
    let y = 7
    return y + s
}
print(f([1, 2], true))
",
    );
    assert_eq!(lines(&ask(&program, "", (15, "y"), Approach::Instances)), [14, 17]);
    assert_eq!(lines(&ask(&program, "", (15, "s"), Approach::Instances)), [2, 3, 5, 7, 8, 12, 17]);
}
