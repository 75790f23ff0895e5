//! Compilations, each with the time of its parts.
//!
//! In: the events of a run. Out: [`Compilations`]. Invariant: a part that is too short to be seen is counted with the rest; the time of a
//! compilation is CPU time, which its parts share out.

use super::kept::Kept;
use super::limits::{LEAST_PART, MOST_COMPILATIONS, first_by};
use super::text::{rounded, shortened};
use crate::run::Run;
use holloway_aos::CompilationId;
use holloway_aos::event::{CompileEnd, Event, RunEnd, What};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The compilations of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Compilations {
    /// Names of the parts.
    pub parts: Vec<String>,
    /// Compilations, in order.
    pub all: Vec<CompilationRow>,
    /// The sums of the threads; absent of a run that was killed.
    pub threads: Option<Threads>,
    /// Plans that could not be carried out.
    pub refused: usize,
}

/// A compilation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CompilationRow {
    /// The function, if the page has it.
    pub function: Option<u32>,
    /// Its name.
    pub name: String,
    /// The version that was installed, if the page has it.
    pub version: Option<u32>,
    /// The kind of code.
    pub plan: &'static str,
    /// The line of the loop that it is entered at.
    pub entry_line: Option<u32>,
    /// `program` or `compiler`.
    pub thread: String,
    /// The time of the request.
    pub requested: Option<u64>,
    /// The time of its end.
    pub ended: u64,
    /// The reason of the request.
    pub why: Option<String>,
    /// Its CPU time in microseconds.
    pub micros: u64,
    /// Its expected time.
    pub estimate: f64,
    /// Instructions of the IR.
    pub ir_size: u64,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// Inlined calls.
    pub inlined: u32,
    /// Those behind a guard on the target.
    pub guarded: u32,
    /// Parts: the place of its name, and microseconds.
    pub parts: Vec<(usize, f64)>,
}

/// CPU time by thread, in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Threads {
    /// Of all threads.
    pub all: u64,
    /// Of the program's thread.
    pub program: u64,
    /// The part of all that compilation took.
    pub compiling: u64,
    /// The part of that on the program's thread.
    pub compiling_on_program: u64,
}

impl Compilations {
    /// The compilations of a run, and how many more there were.
    pub(super) fn of(run: &Run, kept: &Kept) -> (Compilations, usize) {
        let mut found = Compilations::default();
        let mut started: HashMap<CompilationId, (u64, String)> = HashMap::new();
        let mut ended: HashMap<CompilationId, usize> = HashMap::new();
        for event in &run.events {
            match &event.what {
                What::CompileStart(start) => {
                    started.insert(start.compilation, (event.time.0, shortened(&start.why.to_string())));
                }
                What::CompileEnd(end) => {
                    ended.insert(end.compilation, found.all.len());
                    let row = found.row(event, end, started.get(&end.compilation), kept);
                    found.all.push(row);
                }
                What::Installed(installed) => {
                    let row = installed.compilation.and_then(|compilation| ended.get(&compilation));
                    if let (Some(row), Some(id)) = (row, event.subject.version) {
                        found.all[*row].version = kept.version_of_id(id);
                    }
                }
                What::Refused(_) => found.refused += 1,
                What::RunEnd(end) => found.threads = Some(threads(end)),
                _ => {}
            }
        }
        let (all, left_out) = first_by(found.all, MOST_COMPILATIONS, |row| Reverse(row.micros));
        (Compilations { all, ..found }, left_out)
    }

    fn row(&mut self, event: &Event, end: &CompileEnd, started: Option<&(u64, String)>, kept: &Kept) -> CompilationRow {
        let mut parts: Vec<(usize, f64)> = Vec::new();
        let mut short = 0.0;
        for part in &end.figures.parts {
            match part.micros < LEAST_PART {
                true => short += part.micros,
                false => parts.push((self.part(&part.part), rounded(part.micros))),
            }
        }
        if short >= LEAST_PART {
            parts.push((self.part("shorter ones"), rounded(short)));
        }
        CompilationRow {
            function: kept.subject(&event.subject),
            name: event.subject.function.clone().unwrap_or_default(),
            version: event.subject.version.and_then(|version| kept.version_of_id(version)),
            plan: end.plan.name(),
            entry_line: end.entry_line,
            thread: super::text::name_of(&event.thread),
            requested: started.map(|(time, _)| *time),
            ended: event.time.0,
            why: started.map(|(_, why)| why.clone()),
            micros: end.figures.micros.0,
            estimate: rounded(end.estimate),
            ir_size: end.figures.ir_size,
            code_bytes: end.figures.code_bytes,
            inlined: end.figures.inlined,
            guarded: end.figures.guarded,
            parts,
        }
    }

    fn part(&mut self, name: &str) -> usize {
        self.parts.iter().position(|known| known == name).unwrap_or_else(|| {
            self.parts.push(name.to_owned());
            self.parts.len() - 1
        })
    }
}

fn threads(end: &RunEnd) -> Threads {
    Threads {
        all: end.cpu.0,
        program: end.program.0,
        compiling: end.compiling.0,
        compiling_on_program: end.on_program_thread.0,
    }
}
