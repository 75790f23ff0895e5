//! Options of a command that are built only if the command line names it.
//!
//! In: a command's options. Out: the same, behind clap's [`Command::defer`]. All commands have hundreds of options, and a short program needs
//! those of one.

use clap::builder::{Resettable, StyledStr};
use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};

/// Options of a command.
#[derive(Debug)]
pub struct Deferred<T>(pub T);

/// Options are declared after the command that they are of; its description stands.
fn keeping_about(command: Command, augment: fn(Command) -> Command) -> Command {
    let kept = |about: Option<&StyledStr>| about.cloned().map_or(Resettable::Reset, Resettable::Value);
    let (about, long_about) = (kept(command.get_about()), kept(command.get_long_about()));
    augment(command).about(about).long_about(long_about)
}

impl<T: Args> Args for Deferred<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(command: Command) -> Command {
        command.defer(|command| keeping_about(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| keeping_about(command, T::augment_args_for_update))
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Deferred)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
