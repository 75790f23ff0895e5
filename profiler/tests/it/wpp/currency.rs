//! Currency of variables, against an execution of both programs.
//!
//! In: random traces and random motions of assignments. Out: the values that both programs' variables hold, as the assignments' executions.

use cranelift_entity::PrimaryMap;
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::currency::{
    AssignmentId, AssignmentInstance, BlockPosition, Currency, Motion, MotionRecord, Placement,
};
use holloway_profiler::wpp::dynamic_graph::DynamicGraph;
use proptest::prelude::*;

use super::{blocks, traces};

fn records() -> impl Strategy<Value = MotionRecord> {
    let position =
        || (0..6_u64, 0..4_u32).prop_map(|(block, position)| BlockPosition { block: blocks(&[block])[0], position });
    let motion = prop_oneof![Just(Motion::Kept), Just(Motion::Hoisted), Just(Motion::Sunk)];
    let placements = prop::collection::vec((any::<prop::sample::Index>(), position(), motion), 0..5);
    (prop::collection::btree_set(position(), 1..5), placements).prop_map(|(assignments, placements)| {
        let assignments: PrimaryMap<AssignmentId, BlockPosition> = assignments.into_iter().collect();
        let placement = |(which, at, motion): (prop::sample::Index, BlockPosition, Motion)| {
            let assignment = AssignmentId::from_u32(which.index(assignments.len()) as u32);
            let at = if motion == Motion::Kept { assignments[assignment] } else { at };
            Placement { assignment, at, motion }
        };
        let placements = placements.into_iter().map(placement).collect();
        MotionRecord { assignments, placements }
    })
}

/// Both programs' variables during an execution.
#[derive(Default)]
struct Variables {
    source: Option<AssignmentInstance>,
    /// The value of the optimized program. A hoisted one has no time until the source program makes it.
    optimized: Option<(AssignmentInstance, Motion)>,
    last: std::collections::BTreeMap<AssignmentId, u64>,
}

impl Variables {
    /// Executes the statement at one position. The source program's assignment comes first, which a placement there follows.
    fn execute(&mut self, record: &MotionRecord, at: BlockPosition, time: u64) {
        for (assignment, &place) in &record.assignments {
            if place == at {
                self.pending(assignment, time);
                self.source = Some(AssignmentInstance { assignment, time: Some(time) });
            }
        }
        for placement in record.placements.iter().filter(|placement| placement.at == at) {
            let assignment = placement.assignment;
            let is_here = record.assignments[assignment] == at;
            let time = match placement.motion {
                Motion::Kept => Some(time),
                Motion::Sunk => self.last.get(&assignment).copied(),
                Motion::Hoisted => is_here.then_some(time),
            };
            self.optimized = Some((AssignmentInstance { assignment, time }, placement.motion));
        }
        for (assignment, &place) in &record.assignments {
            if place == at {
                self.last.insert(assignment, time);
            }
        }
    }

    /// The source program makes an assignment whose hoisted value the variable may already hold.
    fn pending(&mut self, assignment: AssignmentId, time: u64) {
        if let Some((held, Motion::Hoisted)) = &mut self.optimized
            && held.assignment == assignment
        {
            held.time = Some(time);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(667))]

    #[test]
    fn answers_are_those_of_both_programs(trace in traces(), record in records()) {
        let graph = DynamicGraph::of_trace(trace.iter().copied());
        let mut variables = Variables::default();
        for (time, &block) in (1..).zip(&trace) {
            for position in 0..4 {
                let point = BlockPosition { block, position };
                let held = variables.optimized.map(|(held, _)| held);
                let expected = Currency { time, held, expected: variables.source };
                prop_assert_eq!(record.at(&graph, point, time), Some(expected));
                variables.execute(&record, point, time);
            }
        }
    }
}

fn at(block: u64, position: u32) -> BlockPosition {
    BlockPosition { block: blocks(&[block])[0], position }
}

/// `x = 1` in block 0; a loop of blocks 1 and 2 with `x = ...` in 1, which an optimizer sank to block 3 behind the loop.
#[test]
fn a_sunk_assignment_is_noncurrent_in_the_loop() {
    let mut record = MotionRecord::default();
    let before = record.assignments.push(at(0, 0));
    let inside = record.assignments.push(at(1, 0));
    record.placements.push(Placement { assignment: before, at: at(0, 0), motion: Motion::Kept });
    record.placements.push(Placement { assignment: inside, at: at(3, 0), motion: Motion::Sunk });
    let graph = DynamicGraph::of_trace(blocks(&[0, 1, 2, 1, 2, 3, 4]));
    let in_loop: Vec<Currency> = record.occurrences(&graph, at(2, 0)).collect();
    let held = Some(AssignmentInstance { assignment: before, time: Some(1) });
    let expected = |time| Some(AssignmentInstance { assignment: inside, time: Some(time) });
    let answers =
        [Currency { time: 3, held, expected: expected(2) }, Currency { time: 5, held, expected: expected(4) }];
    assert_eq!(in_loop, answers);
    assert!(in_loop.iter().all(|currency| !currency.is_current()));
    assert!(record.occurrences(&graph, at(4, 0)).all(|currency| currency.is_current()));
}

/// A loop-invariant assignment, hoisted to the preheader, is early there and current in every iteration.
#[test]
fn a_hoisted_assignment_is_current_in_the_loop() {
    let mut record = MotionRecord::default();
    let inside = record.assignments.push(at(1, 0));
    record.placements.push(Placement { assignment: inside, at: at(0, 0), motion: Motion::Hoisted });
    let graph = DynamicGraph::of_trace(blocks(&[0, 1, 1, 1, 2]));
    let early = record.at(&graph, at(0, 1), 1).unwrap();
    assert_eq!((early.held, early.expected), (Some(AssignmentInstance { assignment: inside, time: None }), None));
    assert!(!early.is_current());
    assert!(record.occurrences(&graph, at(1, 1)).chain(record.occurrences(&graph, at(2, 0))).all(|it| it.is_current()));
}

#[test]
fn a_point_is_asked_about_where_it_is_executed() {
    let graph = DynamicGraph::of_trace(blocks(&[0, 1]));
    let node: Node = blocks(&[0])[0];
    assert_eq!(MotionRecord::default().at(&graph, BlockPosition { block: node, position: 0 }, 2), None);
    assert_eq!(MotionRecord::default().occurrences(&graph, at(7, 0)).count(), 0);
}
