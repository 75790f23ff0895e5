//! The functions of a run with their versions, and the events about them, as the controller and replay keep them.
//! Invariant: every version that has an owner is among its owner's records.

use std::collections::BTreeMap;

use holloway_ir::{Block, FuncRef};
use holloway_jit::VersionId;

use crate::event::{CompileEnd, DropReason, Event, Installed, Kind, Thread, What};
use crate::function::Function;
use crate::version::VersionRecord;
use crate::{CodePlan, CompilationId, CompileOutcome, Entry, LoopKey, Micros};

#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) functions: BTreeMap<FuncRef, Function>,
    /// Whose code each version is.
    pub(crate) owners: BTreeMap<VersionId, FuncRef>,
    /// The time of the observation at hand.
    pub(crate) now: Micros,
    pub(crate) events: Vec<Event>,
    /// True iff another thread compiles.
    pub(crate) compiles_apart: bool,
}

impl Log {
    pub(crate) fn function(&self, func: FuncRef) -> &Function {
        self.functions.get(&func).unwrap_or_else(|| panic!("{func} was not declared"))
    }

    pub(crate) fn function_mut(&mut self, func: FuncRef) -> &mut Function {
        self.functions.get_mut(&func).unwrap_or_else(|| panic!("{func} was not declared"))
    }

    /// The record of a version, if it has one.
    pub(crate) fn record_mut(&mut self, version: VersionId) -> Option<&mut VersionRecord> {
        self.functions.get_mut(self.owners.get(&version)?)?.record_mut(version)
    }

    pub(crate) fn add(&mut self, func: FuncRef, record: VersionRecord) {
        self.owners.insert(record.id, func);
        self.function_mut(func).versions.push(record);
    }

    pub(crate) fn emit(&mut self, func: FuncRef, version: Option<VersionId>, at: Option<LoopKey>, what: What) {
        let subject = self.function(func).subject(version, at);
        let thread = match what {
            What::CompileStart(_) | What::CompileEnd(_) if self.compiles_apart => Thread::Compiler,
            _ => Thread::Program,
        };
        self.events.push(Event { time: self.now, thread, subject, what });
    }

    /// Adds an event about code that is entered somewhere.
    pub(crate) fn emit_entered(&mut self, func: FuncRef, version: Option<VersionId>, entry: Entry, what: What) {
        self.emit(func, version, entry.header().map(LoopKey::own), what);
    }

    pub(crate) fn compiled(
        &mut self,
        (func, entry, plan): (FuncRef, Entry, &CodePlan),
        (compilation, estimate): (CompilationId, f64),
        outcome: &CompileOutcome,
    ) {
        let (plan, figures) = (Kind::of(plan), outcome.figures.clone());
        let entry_line = self.function(func).info.loop_line(entry.header());
        let end = CompileEnd { compilation, plan, entry_line, estimate, figures };
        self.emit_entered(func, None, entry, What::CompileEnd(end));
    }

    pub(crate) fn installed(&mut self, version: VersionId, compilation: Option<CompilationId>, waited: Micros) {
        let func = self.owners[&version];
        let function = self.function(func);
        let entry = function.record(version).expect("owners know their versions").entry;
        let entry_line = function.info.loop_line(entry.header());
        self.emit_entered(func, Some(version), entry, What::Installed(Installed { compilation, entry_line, waited }));
    }

    /// A retired version is in use again.
    pub(crate) fn reinstalled(&mut self, version: VersionId) {
        let now = self.now;
        if let Some(record) = self.record_mut(version) {
            record.installed = now;
            self.installed(version, None, Micros(0));
        }
    }

    /// Tells that a version goes, unless that is told of each of its loops.
    pub(crate) fn dropped(&mut self, func: FuncRef, version: VersionId, reason: DropReason) {
        let record = self.function(func).record(version).filter(|_| reason.is_of_version());
        if let Some(record) = record {
            let (dropped, entry) = (record.dropped(reason, self.now), record.entry);
            self.emit_entered(func, Some(version), entry, What::Dropped(dropped));
        }
    }

    /// On-stack replacement of a running activation, at the header of a loop of the function.
    pub(crate) fn osr(&mut self, (from, to): (VersionId, VersionId), header: Block, nanos: u64) {
        let Some(func) = self.owners.get(&to).copied() else { return };
        if let Some(what) = self.function_mut(func).arrived(from, to, nanos) {
            self.emit(func, Some(to), Some(header.into()), what);
        }
    }
}
