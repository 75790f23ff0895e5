//! Subjects of events: the function, loop and version that something happened to, and the kinds of code. Invariant: the
//! file and line of a loop are those of the function it stands in, inlined or not.

use holloway_jit::Tier;
use serde::{Deserialize, Serialize};

use crate::action::CodePlan;

/// Subject of an event. Absent fields do not apply.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Subject {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<Inlined>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Kind>,
}

/// A function where it is inlined.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Inlined {
    pub function: String,
    pub file: String,
    pub call_line: u32,
}

/// The kinds of code, as the adaptive system tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Made at the first call, cheaply.
    Baseline,
    /// Optimized, with path probes and TFP registers.
    Profiled,
    /// Optimized, with nothing to watch.
    Optimized,
    /// Optimized, with traces.
    Specialized,
}

impl Subject {
    /// File, line and name of the function; empty and 0 where it concerns none.
    pub fn place(&self) -> (&str, u32, &str) {
        (
            self.file.as_deref().unwrap_or_default(),
            self.line.unwrap_or_default(),
            self.function.as_deref().unwrap_or_default(),
        )
    }

    /// The file that the loop stands in.
    pub fn loop_file(&self) -> Option<&str> {
        self.callee.as_ref().map(|inlined| inlined.file.as_str()).or(self.file.as_deref())
    }

    /// The function that the loop stands in.
    pub fn loop_function(&self) -> Option<&str> {
        self.callee.as_ref().map(|inlined| inlined.function.as_str()).or(self.function.as_deref())
    }

    /// The inlined function that the loop is one of, in words; nothing if it is the function's own.
    pub fn inlined_at(&self) -> Option<String> {
        let (inlined, function) = (self.callee.as_ref()?, self.function.as_deref()?);
        Some(format!("{}, inlined into {function} at line {}", inlined.function, inlined.call_line))
    }
}

impl Kind {
    /// The kind of code that a plan makes.
    pub fn of(plan: &CodePlan) -> Kind {
        match plan {
            CodePlan::Optimized => Kind::Optimized,
            CodePlan::Profiled(_) => Kind::Profiled,
            CodePlan::Specialized(_) => Kind::Specialized,
        }
    }

    /// The kind of code of a first call.
    pub(crate) fn first(tier: Tier) -> Kind {
        match tier {
            Tier::Baseline => Kind::Baseline,
            Tier::Optimized => Kind::Optimized,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Profiled => "profiled",
            Self::Optimized => "optimized",
            Self::Specialized => "specialized",
        }
    }
}
