//! Currency along the paths of real activations: written examples, and random programs against a simulation of both programs.

use super::common::interpret::watch;
use super::common::programs::seeds;
use super::common::{captured, fuel, loaded};
use holloway::Engine;
use holloway::TierChoice;
use holloway_generator::{Size, program};
use holloway_interp::Observer;
use holloway_jit::{Assignment, ExecutedAt, Fate, Position, Request, Tier, When};
use holloway_lang::ir::{Block, EdgeKind, FuncRef, Function, Local};
use holloway_runtime::Limits;
use holloway_study::trace::currency::events::PathPoint;
use holloway_study::trace::currency::motion::{Answer, AssignedAt, KnownValue, VariableMotions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The blocks of each activation, as far as the first failure that it catches.
#[derive(Default)]
struct Paths {
    open: Vec<(FuncRef, Vec<Block>, bool)>,
    ended: Vec<(FuncRef, Vec<Block>)>,
}

impl Observer for Paths {
    fn enter(&mut self, func: FuncRef) {
        self.open.push((func, Vec::new(), true));
    }

    fn edge(&mut self, _: FuncRef, _: Block, _: Block, kind: EdgeKind) {
        let (_, blocks, goes_on) = self.open.last_mut().expect("an activation is open");
        if kind == EdgeKind::Failure {
            // The block that failed is left in its middle.
            blocks.pop();
            *goes_on = false;
        }
    }

    fn block(&mut self, _: FuncRef, block: Block) {
        let (_, blocks, goes_on) = self.open.last_mut().expect("an activation is open");
        if *goes_on {
            blocks.push(block);
        }
    }

    fn abort(&mut self, func: FuncRef, _: Block) {
        self.leave(func);
    }

    fn leave(&mut self, _: FuncRef) {
        let (func, blocks, _) = self.open.pop().expect("an activation is open");
        self.ended.push((func, blocks));
    }
}

fn engine(source: &str) -> Engine {
    loaded(captured(TierChoice::Interp, &[]), source)
}

/// The answers for a variable of `f` at a line, in the first activation of `f`: for each execution of the line whether the variable
/// is current, and the lines of the held value and of the right one.
fn asked(source: &str, name: &str, line: u32) -> Vec<String> {
    let engine = engine(source);
    let module = engine.module();
    let paths = watch(module, &[], Limits::default(), Paths::default());
    let (func, decl) = module.funcs.iter().find(|(_, decl)| decl.body.name == "f").expect("there is an `f`");
    let body = &decl.body;
    let (_, path) = paths.ended.iter().find(|(of, _)| *of == func).expect("`f` is called");
    let local =
        body.locals.iter().find(|(_, decl)| decl.name.as_deref() == Some(name)).expect("there is the variable").0;
    let line_of = |span: holloway_lang::source::Span| engine.sources().file(span.file).line(span.start);
    let first = |block: &Block| {
        let data = &body.blocks[*block];
        data.spans.iter().chain([&data.term_span]).position(|span| line_of(*span) == line)
    };
    let points: Vec<PathPoint> =
        path.iter().enumerate().filter_map(|(step, block)| Some(PathPoint { step, index: first(block)? })).collect();
    let told = |at: Option<AssignedAt>| match at {
        None => "none".to_owned(),
        Some(AssignedAt::Entry) => "the call".to_owned(),
        Some(AssignedAt::Inst(block, index)) => format!("line {}", line_of(body.blocks[block].spans[index])),
    };
    let answers = VariableMotions::new(module, func, local).answers(path, &[], &points);
    let known = |answer: &Answer| match &answer.known {
        None => String::new(),
        Some(KnownValue::Constant(constant)) => format!(" = {constant}"),
        Some(KnownValue::SameAs(at)) => format!(" = that of {}", told(Some(*at))),
    };
    let lines = answers.iter().map(|answer| match (answer.is_current, answer.is_certain) {
        (true, _) => format!("current: {}", told(answer.held)),
        (false, true) => format!("shows {}, not {}{}", told(answer.held), told(answer.expected), known(answer)),
        (false, false) => "depends on the copy".to_owned(),
    });
    lines.collect()
}

const HOISTED: &str = "fn f(n: int, a: int) -> int {
    var s = 0
    var x = 1
    for i in 0..n {
        s += x
        x = a * a
        s ^= x
    }
    return s
}
print(f(3, 5))
print(f(0, 5))";

#[test]
fn a_hoisted_assignment_is_early_in_the_first_iteration() {
    assert_eq!(asked(HOISTED, "x", 5), ["shows line 6, not line 3", "current: line 6", "current: line 6"]);
    assert_eq!(asked(HOISTED, "x", 7), ["current: line 6"; 3]);
    assert_eq!(asked(HOISTED, "x", 9), ["current: line 6"]);
    let not_entered = HOISTED.replace("print(f(3, 5))", "");
    assert_eq!(asked(&not_entered, "x", 9), ["current: line 3"]);
}

