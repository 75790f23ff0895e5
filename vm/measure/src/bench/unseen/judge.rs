//! One program: from its files to its times.
//!
//! In: a program of the folder. Out: [`Measured`], or the reason for which it is left out. C is built; a size is found
//! if none is known; every contestant runs once, at size `mid` if that is known, and the outputs are compared; those
//! without a fault run in rounds; one more run writes its events. Invariants: outputs are compared with what
//! `expected.json` says, or else with what C prints; a program is left out only where C fails, or Holloway in every
//! tier: a contestant that fails alone is a fault.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::super::child::Children;
use super::super::contender::{Recipe, of_c};
use super::super::gains::{events_of, specialized};
use super::super::race::{Entrant, Fault, Interrupted, Outcome, build, compared, race, run_once};
use super::super::results::BenchError;
use super::super::workspace::Workspace;
use super::config::UnseenConfig;
use super::contestant::Contestant;
use super::error::UnseenError;
use super::folder::{Folder, UnseenProgram};
use super::results::{Measured, SizeOrigin};
use super::sizing::{Trial, find_size};
use crate::extent::{Rounds, SizeName};
use crate::settings::{PATIENCE, TRIAL_LIMIT};

/// All that the programs of a folder have in common.
pub(super) struct Judge<'a> {
    pub(super) config: &'a UnseenConfig,
    pub(super) folder: &'a Folder,
    /// The C compiler.
    pub(super) compiler: &'static str,
    pub(super) workspace: &'a Workspace,
    pub(super) children: &'a Children,
    pub(super) bar: &'a ProgressBar,
}

/// A program that is left out, with the reason.
type LeftOut = String;

/// Number of steps of the progress bar for a program: one run of each contestant, the rounds, and a run with events.
pub(super) fn steps(rounds: Rounds) -> u64 {
    let contestants = Contestant::ALL.len() as u64;
    contestants * (1 + u64::from(rounds.get())) + 1
}

/// A program whose C is built, with its size.
struct Sized<'a> {
    program: &'a UnseenProgram,
    /// The compiled C.
    binary: PathBuf,
    size: u64,
    from: SizeOrigin,
}

/// The outputs of a program, compared.
struct Checked {
    /// By contestant.
    faults: Vec<Option<Fault>>,
    /// The right output at the size that is measured.
    output: String,
}

