//! `--stress`: decisions by chance, from a seed, to find out whether every version computes the same.
//!
//! In: what a [`Controller`](super::Controller) is told. Out: directives that are allowed and make no sense: functions are compiled at any tick, as any kind,
//! entered anywhere, dropped in use. Traces are those that profiles find, taken whatever they cost.
//! Invariant: the same seed and the same inputs give the same directives.

use std::collections::BTreeMap;

use holloway_jit::VersionId;
use holloway_lang::ir::FuncRef;

use super::directive::{CodePlan, Directive, Entry, Order, TracePlan, Window};
use super::input::{CompileOutcome, ProfileFindings, Tick, Ticket};

/// The fewest executions that make a window: traces should be found within what a test runs.
const LEAST_K: u64 = 4;

/// Decides by chance.
#[derive(Clone, Debug)]
pub struct StressController {
    state: u64,
    tickets: u32,
    pending: BTreeMap<Ticket, (FuncRef, bool)>,
    /// Versions that may be dropped, and whether they are profiled.
    live: BTreeMap<VersionId, (FuncRef, bool)>,
    /// Traces that were found.
    traces: BTreeMap<FuncRef, Vec<TracePlan>>,
}

impl StressController {
    /// Decisions of that seed.
    pub fn new(seed: u64) -> Self {
        let (pending, live, traces) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { state: seed, tickets: 0, pending, live, traces }
    }

    /// A number below `bound` (splitmix64).
    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    /// A tick was taken.
    pub fn tick(&mut self, tick: Tick) -> Vec<Directive> {
        let profiled = self.live.get(&tick.version).is_some_and(|(_, profiled)| *profiled);
        match self.below(8) {
            0 => vec![self.order(tick, CodePlan::Optimized)],
            1 => {
                let k = LEAST_K << self.below(6);
                vec![self.order(tick, CodePlan::Profiled(Window { k, executions: 4 * k }))]
            }
            2 | 3 if profiled => vec![Directive::ReadProfile { func: tick.func, version: tick.version }],
            4 => match self.traces.get(&tick.func).cloned() {
                Some(traces) => vec![self.order(tick, CodePlan::Specialized(traces))],
                None => Vec::new(),
            },
            5 => self.drop_some(),
            _ => Vec::new(),
        }
    }

    /// A compilation ended.
    pub fn compiled(&mut self, ticket: Ticket, result: Result<CompileOutcome, String>) -> Vec<Directive> {
        match result {
            Ok(_) if self.below(8) > 0 => vec![Directive::Install(ticket)],
            Ok(_) => {
                self.pending.remove(&ticket);
                vec![Directive::Discard(ticket)]
            }
            Err(_) => {
                self.pending.remove(&ticket);
                Vec::new()
            }
        }
    }

    /// A version is in use.
    pub fn installed(&mut self, ticket: Ticket, version: VersionId) {
        if let Some(about) = self.pending.remove(&ticket) {
            self.live.insert(version, about);
        }
    }

    /// What was compiled could not be installed.
    pub fn refused(&mut self, ticket: Ticket) {
        self.pending.remove(&ticket);
    }

    /// A profile was read.
    pub fn profile(&mut self, func: FuncRef, findings: &ProfileFindings) {
        let found = findings.loops.iter().filter_map(|found| found.trace.as_ref());
        let traces: Vec<TracePlan> = found.map(|trace| trace.plan.clone()).collect();
        if !traces.is_empty() {
            self.traces.insert(func, traces);
        }
    }

    /// A function has a new body: what was known of it is about another one.
    pub fn redefined(&mut self, func: FuncRef) {
        self.traces.remove(&func);
        self.live.retain(|_, (owner, _)| *owner != func);
        self.pending.retain(|_, (owner, _)| *owner != func);
    }

    fn order(&mut self, tick: Tick, plan: CodePlan) -> Directive {
        let ticket = Ticket(self.tickets);
        self.tickets += 1;
        let entry = match tick.loop_header {
            Some(header) if self.below(2) == 0 => Entry::Header(header),
            Some(_) | None => Entry::Call,
        };
        self.pending.insert(ticket, (tick.func, matches!(plan, CodePlan::Profiled(_))));
        Directive::Compile(Order { ticket, func: tick.func, entry, plan })
    }

    fn drop_some(&mut self) -> Vec<Directive> {
        let count = self.live.len() as u64;
        if count == 0 {
            return Vec::new();
        }
        let at = self.below(count) as usize;
        let version = *self.live.keys().nth(at).expect("it is below their number");
        self.live.remove(&version);
        vec![Directive::Drop(version)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::Micros;
    use holloway_jit::Tier;
    use holloway_lang::ir::Block;

    /// The names of the directives of a run of some hundred ticks.
    fn run(seed: u64) -> Vec<String> {
        let mut stress = StressController::new(seed);
        let mut log = Vec::new();
        for number in 0..400_u32 {
            let tick = Tick {
                func: FuncRef::from_u32(number % 3),
                version: VersionId(number % 5),
                tier: Tier::Baseline,
                loop_header: (number % 2 == 0).then(|| Block::from_u32(1)),
                caller: None,
                calls: None,
            };
            let mut pending = stress.tick(tick);
            while let Some(directive) = pending.pop() {
                log.push(format!("{directive:?}"));
                let outcome = CompileOutcome { micros: Micros(1), ..CompileOutcome::default() };
                match directive {
                    Directive::Compile(order) => pending.extend(stress.compiled(order.ticket, Ok(outcome))),
                    Directive::Install(ticket) => stress.installed(ticket, VersionId(1_000 + ticket.0)),
                    _ => {}
                }
            }
        }
        log
    }

    #[test]
    fn a_seed_decides_alike_and_another_one_otherwise() {
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }

    #[test]
    fn all_that_can_be_done_is_done() {
        let log = run(7);
        for wanted in ["Optimized", "Profiled", "entry: Call", "entry: Header", "Drop", "Discard", "Install"] {
            assert!(log.iter().any(|line| line.contains(wanted)), "{wanted} does not occur");
        }
    }
}
