//! The options that change the adaptive system: parts that are left out, and settings.

use clap::Args;
use clap::builder::{StringValueParser, TypedValueParser};

use super::choice::choice;
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

/// The parser of parts and versions. Names of versions have a `/`, which no part has.
pub(super) fn left_out() -> impl TypedValueParser<Value = LeftOut> {
    let parsed = |text: &str| match Part::ALL.into_iter().chain([Part::Splits]).find(|part| part.name() == text) {
        Some(part) => Ok(LeftOut::Part(part)),
        None if text.contains('/') || text.parse::<u32>().is_ok() => Ok(LeftOut::Version(text.to_owned())),
        None => {
            let parts = Part::ALL.map(Part::name).join(", ");
            Err(format!("name a part, {parts}, or a version, as walk/trace-1 or its number"))
        }
    };
    StringValueParser::new().try_map(move |text| parsed(&text))
}

/// The settings that are changed.
#[derive(Args, Debug)]
pub struct SetArgs {
    /// Decide by another value of a setting; a wrong name is answered with all of them, and with their values
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Options for recompilation")]
    pub set: Vec<String>,
}
