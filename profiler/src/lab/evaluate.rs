//! Schemes on the lab's procedures.
//!
//! In: a [`Lab`]. Out: its [`LabResult`].
//!
//! Each procedure has one [`Meter`]: the edge scheme, which gives every result its edge counts, and the scheme asked for beside it.
//! Invariant: each activation of the traces passes through both.

use cranelift_entity::PrimaryMap;

use super::procedure::{Named, ProcedureId, Program};
use super::trace::{Step, follow};
use super::{
    ForestSize, FunctionResult, Lab, LabError, LabResult, PATH_LIST_MAX, PathRow, RegionRow, Scheme, StaticPath,
    WindowRow,
};
use crate::counts::PathCounts;
use crate::forest::SlabForest;
use crate::forest::ipf::PathForest;
use crate::graph::{EdgeId, Graph, Node};
use crate::machine::{Frame, Machine, NoSink, Sink};
use crate::number::bala::{BranchCounts, BranchHistories, history_bits};
use crate::number::ball_larus::{Numbering, number};
use crate::number::increments::Potentials;
use crate::number::spanning_tree::{EdgePlan, static_weights};
use crate::path_id::{all_paths, path_of, prefix_of};
use crate::persistence::{Ending, Findings, Persistence, Place, Regions};
use crate::plan::{Markers, Plan};

/// Runs the scheme of `lab` on its traces.
pub fn evaluate(lab: &Lab) -> Result<LabResult, LabError> {
    if lab.k == 0 {
        return Err(LabError::ZeroK);
    }
    let program = Program::new(lab)?;
    let mut meters: PrimaryMap<ProcedureId, Meter> = PrimaryMap::new();
    for named in program.procedures.values() {
        meters.push(Meter::new(lab, named)?);
    }
    for (index, trace) in lab.traces.iter().enumerate() {
        run(&mut meters, &follow(&program, index, trace)?);
    }
    let functions = meters.into_iter().map(|(id, meter)| meter.result(&program.procedures[id])).collect();
    Ok(LabResult { scheme: lab.scheme, k: lab.k, functions })
}

fn run(meters: &mut PrimaryMap<ProcedureId, Meter>, steps: &[Step]) {
    let mut stack: Vec<(ProcedureId, Frame, Frame)> = Vec::new();
    for &step in steps {
        if let Step::Enter(procedure) = step {
            let meter = &mut meters[procedure];
            stack.push((procedure, meter.edge_machine.enter(&mut NoSink), meter.machine.enter(&mut meter.scheme)));
            continue;
        }
        let (procedure, mut edge_frame, mut frame) = stack.pop().expect("a step belongs to an activation");
        let meter = &mut meters[procedure];
        match step {
            Step::Enter(_) | Step::Return => {}
            Step::Take(edge) => {
                meter.edge_machine.take(&mut edge_frame, edge, &mut NoSink);
                meter.machine.take(&mut frame, edge, &mut meter.scheme);
                stack.push((procedure, edge_frame, frame));
            }
            Step::Abort(block) => {
                meter.edge_machine.abort(edge_frame, block, &mut NoSink);
                meter.machine.abort(frame, block, &mut meter.scheme);
            }
        }
    }
}

struct Meter {
    edge_plan: EdgePlan,
    edge_machine: Machine,
    machine: Machine,
    scheme: SchemeState,
    numbering: Numbering,
}

/// What a scheme collects.
enum SchemeState {
    Edge,
    Bl(PathCounts),
    /// Prefixes and the forest.
    KBl(PathCounts, SlabForest),
    Tfp(Box<Persistence>),
    Bala(BranchHistories, BranchCounts),
}

impl Sink for SchemeState {
    fn path(&mut self, id: u64) {
        match self {
            SchemeState::Bl(counts) => counts.path(id),
            SchemeState::KBl(_, forest) => forest.path(id),
            SchemeState::Edge | SchemeState::Tfp(_) | SchemeState::Bala(..) => {}
        }
    }

    fn prefix(&mut self, block: Node, id: u64) {
        match self {
            SchemeState::Bl(counts) => counts.prefix(block, id),
            SchemeState::KBl(counts, forest) => {
                counts.prefix(block, id);
                forest.prefix(block, id);
            }
            SchemeState::Edge | SchemeState::Tfp(_) | SchemeState::Bala(..) => {}
        }
    }

