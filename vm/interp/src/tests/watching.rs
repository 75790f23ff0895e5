//! Events that observers receive.

use super::*;
use holloway_ir::cfg;
use holloway_ir::entity::Block;

/// Writes every event down and checks the stream's invariants as it goes.
struct Script<'a> {
    module: &'a Module,
    lines: Vec<String>,
    open: Vec<(FuncRef, Option<Block>)>,
    awaited: Option<Block>,
}

impl Observer for Script<'_> {
    fn enter(&mut self, func: FuncRef) {
        self.open.push((func, None));
        self.awaited = Some(Block::from_u32(0));
        self.lines.push(format!("enter {}", self.module.function(func).name));
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, kind: EdgeKind) {
        assert_eq!(self.open.last(), Some(&(func, Some(from))), "an edge leaves the present block");
        let edges = cfg::edges(self.module.function(func), from);
        assert!(edges.contains(&(to, kind)), "{from} -> {to} is an edge of its kind");
        self.awaited = Some(to);
        let arrow = if kind == EdgeKind::Failure { "=>" } else { "->" };
        self.lines.push(format!("  {} {arrow} {}", from.index(), to.index()));
    }

    fn block(&mut self, func: FuncRef, block: Block) {
        assert_eq!(self.awaited.take(), Some(block), "a block follows an edge or an entry");
        let (open, at) = self.open.last_mut().expect("inside a function");
        assert_eq!(*open, func);
        *at = Some(block);
    }

    fn abort(&mut self, func: FuncRef, block: Block) {
        assert_eq!(self.open.pop(), Some((func, Some(block))));
        self.lines.push(format!("abort {} in {}", self.module.function(func).name, block.index()));
    }

    fn leave(&mut self, func: FuncRef) {
        assert_eq!(self.open.pop().map(|(open, _)| open), Some(func));
        self.lines.push(format!("leave {}", self.module.function(func).name));
    }
}

fn script(text: &str, fuel: Option<u64>) -> (String, EdgeCounter, TraceRecorder) {
    let module = module(text);
    let mut rt = runtime(text, Limits { fuel, time: None }, 0);
    let script = Script { module: &module, lines: Vec::new(), open: Vec::new(), awaited: None };
    let observers = (script, (EdgeCounter::default(), TraceRecorder::default()));
    let mut interpreter = Interpreter::with_observer(observers);
    let outcome = interpreter.call(&mut rt, FuncRef::from_u32(0), &[]);
    let (script, (counter, recorder)) = interpreter.observer;
    assert!(script.open.is_empty(), "every activation ended");
    (format!("{}\n{}", script.lines.join("\n"), told(&mut rt, outcome)), counter, recorder)
}

const PROGRAM: &str = r#"
type t0 = int
sig0 = () -> t0
sig1 = (t0) -> t0
string s0 = "x"
function f0 "main" sig0() -> int {
local v0: int
local v1: bool
local v2: ref
block0: v0 = copy 2 jump block1
block1 catch block3: v0 = isub v0, 1 call f1(v0) jump block2
block2: v1 = igt v0, -5 branch v1, block1, block4
block3: v2 = catch_message jump block4
block4: return v0
}
function f1 "inner" sig1(v0: int) -> int {
local v1: bool
block0: v1 = ige v0, 0 branch v1, block1, block2
block1: return v0
block2: v0 = call f2(v0) return v0
}
function f2 "last" sig1(v0: int) -> int {
block0: jump block1
block1: fail user s0
}
"#;

#[test]
fn events_tell_the_whole_run() {
    let (lines, counter, recorder) = script(PROGRAM, None);
    insta::assert_snapshot!(lines, @r"
    enter main
      0 -> 1
    enter inner
      0 -> 1
    leave inner
      1 -> 2
      2 -> 1
    enter inner
      0 -> 1
    leave inner
      1 -> 2
      2 -> 1
    enter inner
      0 -> 2
    enter last
      0 -> 1
    abort last in 1
    abort inner in 2
      1 => 3
      3 -> 4
    leave main
    = -1
    ");
    let edge = |func, from, to| {
        counter.edges.get(&(FuncRef::from_u32(func), Block::from_u32(from), Block::from_u32(to))).copied()
    };
    assert_eq!([edge(0, 2, 1), edge(0, 1, 3), edge(1, 0, 1), edge(1, 0, 2)], [Some(2), Some(1), Some(2), Some(1)]);
    assert_eq!(counter.entries.values().copied().collect::<Vec<_>>(), [1, 3, 1]);
    assert_eq!(counter.aborts.values().copied().collect::<Vec<_>>(), [1, 1]);
    assert_eq!(
        recorder.events[..4],
        [
            TraceEvent::Enter(FuncRef::from_u32(0)),
            TraceEvent::Block(Block::from_u32(0)),
            TraceEvent::Block(Block::from_u32(1)),
            TraceEvent::Enter(FuncRef::from_u32(1)),
        ]
    );
    let count = |wanted: fn(&TraceEvent) -> bool| recorder.events.iter().filter(|event| wanted(event)).count();
    assert_eq!(count(|event| matches!(event, TraceEvent::Leave)), 3);
    assert_eq!(count(|event| matches!(event, TraceEvent::Abort)), 2);
}

#[test]
fn exhaustion_aborts_everything() {
    let (lines, ..) = script(PROGRAM, Some(3));
    insta::assert_snapshot!(lines, @r"
    enter main
      0 -> 1
    enter inner
      0 -> 1
    leave inner
      1 -> 2
      2 -> 1
    enter inner
    abort inner in 0
    abort main in 1
    out of fuel @ 0..0
      in inner @ 0..0
      in main @ 0..0
    ");
}

#[test]
fn exit_aborts_everything() {
    let text = PROGRAM.replace("fail user s0", "exit 4");
    let (lines, ..) = script(&text, None);
    assert!(lines.ends_with("abort last in 1\nabort inner in 2\nabort main in 1\nexit 4"), "{lines}");
}
