//! Entries of code that an activation never comes to.

use holloway_ir::{Block, FuncRef};
use holloway_jit::{Tier, VersionId};

use crate::input::{BodyHash, CompileFigures, LoopInfo};
use crate::strategies::STRATEGIES;
use crate::{
    Action, Calibration, CompileOutcome, Controller, Entry, Executions, FunctionInfo, Micros, Observation, Policy,
    Settings, Tick,
};

fn func() -> FuncRef {
    FuncRef::from_u32(0)
}

/// One activation of a function that stays in its first code: each loop is over before its version comes.
struct Activation {
    controller: Controller,
    now: u64,
    versions: u32,
    /// Instructions of the function.
    size: u64,
}

impl Activation {
    fn of_function(size: u64) -> Activation {
        let controller = Controller::new(Settings::on_two_cores(), STRATEGIES[0], Calibration::embedded);
        let mut activation = Activation { controller, now: 0, versions: 1, size };
        let loops = (1..=9).map(header).map(|header| LoopInfo {
            header,
            line: header.as_u32(),
            parent: None,
            branches: 0,
            choices: 0,
            trips_vary: false,
        });
        let (name, file) = ("sort".to_owned(), "sort.c".to_owned());
        let info =
            FunctionInfo { name, file, line: 1, size, loops: loops.collect(), is_optimized: false, hash: BodyHash(1) };
        activation.observe(Observation::Declared(func(), info));
        activation
    }

    fn observe(&mut self, observation: Observation) -> Vec<Action> {
        self.controller.observe(Micros(self.now), observation)
    }

    /// So many milliseconds in a loop. Gives the entries of versions that are requested, each of which comes at once.
    fn stays(&mut self, header: Block, millis: u64) -> Vec<Entry> {
        (0..millis).flat_map(|_| self.tick(header)).collect()
    }

    fn tick(&mut self, header: Block) -> Vec<Entry> {
        self.now += 1_000;
        let counted = Some(Executions { calls: 1, back_edges: 1_000 });
        let (version, tier) = (VersionId(0), Tier::Baseline);
        let tick =
            Tick { func: func(), version, tier, loop_header: Some(header), inlined: None, caller: None, counted };
        let mut actions = self.observe(Observation::Tick(tick));
        let mut entries = Vec::new();
        while let Some(action) = actions.pop() {
            match action {
                Action::Compile(request) => {
                    entries.push(request.entry);
                    let figures = CompileFigures { micros: Micros(25 * self.size), ..CompileFigures::default() };
                    let outcome = CompileOutcome { figures, ..CompileOutcome::default() };
                    actions.extend(self.observe(Observation::Compiled(request.compilation, Ok(outcome))));
                }
                Action::Install(compilation) => {
                    let version = VersionId(self.versions);
                    self.versions += 1;
                    actions.extend(self.observe(Observation::Installed(compilation, version)));
                }
                _ => {}
            }
        }
        entries
    }
}

fn header(number: u32) -> Block {
    Block::from_u32(number)
}

#[test]
fn an_entry_is_compiled_once_its_lack_costs_as_much() {
    let mut large = Activation::of_function(4_000);
    assert_eq!(large.stays(header(1), 200), [Entry::Header(header(1))]);
    let short: Vec<Entry> = (2..=8).flat_map(|loop_| large.stays(header(loop_), 6)).collect();
    assert_eq!(short, [], "each is over before as much is lost as its version takes to compile");
    assert_eq!(large.stays(header(9), 400), [Entry::Header(header(9))]);
}

#[test]
fn entries_that_cost_little_are_compiled_at_the_next_tick() {
    let mut small = Activation::of_function(100);
    let entries: Vec<Entry> = (1..=4).flat_map(|loop_| small.stays(header(loop_), 6)).collect();
    assert_eq!(entries, [1, 2, 3, 4].map(|number| Entry::Header(header(number))));
}
