//! `profile --compare`: one run by each scheme, and what each tells of one loop.

use super::output::output;
use super::tier;
use crate::config::CompareConfig;
use crate::input::Text;
use crate::{Exit, program, refuse, show};
use holloway::{Counted, Engine};
use holloway_lang::ir::{Block, Cfg, FuncRef, Loops};
use holloway_profiler::scheme::Scheme;
use holloway_runtime::Sink;
use holloway_study::report::compare::{Comparison, OfScheme};
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::one_line;
use holloway_study::report::{Shown, paths};
use serde_json::Value;

/// K of the profile by which periods are found: twice the longest one that is told.
const LONG: u64 = 64;

/// Runs a program by several schemes. The exit status is the program's.
pub fn compare(config: &CompareConfig) -> Exit {
    try_compare(config).unwrap_or_else(|exit| exit)
}

fn try_compare(config: &CompareConfig) -> Result<Exit, Exit> {
    let read = program::read(&config.program.source)?;
    let long = Scheme::named("k-bl").expect("it is a scheme").with_k(LONG).expect("it takes any K");
    let (mut place, mut exit) = (None, Exit::Success);
    let mut found = Vec::new();
    // What the program prints is printed once.
    for (nth, scheme) in config.schemes.iter().copied().chain([long]).enumerate() {
        let sink = if nth == 0 { output(config.format) } else { Sink::Callback(Box::new(|_| ())) };
        let (mut engine, ended) = run(config, &read, scheme, sink, nth == 0)?;
        if nth == 0 {
            exit = ended;
        }
        let (func, header) = *place.get_or_insert(place_of(&engine, config)?);
        found.push(of_scheme(&mut engine, scheme, func));
        if nth == config.schemes.len() {
            let place_of = |block: u32| {
                let block = &engine.module().function(func).blocks[Block::from_u32(block)];
                engine.sources().line_col(block.span())
            };
            let (name, line) = &config.place;
            let long = found.pop().expect("it was pushed");
            let comparison = Comparison {
                place: &format!("{name}:{line}"),
                header,
                place_of: &place_of,
                schemes: &found,
                long: &long,
                top: config.top,
            };
            let text = match config.format {
                OutputFormat::Json => format!("{}\n", comparison.json()),
                OutputFormat::Text => comparison.text(),
            };
            return match show(&text) {
                Exit::Success => Ok(exit),
                other => Ok(other),
            };
        }
    }
    unreachable!("the last profile ends it")
}

fn run(config: &CompareConfig, text: &Text, scheme: Scheme, sink: Sink, tells: bool) -> Result<(Engine, Exit), Exit> {
    let mut settings = program::engine(&config.execution, &config.program.args, sink)?;
    settings.tier = tier(scheme, settings.tier, settings.limits.fuel);
    let mut engine = program::start(settings, Engine::new)?;
    program::add(&mut engine, &config.program.source, text, config.messages)?;
    engine.executor_mut().profile(scheme);
    program::stop_on_signals(&engine);
    let result = engine.run();
    let exit = if tells { program::finish(&engine, result, config.messages) } else { Exit::Success };
    Ok((engine, exit))
}

/// The loop that is asked about: its function and the block of its header.
fn place_of(engine: &Engine, config: &CompareConfig) -> Result<(FuncRef, u32), Exit> {
    let (name, line) = &config.place;
    let mut known = Vec::new();
    for (func, decl) in engine.module().funcs.iter() {
        let body = &decl.body;
        let file = &engine.sources().file(body.span.file).name;
        if body.name != *name && file != name && !file.ends_with(&format!("/{name}")) {
            continue;
        }
        for (_, found) in Loops::of(&Cfg::compute(body)).iter() {
            let at = engine.lines_of(func, found.header).0;
            if at == *line {
                return Ok((func, found.header.as_u32()));
            }
            known.push(at);
        }
    }
    known.sort_unstable();
    known.dedup();
    let lines: Vec<String> = known.iter().map(|line| format!("{name}:{line}")).collect();
    let there = match lines.is_empty() {
        true => "name a file or a function with a loop, and the line that the loop starts on".to_owned(),
        false => format!("there are {}", lines.join(", ")),
    };
    Err(refuse(&one_line(&format!("--loop {name}:{line}: no loop starts there; {there}")), Exit::Usage))
}

fn of_scheme(engine: &mut Engine, scheme: Scheme, func: FuncRef) -> OfScheme {
    let function = match engine.profile() {
        Counted::Edges(_) => Value::Null,
        Counted::Paths(profile) => {
            let at = profile.results().iter().position(|(function, _)| function.func == func);
            let json = paths::json(engine, &profile, "", Shown::hottest(None));
            let json: Value = serde_json::from_str(&json).expect("a profile is JSON");
            at.and_then(|at| json["functions"].get(at).cloned()).unwrap_or_default()
        }
    };
    OfScheme { scheme: scheme.name().to_owned(), k: scheme.k(), function }
}
