//! The last value shown: `ans` and `_`; and types that one name has had.

use super::terminal::{Setup, start};

#[test]
fn the_last_value_is_used_in_the_next_input() {
    for tier in ["auto", "interp", "baseline", "optimized"] {
        let mut terminal = Setup::new().args(&["--color", "never", "--tier", tier]).start();
        let answer = terminal.ask("ans");
        assert!(answer.starts_with("error: unknown name `ans`"), "{answer}");
        assert!(answer.ends_with("it is the value that was shown last; nothing was shown yet"), "{answer}");
        assert!(terminal.ask("_ + 1").starts_with("error: unknown name `_`"));
        assert_eq!(terminal.ask("1 + 2"), "3 : int");
        assert_eq!(terminal.ask("let x = 1"), "let x: int");
        assert_eq!(terminal.ask("ans * _"), "9 : int");
        assert_eq!(terminal.ask(":type [ans]"), "[int]");
        // An input that fails has no value.
        assert!(terminal.ask("ans / 0").starts_with("error: division by zero"));
        assert_eq!(terminal.ask("_"), "9 : int");
        let answer = terminal.ask("ans = 4");
        assert!(answer.starts_with("error: `ans` cannot be assigned: it is the value that was shown last"), "{answer}");
        assert!(answer.ends_with("= help: copy it first: `var copy = ans`"), "{tier}: {answer}");
    }
}

#[test]
fn a_value_of_any_type_is_an_answer() {
    let mut terminal = start();
    terminal.ask("enum Tree { Leaf, Node(Tree, int, Tree) }");
    terminal.ask("struct P { x: int }");
    for (input, answer, next, then) in [
        ("list(1, 2)", "[1, 2] : list[int]", "ans.map(fn(n) => 2 * n)", "[2, 4] : list[int]"),
        ("dict(\"a\": 1)", "{\"a\": 1} : dict[str, int]", "ans[\"a\"]", "1 : int"),
        ("set(3)", "{3} : set[int]", "ans.contains(3)", "true : bool"),
        ("(1, \"b\")", "(1, \"b\") : (int, str)", "ans.1", "\"b\" : str"),
        (
            "Tree.Node(Tree.Leaf, 7, Tree.Leaf)",
            "Node(Leaf, 7, Leaf) : Tree",
            "match _ { Node(_, n, _) => n, Leaf => 0 }",
            "7 : int",
        ),
        ("\"abc\".find(\"c\")", "2 : int?", "ans!", "2 : int"),
        ("fn(n: int) -> int { return n + 1 }", "fn : fn(int) -> int", "ans(41)", "42 : int"),
        ("P(x: 5)", "P(x: 5) : P", "ans.x", "5 : int"),
        ("1.5", "1.5 : float", "_ + _", "3.0 : float"),
    ] {
        assert_eq!(terminal.ask(input), answer);
        assert_eq!(terminal.ask(next), then, "{input}");
    }
}

#[test]
fn closures_and_functions_keep_the_answer_they_saw() {
    let mut terminal = start();
    terminal.ask("10");
    terminal.ask("let add = fn(n: int) -> int { return n + ans }");
    terminal.ask("fn scaled(n: int) -> int { return n * ans }");
    assert_eq!(terminal.ask("7"), "7 : int");
    assert_eq!(terminal.ask("[add(1), scaled(2), ans]"), "[11, 20, 7] : [int]");
    assert_eq!(terminal.ask("let (_, b) = (1, ans[0])"), "let b: int");
    assert_eq!(terminal.ask("b"), "11 : int");
}

#[test]
fn functions_that_are_checked_again_keep_the_answer_they_saw() {
    let mut terminal = start();
    terminal.ask("struct S { x: int }");
    terminal.ask("7");
    terminal.ask("fn seen(s: S?) -> int { return ans + _ }");
    assert_eq!(terminal.ask("\"later\""), "\"later\" : str");
    assert_eq!(terminal.ask("struct S { x: int, y: int }"), "struct S { x: int, y: int } (replaced)");
    assert_eq!(terminal.ask("seen(S(x: 1, y: 2))"), "14 : int");
}

#[test]
fn a_variable_may_be_called_ans() {
    let mut terminal = start();
    terminal.ask("1");
    assert_eq!(terminal.ask("let ans = \"mine\""), "let ans: str");
    assert_eq!(terminal.ask("2"), "2 : int");
    assert_eq!(terminal.ask("ans"), "\"mine\" : str");
    assert_eq!(terminal.ask("_"), "\"mine\" : str");
}

#[test]
fn answers_that_are_gone_take_no_memory() {
    let mut terminal = Setup::new().args(&["--color", "never", "--heap-limit", "20000000"]).start();
    for _ in 0..4 {
        assert!(terminal.ask("[0; 1_000_000]").ends_with(": [int]"));
        assert_eq!(terminal.ask("1"), "1 : int");
        assert!(terminal.ask("[0.0; 1_000_000]").ends_with(": [float]"));
        assert_eq!(terminal.ask("2"), "2 : int");
    }
}

#[test]
fn types_of_one_name_are_told_apart() {
    let mut terminal = start();
    terminal.ask("struct P { x: int }");
    terminal.ask("let p = P(x: 1)");
    assert_eq!(terminal.ask("p"), "P(x: 1) : P");
    terminal.ask("struct P { x: int, y: int }");
    assert_eq!(terminal.ask("p"), "P(x: 1) : P of <input 1>");
    assert_eq!(terminal.ask(":type [p]"), "[P of <input 1>]");
    assert_eq!(terminal.ask("let r = p"), "let r: P of <input 1>");
    assert_eq!(terminal.ask(":ir r"), "'r' is no function but 'let r: P of <input 1>'");
    assert!(terminal.ask("let q: P = p").starts_with("error: expected `P`, found `P of <input 1>`"));
    assert_eq!(terminal.ask("P(x: 1, y: 2)"), "P(x: 1, y: 2) : P");
}
