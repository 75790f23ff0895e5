//! The options that change the adaptive system: parts that are left out, and settings.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, Error};

use super::choice::{Choice, choice};
use holloway_aos::Part;

/// The parts of the adaptive system that are left out.
#[derive(Args, Debug)]
pub struct WithoutArgs {
    /// Leave parts of the adaptive system out, to see what each of them gains or costs
    #[arg(
        long = "without",
        value_parser = choice::<Part>(),
        value_name = "PART,...",
        value_delimiter = ',',
        help_heading = "Options for recompilation"
    )]
    pub parts: Vec<Part>,
}

/// Something that `explain` leaves out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// A part of the adaptive system.
    Part(Part),
    /// A version, by its name or number.
    Version(String),
}

/// The parser of parts and versions.
#[derive(Clone)]
pub(super) struct LeftOutParser;

impl TypedValueParser for LeftOutParser {
    type Value = LeftOut;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<LeftOut, Error> {
        StringValueParser::new().try_map(left_out).parse_ref(command, arg, value)
    }

    /// The parts, for the help and for completions.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |(_, name, help)| PossibleValue::new(name).help(help);
        Some(Box::new(<Part as Choice>::all().into_iter().map(value)))
    }
}

/// A part or a version. Names of versions have a `/`, which no part has.
fn left_out(text: String) -> Result<LeftOut, String> {
    let parts = <Part as Choice>::all();
    match parts.iter().find(|(_, name, _)| *name == text) {
        Some((part, ..)) => Ok(LeftOut::Part(*part)),
        None if text.contains('/') || text.parse::<u32>().is_ok() => Ok(LeftOut::Version(text)),
        None => {
            let names: Vec<&str> = parts.iter().map(|(_, name, _)| *name).collect();
            let names = names.join(", ");
            Err(format!("name a part, {names}, or a version, as walk/trace-1 or its number"))
        }
    }
}

/// The settings that are changed.
#[derive(Args, Debug)]
pub struct SetArgs {
    /// Decide by another value of a setting; a wrong name is answered with all of them, and with their values
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Options for recompilation")]
    pub set: Vec<String>,
}
