//! The choices that `trace` leaves open.
//!
//! In: [`TraceArgs`]. Out: the command. Invariant: as in the module around.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use super::shared::{execution, is_stdin, messages, output_format, progress, subject, top};
use crate::args::{TraceArgs, TraceCommand, TraceQueryArgs, TraceRecordArgs};
use crate::command::Command;
use crate::config::{HottestConfig, Question, RecordConfig, SliceConfig, TraceConfig};
use crate::environment::Environment;
use crate::settings::DEFAULT_WIDTH;
use crate::usage::UsageError;
use holloway_study::report::trace::asked::{Direction, Fact, ReplayRange};

pub(super) fn trace(args: TraceArgs, environment: &Environment) -> Result<Command, UsageError> {
    let (run, question, json) = match args.command {
        TraceCommand::Record(args) => return record(args, environment),
        TraceCommand::Info(args) => (args.run, Question::Info, args.json),
        TraceCommand::Extract(args) => {
            let shown = top(args.top, output_format(args.json));
            (args.run, Question::Extract(args.function, shown), args.json)
        }
        TraceCommand::Replay(args) => {
            let from = args.from.map(|from| from_one(from, "--from")).transpose()?;
            let direction = if args.backward { Direction::Backward } else { Direction::Forward };
            (args.run, Question::Replay(ReplayRange { from, events: args.events, direction }), false)
        }
        TraceCommand::Find(args) => (args.run, Question::Find(args.function, args.path, args.top), args.json),
        TraceCommand::Query(args) => (args.run.clone(), fact(&args)?, args.json),
        TraceCommand::Slice(args) => {
            let occurrence = args.occurrence.map(|nth| from_one(nth, "--occurrence")).transpose()?;
            let slice = SliceConfig { at: args.at, variable: args.var, occurrence, approach: args.approach };
            (args.run, Question::Slice(slice), args.json)
        }
        TraceCommand::Currency(args) => (args.run, Question::Currency(args.at, args.var), args.json),
    };
    let width = environment.width.unwrap_or(DEFAULT_WIDTH);
    let (format, progress) = (output_format(json), progress(environment));
    Ok(Command::Trace(TraceConfig { run: file(run)?, question, format, width, progress }))
}

/// The question for a fact at a line, or for the hottest of the program.
fn fact(args: &TraceQueryArgs) -> Result<Question, UsageError> {
    match (args.hottest, args.fact, &args.at) {
        (Some(_), Fact::Def, _) => {
            Err(UsageError::new("trace", "--hottest ranks loads and operations: use --fact load or --fact expr"))
        }
        (Some(_), Fact::Expr, _) if args.output.is_some() => {
            Err(UsageError::new("trace", "-o saves redundant loads, of which the optimizer has use: use --fact load"))
        }
        (Some(top), fact, _) => {
            let (top, output) = (NonZeroUsize::new(top), args.output.clone());
            Ok(Question::Hottest(HottestConfig { fact, top, output }))
        }
        (None, _, Some(_)) if args.output.is_some() => {
            Err(UsageError::new("trace query", "-o saves what --hottest finds in the whole program: leave --at out"))
        }
        (None, fact, Some(at)) => Ok(Question::Query(fact, at.clone(), args.var.clone())),
        (None, _, None) => Err(UsageError::new("trace", "name a line with --at FILE:LINE, or use --hottest")),
    }
}

fn record(args: TraceRecordArgs, environment: &Environment) -> Result<Command, UsageError> {
    let program = subject("trace", args.subject)?;
    Ok(Command::Record(RecordConfig {
        program,
        execution: execution(&args.execution),
        output: file(args.output)?,
        limit: args.limit,
        messages: messages(&args.messages, environment),
    }))
}

/// A file that is read by its index, or replaced as a whole.
fn file(path: PathBuf) -> Result<PathBuf, UsageError> {
    match is_stdin(Path::new(&path)) {
        true => Err(UsageError::new("trace", "a recorded run is a file of its own: name one instead of -")),
        false => Ok(path),
    }
}

fn from_one(number: u64, option: &str) -> Result<NonZeroU64, UsageError> {
    NonZeroU64::new(number).ok_or_else(|| UsageError::new("trace", format!("{option} counts from 1")))
}
