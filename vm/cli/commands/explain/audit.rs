//! `explain --audit` and `--without VERSION`: replays of a run, as it was and with decisions left out.
//!
//! In: a program. Out: its output, once; then what each decision is worth. Invariant: all replays are of the advice of the one run that is told.

use super::again::whole_runs;
use super::first_run::{KeptStreams, kept};
use crate::commands::bench::interruptible;
use crate::config::{AuditConfig, Audited, ExplainConfig};
use crate::{Exit, refuse, show};
use holloway::whole_file;
use holloway_aos::Advice;
use holloway_study::diff::runs::Spread;
use holloway_study::report::audit::{Audit, AuditedDecision, compilations, cpu_of_run, decisions};
use holloway_study::report::fit::fit;
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::one_line;
use holloway_study::run::Run;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Decisions that are left out, one at a time, where none is named: those in whose code the run was longest.
const MOST_AUDITED: usize = 12;

/// Runs the program, and replays of it.
pub(super) fn audit(config: &ExplainConfig, asked: &AuditConfig) -> Result<Exit, Exit> {
    let cannot = |error: &dyn Display| refuse(&format_args!("--audit: {error}"), Exit::Failure);
    let folder = tempfile::tempdir().map_err(|error| cannot(&error))?;
    let mut execution = config.execution.clone();
    let file = execution.adaptive.advice.get_or_insert_with(|| folder.path().join("advice.json")).clone();
    let streams = KeptStreams::default();
    let (run, exit) = kept(config, &execution, &streams)?;
    let seen = (folder.path(), (&streams, exit));
    let runs = whole_runs(config, &asked.turns, seen).map_err(|error| cannot(&error))?;
    let text = whole_file::advice(&file).map_err(|error| cannot(&error))?;
    let advice = Advice::parse(&text).map_err(|error| cannot(&error))?;
    let (audited, left_out) = audited(&run, &advice, &asked.audited)?;
    let mut kinds = vec![replay(&file)];
    for (nth, decision) in audited.iter().enumerate() {
        let file = folder.path().join(format!("without-{nth}.json"));
        let without = advice.without(&decision.compilations);
        std::fs::write(&file, without.to_json()).map_err(|error| cannot(&error))?;
        kinds.push(replay(&file));
    }
    let times = runs.in_turns(&kinds, &interruptible()).map_err(|error| cannot(&error))?;
    let mut spreads = times.into_iter().map(|times| Spread::of(times.into_iter()));
    let replay = spreads.next().expect("the run as it was is one");
    let decisions = audited.into_iter().zip(spreads).collect();
    let audit = Audit {
        program: run.head.program.clone(),
        run: cpu_of_run(&run),
        clock: run.head.clock,
        replay,
        decisions,
        left_out,
    };
    let style = config.messages.style;
    let text = match config.format {
        OutputFormat::Json => format!("{}\n", audit.json()),
        OutputFormat::Text => fit(&audit.text(), style.width),
    };
    match show(&text) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

fn replay(advice: &Path) -> Vec<OsString> {
    vec!["--replay".into(), PathBuf::from(advice).into_os_string()]
}

/// The decisions to leave out, in order, and how many more there were.
fn audited(run: &Run, advice: &Advice, asked: &Audited) -> Result<(Vec<AuditedDecision>, usize), Exit> {
    let known: BTreeSet<_> = advice.compilations().collect();
    let mut all = decisions(run);
    all.retain(|decision| decision.compilations.is_subset(&known));
    match asked {
        Audited::All => {
            let left_out = all.len().saturating_sub(MOST_AUDITED);
            all.sort_by(|a, b| b.time.total_cmp(&a.time));
            all.truncate(MOST_AUDITED);
            all.sort_by_key(|decision| decision.at);
            Ok((all, left_out))
        }
        Audited::Versions(versions) => {
            let compilations = compilations(run);
            let of = |version: &String| {
                let found = all.iter().find(|decision| decision.has(version));
                let only = found.map(|found| found.only(version, |id| compilations.get(&id).copied()));
                only.ok_or_else(|| refuse(&no_version(version, &all), Exit::Usage))
            };
            Ok((versions.iter().map(of).collect::<Result<_, _>>()?, 0))
        }
    }
}

fn no_version(version: &str, all: &[AuditedDecision]) -> String {
    let names: Vec<&str> = all.iter().flat_map(|of| &of.versions).map(|(_, name)| name.as_str()).collect();
    let known = match names.is_empty() {
        true => "nothing was compiled by decision".to_owned(),
        false => format!("there are {}", names.join(", ")),
    };
    one_line(&format!("--without {version}: the run has no such version that was decided on; {known}"))
}
