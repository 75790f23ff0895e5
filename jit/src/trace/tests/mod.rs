//! Traces as text: what is chosen from the papers' streams of paths, and what is formed.

mod counts;
mod forming;
mod positions;
mod through;
mod trees;

use super::choose::Repeated;
use super::{Declined, Formed, Layout, Trace, TraceShape, TraceSpec};
use crate::graph_of::{graph_of, node_of};
use holloway_lang::ir::print::{Spans, body};
use holloway_lang::ir::{Block, FuncRef, Function, Local, Module, parse, verify};
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::graph::{EdgeId, Graph};
use holloway_profiler::number::ball_larus::{Numbering, number};
use holloway_profiler::path_id::{PathEnd, id_of};

/// The loop of `[RS09]`: 2-3-5 and 2-4-5 take turns. Its header is `block2`, as there.
const ALTERNATING: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "bool", "int"],
    blocks: "
    block0:
        v1 = copy 0
        jump block1
    block1:
        v3 = copy 0
        jump block2
    block2:
        v1 = iadd v1, 1
        v2 = ieq v3, 0
        branch v2, block3, block4
    block3:
        v3 = copy 1
        jump block5
    block4:
        v3 = copy 0
        jump block5
    block5:
        v2 = ilt v1, v0
        branch v2, block2, block6
    block6:
        return v1",
};

/// Two loops, one behind the other: 1-2-3 and 4-5-6, of which 3 and 6 are passed only sometimes.
const ROW: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "bool"],
    blocks: "
    block0:
        v1 = copy 0
        jump block1
    block1:
        v1 = iadd v1, 1
        v2 = ieq v1, 7
        branch v2, block3, block2
    block2:
        v2 = ilt v1, v0
        branch v2, block1, block4
    block3:
        v1 = iadd v1, 1
        jump block2
    block4:
        v1 = isub v1, 1
        v2 = ieq v1, 5
        branch v2, block6, block5
    block5:
        v2 = igt v1, 0
        branch v2, block4, block7
    block6:
        v1 = isub v1, 1
        jump block5
    block7:
        return v1",
};

/// A function of integers.
#[derive(Clone, Copy)]
struct IntFunction {
    /// Number of its parameters.
    params: u32,
    /// The types of its other locals.
    locals: &'static [&'static str],
    blocks: &'static str,
}

/// A module with that function alone.
fn module(function: IntFunction) -> Module {
    let many =
        |one: &str| (0..function.params).map(|nth| one.replace('#', &nth.to_string())).collect::<Vec<_>>().join(", ");
    let local = |(nth, ty): (u32, &&str)| format!("        local v{nth}: {ty}\n");
    let locals: String = (function.params..).zip(function.locals).map(local).collect();
    let (types, params) = (many("t0"), many("v#: int"));
    let text = format!(
        "type t0 = int\nsig0 = ({types}) -> t0\nfunction f0 \"f\" sig0({params}) -> int {{\n{locals}{}\n}}",
        function.blocks
    );
    let module = parse::module(&text).unwrap_or_else(|error| panic!("{error}"));
    module.funcs.values().for_each(|decl| verify::verify(&module, &decl.body).unwrap_or_else(|e| panic!("{e}")));
    module
}

fn func(module: &Module) -> &Function {
    &module.funcs[FuncRef::from_u32(0)].body
}

fn blocks(numbers: &[u32]) -> Vec<Block> {
    numbers.iter().copied().map(Block::from_u32).collect()
}

fn spec(paths: &[&[u32]]) -> TraceSpec {
    let paths: Vec<Vec<Block>> = paths.iter().map(|path| blocks(path)).collect();
    TraceSpec {
        header: paths[0][0],
        traces: vec![Trace::new(paths)],
        constants: Vec::new(),
        layout: Layout::Apart,
        coverage: 1.0,
        executions: 1,
        shape: TraceShape::default(),
    }
}

fn form(body: &Function, spec: &TraceSpec, shape: TraceShape) -> Result<Formed, Declined> {
    super::form(body, &TraceSpec { shape, ..spec.clone() })
}

fn local(number: u32) -> Local {
    Local::from_u32(number)
}

/// The paths of a body.
struct Paths {
    graph: Graph,
    numbering: Numbering,
}

impl Paths {
    fn of(body: &Function) -> Paths {
        let graph = graph_of(body);
        let numbering = number(&graph);
        Paths { graph, numbering }
    }

    /// The id of the path along blocks that ends at a back edge or at a return.
    fn id(&self, along: &[u32], end: PathEnd) -> u64 {
        let graph = &self.graph;
        let mut path = edges(graph, along);
        if end == PathEnd::Return {
            let last = node_of(Block::from_u32(along[along.len() - 1]));
            path.push(graph.find_edge(last, graph.exit()).expect("it returns"));
        }
        id_of(graph, &self.numbering, node_of(Block::from_u32(along[0])), &path, end).expect("a path")
    }

    /// A forest of one activation: the way in, paths of the loop, the way out.
    fn forest(&self, k: u32, ids: &[u64]) -> PathForest {
        let mut slabs = SlabForest::new(k, self.numbering.num_paths());
        slabs.enter();
        ids.iter().for_each(|id| slabs.process_bl_path_id(*id));
        slabs.leave();
        PathForest::of(&slabs)
    }

    /// The traces that such a forest gives.
    fn chosen(&self, body: &Function, k: u32, ids: &[u64]) -> Vec<TraceSpec> {
        Repeated::of(body, &self.graph, &self.numbering, (&self.forest(k, ids), &[])).choose().0
    }
}