#[test]
fn a_deleted_assignment_leaves_the_variable_as_it_was() {
    let source = "fn f(a: int, b: int) -> int {
    let x = a * b + 1
    var y = a
    y = y ^ x
    print(y)
    y = a * b + 1
    return y * x
}
print(f(3, 5))";
    assert_eq!(asked(source, "y", 7), ["shows line 4, not line 6 = that of line 2"]);
}

#[test]
fn a_parameter_has_its_value_from_the_call() {
    let source = "fn f(a: int) -> int {
    let b = a * 3
    return b + a
}
print(f(3))";
    assert_eq!(asked(source, "a", 3), ["current: the call"]);
    assert_eq!(asked(source, "b", 2), ["current: none"]);
}

#[test]
fn an_assignment_made_on_speculation_is_not_current() {
    let source = "fn f(a: int, b: int) -> int {
    var x = a ^ 5
    var y = x
    if a < b {
        x = b - a
        y = x ^ 1
    }
    return y
}
print(f(7, 5))";
    assert_eq!(asked(source, "x", 8), ["shows line 5, not line 2"]);
}

/// Both programs, simulated instruction by instruction.
struct Simulation<'a> {
    all: &'a [Assignment],
    local: Local,
    clock: u64,
    /// The last execution of each assignment by the source program; the call comes last.
    last: Vec<Option<u64>>,
    expected: Option<(usize, u64)>,
    /// The assignment that optimized code executed last, when, and the execution by the source program that it stands for, if that is
    /// in the past.
    held: Option<(usize, u64, Stands)>,
}

#[derive(Clone, Copy)]
enum Stands {
    For(Option<u64>),
    ForWhatFollows,
}

impl Simulation<'_> {
    fn source(&mut self, at: usize) {
        self.clock += 1;
        self.last[at] = Some(self.clock);
        self.expected = Some((at, self.clock));
    }

    fn place(&mut self, at: usize, stands: Stands) {
        self.clock += 1;
        self.held = Some((at, self.clock, stands));
    }

    /// Code that is executed at an instruction, before it or with it.
    fn moved(&mut self, block: Block, index: usize, itself: bool) {
        let mut here: Vec<(Position, usize)> = Vec::new();
        for (at, assignment) in self.all.iter().enumerate().filter(|(_, it)| it.local == self.local) {
            let Fate::Executed(places) = &assignment.fate else { continue };
            let of_block = |place: &&ExecutedAt| {
                let position = place.position;
                place.when == When::Always
                    && position.block == block
                    && position.index == index
                    && (position.order == Position::ITSELF) == itself
                    && position != assignment.written_at()
            };
            here.extend(places.iter().filter(of_block).map(|place| (place.position, at)));
        }
        here.sort_unstable();
        here.into_iter().for_each(|(_, at)| self.place(at, Stands::ForWhatFollows));
    }

    fn answer(&self) -> (bool, Option<usize>, Option<usize>) {
        let stands = self.held.map(|(at, made, stands)| match stands {
            Stands::For(when) => (at, when),
            Stands::ForWhatFollows => (at, self.last[at].filter(|when| *when >= made)),
        });
        let expected = self.expected.map(|(at, when)| (at, Some(when)));
        (stands == expected, self.held.map(|(at, ..)| at), self.expected.map(|(at, _)| at))
    }
}

/// The answers at each instruction of each block.
fn simulated(
    body: &Function,
    local: Local,
    all: &[Assignment],
    path: &[Block],
) -> Vec<(bool, Option<usize>, Option<usize>)> {
    let mut simulation =
        Simulation { all, local, clock: 0, last: vec![None; all.len() + 1], expected: None, held: None };
    if body.params.contains(&local) {
        simulation.source(all.len());
        simulation.held = Some((all.len(), simulation.clock, Stands::For(Some(simulation.clock))));
    }
    let mut answers = Vec::new();
    for (step, block) in path.iter().enumerate() {
        for (at, assignment) in all.iter().enumerate().filter(|(_, it)| it.local == local) {
            let Fate::Executed(places) = &assignment.fate else { continue };
            for place in places.iter().filter(|place| place.position.block == *block) {
                let When::Entering(region) = &place.when else { continue };
                let since = path[..step].iter().rposition(|before| before == block).map_or(0, |last| last + 1);
                let first = !path[..step].contains(block);
                if first || path[since..step].iter().any(|between| !region.contains(between)) {
                    simulation.place(at, Stands::ForWhatFollows);
                }
            }
        }
        for index in 0..=body.blocks[*block].insts.len() {
            simulation.moved(*block, index, false);
            answers.push(simulation.answer());
            for (at, assignment) in all.iter().enumerate().filter(|(_, it)| it.local == local) {
                if (assignment.block, assignment.index) == (*block, index) {
                    simulation.source(at);
                    let kept = |place: &ExecutedAt| place.position == assignment.written_at();
                    if matches!(&assignment.fate, Fate::Executed(places) if places.iter().any(kept)) {
                        simulation.held = Some((at, simulation.clock, Stands::For(Some(simulation.clock))));
                    }
                }
            }
            simulation.moved(*block, index, true);
        }
    }
    answers
}

