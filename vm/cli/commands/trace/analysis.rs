//! Questions about the values of a recorded run: facts, slices, currency.
//!
//! The program is loaded from the recording and executed again, along the recorded path; to its end, if the recording was cut short.

use super::run::{Run, damaged};
use crate::config::{HottestConfig, Question, SliceApproach, SliceConfig, TraceConfig};
use crate::overwriting::{refuse_overwriting, refuse_sources};
use crate::{Exit, refuse, show};
use cranelift_entity::EntityRef;
use holloway_jit::graph_of::block_of;
use holloway_lang::ir::FuncRef;
use holloway_lang::source::{FileId, SourceMap};
use holloway_measure::bench::progress::{self, ProgressBar};
use holloway_profiler::wpp::slice::Approach;
use holloway_profiler::wpp::{Replay, ReplayCheck};
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::one_line;
use holloway_study::report::trace as report;
use holloway_study::report::trace::asked;
use holloway_study::trace::currency::run::{CurrencyQuestion, currency};
use holloway_study::trace::facts::place::SourceProgram;
use holloway_study::trace::query::loads_in_hand;
use holloway_study::trace::settings::MOST_KEPT;
use holloway_study::trace::{
    self, AnswerError, Fact, FactAnswer, FactQuestion, LoadFacts, PlaceError, ProgramExecution, RecordedPath, Reloaded,
    SliceQuestion, SourceLine, SourceSlice,
};
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroU64;

/// Blocks of the recorded path between two steps of the progress that is shown.
const BLOCKS_OF_A_STEP: u64 = 1 << 18;

/// Answers one of them.
pub(super) fn answer(config: &TraceConfig, run: &mut Run) -> Result<Exit, Exit> {
    let path = run.whole().map_err(|error| damaged(config, &error))?;
    let reloaded = trace::reload(&path.program).map_err(|error| refused(config, &error))?;
    if !path.complete {
        note(config, "the recording ends before its run did; the answer is about the part that is in it");
    }
    let asked = Asked { config, bar: progress::bar(config.progress, path.events() / BLOCKS_OF_A_STEP) };
    let mut blocks = Replay::new(&path).enumerate().map(|(nth, event)| {
        if (nth as u64).is_multiple_of(BLOCKS_OF_A_STEP) {
            asked.bar.inc(1);
        }
        (FuncRef::new(event.function.as_u32() as usize), block_of(event.block))
    });
    let recorded = match path.complete {
        true => RecordedPath::Blocks(&mut blocks),
        false => RecordedPath::Activations(ReplayCheck::new(&path)),
    };
    if let Question::Query(asked::Fact::Load, at, variable) = &config.question {
        return Ok(asked.show(&asked.loads(reloaded, recorded, at, variable.as_deref())?));
    }
    if let Question::Slice(slice @ SliceConfig { approach: SliceApproach::Instances, .. }) = &config.question {
        return Ok(asked.show(&asked.slice_forward(reloaded, recorded, slice)?));
    }
    if let Question::Query(fact, at, variable) = &config.question
        && path.events() > MOST_KEPT
    {
        return Ok(asked.show(&asked.fact_forward(reloaded, recorded, (*fact, at), variable.as_deref())?));
    }
    if let Question::Hottest(hottest) = &config.question {
        return Ok(asked.show(&asked.hottest(reloaded, recorded, hottest)?));
    }
    let Reloaded { program, mut run } = reloaded;
    let execution = match &config.question {
        Question::Currency(..) => trace::execute_path(run.rerun(), Some(recorded)),
        _ => trace::execute(run.rerun(), Some(recorded)),
    };
    let execution = execution.map_err(|error| asked.refused(&error))?;
    let program = program.sourced();
    let text = match &config.question {
        Question::Slice(slice) => asked.slice(program, &execution, slice)?,
        Question::Query(fact, at, variable) => asked.fact(program, &execution, (*fact, at), variable.as_deref())?,
        Question::Currency(at, variable) => asked.currency(program, &execution, at, variable)?,
        Question::Hottest(_) | Question::Info | Question::Extract(..) | Question::Replay(_) | Question::Find(..) => {
            unreachable!("they are answered from the path")
        }
    };
    Ok(asked.show(&text))
}

fn fact_of(fact: asked::Fact) -> Fact {
    match fact {
        asked::Fact::Load => Fact::Load,
        asked::Fact::Expr => Fact::Expression,
        asked::Fact::Def => Fact::Definition,
    }
}

