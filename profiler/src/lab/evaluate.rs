//! Evaluation of a scheme on the lab's procedures.
//!
//! In: a [`Lab`]. Out: its [`LabResult`].
//!
//! Each procedure has one [`Meter`]: the edge scheme, which gives every result its edge counts, and the scheme of the
//! input.
//! Invariant: each activation of the traces is given to both.

use cranelift_entity::PrimaryMap;

use super::procedure::{Named, ProcedureId, Program};
use super::rows::{branch_rows, iteration_rows, numbered, path_row, prefix_rows, region_rows};
use super::trace::{Step, follow};
use super::{ForestSize, FunctionResult, Lab, LabError, LabResult, Scheme};
use crate::counts::PathCounts;
use crate::forest::SlabForest;
use crate::forest::ipf::PathForest;
use crate::graph::{EdgeId, Node};
use crate::machine::{Frame, Machine, NoSink, Sink};
use crate::number::bala::{BranchCounts, BranchHistories};
use crate::number::ball_larus::{Numbering, number};
use crate::number::increments::Potentials;
use crate::number::k_iteration::{KError, KNumbering, number_k};
use crate::number::spanning_tree::{EdgePlan, static_weights};
use crate::persistence::{Ending, Irreducible, Persistence, Regions};
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

/// State of a scheme.
enum SchemeState {
    Edge,
    Bl(PathCounts),
    /// Prefix counts and the forest.
    KBl(PathCounts, SlabForest),
    Tfp(Box<Persistence>),
    Bala(BranchHistories, BranchCounts),
    KIter(Box<KNumbering>, PathCounts),
}

impl Sink for SchemeState {
    fn path(&mut self, id: u64) {
        match self {
            SchemeState::Bl(counts) | SchemeState::KIter(_, counts) => counts.path(id),
            SchemeState::KBl(_, forest) => forest.path(id),
            SchemeState::Edge | SchemeState::Tfp(_) | SchemeState::Bala(..) => {}
        }
    }

    fn prefix(&mut self, block: Node, id: u64) {
        match self {
            SchemeState::Bl(counts) | SchemeState::KIter(_, counts) => counts.prefix(block, id),
            SchemeState::KBl(counts, forest) => {
                counts.prefix(block, id);
                forest.prefix(block, id);
            }
            SchemeState::Edge | SchemeState::Tfp(_) | SchemeState::Bala(..) => {}
        }
    }

    fn iteration_prefix(&mut self, block: Node, iteration: u32, id: u64) {
        if let SchemeState::KIter(_, counts) = self {
            counts.iteration_prefix(block, iteration, id);
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
            SchemeState::KIter(numbering, counts) => iteration_rows(&mut result, named, &numbering, &counts),
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
    let irreducible = |error: Irreducible| LabError::Irreducible(named.name(error.from), named.name(error.to));
    Ok(match lab.scheme {
        Scheme::Edge => (Plan::default(), SchemeState::Edge),
        Scheme::Bl => (with_ids(Markers::Omit)?, SchemeState::Bl(PathCounts::new(num_paths))),
        Scheme::KBl => {
            let forest = SlabForest::new(lab.k, num_paths);
            (with_ids(Markers::Emit)?, SchemeState::KBl(PathCounts::new(num_paths), forest))
        }
        Scheme::Tfp => {
            let regions = Regions::new(graph).map_err(irreducible)?;
            let plan = regions.plan(graph);
            let mut persistence = Persistence::new(regions, u64::from(lab.k), Ending::Fixed);
            for (id, _) in graph.edges() {
                // An edge that the bits do not distinguish from another is left out of the report.
                let _ = persistence.monitor(graph, id);
            }
            (plan, SchemeState::Tfp(Box::new(persistence)))
        }
        Scheme::KIter => {
            let numbering = number_k(graph, lab.k).map_err(|error| match error {
                KError::Irreducible(error) => irreducible(error),
                KError::TooManyPaths => LabError::TooManyPaths(named.name.clone()),
            })?;
            let counts = PathCounts::new(numbering.num_paths());
            (numbering.plan(graph, Markers::Omit), SchemeState::KIter(Box::new(numbering), counts))
        }
        Scheme::Bala => {
            let histories = BranchHistories::new(graph);
            (histories.plan(graph, Markers::Omit), SchemeState::Bala(histories, BranchCounts::default()))
        }
    })
}