/// Paths that are longer are cut.
const LONGEST: usize = 60;

/// Each instruction along a path.
fn every_point(body: &Function, path: &[Block]) -> Vec<PathPoint> {
    let of_block = |(step, block): (usize, &Block)| {
        (0..=body.blocks[*block].insts.len()).map(move |index| PathPoint { step, index })
    };
    path.iter().enumerate().flat_map(of_block).collect()
}

/// Some paths of each function.
fn some_paths(engine: &Engine) -> BTreeMap<FuncRef, Vec<Vec<Block>>> {
    let mut found: BTreeMap<FuncRef, Vec<Vec<Block>>> = BTreeMap::new();
    for (func, mut path) in watch(engine.module(), &[], fuel(20_000), Paths::default()).ended {
        path.truncate(LONGEST);
        let paths = found.entry(func).or_default();
        if paths.len() < 5 && !paths.contains(&path) {
            paths.push(path);
        }
    }
    found
}

/// The locals whose assignments are all executed by each copy of their blocks, or by none.
fn certain_locals(body: &Function, all: &[Assignment]) -> Vec<Local> {
    let sometimes = |at: &Assignment| match &at.fate {
        Fate::Executed(places) => places.iter().any(|place| place.when == When::Sometimes),
        Fate::Deleted { .. } => false,
    };
    let is_certain = |local: &Local| !all.iter().any(|at| at.local == *local && sometimes(at));
    let named = body.locals.iter().filter(|(_, decl)| decl.name.is_some());
    named.map(|(local, _)| local).filter(is_certain).collect()
}

/// Compares the answers along a path; gives how many are that the variable is current, and how many that it is not.
fn compare(body: &Function, local: Local, all: &[Assignment], path: &[Block]) -> [u64; 2] {
    let points = every_point(body, path);
    let found = VariableMotions::of(body, local, all.to_vec()).answers(path, &[], &points);
    let at = |at: usize| all.get(at).map_or(AssignedAt::Entry, |it| AssignedAt::Inst(it.block, it.index));
    let mut counts = [0, 0];
    for ((found, (is_current, held, right)), point) in found.iter().zip(simulated(body, local, all, path)).zip(points) {
        let expected = (is_current, held.map(at), right.map(at));
        let shown = (found.is_current, found.held, found.expected);
        assert_eq!(shown, expected, "{local} at {point:?} of {path:?}\n{all:#?}");
        counts[usize::from(!is_current)] += 1;
    }
    counts
}

#[test]
fn answers_are_those_of_a_simulation() {
    let mut counts = [0, 0];
    for seed in seeds(14) {
        let engine = engine(&program(seed, Size::Small));
        let module = engine.module();
        for (func, paths) in some_paths(&engine) {
            let body = module.function(func);
            let all = holloway_jit::assignments(module, &Request::new(func, Arc::clone(body), Tier::Optimized));
            let locals = certain_locals(body, &all);
            for (local, path) in locals.iter().flat_map(|local| paths.iter().map(move |path| (*local, path))) {
                let [current, not] = compare(body, local, &all, path);
                counts = [counts[0] + current, counts[1] + not];
            }
        }
    }
    assert!(counts[0] > 300 && counts[1] > 30, "{counts:?} current and not");
}

/// An assignment in the preheader is executed once, also if the loop has branches that became selects.
#[test]
fn a_hoisted_assignment_meets_one_that_a_select_decides() {
    let source = "fn f(n: int, a: int) -> int {
    var x = 0
    var s = 0
    for i in 0..n {
        s += i
        x = a * 7
        s += x
        if i == 3 {
            x = 1
        }
        s += 2
    }
    return s + x
}
print(f(7, 5))";
    let (hoisted, selected, stale) = ("current: line 6", "current: line 9", "shows line 9, not line 6");
    let at_6 = ["shows line 6, not line 2", hoisted, hoisted, hoisted, selected, stale, stale];
    assert_eq!(asked(source, "x", 6), at_6);
    assert_eq!(asked(source, "x", 7), [hoisted, hoisted, hoisted, hoisted, stale, stale, stale]);
}
