//! A sampled profile in speedscope's own format.
//!
//! In: a [`Run`]. Out: JSON by its published schema, samples in the order in which they were taken. Invariant: the weights end at the profile's `endValue`.

use super::stacks::{Names, Place, places};
use crate::run::Run;
use serde::Serialize;
use std::collections::HashMap;
use std::io;

/// The address of the schema; the format asks for it.
const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    name: String,
    exporter: String,
    active_profile_index: usize,
    shared: Shared,
    profiles: Vec<Sampled<'a>>,
}

#[derive(Serialize)]
struct Shared {
    frames: Vec<Frame>,
}

#[derive(Serialize)]
struct Frame {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sampled<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
    unit: &'static str,
    start_value: f64,
    end_value: f64,
    samples: Vec<&'a [usize]>,
    weights: Vec<f64>,
}

/// The profile of a run.
pub(super) fn bytes(run: &Run) -> io::Result<Vec<u8>> {
    let names = Names::of(run);
    let mut frames = Frames::default();
    let stacks: Vec<Vec<usize>> = (0..run.stacks.len())
        .map(|stack| places(run, stack as u32).into_iter().map(|place| frames.index(run, &names, place)).collect())
        .collect();
    let program = run.head.program.clone();
    let weights: Vec<f64> = run.samples.iter().map(|sample| sample.weight).collect();
    let sampled = Sampled {
        kind: "sampled",
        name: format!("{program}, CPU time"),
        unit: "microseconds",
        start_value: 0.0,
        end_value: weights.iter().sum(),
        samples: run.samples.iter().map(|sample| stacks[sample.stack as usize].as_slice()).collect(),
        weights,
    };
    let file = File {
        schema: SCHEMA,
        name: program,
        exporter: format!("holloway {}", run.head.holloway),
        active_profile_index: 0,
        shared: Shared { frames: frames.all },
        profiles: vec![sampled],
    };
    Ok(serde_json::to_vec(&file)?)
}

/// Frames that are told so far: one for each function and tier.
#[derive(Default)]
struct Frames {
    all: Vec<Frame>,
    known: HashMap<String, usize>,
}

impl Frames {
    fn index(&mut self, run: &Run, names: &Names, place: Place) -> usize {
        let name = names.place(run, place);
        let all = &mut self.all;
        *self.known.entry(name).or_insert_with_key(|name| {
            let function = place.frame(run).map(|frame| &run.functions[frame.function as usize]);
            all.push(Frame {
                name: name.clone(),
                file: function.map(|function| function.file.clone()),
                line: function.map(|function| function.line),
            });
            all.len() - 1
        })
    }
}
