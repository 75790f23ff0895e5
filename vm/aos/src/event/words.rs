//! Reasons, versions and traces in words, and reasons in files: in words, and as data. Invariant: a file that has the
//! words alone is read as what they say.

use holloway_jit::trace::Layout;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serializer};

use super::{DropReason, TraceFormed};
use crate::reason::Reason;
use crate::version::VersionState;

impl DropReason {
    /// The reason in words, said of a version.
    pub fn words(self) -> &'static str {
        match self {
            Self::Replaced => "a newer version took its place",
            Self::ProfileDone => "its profile is complete",
            Self::Abandoned => "the function now runs inlined in its caller",
            Self::Redefined => "its function has a new body",
            Self::GuardsFail => "its guards fail too often",
            Self::NoGain => "it measured no faster than general code",
            Self::Compared => "it was there to be compared with",
        }
    }
}

impl VersionState {
    /// The state in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Live => "in use",
            Self::Retired => "retired",
            Self::Dropped(DropReason::Replaced) => "replaced",
            Self::Dropped(DropReason::ProfileDone) => "profile complete",
            Self::Dropped(DropReason::Abandoned) => "runs elsewhere",
            Self::Dropped(DropReason::GuardsFail) => "guards failed",
            Self::Dropped(DropReason::NoGain) => "no gain",
            Self::Dropped(DropReason::Compared) => "compared",
            Self::Dropped(DropReason::Redefined) => "defined anew",
        }
    }
}

impl TraceFormed {
    /// Form of the loop, in words.
    pub fn form(&self) -> String {
        match (self.layout, self.traces) {
            (Layout::Apart, 1) => "a trace".to_owned(),
            (Layout::Apart, several) => format!("{several} traces"),
            (Layout::Through, 1) => "a path through the loop".to_owned(),
            (Layout::Through, several) => format!("{several} paths through the loop"),
        }
    }
}

/// A reason in a file: the field with the given name has its words, and `because` is the same as data.
fn write<S: Serializer>(name: &'static str, reason: &Reason, out: S) -> Result<S::Ok, S::Error> {
    let mut fields = out.serialize_map(Some(2))?;
    fields.serialize_entry(name, &reason.to_string())?;
    fields.serialize_entry("because", reason)?;
    fields.end()
}

/// The fields of a reason, as far as a file has them.
#[derive(Deserialize)]
struct Fields {
    #[serde(default, alias = "why", alias = "declined")]
    reason: Option<String>,
    #[serde(default)]
    because: Option<Reason>,
}

pub(super) fn read<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Reason>, D::Error> {
    let Fields { reason, because } = Fields::deserialize(input)?;
    Ok(because.or(reason.map(Reason::Said)))
}

pub(super) fn read_one<'de, D: Deserializer<'de>>(input: D) -> Result<Reason, D::Error> {
    read(input)?.ok_or_else(|| serde::de::Error::missing_field("reason"))
}

/// The field of a name.
macro_rules! field {
    ($($name:ident)+) => {$(
        pub(super) mod $name {
            use super::{Reason, Serializer, write};

            pub(in crate::event) use super::read_one as deserialize;

            pub(in crate::event) fn serialize<S: Serializer>(reason: &Reason, out: S) -> Result<S::Ok, S::Error> {
                write(stringify!($name), reason, out)
            }
        }
    )+};
}

field!(reason why);

/// The field `declined`, which may be absent.
pub(super) mod declined {
    use super::{Reason, SerializeMap, Serializer, write};

    pub(in crate::event) use super::read as deserialize;

    pub(in crate::event) fn serialize<S: Serializer>(reason: &Option<Reason>, out: S) -> Result<S::Ok, S::Error> {
        match reason {
            Some(reason) => write("declined", reason, out),
            None => out.serialize_map(Some(0))?.end(),
        }
    }
}
