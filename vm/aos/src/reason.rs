//! Reasons: why something was decided, refused, or changed its phase, as data and in words. Invariant: a reason carries
//! the figures that it goes by; nothing is decided by words.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::event::{Choice, DropReason, Inlined};
use crate::{Clock, Micros};

/// Makes a type of its reasons, one a row: the name, the figures, the words.
macro_rules! reasons {
    ($(#[$about:meta])* $all:ident {$(
        $name:ident $(($($at:ident: $of:ty),+))? $({$($figure:ident: $kind:ty),+})? => $words:literal $(, $said:expr)*;
    )+}) => {
        $(#[$about])*
        pub enum $all {$(
            #[doc = $words]
            $name $(($($of),+))? $({$($figure: $kind),+})?,
        )+}

        impl fmt::Display for $all {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {$(
                    Self::$name $(($($at),+))? $({$($figure),+})? => write!(f, $words $(, $said)*),
                )+}
            }
        }
    };
}

reasons! {
    /// A reason.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "each variant tells of its figures")]
    Reason {
        FirstCall => "first call";
        Least { choice: Choice, total: f64, next: Choice, next_total: f64, clock: Clock } =>
            "{} comes to {}, {} to {}", choice.name(), clock.brief(*total), next.name(), clock.brief(*next_total);
        NothingElse => "there is nothing else to do";
        MayBeChance { ticks: u64, sure: u64 } => "{ticks} of {sure} ticks that make more than chance";
        TickFell => "a tick fell on it";
        PathsUnused => "paths are not used";
        Counted { calls: u64, back_edges: u64 } => "{calls} calls and {back_edges} back edges";
        CountedFew { calls: u64, back_edges: u64 } => "{calls} calls and {back_edges} back edges are too few";
        LoopTicks(ticks: u64) => "{ticks} ticks fell on its loops";
        FewLoopTicks(ticks: u64) => "{ticks} ticks on its loops are too few";

        Impossible => "it cannot be profiled or specialized";
        BudgetSpent => "profiles have had their part of the run so far";
        NoLoop => "it has no loop";
        NoHotLoop => "no loop of it is hot";
        OfLoop(name: LoopName, reason: Box<Reason>) => "{name}: {reason}";
        OneWay => "it has one path of its own, of which a trace would leave nothing out";
        Settled => "its versions were invalidated too often, so it stays general";
        Rests(_until: Micros) => "it rests after a profile that led to nothing";
        LittleTime => "it has too little of the function's time, or is being profiled elsewhere";

        Saves(gain: f64) => "it should save {:.1}% of the function's time", gain * 100.0;
        SavesLittle { gain: f64, least: f64 } =>
            "it should save {:.1}% of the function's time, less than {:.0}% is not tried", gain * 100.0, least * 100.0;
        SavesNothing => "it should save nothing";
        GainsNothing { coverage: f64, cost: f64, general: f64 } =>
            "specialized for {:.1}% of its iterations it should gain nothing: one of them would cost {cost:.1} \
             instead of {general:.1}, and each other fail a guard", coverage * 100.0;
        SmallShare { share: f64, least: f64 } =>
            "it has {:.1}% of the function's time, less than {:.0}% is not specialized", share * 100.0, least * 100.0;
        NothingRan => "none of its loops ran while it was profiled";
        NoProposal(none: NoProposal) => "{none}";

        Comparison => "general code to compare its speed with";
        General => "general code for what ran with probes or traces";
        Outdated { lost: f64, clock: Clock } =>
            "calls that its profile kept it from inlining took {}", clock.brief(*lost);
        Advice => "the advice says so";

        Installed => "its code is installed";
        WindowFull => "the profile is complete";
        Rested => "a loop of it may be profiled again";
        Gained(gain: f64) => "it saves {:.1}% of the program's time, as measured", gain * 100.0;
        Dropped(reason: DropReason) => "{}", reason.words();

        NotNeeded => "it is not needed any more";
        NothingFormed => "none of its loops could be specialized";
        NoFunction => "it is about a function that the program does not have";
        TooLarge => "it is too large to be optimized";
        NoProgress => "its speed cannot be compared: no loop that could be counted comes round often enough";
        LargeState => "too many locals are live at the loop's header";
        DeepNest => "too many loops are around the loop";
        WatchedElsewhere => "it is being profiled where it is inlined";
        NoProbes => "its loops cannot be profiled";
        NoCodeMemory => "the memory for code is used up";
        Said(words: String) => "{words}";
    }
}

reasons! {
    /// Reasons for which a loop that was profiled has no proposal.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    NoProposal {
        NothingRepeats => "no path of it repeats enough to be worth a trace";
        ShortRuns => "its path repeats for too few iterations at a time to be worth a trace";
        TooLarge => "traces of all that repeats in it would be too large";
        TooMany => "traces of all that repeats in it would be too many";
        LittleCovered => "what repeats in it covers too few of its iterations to be worth a trace";
        LeftOut => "this run does without the traces that it could have";
        NotTried => "the traces that cover most iterations were tried, and these are of other loops";
        OnePath => "its blocks lead nowhere else but out of the loop, so a trace would leave nothing out";
        NotFormed => "what repeats in it could not be formed as a trace";
        CallsLoops => "its usual way calls functions with loops that run, which a trace would copy for each call";
        Unrolled => "its iterations are in line in a trace of the loop around it, which was considered instead";
        AnotherLoop => "another loop should gain more, and one version cannot have both";
    }
}

/// A loop as people know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopName {
    /// The line it starts on.
    pub line: u32,
    /// The function in whose code it is.
    pub function: String,
    /// The inlined function whose loop it is; `None` if it is the function's own.
    pub callee: Option<Inlined>,
}

impl fmt::Display for LoopName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the loop at line {}", self.line)?;
        let Some(Inlined { function, call_line, .. }) = &self.callee else { return Ok(()) };
        write!(f, " of {function}, inlined into {} at line {call_line}", self.function)
    }
}

impl From<&str> for Reason {
    fn from(words: &str) -> Reason {
        Reason::Said(words.to_owned())
    }
}
