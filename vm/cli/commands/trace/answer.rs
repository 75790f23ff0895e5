//! Questions to a recorded run: it is opened, asked, and the answer shown.

use super::run::{Run, damaged, open};
use super::{analysis, replay_cut};
use crate::config::{Question, TraceConfig};
use crate::{Exit, refuse, show};
use holloway_profiler::event::FunctionId;
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::{find, stages};
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::{nearest, one_line};
use holloway_study::report::trace as report;
use std::io;

/// Answers a question.
pub fn answer(config: &TraceConfig) -> Exit {
    try_answer(config).unwrap_or_else(|exit| exit)
}

fn try_answer(config: &TraceConfig) -> Result<Exit, Exit> {
    let mut run = open(config)?;
    let text = match &config.question {
        Question::Info => info(config, &mut run)?,
        Question::Extract(name, top) => {
            let function = function(config, &mut run, name)?;
            let traces = run.extract(function).map_err(|error| damaged(config, &error))?;
            match config.format {
                OutputFormat::Json => report::extract_json(name, &traces, *top),
                OutputFormat::Text => report::extract_text(name, &traces, *top),
            }
        }
        Question::Replay(range) => {
            let path = run.whole().map_err(|error| damaged(config, &error))?;
            if !path.complete {
                return replay_cut::replay(config, &path, *range);
            }
            return match report::replay(&path, *range, &mut io::BufWriter::new(io::stdout().lock())) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(refuse(&format_args!("cannot write to standard output: {error}"), Exit::Failure))
                }
                _ => Ok(Exit::Success),
            };
        }
        Question::Find(name, blocks, top) => {
            let function = function(config, &mut run, name)?;
            let path = run.whole().map_err(|error| damaged(config, &error))?;
            let count = path.program.function(function).map_or(0, |shape| shape.blocks.len());
            if let Some(block) = blocks.iter().find(|block| **block as usize >= count) {
                let name = one_line(name);
                let reason =
                    format_args!("{name} has no block {block}; it has blocks 0 to {}", count.saturating_sub(1));
                return Err(refuse(&reason, Exit::DoesNotCompile));
            }
            let blocks: Vec<Node> = blocks.iter().map(|block| Node::from_u32(*block)).collect();
            let found = find(&path, function, &blocks, *top);
            match config.format {
                OutputFormat::Json => report::find_json(&found),
                OutputFormat::Text => report::find_text(name, &found),
            }
        }
        Question::Query(..) | Question::Hottest(..) | Question::Slice(_) | Question::Currency(..) => {
            return analysis::answer(config, &mut run);
        }
    };
    Ok(show(&text))
}

fn info(config: &TraceConfig, run: &mut Run) -> Result<String, Exit> {
    let bytes = run.len();
    let path = run.whole().map_err(|error| damaged(config, &error))?;
    let (sizes, functions) = stages(&path);
    let info = report::Info { path: &path, sizes, functions, bytes };
    Ok(match config.format {
        OutputFormat::Json => info.json(),
        OutputFormat::Text => info.text(&one_line(&config.run.display().to_string())),
    })
}

/// The called function with a name.
fn function(config: &TraceConfig, run: &mut Run, name: &str) -> Result<FunctionId, Exit> {
    if let Some(entry) = run.find(name).map_err(|error| damaged(config, &error))? {
        return Ok(entry.function);
    }
    let names = run.names().map_err(|error| damaged(config, &error))?;
    let called = run.functions().iter().filter_map(|entry| names.get(entry.function.as_u32() as usize));
    let names = called.map(String::as_str);
    let guess = nearest(name, names).map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
    let run = one_line(&config.run.display().to_string());
    Err(refuse(&format_args!("{run} has no call of a function '{}'{guess}", one_line(name)), Exit::DoesNotCompile))
}
