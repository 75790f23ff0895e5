//! The functions of a recorded run, and what each stage of the compaction saved.
//!
//! In: a path with its stages. Out: tables. Invariant: a factor compares a stage with the one that it starts from.

use crate::report::text::{grouped, one_line};
use holloway_profiler::wpp::{FunctionSizes, StageSizes, WholePath};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A recorded run with its sizes.
pub struct Info<'a> {
    /// The path.
    pub path: &'a WholePath,
    /// The bytes after each stage.
    pub sizes: StageSizes,
    /// Its functions, most called first.
    pub functions: Vec<FunctionSizes>,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Info<'_> {
    /// As JSON.
    pub fn json(&self) -> String {
        let functions: Vec<Value> = self.functions.iter().map(|function| self.function_json(function)).collect();
        let stages = self.sizes.named().into_iter().chain([("file", self.bytes)]);
        let stages: Vec<Value> = stages.map(|(name, bytes)| json!({ "name": name, "bytes": bytes })).collect();
        let (events, complete) = (self.path.events(), self.path.complete);
        format!("{}\n", json!({ "events": events, "functions": functions, "stages": stages, "complete": complete }))
    }

    fn function_json(&self, sizes: &FunctionSizes) -> Value {
        json!({
            "name": self.name(sizes),
            "calls": sizes.calls,
            "unique_traces": sizes.unique_traces,
            "blocks": sizes.blocks,
            "dictionaries": sizes.dictionaries,
        })
    }

    /// As text.
    pub fn text(&self, name: &str) -> String {
        let mut out = String::new();
        let (events, bytes) = (grouped(self.path.events() as usize), grouped(self.bytes as usize));
        let end = if self.path.complete { "" } else { ", not complete" };
        say(&mut out, format_args!("{name}: {events} blocks in {bytes} bytes{end}"));
        let sizes = &self.sizes;
        let whole = sizes.raw + sizes.calls_raw;
        say(&mut out, format_args!("\nstage                                          bytes     factor"));
        self.stage(&mut out, "path traces", sizes.raw, None);
        self.stage(&mut out, "  each once", sizes.unique, Some(sizes.raw));
        self.stage(&mut out, "  of dynamic basic blocks", sizes.compacted, Some(sizes.unique));
        self.stage(&mut out, "  as timestamps", sizes.timestamps, Some(sizes.compacted));
        self.stage(&mut out, "  as arithmetic series", sizes.series, Some(sizes.timestamps));
        self.stage(&mut out, "dictionaries", sizes.dictionaries, None);
        self.stage(&mut out, "dynamic call graph", sizes.calls_raw, None);
        self.stage(&mut out, "  equal subtrees once", sizes.calls_shared, Some(sizes.calls_raw));
        self.stage(&mut out, "  after LZW", sizes.calls_lzw, Some(sizes.calls_shared));
        self.stage(&mut out, "file", self.bytes, Some(whole));
        say(
            &mut out,
            format_args!("\nfunction                          calls   unique traces     their blocks   dictionaries"),
        );
        for function in &self.functions {
            let [calls, blocks, dictionaries] =
                [function.calls, function.blocks, function.dictionaries].map(|number| grouped(number as usize));
            let (name, traces) = (one_line(&self.name(function)), grouped(function.unique_traces as usize));
            say(&mut out, format_args!("{name:<24} {calls:>14}  {traces:>14}  {blocks:>15}  {dictionaries:>13}"));
        }
        out
    }

    fn stage(&self, out: &mut String, name: &str, bytes: u64, from: Option<u64>) {
        let factor = from.map(|from| format!("{:.2}", from as f64 / bytes.max(1) as f64)).unwrap_or_default();
        say(out, format_args!("{name:<34} {:>17} {factor:>10}", grouped(bytes as usize)));
    }

    fn name(&self, sizes: &FunctionSizes) -> String {
        let shape = self.path.program.function(sizes.function);
        shape.map(|shape| shape.name.clone()).unwrap_or_default()
    }
}

fn say(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("strings take all text");
}