/// The edges along blocks.
fn edges(graph: &Graph, along: &[u32]) -> Vec<EdgeId> {
    let nodes: Vec<_> = blocks(along).into_iter().map(node_of).collect();
    nodes.windows(2).map(|pair| graph.find_edge(pair[0], pair[1]).expect("an edge")).collect()
}

/// A body made of the module's function, which is as it should be.
fn text(module: &Module, made: &Function) -> String {
    verify::verify(module, made).unwrap_or_else(|error| panic!("{error}"));
    body(module, FuncRef::from_u32(0), made, Spans::Hidden)
}

fn printed(module: &Module, spec: &TraceSpec, shape: TraceShape) -> String {
    let formed = form(func(module), spec, shape).expect("it can be formed");
    let mut text = text(module, &formed.body);
    for (id, guard) in &formed.guards {
        let (from, to) = guard.edge;
        text += &format!("\n{id}: {from} -> {to}, at {:?}, was {}", guard.at, guard.target);
    }
    let heads: Vec<String> = formed.heads.iter().map(|head| head.block.to_string()).collect();
    text + &format!("\nentry {}, head {}", formed.entry, heads.join(", "))
}

#[test]
fn two_paths_that_take_turns_have_period_two() {
    let module = module(ALTERNATING);
    let paths = Paths::of(func(&module));
    let (odd, even) = (paths.id(&[2, 3, 5], PathEnd::Cut), paths.id(&[2, 4, 5], PathEnd::Cut));
    let mut ids = vec![paths.id(&[0, 1, 2, 3, 5], PathEnd::Cut)];
    for _ in 0..50 {
        ids.extend([even, odd]);
    }
    ids.push(paths.id(&[2, 4, 5, 6], PathEnd::Return));
    let chosen = paths.chosen(func(&module), 8, &ids);
    let [spec] = chosen.as_slice() else { panic!("one loop, one trace: {chosen:?}") };
    assert_eq!(spec.header, Block::from_u32(2));
    let mut found = spec.traces[0].paths.clone();
    found.sort();
    assert_eq!(found, [blocks(&[2, 3, 5]), blocks(&[2, 4, 5])]);
    assert_eq!((spec.coverage, spec.executions), (0.99, 100), "entering and leaving paths end a sequence");
}

/// In `[DD13]` a path in, 86 again and again, a path out: 38-86-86-86-755.
#[test]
fn one_path_that_repeats_has_period_one() {
    let module = module(ALTERNATING);
    let paths = Paths::of(func(&module));
    let mut ids = Vec::new();
    for round in 0..10 {
        ids.push(paths.id(&[0, 1, 2, 3, 5], PathEnd::Cut));
        ids.extend([paths.id(&[2, 4, 5], PathEnd::Cut); 30]);
        if round == 5 {
            ids.push(paths.id(&[2, 3, 5], PathEnd::Cut));
        }
        ids.push(paths.id(&[2, 3, 5, 6], PathEnd::Return));
    }
    let chosen = paths.chosen(func(&module), 5, &ids);
    assert_eq!(chosen.len(), 1);
    assert_eq!(chosen[0].traces[0].paths, [blocks(&[2, 4, 5])]);
    // The path that enters and the one that leaves are none of the loop; of its 301 one fails, and so does one in each of ten runs.
    assert!((chosen[0].coverage - 290.0 / 301.0).abs() < 1e-9, "{}", chosen[0].coverage);
}

#[test]
fn nothing_is_chosen_where_paths_alternate_at_random() {
    let module = module(ALTERNATING);
    let paths = Paths::of(func(&module));
    let mut state = 1_u32;
    let ids: Vec<u64> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        paths.id(if state >> 31 == 0 { &[2, 3, 5] } else { &[2, 4, 5] }, PathEnd::Cut)
    })
    .take(1000)
    .collect();
    assert_eq!(paths.chosen(func(&module), 6, &ids), []);
}

/// A loop in a loop: 1-2-3-2-3-2-4, with two trips of the inner one.
const NESTED: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "int", "bool"],
    blocks: "
    block0:
        v1 = copy 0
        jump block1
    block1:
        v2 = copy 0
        jump block2
    block2:
        v3 = ilt v2, 2
        branch v3, block3, block5
    block3:
        v2 = iadd v2, 1
        v3 = ieq v2, v0
        branch v3, block4, block2
    block4:
        v2 = iadd v2, 2
        jump block2
    block5:
        v1 = iadd v1, 1
        v3 = ilt v1, v0
        branch v3, block1, block6
    block6:
        return v1",
};

#[test]
fn inner_trips_that_repeat_are_unrolled() {
    let module = module(NESTED);
    let paths = Paths::of(func(&module));
    let round = [paths.id(&[1, 2, 3], PathEnd::Cut), paths.id(&[2, 3], PathEnd::Cut), paths.id(&[2, 5], PathEnd::Cut)];
    let ids: Vec<u64> = round.iter().cycle().take(3 * 40).copied().collect();
    let chosen = paths.chosen(func(&module), 8, &ids);
    let outer = chosen.iter().find(|spec| spec.header == Block::from_u32(1)).expect("a trace of the outer loop");
    assert_eq!(outer.traces[0].paths, [blocks(&[1, 2, 3]), blocks(&[2, 3]), blocks(&[2, 5])]);
    assert_eq!(outer.coverage, 39.0 / 40.0, "one run, which ends");
}
