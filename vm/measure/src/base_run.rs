//! Counts of edges from a base run, by which a timed run numbers paths. A process of its own makes the base run, so that the timed run starts cold.
//!
//! In: an engine after a run with acyclic paths. Out: [`EdgeCounts`], which the parent hands to each timed child on standard input, and the scheme of
//! such a child, set up. Invariant: counts are read for the function that they were made of: that of the same index, with the same name, body
//! and edges. Any other is an error.

use std::io;

use holloway_jit::graph_of::graph_of;
use holloway_lang::ir::{FuncRef, Module};
use holloway_profiler::scheme::{Frequency, Scheme};
use serde::{Deserialize, Serialize};

use holloway::Engine;
use holloway::PathProfile;
use holloway_aos::input::BodyHash;
use holloway_machine::profile::Frequencies;

/// The functions that ran, with the counts of their edges.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EdgeCounts(Vec<FunctionCounts>);

/// Counts of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FunctionCounts {
    index: u32,
    name: String,
    hash: BodyHash,
    /// By edge.
    edges: Vec<u64>,
}

/// The scheme of a base run.
pub(crate) fn scheme() -> Scheme {
    Scheme::named("bl").expect("the registry has it")
}

/// Makes a loaded program count by a scheme. One that takes frequencies has them on standard input.
pub(crate) fn count_by(scheme: Scheme, engine: &mut Engine) -> Result<(), String> {
    let counts = match scheme.takes_frequencies() {
        true => EdgeCounts::read(io::stdin().lock())?,
        false => EdgeCounts::default(),
    };
    numbered_by(&counts, scheme, engine)
}

/// The same by some counts.
pub(crate) fn numbered_by(counts: &EdgeCounts, scheme: Scheme, engine: &mut Engine) -> Result<(), String> {
    let frequencies = counts.frequencies(engine.module())?;
    engine.executor_mut().profile_numbered_by(scheme, frequencies);
    Ok(())
}

impl EdgeCounts {
    /// The counts of a run that is over.
    pub fn of(engine: &mut Engine) -> EdgeCounts {
        let found = engine.path_profile().as_ref().map(PathProfile::frequencies).unwrap_or_default();
        let module = engine.module();
        let mut functions: Vec<FunctionCounts> =
            found.iter().map(|(func, frequency)| FunctionCounts::of(module, *func, frequency)).collect();
        functions.retain(|function| function.edges.iter().any(|count| *count > 0));
        functions.sort_by_key(|function| function.index);
        EdgeCounts(functions)
    }

    /// The text for a child's standard input.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("counts are plain data")
    }

    fn read(from: impl io::Read) -> Result<EdgeCounts, String> {
        serde_json::from_reader(from).map_err(|error| format!("the counts of the base run are unreadable: {error}"))
    }

    /// The same for a module, which must have these functions.
    fn frequencies(&self, module: &Module) -> Result<Frequencies, String> {
        self.0.iter().map(|function| function.frequency(module)).collect()
    }
}

impl FunctionCounts {
    fn of(module: &Module, func: FuncRef, frequency: &Frequency) -> FunctionCounts {
        let body = module.function(func);
        let edges = graph_of(body).edges().map(|(edge, _)| frequency[edge]).collect();
        FunctionCounts { index: func.as_u32(), name: body.name.clone(), hash: BodyHash::of(body), edges }
    }

    fn frequency(&self, module: &Module) -> Result<(FuncRef, Frequency), String> {
        let func = FuncRef::from_u32(self.index);
        let body = module.funcs.get(func).map(|decl| &decl.body);
        let graph = body
            .filter(|body| body.name == self.name && BodyHash::of(body) == self.hash)
            .map(|body| graph_of(body))
            .filter(|graph| graph.edges().count() == self.edges.len());
        let graph =
            graph.ok_or_else(|| format!("the base run counted another function {} '{}'", self.index, self.name))?;
        let mut frequency = Frequency::new();
        for ((edge, _), count) in graph.edges().zip(&self.edges) {
            frequency[edge] = *count;
        }
        Ok((func, frequency))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::bench::embedded;
    use holloway::{Config, TierChoice};
    use holloway_profiler::scheme::{NumberingOrder, PathRow};
    use holloway_runtime::Sink;

    fn loaded(text: &[u8]) -> Engine {
        let args = vec![b"3".to_vec()];
        let output = Sink::Captured(Vec::new());
        let config = Config { tier: TierChoice::Optimized, args, output, ..Config::default() };
        let mut engine = Engine::new(config).expect("there is memory");
        engine.load("p.hw", text).expect("it compiles");
        engine
    }

    fn counted(text: &[u8], counts: &EdgeCounts, scheme: Scheme) -> Engine {
        let mut engine = loaded(text);
        numbered_by(counts, scheme, &mut engine).expect("the counts are of this program");
        engine.run().expect("it ends");
        engine
    }

    fn base(text: &[u8]) -> EdgeCounts {
        EdgeCounts::of(&mut counted(text, &EdgeCounts::default(), scheme()))
    }

    /// The count of each path of each function, by its blocks; and its ids.
    fn paths(mut engine: Engine) -> (BTreeMap<String, u64>, Vec<String>) {
        let profile = engine.path_profile().expect("it counts paths");
        let results = profile.results();
        let rows: Vec<(FuncRef, &PathRow)> = results
            .iter()
            .flat_map(|(function, results)| results.paths.iter().map(|row| (function.func, row)))
            .collect();
        let by_blocks = rows.iter().map(|(func, row)| (format!("{func} {:?}", row.path), row.count)).collect();
        (by_blocks, rows.iter().map(|(func, row)| format!("{func} {:?}", row.id)).collect())
    }

    #[test]
    fn both_numberings_count_the_same_paths() {
        let text = embedded::file("lzw.hw").expect("it is embedded");
        let counts = EdgeCounts::read(base(text).text().as_bytes()).expect("it reads back");
        let mut smart = scheme();
        smart.settings.numbering = NumberingOrder::Smart;
        let (in_source, source_ids) = paths(counted(text, &counts, scheme()));
        let (by_frequency, smart_ids) = paths(counted(text, &counts, smart));
        assert!(!in_source.is_empty());
        assert_eq!(by_frequency, in_source);
        assert_ne!(smart_ids, source_ids, "the counts do number paths");
    }

    #[test]
    fn counts_of_another_program_are_an_error() {
        let text = |name: &str, least: u32| {
            format!(
                "fn {name}(n: int) -> int {{\n    if n > {least} {{ return 1 }}\n    return n\n}}\nprint({name}(3))\n"
            )
        };
        let counts = base(text("one", 2).as_bytes());
        let refused = |other: String| counts.frequencies(loaded(other.as_bytes()).module()).err();
        let said = |index: u32| Some(format!("the base run counted another function {index} 'one'"));
        assert_eq!(refused(text("one", 2)), None);
        let one = counts.0.iter().find(|function| function.name == "one").expect("it ran").index;
        assert_eq!(refused(text("other", 2)), said(one));
        assert_eq!(refused(text("one", 1)), said(one));
    }
}
