//! The tables that samples of the Firefox profiler refer to: strings, functions, frames, and stacks as a tree.
//!
//! In: a [`Run`], and a thread without samples. Out: the thread with the run's. Invariant: each column of a table is as long as the table says, and what
//! it refers to is in its table.

use crate::export::stacks::{Names, Place, places};
use crate::run::Run;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::Hash;

/// The categories, behind the one that every profile has.
pub(super) const CATEGORIES: [&str; 6] = ["baseline", "profiled", "optimized", "specialized", "runtime", "outside"];

/// Rows of a table, each once.
struct Rows<K>(Vec<K>, HashMap<K, usize>);

impl<K> Default for Rows<K> {
    fn default() -> Self {
        Rows(Vec::new(), HashMap::new())
    }
}

impl<K: Clone + Eq + Hash> Rows<K> {
    fn index(&mut self, row: K) -> usize {
        let all = &mut self.0;
        *self.1.entry(row).or_insert_with_key(|row| {
            all.push(row.clone());
            all.len() - 1
        })
    }

    /// A column: what each row says.
    fn column<T: serde::Serialize>(&self, of: impl Fn(&K) -> T) -> Value {
        json!(self.0.iter().map(of).collect::<Vec<_>>())
    }

    /// A column of one value.
    fn all(&self, value: &Value) -> Value {
        json!(vec![value; self.0.len()])
    }
}

/// A function: its name and its file as strings, its line.
type FunctionRow = (usize, Option<usize>, Option<u32>);

/// A frame: its function, category and subcategory, its line, and how many functions it is inlined into.
type FrameRow = (usize, usize, usize, Option<u32>, u32);

/// A stack: the one of its caller, and its frame.
type StackRow = (Option<usize>, usize);

struct Tables<'a> {
    run: &'a Run,
    names: Names,
    strings: Rows<String>,
    functions: Rows<FunctionRow>,
    frames: Rows<FrameRow>,
    stacks: Rows<StackRow>,
}

/// Fills the tables of a thread, whose strings stay.
pub(super) fn fill(run: &Run, thread: &mut Value) {
    let known = thread["stringArray"].as_array().into_iter().flatten();
    let known: Vec<String> = known.map(|string| string.as_str().unwrap_or_default().to_owned()).collect();
    let mut strings = Rows::default();
    known.into_iter().for_each(|string| _ = strings.index(string));
    let mut tables = Tables {
        run,
        names: Names::of(run),
        strings,
        functions: Rows::default(),
        frames: Rows::default(),
        stacks: Rows::default(),
    };
    let stacks: Vec<Option<usize>> = (0..run.stacks.len()).map(|stack| tables.stack(stack as u32)).collect();
    let mut before = 0.0;
    let delta = |at: f64| (at - std::mem::replace(&mut before, at)) / 1e3;
    thread["samples"] = json!({
        "length": run.samples.len(),
        "weightType": "tracing-ms",
        "stack": run.samples.iter().map(|sample| stacks[sample.stack as usize]).collect::<Vec<_>>(),
        "timeDeltas": run.samples.iter().map(|sample| sample.at).map(delta).collect::<Vec<_>>(),
        "weight": run.samples.iter().map(|sample| sample.weight / 1e3).collect::<Vec<_>>(),
        "threadCPUDelta": run.samples.iter().map(|sample| sample.weight).collect::<Vec<_>>(),
    });
    tables.give(thread);
}

impl Tables<'_> {
    /// A stack of the run, from its outermost frame on.
    fn stack(&mut self, stack: u32) -> Option<usize> {
        let (mut above, mut depth) = (None, 0);
        for place in places(self.run, stack) {
            // From outside in: a function that is inlined is one deeper than the one around it.
            depth = if place.frame(self.run).is_some_and(|frame| frame.inlined) { depth + 1 } else { 0 };
            let frame = self.frame(place, depth);
            above = Some(self.stacks.index((above, frame)));
        }
        above
    }

    fn frame(&mut self, place: Place, depth: u32) -> usize {
        let run = self.run;
        let Some(frame) = place.frame(run) else {
            let name = self.strings.index(place.words().to_owned());
            let function = self.functions.index((name, None, None));
            let category = match place {
                Place::Runtime => category("runtime"),
                Place::Code(_) | Place::LeftOut | Place::Outside => category("outside"),
            };
            return self.frames.index((function, category, 0, None, 0));
        };
        let (function, version) = (&run.functions[frame.function as usize], &run.versions[frame.version as usize]);
        let name = self.names.function(frame.function).to_owned();
        let (name, file) = (self.strings.index(name), self.strings.index(function.file.clone()));
        let function = self.functions.index((name, Some(file), Some(function.line)));
        // The first subcategory of each is that of none.
        let earlier = run.versions[..frame.version as usize].iter().filter(|other| other.tier == version.tier).count();
        let category = category(&version.tier);
        let subcategory = if category == 0 { 0 } else { earlier + 1 };
        self.frames.index((function, category, subcategory, Some(frame.line), depth))
    }

    fn give(self, thread: &mut Value) {
        let (functions, frames, stacks) = (&self.functions, &self.frames, &self.stacks);
        thread["funcTable"] = json!({
            "length": functions.0.len(),
            "name": functions.column(|(name, ..)| *name),
            "isJS": functions.all(&json!(false)),
            "relevantForJS": functions.all(&json!(false)),
            "resource": functions.all(&json!(-1)),
            "fileName": functions.column(|(_, file, _)| *file),
            "lineNumber": functions.column(|(.., line)| *line),
            "columnNumber": functions.all(&Value::Null),
        });
        thread["frameTable"] = json!({
            "length": frames.0.len(),
            "address": frames.all(&json!(-1)),
            "inlineDepth": frames.column(|(.., depth)| *depth),
            "category": frames.column(|(_, category, ..)| *category),
            "subcategory": frames.column(|(_, _, subcategory, ..)| *subcategory),
            "func": frames.column(|(function, ..)| *function),
            "nativeSymbol": frames.all(&Value::Null),
            "innerWindowID": frames.all(&json!(0)),
            "line": frames.column(|(_, _, _, line, _)| *line),
            "column": frames.all(&Value::Null),
        });
        thread["stackTable"] = json!({
            "length": stacks.0.len(),
            "prefix": stacks.column(|(above, _)| *above),
            "frame": stacks.column(|(_, frame)| *frame),
        });
        thread["stringArray"] = json!(self.strings.0);
    }
}

/// The index of a category; that of nothing if there is none of the name.
fn category(name: &str) -> usize {
    CATEGORIES.iter().position(|known| *known == name).map_or(0, |at| at + 1)
}
