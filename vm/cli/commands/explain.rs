//! `explain`: one run, then the report of every decision.

use std::num::NonZeroUsize;

use crate::config::{AdaptiveConfig, Audited, ExecutionConfig, ExplainConfig, Explained, ReportPart};
use crate::settings::{TOP, WHAT_IF_TURNS};
use crate::{Exit, recording, refuse, show};
use first_run::{KeptStreams, observed, output};
use holloway::Input;
use holloway_aos::Parts;
use holloway_runtime::Sink;
use holloway_study::diff::{self, runs::RunDifference};
use holloway_study::report::fit::fit;
use holloway_study::report::story::{Story, Target};
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::one_line;
use holloway_study::run::Run;

mod again;
mod audit;
mod first_run;

/// Runs a program and reports the decisions of the adaptive system. The exit status is the program's.
pub fn explain(config: &ExplainConfig) -> Exit {
    try_explain(config).unwrap_or_else(|exit| exit)
}

fn try_explain(config: &ExplainConfig) -> Result<Exit, Exit> {
    let read = match &config.explained {
        Explained::Program(program) => recording::read(program).transpose()?,
        Explained::Demonstration => None,
    };
    let streams = KeptStreams::default();
    let is_run_again = config.measure.is_some() || !config.what_if.is_empty();
    let (mut run, exit) = match (read, &config.audit) {
        (Some(run), _) => (kept(config, run)?, Exit::Success),
        (None, Some(asked)) => return audit::audit(config, asked),
        (None, None) if is_run_again => first_run::kept(config, &config.execution, &streams)?,
        (None, None) => observed(config, &config.execution, (Input::Stdin, output(config)))?,
    };
    if !config.what_if.is_empty() {
        return what_if(config, (run, &streams), exit);
    }
    if matches!(&config.part, ReportPart::Why(target) if matches!(Target::parse(target), Target::Version(_))) {
        run.disassemble();
    }
    match show(&told(&run, config, (&streams, exit))?) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

/// A run that was kept: nothing is run for it.
fn kept(config: &ExplainConfig, run: Run) -> Result<Run, Exit> {
    let adaptive = &config.execution.adaptive;
    let is_about_versions = config.audit.as_ref().is_some_and(|audit| matches!(audit.audited, Audited::Versions(_)));
    let asked = [
        ("--save", adaptive.save.is_some()),
        ("--events", adaptive.events.is_some()),
        ("--advice", adaptive.advice.is_some()),
        ("--measure", config.measure.is_some()),
        ("--what-if", !config.what_if.is_empty()),
        ("--set", !adaptive.set.is_empty()),
        ("--without", adaptive.without != Parts::NONE || is_about_versions),
        ("--audit", config.audit.is_some()),
        (
            "an argument of the program",
            matches!(&config.explained, Explained::Program(program) if !program.args.is_empty()),
        ),
    ];
    match asked.iter().find(|(_, asked)| *asked) {
        Some((option, _)) => {
            let message = format!("explain: {option} is about a run that is made; this one was: name a program");
            Err(refuse(&message, Exit::Usage))
        }
        None => Ok(run),
    }
}

/// Runs the program as it is and with other settings, in turns, whose output is not shown again, and tells what differs.
fn what_if(config: &ExplainConfig, (run, streams): (Run, &KeptStreams), exit: Exit) -> Result<Exit, Exit> {
    let mut as_it_is = config.execution.clone();
    // The files are about the first run.
    as_it_is.adaptive = AdaptiveConfig { events: None, advice: None, save: None, ..as_it_is.adaptive };
    let mut changed = as_it_is.clone();
    changed.adaptive.set.extend(config.what_if.iter().cloned());
    let again = |execution: &ExecutionConfig| {
        let silent = Sink::Callback(Box::new(|_| ()));
        Ok(observed(config, execution, (streams.input(), silent))?.0)
    };
    // One that fails says why each time.
    let turns = if exit == Exit::Success { WHAT_IF_TURNS } else { 1 };
    let (mut runs, mut others) = (vec![run], vec![again(&changed)?]);
    for _ in 1..turns {
        runs.push(again(&as_it_is)?);
        others.push(again(&changed)?);
    }
    let found = RunDifference::between([&runs, &others]);
    let (run, other) = (&runs[0], &others[0]);
    let text = match config.format {
        OutputFormat::Json => format!("{}\n", serde_json::json!(found)),
        OutputFormat::Text => {
            let style = config.messages.style;
            let head = format!("a: as it is; b: with {}\n", one_line(&config.what_if.join(", ")));
            head + &diff::runs::text(&found, [run, other], NonZeroUsize::new(TOP), style.width)
        }
    };
    match show(&text) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

fn told(run: &Run, config: &ExplainConfig, seen: (&KeptStreams, Exit)) -> Result<String, Exit> {
    let mut story = Story::of_run(run);
    // Where measuring fails, that has been said; the report is there all the same.
    story.measured = config.measure.as_ref().and_then(|measure| again::gain(config, measure, seen).ok());
    let style = config.messages.style;
    Ok(match (config.format, &config.part) {
        (OutputFormat::Json, _) => format!("{}\n", story.json()),
        (OutputFormat::Text, ReportPart::Overview) => fit(&story.overview(style), style.width),
        (OutputFormat::Text, ReportPart::Story) => fit(&story.text(style), style.width),
        (OutputFormat::Text, ReportPart::Why(target)) => {
            let told = story.why(&Target::parse(target), style);
            fit(&told.ok_or_else(|| refuse(&nothing_about(target, &story), Exit::Usage))?, style.width)
        }
    })
}

/// The message that nothing was decided about a target, with what something was decided about.
fn nothing_about(target: &str, story: &Story<'_>) -> String {
    let known = match Target::parse(target) {
        Target::Guard(..) => known_names("guards failed at", "no guard was told to fail", story.guards()),
        Target::Inlining(_) => {
            known_names("there are decisions in", "no call of a known function was compiled", story.inlining())
        }
        Target::Function(_) | Target::Place(..) | Target::Version(_) => {
            let names = story.events.iter().filter_map(|event| event.subject.function.clone());
            known_names("decisions are about", "no function was sampled", names.collect())
        }
    };
    format!(
        "--why {target}: nothing was decided about that; name a function, FILE:LINE or FUNCTION:LINE of a loop, a version, \
         inlining:FUNCTION or guard:FILE:LINE; {known}"
    )
}

fn known_names(there_is: &str, there_is_none: &str, mut names: Vec<String>) -> String {
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { there_is_none.to_owned() } else { format!("{there_is} {}", names.join(", ")) }
}
