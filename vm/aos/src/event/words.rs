//! Reasons in words: the one place in which the adaptive system speaks English.
//!
//! In: a [`Reason`]. Out: its words, which follow the name of what it is the reason of; and its two fields in a file, in
//! words and as data. Invariant: words are told from the reason alone.

use std::fmt::{self, Write};

use holloway_jit::trace::Layout;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serializer};

use super::{DropReason, Inlined, TraceFormed};
use crate::reason::{LoopName, NoProposal, Reason};

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: &f64| part * 100.0;
        match self {
            Self::FirstCall => f.write_str("first call"),
            Self::Least { choice, total, next, next_total, clock } => {
                let (total, next_total) = (clock.brief(*total), clock.brief(*next_total));
                write!(f, "{} comes to {total}, {} to {next_total}", choice.name(), next.name())
            }
            Self::NothingElse => f.write_str("there is nothing else to do"),
            Self::MayBeChance { ticks, sure } => write!(f, "{ticks} of {sure} ticks that make more than chance"),
            Self::TickFell => f.write_str("a tick fell on it"),
            Self::PathsUnused => f.write_str("paths are not used"),
            Self::Counted { calls, back_edges } => write!(f, "{calls} calls and {back_edges} back edges"),
            Self::CountedFew { calls, back_edges } => {
                write!(f, "{calls} calls and {back_edges} back edges are too few")
            }
            Self::LoopTicks(ticks) => write!(f, "{ticks} ticks fell on its loops"),
            Self::FewLoopTicks(ticks) => write!(f, "{ticks} ticks on its loops are too few"),
            Self::Impossible => f.write_str("it cannot be profiled or specialized"),
            Self::SmallPromise(gain) => {
                write!(f, "a profile should lead to a gain of {:.1}%, too little", percent(gain))
            }
            Self::BudgetSpent => f.write_str("profiles have had their part of the run so far"),
            Self::NoLoop => f.write_str("it has no loop"),
            Self::NoHotLoop => f.write_str("no loop of it is hot"),
            Self::OfLoop(name, reason) => write!(f, "{name}: {reason}"),
            Self::OneWay => f.write_str("it has one path of its own, of which a trace would leave nothing out"),
            Self::Settled => f.write_str("its versions were invalidated too often, so it stays general"),
            Self::Rests(_) => f.write_str("it rests after a profile that led to nothing"),
            Self::LittleTime => f.write_str("it has too little of the function's time, or is being profiled elsewhere"),
            Self::Saves(gain) => write!(f, "it should save {:.1}% of the function's time", percent(gain)),
            Self::SavesLittle { gain, least } => {
                let (gain, least) = (percent(gain), percent(least));
                write!(f, "it should save {gain:.1}% of the function's time, less than {least:.0}% is not tried")
            }
            Self::SavesNothing => f.write_str("it should save nothing"),
            Self::GainsNothing { coverage, cost, general } => write!(
                f,
                "specialized for {:.1}% of its iterations it should gain nothing: one of them would cost {cost:.1} \
                 instead of {general:.1}, and each other fail a guard",
                percent(coverage)
            ),
            Self::SmallShare { share, least } => {
                let (share, least) = (percent(share), percent(least));
                write!(f, "it has {share:.1}% of the function's time, less than {least:.0}% is not specialized")
            }
            Self::Vain(gain) => {
                write!(f, "it should save {:.1}%, and what promised as much gained nothing", percent(gain))
            }
            Self::NothingRan => f.write_str("none of its loops ran while it was profiled"),
            Self::NoProposal(none) => f.write_str(none.words()),
            Self::Comparison => f.write_str("general code to compare its speed with"),
            Self::General => f.write_str("general code for what ran with probes or traces"),
            Self::Outdated { lost, clock } => {
                write!(f, "calls that its profile kept it from inlining took {}", clock.brief(*lost))
            }
            Self::Advice => f.write_str("the advice says so"),
            Self::Installed => f.write_str("its code is installed"),
            Self::WindowFull => f.write_str("the profile is complete"),
            Self::Rested => f.write_str("a loop of it may be profiled again"),
            Self::Gained(gain) => write!(f, "it saves {:.1}% of the program's time, as measured", percent(gain)),
            Self::Dropped(reason) => f.write_str(reason.words()),
            Self::NotNeeded => f.write_str("it is not needed any more"),
            Self::NothingFormed => f.write_str("none of its loops could be specialized"),
            Self::NoFunction => f.write_str("it is about a function that the program does not have"),
            Self::TooLarge => f.write_str("it is too large to be optimized"),
            Self::NoProgress => {
                f.write_str("its speed cannot be compared: no loop that could be counted comes round often enough")
            }
            Self::LargeState => f.write_str("too many locals are live at the loop's header"),
            Self::DeepNest => f.write_str("too many loops are around the loop"),
            Self::WatchedElsewhere => f.write_str("it is being profiled where it is inlined"),
            Self::NoProbes => f.write_str("its loops cannot be profiled"),
            Self::NoCodeMemory => f.write_str("the memory for code is used up"),
            Self::Said(words) => f.write_str(words),
        }
    }
}

impl fmt::Display for LoopName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the loop at line {}", self.line)?;
        match &self.callee {
            None => Ok(()),
            Some(Inlined { function, call_line, .. }) => {
                write!(f, " of {function}, inlined into {} at line {call_line}", self.function)
            }
        }
    }
}

impl NoProposal {
    /// The reason in words, said of a loop.
    fn words(self) -> &'static str {
        match self {
            Self::NothingRepeats => "no path of it repeats enough to be worth a trace",
            Self::ShortRuns => "its path repeats for too few iterations at a time to be worth a trace",
            Self::TooLarge => "traces of all that repeats in it would be too large",
            Self::TooMany => "traces of all that repeats in it would be too many",
            Self::LittleCovered => "what repeats in it covers too few of its iterations to be worth a trace",
            Self::LeftOut => "this run does without the traces that it could have",
            Self::NotTried => "the traces that cover most iterations were tried, and these are of other loops",
            Self::OnePath => "its blocks lead nowhere else but out of the loop, so a trace would leave nothing out",
            Self::NotFormed => "what repeats in it could not be formed as a trace",
            Self::CallsLoops => {
                "its usual way calls functions with loops that run, which a trace would copy for each call"
            }
            Self::Unrolled => {
                "its iterations are in line in a trace of the loop around it, which was considered instead"
            }
            Self::AnotherLoop => "another loop should gain more, and one version cannot have both",
        }
    }
}

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

impl TraceFormed {
    /// Form of the loop, in words.
    pub fn form(&self) -> String {
        let mut words = String::new();
        match (self.layout, self.traces) {
            (Layout::Apart, 1) => words.push_str("a trace"),
            (Layout::Apart, several) => _ = write!(words, "{several} traces"),
            (Layout::Through, 1) => words.push_str("a path through the loop"),
            (Layout::Through, several) => _ = write!(words, "{several} paths through the loop"),
        }
        words
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

/// The field `reason`.
pub(super) mod reason {
    use super::{Reason, Serializer, write};

    pub(in crate::event) use super::read_one as deserialize;

    pub(in crate::event) fn serialize<S: Serializer>(reason: &Reason, out: S) -> Result<S::Ok, S::Error> {
        write("reason", reason, out)
    }
}

/// The field `why`.
pub(super) mod why {
    use super::{Reason, Serializer, write};

    pub(in crate::event) use super::read_one as deserialize;

    pub(in crate::event) fn serialize<S: Serializer>(reason: &Reason, out: S) -> Result<S::Ok, S::Error> {
        write("why", reason, out)
    }
}

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
