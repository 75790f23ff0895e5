//! Reduction of programs: the result is small, still fails, and is well formed.

use std::cell::Cell;

use holloway_generator::{Size, minimize, program};

fn is_balanced(text: &str) -> bool {
    text.matches('{').count() == text.matches('}').count()
}

#[test]
fn only_what_the_fault_needs_is_left() {
    let source = "\
fn unused(a: int) -> int {
    return a
}
fn used(a: int, b: int) -> int {
    if a > 0 {
        print(\"noise\")
        for i in 0..9 {
            print(a / b)
        }
    } else {
        print(\"more\")
    }
    return a
}
var x = 1
print(used(x, 0))
";
    let reduced = minimize(source, |text| is_balanced(text) && text.contains("a / b"));
    assert_eq!(reduced, "a / b\n");
}

#[test]
fn an_else_can_be_all_that_is_left() {
    let source = "if a {\n    b\n} else {\n    c\n}\n";
    assert_eq!(minimize(source, |text| is_balanced(text) && text.contains('c')), "c\n");
}

#[test]
fn braces_in_strings_do_not_count() {
    let source = "fn f() {\n    print(\"}\")\n    print('{')\n    keep\n}\nrest\n";
    let reduced = minimize(source, |text| text.contains("fn f() {") && text.contains("keep\n}"));
    assert_eq!(reduced, "fn f() {\n    keep\n}\n");
}

#[test]
fn a_program_that_does_not_fail_is_left_alone() {
    let source = program(1, Size::Small);
    assert_eq!(minimize(&source, |_| false), source);
}

#[test]
fn whole_programs_shrink_in_bounded_time() {
    let source = program(7, Size::Large);
    let tries = Cell::new(0_usize);
    let reduced = minimize(&source, |text| {
        tries.set(tries.get() + 1);
        text.matches("print(").count() >= 3
    });
    assert!(reduced.len() < 200, "{reduced}");
    assert!(tries.get() <= 20_000);
}
