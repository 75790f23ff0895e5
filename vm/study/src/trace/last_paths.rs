//! The last paths of each activation, for whoever asks what happened before a failure.
//!
//! In: the events of a run. Out: the activations that ended in the last failure, each with the paths that it took last. `[MR98]`
//! D. Melski, T. Reps, "Interprocedural Path Profiling", 1998, propose this use of paths: they tell how control came to where it failed.
//! Invariant: memory is bounded by the depth of calls.

use super::settings::KEPT_PATHS;
use holloway_lang::ir::FuncRef;
use holloway_machine::profile::PathListener;
use holloway_machine::profile::consumer::function_id;
use holloway_profiler::event::packing::Packing;
use holloway_profiler::event::{ActivationSink, BadWord, Event, EventSink, FunctionId, WordReader};
use holloway_profiler::graph::{Graph, Node};
use holloway_profiler::scheme::{Decoder, FunctionPlan};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Keeps the last paths of each activation.
#[derive(Default)]
pub struct LastPaths {
    reader: WordReader,
    kept: Kept,
}

#[derive(Default)]
struct Kept {
    functions: HashMap<FunctionId, Function>,
    active: Vec<LastOf>,
    /// The activations that the last failure ended, innermost first.
    failed: Vec<LastOf>,
}

/// Reader of a function's ids.
struct Function {
    graph: Graph,
    decoder: Arc<dyn Decoder>,
    packing: Option<Packing>,
}

/// The last paths of one activation.
#[derive(Clone, Debug)]
pub struct LastOf {
    /// The function.
    pub function: FunctionId,
    /// Complete paths by id, each with the number of times in a row; the latest last.
    pub paths: VecDeque<(u64, u64)>,
    /// The block of the failure, and the id of the path that it cut short.
    pub cut: Option<(Node, u64)>,
}

/// Blocks of a path, and the number of times it was taken in a row.
pub type Taken = (Vec<Node>, u64);

impl LastPaths {
    /// The activations that a failure ended, innermost first: each with its last paths, that of the failure last.
    pub fn failed(&self) -> Vec<(FunctionId, Vec<Taken>)> {
        self.kept.failed.iter().map(|last| (last.function, self.kept.taken(last))).collect()
    }
}

impl Kept {
    fn taken(&self, last: &LastOf) -> Vec<Taken> {
        let Some(function) = self.functions.get(&last.function) else { return Vec::new() };
        let complete = last.paths.iter().filter_map(|(id, times)| {
            let path = function.decoder.path(&function.graph, *id)?;
            Some((path.blocks, *times))
        });
        let numbering = function.decoder.acyclic();
        let cut = last.cut.and_then(|(block, id)| {
            let path = holloway_profiler::path_id::prefix_of(&function.graph, numbering?, block, id)?;
            Some((path.blocks, 1))
        });
        complete.chain(cut).collect()
    }
}

impl ActivationSink for Kept {
    fn repeat(&mut self, id: u64, count: u64) -> bool {
        let Some(last) = self.active.last_mut() else { return false };
        // A failure that was caught is past. While a failure unwinds, a caller may still report paths that it had completed before.
        if last.cut.take().is_some() {
            self.failed.clear();
        }
        match last.paths.back_mut() {
            Some((known, times)) if *known == id => *times += count,
            _ => {
                if last.paths.len() == KEPT_PATHS {
                    last.paths.pop_front();
                }
                last.paths.push_back((id, count));
            }
        }
        true
    }

    fn enter(&mut self, function: FunctionId) -> bool {
        self.failed.clear();
        // Whoever calls has caught what cut its path short, if anything did.
        if let Some(caller) = self.active.last_mut() {
            caller.cut = None;
        }
        self.active.push(LastOf { function, paths: VecDeque::new(), cut: None });
        true
    }

    fn prefix(&mut self, block: Node, id: u64) -> bool {
        let Some(last) = self.active.last_mut() else { return false };
        if last.cut.replace((block, id)).is_some() {
            self.failed.clear();
        }
        true
    }

    fn leave(&mut self) -> bool {
        let Some(last) = self.active.pop() else { return false };
        match last.cut {
            Some(_) => self.failed.push(last),
            None => self.failed.clear(),
        }
        true
    }
}

impl EventSink for Kept {
    fn paths(&mut self, words: &[u64]) -> bool {
        let Some(last) = self.active.last() else { return false };
        let packing = self.functions.get(&last.function).and_then(|function| function.packing);
        match packing {
            None => words.iter().all(|id| self.repeat(*id, 1)),
            Some(_) if !words.iter().copied().all(Packing::is_packed) => false,
            Some(packing) => words.iter().flat_map(|word| packing.ids(*word)).all(|id| self.repeat(id, 1)),
        }
    }

    fn event<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>> {
        self.follow(event)
    }
}

impl PathListener for LastPaths {
    fn declare(&mut self, func: FuncRef, plan: &FunctionPlan) {
        let (graph, decoder, packing) = (plan.graph.clone(), Arc::clone(&plan.decoder), plan.stream.packing());
        let function = Function { graph, decoder, packing };
        self.kept.functions.insert(function_id(func), function);
    }

    fn words(&mut self, words: &[u64]) -> Result<(), BadWord> {
        self.reader.read(words, &mut self.kept)
    }

    fn event(&mut self, event: Event<'_>) {
        let heard = self.kept.event(event);
        assert!(heard.is_ok(), "the interpreter tells of activations that began");
    }
}
