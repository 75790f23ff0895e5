//! Structs and enums of the host as types of programs.

use super::{TIERS, collecting};
use holloway::{CallError, Config, Engine, Function, Holloway, List, LoadError, Opaque, Value};

#[derive(Holloway, Clone, PartialEq, Debug)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Holloway, Clone, PartialEq, Debug)]
struct Order {
    id: i64,
    note: Option<String>,
    lines: List<Line>,
    place: Point,
}

#[derive(Holloway, Clone, PartialEq, Debug)]
struct Line {
    product: String,
    cents: i64,
}

#[derive(Holloway, Clone, PartialEq, Debug)]
enum Verdict {
    Accepted,
    Rejected(String),
    Charged(i64, Point),
}

#[derive(Holloway, Clone, Copy, PartialEq, Debug)]
enum Color {
    Red,
    Green,
}

/// A type that contains itself.
#[derive(Holloway, Clone, PartialEq, Debug)]
struct Node {
    value: i64,
    next: Option<Box<Node>>,
}

#[derive(Holloway, Clone)]
struct Held {
    name: String,
    inside: Opaque<Vec<i64>>,
}

#[test]
fn structs_and_enums_go_through_programs() {
    for tier in TIERS {
        let mut engine = Engine::new(collecting(tier)).unwrap();
        engine
            .function("judge", |order: Order| match order.lines.0.len() {
                0 => Verdict::Rejected("nothing".to_owned()),
                1 => Verdict::Accepted,
                n => Verdict::Charged(n as i64, order.place),
            })
            .unwrap();
        engine.function("mix", |color: Color| if color == Color::Red { Color::Green } else { Color::Red }).unwrap();
        engine
            .function("longest", |node: Node| -> Node { Node { value: node.value + 1, next: Some(Box::new(node)) } })
            .unwrap();
        let source = r#"
            let one = Line(product: "a", cents: 5)
            let place = Point(x: 1.5, y: 2.0)
            print(judge(Order(id: 1, note: none, lines: list(), place: place)))
            print(judge(Order(id: 2, note: "soon", lines: list(one), place: place)))
            match judge(Order(id: 3, note: none, lines: list(one, one), place: place)) {
                Charged(n, at) => print(n, at.x, at.y),
                other => print("other", other),
            }
            print(mix(Color.Red), mix(Color.Green))
            let node = longest(Node(value: 1, next: none))
            print(node.value, node.next == none)
            fn total(order: Order) -> int { var s = 0\n for line in order.lines { s += line.cents }\n return s }
            fn moved(p: Point, by: float) -> Point { return Point(x: p.x + by, y: p.y) }
            fn verdict(n: int) -> Verdict { if n == 0 { return Verdict.Accepted } return Verdict.Rejected(str(n)) }
            fn color(c: Color) -> Color { return c }
        "#;
        engine.load("test.hw", source.replace("\\n", "\n")).unwrap_or_else(|error| panic!("{error}"));
        engine.run().unwrap();
        let expected = "Rejected(\"nothing\")\nAccepted\n2 1.5 2.0\nGreen Red\n2 false\n";
        assert_eq!(String::from_utf8(engine.take_output()).unwrap(), expected, "{tier:?}");
        let moved: Function<(Point, f64), Point> = engine.typed("moved").unwrap();
        assert_eq!(moved.call(&mut engine, (Point { x: 1.0, y: 2.0 }, 0.5)).unwrap(), Point { x: 1.5, y: 2.0 });
        let total: Function<(Order,), i64> = engine.typed("total").unwrap();
        let lines = List(vec![Line { product: "a".into(), cents: 3 }, Line { product: "b".into(), cents: 4 }]);
        let order = Order { id: 1, note: Some("n".into()), lines, place: Point { x: 0.0, y: 0.0 } };
        assert_eq!(total.call(&mut engine, (order.clone(),)).unwrap(), 7);
        let verdict: Function<(i64,), Verdict> = engine.typed("verdict").unwrap();
        assert_eq!(verdict.call(&mut engine, (0,)).unwrap(), Verdict::Accepted);
        assert_eq!(verdict.call(&mut engine, (7,)).unwrap(), Verdict::Rejected("7".to_owned()));
        let color: Function<(Color,), Color> = engine.typed("color").unwrap();
        assert_eq!(color.call(&mut engine, (Color::Green,)).unwrap(), Color::Green);
        assert_eq!(Value::of(order.clone()).to::<Order>().unwrap(), order);
        let wrong = Value::structure("Point", [("x", Value::from(1.0)), ("z", Value::from(1.0))]);
        assert!(wrong.to::<Point>().is_err());
        assert!(Value::variant("Blue", vec![]).to::<Color>().is_err());
    }
}