    fn enter(&mut self) {
        if let SchemeState::KBl(_, forest) = self {
            forest.enter();
        }
    }

    fn leave(&mut self) {
        if let SchemeState::KBl(_, forest) = self {
            forest.leave();
        }
    }

    fn fold(&mut self, register: crate::plan::BitRegister, bits: &[u64]) {
        if let SchemeState::Tfp(persistence) = self {
            persistence.fold(register, bits);
        }
    }

    fn branches(&mut self, start: Node, history: u64) {
        if let SchemeState::Bala(_, counts) = self {
            counts.branches(start, history);
        }
    }

    fn branch_prefix(&mut self, block: Node, start: Node, history: u64) {
        if let SchemeState::Bala(_, counts) = self {
            counts.branch_prefix(block, start, history);
        }
    }
}

impl Meter {
    fn new(lab: &Lab, named: &Named) -> Result<Meter, LabError> {
        let graph = &named.graph;
        let edge_plan = EdgePlan::new(graph, &static_weights(graph));
        let numbering = number(graph);
        let (plan, scheme) = prepare(lab, named, &numbering)?;
        Ok(Meter {
            edge_machine: Machine::new(graph, edge_plan.plan.clone()),
            machine: Machine::new(graph, plan),
            edge_plan,
            scheme,
            numbering,
        })
    }

    fn result(self, named: &Named) -> FunctionResult {
        let graph = &named.graph;
        let machine = &self.edge_machine;
        let counts = self.edge_plan.derive(machine.counters(), &machine.failures(), &machine.aborts());
        let ends = |id: EdgeId| (named.name(graph.edge(id).from), named.name(graph.edge(id).to));
        let mut result = FunctionResult {
            name: named.name.clone(),
            blocks: named.blocks(),
            edges: graph.edges().map(|(id, _)| (ends(id).0, ends(id).1, counts.edges[id])).collect(),
            num_paths: self.numbering.truncated().is_empty().then(|| self.numbering.num_paths()),
            ..FunctionResult::default()
        };
        let numbering = &self.numbering;
        match self.scheme {
            SchemeState::Edge => {}
            SchemeState::Bl(counts) => {
                numbered(&mut result, named, numbering);
                result.paths =
                    counts.paths.taken().into_iter().map(|(id, n)| path_row(named, numbering, id, n)).collect();
                result.prefixes = prefix_rows(named, numbering, &counts);
            }
            SchemeState::KBl(counts, forest) => {
                numbered(&mut result, named, numbering);
                let ipf = PathForest::of(&forest);
                result.prefixes = prefix_rows(named, numbering, &counts);
                result.forest =
                    Some(ForestSize { k: ipf.k(), slab_nodes: forest.node_count(), ipf_nodes: ipf.node_count() });
                result.sequences = ipf.sequences();
            }
            SchemeState::Tfp(persistence) => result.regions = region_rows(named, *persistence),
            SchemeState::Bala(histories, counts) => branch_rows(&mut result, named, &histories, &counts),
        }
        result
    }
}

fn prepare(lab: &Lab, named: &Named, numbering: &Numbering) -> Result<(Plan, SchemeState), LabError> {
    let graph = &named.graph;
    let with_ids = |markers: Markers| {
        if numbering.truncated().is_empty() {
            Ok(numbering.plan(graph, &Potentials::direct(), markers))
        } else {
            Err(LabError::TooManyPaths(named.name.clone()))
        }
    };
    let num_paths = numbering.num_paths();
    Ok(match lab.scheme {
        Scheme::Edge => (Plan::default(), SchemeState::Edge),
        Scheme::Bl => (with_ids(Markers::Omit)?, SchemeState::Bl(PathCounts::new(num_paths))),
        Scheme::KBl => {
            let forest = SlabForest::new(lab.k, num_paths);
            (with_ids(Markers::Emit)?, SchemeState::KBl(PathCounts::new(num_paths), forest))
        }
        Scheme::Tfp => {
            let regions = Regions::new(graph)
                .map_err(|error| LabError::Irreducible(named.name(error.from), named.name(error.to)))?;
            let plan = regions.plan(graph);
            let mut persistence = Persistence::new(regions, u64::from(lab.k), Ending::Fixed);
            for (id, _) in graph.edges() {
                // An edge that bits cannot tell apart is left out of the report.
                let _ = persistence.monitor(graph, id);
            }
            (plan, SchemeState::Tfp(Box::new(persistence)))
        }
        Scheme::Bala => {
            let histories = BranchHistories::new(graph);
            (histories.plan(graph, Markers::Omit), SchemeState::Bala(histories, BranchCounts::default()))
        }
    })
}

