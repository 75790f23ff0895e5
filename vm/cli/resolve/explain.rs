//! `explain`, resolved.
//!
//! In: its options. Out: its configuration. Invariant: pure, as all of resolving.

use super::shared::{execution, is_stdin, messages, output_format, own_binary, progress, source};
use crate::args::{ExplainArgs, LeftOut};
use crate::command::Command;
use crate::config::{
    AdaptiveConfig, AuditConfig, Audited, DecidedBy, ExecutionConfig, ExplainConfig, Explained, Measure, Program,
    ReportPart, Source,
};
use crate::environment::Environment;
use crate::settings::AUDIT_TURNS;
use crate::usage::UsageError;
use holloway::TierChoice;
use holloway_aos::Parts;
use holloway_measure::extent::Rounds;

pub(super) fn explain(args: ExplainArgs, environment: &Environment) -> Result<Command, UsageError> {
    if args.execution.tier != TierChoice::Auto {
        let tier = args.execution.tier.name();
        let message =
            format!("nothing is decided with --tier {tier}; 'explain' tells of --tier auto, leave --tier out");
        return Err(UsageError::new("explain", message));
    }
    if args.execution.fuel.is_some() {
        let message = "nothing is decided where fuel is counted; leave --fuel out, or limit the run by --time-limit";
        return Err(UsageError::new("explain", message));
    }
    if args.events.as_deref().is_some_and(is_stdin) {
        let message = "--events - is standard output, where 'explain' prints; name a file, or write 'run --events -'";
        return Err(UsageError::new("explain", message));
    }
    let explained = match args.file {
        None => Explained::Demonstration,
        Some(file) => Explained::Program(Program { source: source(file), args: args.args }),
    };
    let part = |left_out: &LeftOut| if let LeftOut::Part(part) = left_out { Some(*part) } else { None };
    let without: Parts = args.without.iter().filter_map(part).collect();
    let versions = args.without.into_iter().filter_map(|left_out| match left_out {
        LeftOut::Version(version) => Some(version),
        LeftOut::Part(_) => None,
    });
    let audited = Audited::of(versions.collect());
    if let (Audited::Versions(_), Some(option)) = (
        &audited,
        [
            ("--why", args.why.is_some()),
            ("--story", args.story),
            ("--measure", args.measure.is_some()),
            ("--what-if", !args.what_if.is_empty()),
        ]
        .iter()
        .find(|(_, asked)| *asked),
    ) {
        let message = format!("--without VERSION measures by replays, and {} tells of something else", option.0);
        return Err(UsageError::new("explain", message));
    }
    let adaptive = AdaptiveConfig {
        decided_by: DecidedBy::Strategy(args.policy),
        events: args.events,
        without,
        set: args.set.set,
        advice: args.advice,
        save: args.save,
    };
    let part = match args.why {
        Some(target) => ReportPart::Why(target),
        None if args.story => ReportPart::Story,
        None => ReportPart::Overview,
    };
    let from_stdin = matches!(&explained, Explained::Program(Program { source: Source::Stdin, .. }));
    let turns = match &audited {
        Audited::Versions(_) => Some(args.audit.unwrap_or(AUDIT_TURNS)),
        Audited::All => args.audit,
    };
    let again =
        [("--measure", args.measure.is_some()), ("--what-if", !args.what_if.is_empty()), ("--audit", turns.is_some())];
    if let (true, Some((option, _))) = (from_stdin, again.iter().find(|(_, asked)| *asked)) {
        let message = format!("{option} runs the program again; name a file instead of standard input");
        return Err(UsageError::new("explain", message));
    }
    let progress = progress(environment);
    let measured = |rounds| Ok(Measure { rounds, executable: own_binary("explain", environment)?, progress });
    let measure = args.measure.and_then(Rounds::new).map(measured).transpose()?;
    let audit = turns.and_then(Rounds::new).map(measured).transpose()?.map(|turns| AuditConfig { turns, audited });
    Ok(Command::Explain(ExplainConfig {
        explained,
        part,
        what_if: args.what_if,
        measure,
        audit,
        execution: ExecutionConfig { adaptive, ..execution(&args.execution) },
        format: output_format(args.json),
        messages: messages(&args.messages, environment),
    }))
}