impl Judge<'_> {
    /// Measures a program.
    pub(super) fn measure(&self, program: &UnseenProgram) -> Result<Result<Measured, LeftOut>, UnseenError> {
        let sized = match self.sized(program)? {
            Ok(sized) => sized,
            Err(why) => return Ok(Err(why)),
        };
        let Checked { faults, output } = match self.check(&sized)? {
            Ok(checked) => checked,
            Err(why) => return Ok(Err(why)),
        };
        let outcomes = self.rounds(&sized, faults, &output)?;
        let mut versions = Vec::new();
        self.tell(program, "events");
        if outcomes[Contestant::Auto as usize].series().is_some() {
            let run = self.recipe(&sized, Contestant::Auto, sized.size).run;
            versions = specialized(&events_of(&run, self.workspace, self.children)?);
        }
        let Sized { size, from, .. } = sized;
        Ok(Ok(Measured { name: program.name.clone(), size, from, output, outcomes, versions }))
    }

    /// Builds the C program and chooses a size.
    fn sized<'p>(&self, program: &'p UnseenProgram) -> Result<Result<Sized<'p>, LeftOut>, UnseenError> {
        self.bar.set_message(format!("{}: {}", program.name, self.compiler));
        let binary = self.workspace.folder("built").map_err(BenchError::Workspace)?.join(&program.name);
        let command = of_c(self.compiler, &[], &program.c, &binary, &self.folder.path).within(PATIENCE);
        let recipe = Recipe { build: Some(command.clone()), run: command };
        if let Err(fault) = build(&recipe, self.children)? {
            return Ok(Err(format!("its C program {fault}")));
        }
        let known = self.folder.expectations.size(&program.name, self.config.size);
        let (size, from) = match (self.config.given(&program.name), known) {
            (Some(given), _) => (given, SizeOrigin::Given),
            (None, Some(known)) => (known, SizeOrigin::Expected),
            (None, None) => match find_size(|size| self.trial(program, &binary, size))? {
                Ok(found) => (found.size, SizeOrigin::Found(found.took)),
                Err(fault) => return Ok(Err(format!("its C program ends well with no size: {fault}"))),
            },
        };
        Ok(Ok(Sized { program, binary, size, from }))
    }

    /// Runs the C program to see how long it takes with a size.
    fn trial(&self, program: &UnseenProgram, binary: &Path, size: u64) -> Result<Trial, Interrupted> {
        self.bar.set_message(format!("{}: size {size}", program.name));
        let recipe = Contestant::C.recipe(&self.config.executable, program, binary, size);
        Ok(match run_once(&recipe.run.within(TRIAL_LIMIT), self.children)? {
            Ok((run, _)) => Trial::Took(run.cpu),
            Err(fault) => Trial::Failed(fault),
        })
    }

    /// Runs every contestant once and compares the outputs.
    fn check(&self, sized: &Sized<'_>) -> Result<Result<Checked, LeftOut>, Interrupted> {
        let size = self.checked_size(sized);
        let mut outputs = Vec::new();
        for contestant in Contestant::ALL {
            self.tell(sized.program, contestant.name());
            outputs.push(self.output(sized, contestant, size)?);
        }
        let (c, own) = outputs.split_first().expect("C is a contestant");
        let printed_by_c = match c {
            Ok(output) => output,
            Err(fault) => return Ok(Err(format!("its C program {fault}"))),
        };
        if let Some(fault) = own.iter().find_map(|output| output.as_ref().err())
            && own.iter().all(Result::is_err)
        {
            return Ok(Err(fault.to_string()));
        }
        let right = self.known_output(sized, size).unwrap_or_else(|| printed_by_c.clone());
        let measured = match (size == sized.size, self.known_output(sized, sized.size)) {
            (true, _) => right.clone(),
            (false, Some(known)) => known,
            (false, None) => match self.output(sized, Contestant::C, sized.size)? {
                Ok(output) => output,
                Err(fault) => return Ok(Err(format!("its C program {fault}"))),
            },
        };
        let faults = outputs.into_iter().map(|output| output.and_then(|output| compared(&output, &right)).err());
        Ok(Ok(Checked { faults: faults.collect(), output: measured }))
    }

    /// The size at which outputs are compared: `mid` where it belongs to the measured one, since it takes less time.
    fn checked_size(&self, sized: &Sized<'_>) -> u64 {
        let is_default = self.config.size == SizeName::Default && sized.from == SizeOrigin::Expected;
        let mid = self.folder.expectations.size(&sized.program.name, SizeName::Mid);
        mid.filter(|_| is_default).unwrap_or(sized.size)
    }

    fn known_output(&self, sized: &Sized<'_>, size: u64) -> Option<String> {
        self.folder.expectations.output(&sized.program.name, size)
    }

    /// The output of one run.
    fn output(
        &self,
        sized: &Sized<'_>,
        contestant: Contestant,
        size: u64,
    ) -> Result<Result<String, Fault>, Interrupted> {
        let ran = run_once(&self.recipe(sized, contestant, size).run, self.children)?;
        Ok(ran.map(|(_, output)| output))
    }

    /// Runs those without a fault in turn.
    fn rounds(&self, sized: &Sized<'_>, faults: Vec<Option<Fault>>, output: &str) -> Result<Vec<Outcome>, Interrupted> {
        let running: Vec<Contestant> =
            Contestant::ALL.into_iter().zip(&faults).filter(|(_, fault)| fault.is_none()).map(|(at, _)| at).collect();
        let entrant = |contestant: &Contestant| Entrant {
            recipe: self.recipe(sized, *contestant, sized.size),
            expected: output.to_owned(),
        };
        let entrants: Vec<Entrant> = running.iter().map(entrant).collect();
        let raced = race(&entrants, self.config.rounds, self.children, |at| {
            self.tell(sized.program, running[at].name());
        })?;
        let mut raced = raced.into_iter();
        let outcome = |fault| match fault {
            Some(fault) => Outcome::Failed(fault),
            None => raced.next().expect("each of them ran"),
        };
        Ok(faults.into_iter().map(outcome).collect())
    }

    fn recipe(&self, sized: &Sized<'_>, contestant: Contestant, size: u64) -> Recipe {
        contestant.recipe(&self.config.executable, sized.program, &sized.binary, size)
    }

    /// Shows what is about to run.
    fn tell(&self, program: &UnseenProgram, what: &str) {
        self.bar.set_message(format!("{}: {what}", program.name));
        self.bar.inc(1);
    }
}
