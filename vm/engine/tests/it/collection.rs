//! The collector under every tier: programs behave alike however often it runs, and memory that a program has released
//! can be used again.
//!
//! `HOLLOWAY_PROGRAMS=2000 cargo test --release --test collection` runs that many random programs.

use super::common::programs::how_many;
use super::common::{captured, loaded};
use holloway::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_runtime::heap::HeapConfig;
use std::num::NonZeroU32;

const TIERS: [TierChoice; 3] = [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized];

/// Returns the output, and the end of the run.
fn run(tier: TierChoice, source: &str, heap: HeapConfig) -> String {
    let mut engine = loaded(Config { heap, ..captured(tier, &["first", "second"]) }, source);
    let ended = engine.run();
    format!("{}{ended:?}", String::from_utf8_lossy(&engine.take_output()))
}

fn stressed(every: u32) -> HeapConfig {
    HeapConfig { stress: NonZeroU32::new(every), ..HeapConfig::default() }
}

fn agree_under_stress(source: &str, every: u32) {
    let expected = run(TierChoice::Interp, source, HeapConfig::default());
    for tier in TIERS {
        assert_eq!(run(tier, source, stressed(every)), expected, "{} on\n{source}", tier.name());
    }
}

/// Keeps objects in every kind of place while others are made: operands of calls and builtins, fields and elements just
/// being filled, results not yet stored, locals around loops, globals, handlers.
const EVERYWHERE: &str = r#"
struct Node { left: Node?, right: Node?, name: str, data: [int] }
var kept: [Node?] = [none; 5]

fn name(n: int) -> str { return "node " + str(n) + chr(65 + n % 26) }
fn tree(n: int) -> Node {
    if n == 0 { return Node(left: none, right: none, name: name(n), data: [n]) }
    return Node(left: tree(n - 1), right: tree(n / 2), name: name(n), data: [n, n + 1, n + 2])
}
fn sum(t: Node?) -> int {
    var total = 0
    if let n = t {
        total = sum(n.left) + sum(n.right) + len(n.name)
        for x in n.data { total += x }
    }
    return total
}
fn three(a: str, b: [str], c: Node) -> str { return a + b[0] + c.name + str(len(b)) }
fn risky(n: int) -> str {
    let local = name(n) + "!"
    try {
        let t = tree(3)
        if n % 3 == 0 { fail local + t.name }
        let a = [t.name, local, str(1 / (n % 2))]
        return a[n % 4]
    } catch e {
        return local + " caught " + e
    }
}
for round in 0..6 {
    kept[round % 5] = tree(round)
    var line = ""
    for i in 0..4 { line = line + three(name(i), [name(i + 1), name(i + 2)], tree(i)) + "," }
    print(round, line, sum(kept[0]), sum(tree(4)))
    let grid = [[0.5; 3]; 4]
    let texts = [name(round); 3]
    let more = [texts[0..2], [name(7)], args()]
    sort(more[0])
    print(grid, more, risky(round), bytes(name(round))[2..5], text(bytes("abc" + name(1)), 1, 6))
    print(kept[round % 5]!.name, parse_int(str(round) + "1", -1), name(round) == name(round), name(1) < name(2))
}
"#;

#[test]
fn nothing_in_use_is_collected() {
    for every in [1, 2, 7] {
        agree_under_stress(EVERYWHERE, every);
    }
}

#[test]
fn random_programs_do_not_notice_collections() {
    for seed in 0..how_many(14) {
        agree_under_stress(&program(seed, Size::Small), 1);
    }
}

const LIST: &str = "struct Node { next: Node?, value: int }\n";

#[test]
fn memory_comes_back_when_the_function_that_filled_it_is_gone() {
    let source = format!(
        "{LIST}
        fn fill() -> int {{
            var head: Node? = none
            var n = 0
            loop {{
                head = Node(next: head, value: n)
                n += 1
                if n < 0 {{ return head!.value }}
            }}
        }}
        fn attempt() -> str {{ try {{ return str(fill()) }} catch e {{ return e }} }}
        for round in 0..5 {{ print(attempt(), len([0; 100_000])) }}"
    );
    for tier in TIERS {
        let seen = run(tier, &source, HeapConfig { limit: 4 << 20, stress: None });
        assert_eq!(seen, "out of memory 100000\n".repeat(5) + "Ok(0)", "{}", tier.name());
    }
}

/// Holds in the interpreter and baseline code, but not in optimized code, whose frames may keep a dead reference until
/// they return.
#[test]
fn memory_comes_back_within_one_function() {
    let source = format!(
        "{LIST}
        var head: Node? = none
        var n = 0
        for round in 0..5 {{
            try {{ loop {{ head = Node(next: head, value: n); n += 1 }} }} catch e {{ head = none; print(e) }}
            print(len([0; 100_000]), n > 100_000 * (round + 1))
        }}"
    );
    for tier in [TierChoice::Interp, TierChoice::Baseline] {
        let seen = run(tier, &source, HeapConfig { limit: 4 << 20, stress: None });
        assert_eq!(seen, "out of memory\n100000 true\n".repeat(5) + "Ok(0)", "{}", tier.name());
    }
}

/// The list passed to the callee is released element by element: the caller's operand must not keep its head. In
/// compiled code it may, if a callee-saved register has held it.
#[test]
fn a_callee_may_let_go_of_what_it_was_given() {
    let source = format!(
        "{LIST}
        fn list(n: int) -> Node? {{
            var head: Node? = none
            for i in 0..n {{ head = Node(next: head, value: i) }}
            return head
        }}
        fn consume(from: Node?) -> int {{
            var rest = from
            var copy: Node? = none
            var total = 0
            while let node = rest {{
                rest = node.next
                copy = Node(next: copy, value: node.value)
                total += node.value
            }}
            return total
        }}
        print(consume(list(70_000)))"
    );
    // Room for one list and half of another.
    let seen = run(TierChoice::Interp, &source, HeapConfig { limit: 3 << 20, stress: None });
    assert_eq!(seen, "2449965000\nOk(0)");
}