/// Edge values and the list of static paths.
fn numbered(result: &mut FunctionResult, named: &Named, numbering: &Numbering) {
    let graph = &named.graph;
    for (id, edge) in graph.edges() {
        if let Some(val) = numbering.printed_val(graph, id) {
            result.values.push((named.name(edge.from), named.name(edge.to), val));
        }
    }
    if numbering.num_paths() <= PATH_LIST_MAX {
        let paths = all_paths(graph, numbering);
        result.path_list = Some(paths.map(|(id, p)| StaticPath { id, blocks: named.names(&p.blocks) }).collect());
    }
}

fn path_row(named: &Named, numbering: &Numbering, id: u64, count: u64) -> PathRow {
    let path = path_of(&named.graph, numbering, id).expect("a plan reports ids of its numbering");
    PathRow { id: id.to_string(), blocks: named.names(&path.blocks), count }
}

fn prefix_rows(named: &Named, numbering: &Numbering, counts: &PathCounts) -> Vec<PathRow> {
    let row = |(block, id, count): (Node, u64, u64)| {
        let path = prefix_of(&named.graph, numbering, block, id).expect("a plan reports prefixes of its numbering");
        PathRow { id: id.to_string(), blocks: named.names(&path.blocks), count }
    };
    counts.prefixes().into_iter().map(row).collect()
}

fn branch_rows(result: &mut FunctionResult, named: &Named, histories: &BranchHistories, counts: &BranchCounts) {
    let graph: &Graph = &named.graph;
    let id = |start: Node, history: u64| format!("{}:{}", named.name(start), history_bits(history));
    for (start, history, count) in counts.paths() {
        let path = histories.path_of(graph, start, history).expect("a plan reports its own histories");
        result.paths.push(PathRow { id: id(start, history), blocks: named.names(&path.blocks), count });
    }
    for (block, start, history, count) in counts.prefixes() {
        let path = histories.prefix_of(graph, block, start, history).expect("a plan reports its own histories");
        result.prefixes.push(PathRow { id: id(start, history), blocks: named.names(&path.blocks), count });
    }
}

fn region_rows(named: &Named, mut persistence: Persistence) -> Vec<RegionRow> {
    let finished = persistence.take_finished();
    let regions = persistence.regions();
    let mut rows = Vec::new();
    for (register, region) in regions.iter() {
        let bits = region.places.len();
        let windows = finished.iter().filter(|f| f.register == register);
        let rest = persistence.current(register);
        rows.push(RegionRow {
            header: region.around.map(|id| named.name(regions.nest().get(id).header)),
            places: places(named, &region.places),
            windows: windows.map(|f| window_row(named, f, bits)).collect(),
            rest: (rest.executions > 0).then(|| window_row(named, &rest, bits)),
        });
    }
    rows
}

fn window_row(named: &Named, findings: &Findings, bits: usize) -> WindowRow {
    let text = |words: &[u64]| -> String {
        let bit = |bit: usize| if words[bit / 64] >> (bit % 64) & 1 == 1 { '1' } else { '0' };
        (0..bits).rev().map(bit).collect()
    };
    WindowRow {
        executions: findings.executions,
        persistent: findings.is_persistent(),
        and: text(&findings.and),
        or: text(&findings.or),
        path: findings.path.as_deref().map(|path| places(named, path)),
        untaken: places(named, &findings.untaken),
        segments: findings.segments.iter().map(|s| places(named, s)).collect(),
        edges: findings
            .edges
            .iter()
            .map(|&(id, taken)| {
                let edge = named.graph.edge(id);
                (named.name(edge.from), named.name(edge.to), taken)
            })
            .collect(),
        least: findings.least,
        greatest: findings.greatest,
    }
}

fn places(named: &Named, places: &[Place]) -> Vec<String> {
    let node = |place: &Place| match *place {
        Place::Block(node) | Place::Loop(node) => node,
    };
    places.iter().map(|place| named.name(node(place))).collect()
}