#[test]
fn types_of_programs_are_compared_with_those_of_the_host() {
    let mut engine = Engine::new(Config::default()).unwrap();
    let source = "struct Point { x: float, y: int }\nenum Color { Red, Green }
        fn f(p: Point) -> int { return p.y }\nfn g(c: Color) -> Color { return c }";
    engine.load("test.hw", source).unwrap();
    assert!(engine.typed::<(Point,), i64>("f").is_err(), "a field has another type");
    let g: Function<(Color,), Color> = engine.typed("g").unwrap();
    assert_eq!(g.call(&mut engine, (Color::Red,)).unwrap(), Color::Red);
    let Err(LoadError::Diagnostics(_)) = engine.load("b.hw", "let p = Point(x: 1.0)") else {
        panic!("a field is missing")
    };
}

#[test]
fn types_of_the_host_stand_in_structs() {
    let mut engine = Engine::new(Config::default()).unwrap();
    engine.opaque::<Vec<i64>>("Numbers").unwrap();
    engine.function("held", |name: &str| Held { name: name.to_owned(), inside: Opaque::new(vec![1, 2]) }).unwrap();
    engine.function("push", |of: &mut Vec<i64>, n: i64| of.push(n)).unwrap();
    engine
        .load("test.hw", "fn f(h: Held) -> Held { h.inside.push(len(h.name))\n return h }\nlet first = held(\"abc\")")
        .unwrap();
    let f: Function<(Held,), Held> = engine.typed("f").unwrap();
    let first: Held = engine.get("first").unwrap();
    let after = f.call(&mut engine, (first.clone(),)).unwrap();
    assert!(after.inside == first.inside);
    assert_eq!(after.inside.with(|of| of.clone()).unwrap(), [1, 2, 3]);
    let error: CallError = engine.get::<Point>("first").unwrap_err();
    assert_eq!(error.to_string(), "expected a value of type Held, found Point");
}

mod other {
    /// It has a list where the program's contains itself.
    #[derive(holloway::Holloway)]
    pub(super) struct Node {
        pub(super) value: i64,
        pub(super) next: holloway::List<i64>,
    }
}

#[test]
fn a_struct_that_contains_itself_is_compared_in_each_field() {
    let mut engine = Engine::new(Config::default()).unwrap();
    let source = "struct Node { value: int, next: Node? }\nfn one() -> Node { return Node(value: 1, next: none) }
        fn two() -> Node { return Node(value: 1, next: one()) }";
    engine.load("a.hw", source).unwrap();
    assert!(engine.typed::<(), Node>("two").is_ok());
    let mut engine = Engine::new(Config::default()).unwrap();
    engine
        .load("a.hw", "struct Node { value: int, next: Node }\nfn of(node: Node) -> int { return node.value }")
        .unwrap();
    let error = engine.typed::<(other::Node,), i64>("of").map(drop).unwrap_err();
    assert_eq!(error.to_string(), "expected a value of type Node, found Node");
    let node = other::Node { value: 1, next: holloway::List(vec![]) };
    assert_eq!(node.value + node.next.0.len() as i64, 1);
}