/// The question, for whoever is told that there is no answer.
struct Asked<'a> {
    config: &'a TraceConfig,
    /// Shows how far the run has come. It is cleared before anything else is shown.
    bar: ProgressBar,
}

impl Asked<'_> {
    fn show(&self, answer: &str) -> Exit {
        self.bar.finish_and_clear();
        show(answer)
    }

    /// Computes a slice of a run that is followed and not kept.
    fn slice_forward(
        &self,
        Reloaded { program, mut run }: Reloaded,
        recorded: RecordedPath<'_>,
        asked: &SliceConfig,
    ) -> Result<String, Exit> {
        let program = program.sourced();
        let question = self.slice_question(program, asked)?;
        let slice = trace::slice_forward(program, (run.rerun(), Some(recorded)), question);
        Ok(self.slice_told(&slice.map_err(|error| self.no_answer(&asked.at, &error))?, program.sources, asked))
    }

    fn slice(&self, program: SourceProgram<'_>, run: &ProgramExecution, asked: &SliceConfig) -> Result<String, Exit> {
        let question = self.slice_question(program, asked)?;
        let slice = trace::slice(program, run, question).map_err(|error| self.nothing(&asked.at, &error))?;
        Ok(self.slice_told(&slice, program.sources, asked))
    }

    fn slice_question<'q>(
        &self,
        program: SourceProgram<'_>,
        asked: &'q SliceConfig,
    ) -> Result<SliceQuestion<'q>, Exit> {
        Ok(SliceQuestion {
            at: self.line(program, &asked.at)?,
            variable: &asked.variable,
            occurrence: asked.occurrence.map(NonZeroU64::get),
            approach: match asked.approach {
                SliceApproach::Nodes => Approach::Nodes,
                SliceApproach::Edges => Approach::Edges,
                SliceApproach::Instances => Approach::Instances,
            },
        })
    }

    fn slice_told(&self, slice: &SourceSlice, sources: &SourceMap, asked: &SliceConfig) -> String {
        match self.config.format {
            OutputFormat::Json => report::slice_json(slice, sources),
            OutputFormat::Text => report::slice_text(slice, sources, (&asked.variable, &asked.at)),
        }
    }

    fn fact(
        &self,
        program: SourceProgram<'_>,
        run: &ProgramExecution,
        (fact, at): (asked::Fact, &asked::SourceLine),
        variable: Option<&str>,
    ) -> Result<String, Exit> {
        let fact = fact_of(fact);
        let question = FactQuestion { fact, at: self.line(program, at)?, variable };
        let found = trace::query(program, run, question).map_err(|error| self.nothing(at, &error))?;
        Ok(self.fact_told(&found, program.sources, (fact, at)))
    }

    /// Answers a question about a run that is followed and not kept.
    fn fact_forward(
        &self,
        Reloaded { program, mut run }: Reloaded,
        recorded: RecordedPath<'_>,
        (fact, at): (asked::Fact, &asked::SourceLine),
        variable: Option<&str>,
    ) -> Result<String, Exit> {
        let program = program.sourced();
        let question = FactQuestion { fact: fact_of(fact), at: self.line(program, at)?, variable };
        let found = trace::query_forward(program, (run.rerun(), Some(recorded)), question);
        let found = found.map_err(|error| self.no_answer(at, &error))?;
        Ok(self.fact_told(&found, program.sources, (question.fact, at)))
    }

    /// Counts how often the loads of a line had their value in hand, in a run that is followed and not kept.
    fn loads(
        &self,
        Reloaded { program, mut run }: Reloaded,
        recorded: RecordedPath<'_>,
        at: &asked::SourceLine,
        variable: Option<&str>,
    ) -> Result<String, Exit> {
        let program = program.sourced();
        let question = FactQuestion { fact: Fact::Load, at: self.line(program, at)?, variable };
        let found = loads_in_hand(program, (run.rerun(), Some(recorded)), question);
        let found = found.map_err(|error| self.no_answer(at, &error))?;
        Ok(self.fact_told(&found, program.sources, (Fact::Load, at)))
    }

    fn fact_told(&self, found: &FactAnswer, sources: &SourceMap, asked: (Fact, &asked::SourceLine)) -> String {
        match self.config.format {
            OutputFormat::Json => report::fact_json(found, sources),
            OutputFormat::Text => report::fact_text(found, sources, asked),
        }
    }

    fn hottest(
        &self,
        Reloaded { program, mut run }: Reloaded,
        recorded: RecordedPath<'_>,
        hottest: &HottestConfig,
    ) -> Result<String, Exit> {
        let program = program.sourced();
        if hottest.output.is_some() && program.module.linear.is_some() {
            return Err(self.refused(&"the optimizer has no use for facts about a module"));
        }
        let fact = fact_of(hottest.fact);
        let found = trace::hottest(program, (run.rerun(), Some(recorded)), fact);
        let found = found.map_err(|error| self.refused(&error))?;
        self.bar.finish_and_clear();
        if let Some(path) = &hottest.output {
            refuse_overwriting("-o", path, &[&self.config.run])?;
            refuse_sources("-o", path, program.sources)?;
            fs::write(path, LoadFacts::of(program, &found).to_json())
                .map_err(|error| refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure))?;
        }
        let report = report::Hottest { found: &found, program, fact, top: hottest.top };
        Ok(match self.config.format {
            OutputFormat::Json => report.json(),
            OutputFormat::Text => report.text(),
        })
    }

    fn currency(
        &self,
        program: SourceProgram<'_>,
        run: &ProgramExecution,
        at: &asked::SourceLine,
        variable: &str,
    ) -> Result<String, Exit> {
        let question = CurrencyQuestion { at: self.line(program, at)?, variable };
        let found = currency(program, run, question).map_err(|error| self.nothing(at, &error))?;
        Ok(match self.config.format {
            OutputFormat::Json => report::currency_json(&found, program.sources),
            OutputFormat::Text => report::currency_text(&found, program.sources, (variable, at)),
        })
    }

    /// The line of a source that is meant: of the file with this name, or with a name that ends so.
    fn line(&self, program: SourceProgram<'_>, at: &asked::SourceLine) -> Result<SourceLine, Exit> {
        // The first file of a module is made of its functions, and may have the name of its text.
        let is_made = |file: FileId| program.module.linear.is_some() && file.as_u32() == 0;
        let files = || {
            let (made, read): (Vec<_>, Vec<_>) = program.sources.files().partition(|(file, _)| is_made(*file));
            read.into_iter().chain(made)
        };
        let exact = files().find(|(_, file)| file.name == at.file || at.file.is_empty());
        let ending = || files().filter(|(_, file)| file.name.ends_with(&format!("/{}", at.file)));
        if exact.is_none() && ending().count() > 1 {
            let names: Vec<String> = ending().map(|(_, file)| one_line(&file.name)).collect();
            let file = one_line(&at.file);
            return Err(self.refused(&format_args!("several sources are called {file}: {}", names.join(", "))));
        }
        match exact.or_else(|| ending().next()) {
            Some((file, source)) if at.line <= source.line_count() => Ok(SourceLine { file, line: at.line }),
            Some((_, source)) => {
                let (name, lines) = (one_line(&source.name), source.text.lines().count());
                Err(self.refused(&format_args!("{name} has {lines} lines")))
            }
            None => {
                let names: Vec<String> = files().map(|(_, file)| one_line(&file.name)).collect();
                let file = one_line(&at.file);
                Err(self.refused(&format_args!("no source is called {file}; it has {}", names.join(", "))))
            }
        }
    }

    fn no_answer(&self, at: &asked::SourceLine, error: &AnswerError) -> Exit {
        match error {
            AnswerError::Place(error) => self.nothing(at, error),
            AnswerError::Execution(error) => self.refused(error),
        }
    }

    fn nothing(&self, at: &asked::SourceLine, error: &PlaceError) -> Exit {
        self.refused(&format_args!("{at}: {error}"))
    }

    fn refused(&self, error: &dyn Display) -> Exit {
        self.bar.finish_and_clear();
        refused(self.config, error)
    }
}

/// Tells on standard error what an answer is about.
pub(super) fn note(config: &TraceConfig, note: &str) {
    // If standard error is closed, there is nobody to tell.
    let _ = writeln!(io::stderr(), "holloway: {}: {note}", one_line(&config.run.display().to_string()));
}

/// There is no answer about the recording.
pub(super) fn refused(config: &TraceConfig, error: &dyn Display) -> Exit {
    let name = one_line(&config.run.display().to_string());
    refuse(&format_args!("{name}: {}", one_line(&error.to_string())), Exit::DoesNotCompile)
}
