//! Facts about loads in a file: those of a recorded run that were redundant at each execution and are still in optimized code.
//!
//! In: the hottest facts of a run. Out: a JSON file, and it read back; for a program, the loads that the optimizer is told of. Functions are named, with a
//! hash of their bodies, as in advice for a replay.
//! Invariant: a file that is damaged or about another program is an error, and nothing of it is followed.

use super::hottest::{HotFact, Optimized};
use crate::trace::facts::place::SourceProgram;
use holloway_aos::input::{BodyHash, FunctionInfo};
use holloway_jit::redundant::{LoadPlace, RedundantLoads};
use holloway_lang::ir::{Block, FuncRef};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the format.
const FORMAT: u32 = 1;

/// Loads that were always redundant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadFacts {
    format: u32,
    /// Most executions first.
    loads: Vec<LoadFact>,
}

/// A load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LoadFact {
    /// The function of that name.
    function: String,
    /// With that body.
    hash: BodyHash,
    /// The block.
    block: u32,
    /// The position of its instruction there.
    instruction: u32,
    /// The source, for people.
    source: String,
    /// The line, for people.
    line: u32,
    /// Number of executions.
    executions: u64,
}

/// Reason for which facts cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadFactsError {
    /// The file has none.
    Damaged(String),
    /// It is of another format.
    Format(u32),
    /// They are about another program, or another version of it.
    OtherBody(String),
}

impl fmt::Display for LoadFactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(reason) => write!(f, "this is no file of facts: {reason}"),
            Self::Format(found) => {
                write!(f, "the facts have format {found}, and this version reads format {FORMAT}; ask for them again")
            }
            Self::OtherBody(name) => write!(
                f,
                "the facts are about another program, or another version of it: there is no such `{name}`; record it and ask again"
            ),
        }
    }
}

impl LoadFacts {
    /// Those facts that the optimizer has use for.
    pub fn of(program: SourceProgram<'_>, found: &[HotFact]) -> LoadFacts {
        let is_useful = |fact: &&HotFact| fact.always_holds() && fact.optimized == Optimized::Kept;
        let fact = |fact: &HotFact| {
            let info = FunctionInfo::of(program.module, program.sources, fact.func);
            LoadFact {
                function: info.name,
                hash: info.hash,
                block: fact.block.as_u32(),
                instruction: fact.instruction,
                source: program.sources.snippet(fact.span).to_owned(),
                line: fact.at.line,
                executions: fact.executions,
            }
        };
        LoadFacts { format: FORMAT, loads: found.iter().filter(is_useful).map(fact).collect() }
    }

    /// As a file: a load a line.
    pub fn to_json(&self) -> String {
        let loads = self.loads.iter().map(|load| serde_json::to_string(load).expect("a fact is JSON"));
        let loads: String = loads.map(|load| format!("\n{load}")).collect::<Vec<_>>().join(",");
        let end = if self.loads.is_empty() { "" } else { "\n" };
        format!("{{\"format\":{},\"loads\":[{loads}{end}]}}\n", self.format)
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<LoadFacts, LoadFactsError> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let damaged = |error: serde_json::Error| LoadFactsError::Damaged(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(damaged)?;
        if head.format != FORMAT {
            return Err(LoadFactsError::Format(head.format));
        }
        serde_json::from_str(text).map_err(damaged)
    }

    /// The loads of a program that they are about.
    pub fn loads(&self, program: SourceProgram<'_>) -> Result<RedundantLoads, LoadFactsError> {
        let functions = || program.module.funcs.keys();
        let named: Vec<(FuncRef, FunctionInfo)> =
            functions().map(|func| (func, FunctionInfo::of(program.module, program.sources, func))).collect();
        let mut places: Vec<LoadPlace> = Vec::new();
        for load in &self.loads {
            let is_one = |info: &FunctionInfo| (&info.name, info.hash) == (&load.function, load.hash);
            let before = places.len();
            for (func, _) in named.iter().filter(|(_, info)| is_one(info)) {
                let block = Block::from_u32(load.block);
                let data = program.module.function(*func).blocks.get(block);
                let span = data.filter(|data| (load.instruction as usize) < data.insts.len());
                let span = span.map(|data| data.spans[load.instruction as usize]);
                let missing = || LoadFactsError::Damaged(format!("`{}` has no such instruction", load.function));
                places.push((*func, block, span.ok_or_else(missing)?));
            }
            if places.len() == before {
                return Err(LoadFactsError::OtherBody(load.function.clone()));
            }
        }
        Ok(places.into_iter().collect())
    }
}
