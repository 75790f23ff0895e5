//! Variants of execution for a measurement.
//!
//! In: the need of a figure. Out: a [`Variant`], which gives the tier, the scheme and whether it is timed.
//! Invariant: compared variants differ only in their probes, except for the baseline tier, which is marked. Paths are numbered by counts of edges
//! where the scheme takes them, as in `[DD13]` 3.2; in the source's order where a paper compares two numberings that both do without.

use serde::{Deserialize, Serialize};

use super::tables::roy::paper::{ARRAY_LIMIT, PATH_LIMIT};
use holloway::TierChoice;
use holloway_profiler::counts::TableKind;
use holloway_profiler::scheme::{FrequencyCounting, Gap, NumberingOrder, Sampling, Scheme};
use std::num::NonZeroU64;

/// The values of k in `[DD13]`.
pub const DELIA_K: [u32; 7] = [2, 3, 4, 6, 8, 11, 16];

/// The samples whose cost is measured, by the paths of a burst and of a gap: a tenth of the paths, and a hundredth.
pub const SAMPLES: [(u64, u64); 2] = [(1000, 9000), (1000, 99_000)];

/// The paths of a burst that ticks begin, whose cost is measured.
pub const TICKED: u64 = 1000;

/// The window for timing TFP: `[NGF03]` 5.1 sets "a very high value of K", so that no window ends.
pub const UNENDING: u64 = u32::MAX as u64;

/// Tier and scheme of an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Variant {
    /// Optimized code without probes.
    Plain,
    /// The baseline tier, whose code always counts edges.
    Edge,
    /// Acyclic paths in arrays.
    BlArray,
    /// Acyclic paths in hash tables.
    BlHash,
    /// Sequences of up to the given number of paths.
    KBl(u32),
    /// Bursts of the paths of which sequences of up to 4 are counted: so many, then a gap of about so many.
    Sampled(u64, u64),
    /// Bursts of so many of those paths, which ticks begin.
    Ticked(u64),
    /// Paths of up to the given number of iterations, numbered statically, in hash tables.
    KIter(u32),
    /// Ball-Larus paths (1), or paths of up to the given number of iterations, in tables of some kind.
    Iterated(RoyTable, u32),
    /// Paths of a scheme of Melski and Reps.
    Across(AcrossScheme),
    /// Persistence in windows of the given number of executions.
    Tfp(u64),
    /// The same in one window that never ends, with the frequency of each path.
    TfpFrequencies,
    /// Branch histories: start block and branch bits.
    Bala,
    /// Optimized code whose loops are not unrolled.
    NotUnrolled,
    /// The adaptive system.
    Auto,
}

/// The tables in which `[RS09]` counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum RoyTable {
    /// As the paper chooses: an array for up to 6,000 paths, a hash table for up to 60,000, and no counts of more.
    AsInPaper,
    /// Arrays, whatever the number of paths.
    Arrays,
    /// Hash tables, whatever the number of paths.
    HashTables,
}

/// The schemes of `[MR98]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum AcrossScheme {
    /// Intraprocedural context paths.
    Context,
    /// Interprocedural context paths.
    IpContext,
    /// Interprocedural piecewise paths.
    IpPiecewise,
    /// Interprocedural context paths, cut at the coldest calls.
    IpHybrid,
}

impl AcrossScheme {
    /// All of them.
    pub const ALL: [AcrossScheme; 4] =
        [AcrossScheme::Context, AcrossScheme::IpContext, AcrossScheme::IpPiecewise, AcrossScheme::IpHybrid];

    /// Its name in the registry.
    pub fn name(self) -> &'static str {
        match self {
            AcrossScheme::Context => "context",
            AcrossScheme::IpContext => "ip-context",
            AcrossScheme::IpPiecewise => "ip-piecewise",
            AcrossScheme::IpHybrid => "ip-hybrid",
        }
    }
}

impl Variant {
    /// The heading of its column.
    pub fn name(self) -> String {
        match self {
            Variant::Plain => "none".to_owned(),
            Variant::Edge => "edge*".to_owned(),
            Variant::BlArray => "bl array".to_owned(),
            Variant::BlHash => "bl hash".to_owned(),
            Variant::KBl(k) => format!("k={k}"),
            Variant::Sampled(burst, gap) => format!("k=4 {burst}/{gap}"),
            Variant::Ticked(burst) => format!("k=4 {burst}"),
            Variant::KIter(k) => format!("k-iter k={k}"),
            Variant::Iterated(table, k) => {
                let table = match table {
                    RoyTable::AsInPaper => "",
                    RoyTable::Arrays => " array",
                    RoyTable::HashTables => " hash",
                };
                if k == 1 { format!("bl{table}") } else { format!("k-iter k={k}{table}") }
            }
            Variant::Across(scheme) => scheme.name().to_owned(),
            Variant::Tfp(UNENDING) => "tfp".to_owned(),
            Variant::Tfp(k) => format!("tfp K={k}"),
            Variant::TfpFrequencies => "tfp frequencies".to_owned(),
            Variant::Bala => "bala".to_owned(),
            Variant::NotUnrolled => "not unrolled".to_owned(),
            Variant::Auto => "auto".to_owned(),
        }
    }

    /// Returns whether counts of edges number its paths.
    pub fn takes_frequencies(self) -> bool {
        self.scheme().is_some_and(|scheme| scheme.takes_frequencies())
    }

    /// The profiling scheme.
    pub fn scheme(self) -> Option<Scheme> {
        let mut scheme = self.scheme_in_source_order()?;
        if !matches!(self, Variant::Iterated(..)) {
            scheme.settings.numbering = NumberingOrder::Smart;
        }
        Some(scheme)
    }

    fn scheme_in_source_order(self) -> Option<Scheme> {
        let named = |name| Scheme::named(name).expect("the registry has it");
        let with_k = |name, k| Some(named(name).with_k(k).expect("it has such a K"));
        let in_table = |table| {
            let mut scheme = named("bl");
            scheme.settings.table = Some(table);
            Some(scheme)
        };
        match self {
            Variant::Plain | Variant::Edge | Variant::NotUnrolled | Variant::Auto => None,
            Variant::BlArray => in_table(TableKind::Array),
            Variant::BlHash => in_table(TableKind::Hash),
            Variant::KBl(k) => with_k("k-bl", u64::from(k)),
            Variant::Sampled(burst, gap) => {
                with_k("k-bl", 4).map(|scheme| sampled(scheme, burst, Gap::Ids(length(gap))))
            }
            Variant::Ticked(burst) => with_k("k-bl", 4).map(|scheme| sampled(scheme, burst, Gap::Ticks)),
            Variant::KIter(k) => with_k("k-iter", u64::from(k)).map(|mut scheme| {
                scheme.settings.table = Some(TableKind::Hash);
                scheme.settings.path_limit = Some(u64::MAX);
                scheme
            }),
            Variant::Iterated(table, 1) => Some(iterated(named("bl"), table)),
            Variant::Iterated(table, k) => with_k("k-iter", u64::from(k)).map(|scheme| iterated(scheme, table)),
            Variant::Across(scheme) => Some(named(scheme.name())),
            Variant::Tfp(k) => with_k("tfp", k),
            Variant::TfpFrequencies => with_k("tfp", UNENDING).map(|mut scheme| {
                scheme.settings.frequencies = FrequencyCounting::Exact;
                scheme
            }),
            Variant::Bala => Some(named("bala")),
        }
    }

    /// The tier that executes it.
    pub fn tier(self) -> TierChoice {
        match self {
            Variant::Edge => TierChoice::Baseline,
            Variant::Auto => TierChoice::Auto,
            Variant::Plain
            | Variant::BlArray
            | Variant::BlHash
            | Variant::KBl(_)
            | Variant::Sampled(..)
            | Variant::Ticked(_)
            | Variant::KIter(_)
            | Variant::Iterated(..)
            | Variant::Across(_)
            | Variant::Tfp(_)
            | Variant::TfpFrequencies
            | Variant::Bala
            | Variant::NotUnrolled => TierChoice::Optimized,
        }
    }

    /// Passes that the optimizer skips.
    pub fn disabled_passes(self) -> Vec<String> {
        match self {
            Variant::NotUnrolled => vec!["unroll".to_owned()],
            Variant::Plain
            | Variant::Edge
            | Variant::BlArray
            | Variant::BlHash
            | Variant::KBl(_)
            | Variant::Sampled(..)
            | Variant::Ticked(_)
            | Variant::KIter(_)
            | Variant::Iterated(..)
            | Variant::Across(_)
            | Variant::Tfp(_)
            | Variant::TfpFrequencies
            | Variant::Bala
            | Variant::Auto => Vec::new(),
        }
    }

    /// Returns whether its time is needed; what it counts does not vary from run to run.
    pub fn is_timed(self) -> bool {
        match self {
            Variant::Tfp(k) => k == UNENDING,
            Variant::Plain
            | Variant::Edge
            | Variant::BlArray
            | Variant::BlHash
            | Variant::KBl(_)
            | Variant::Sampled(..)
            | Variant::Ticked(_)
            | Variant::KIter(_)
            | Variant::Iterated(..)
            | Variant::Across(_)
            | Variant::TfpFrequencies
            | Variant::Bala
            | Variant::NotUnrolled
            | Variant::Auto => true,
        }
    }
}

/// Both schemes in the same tables, so that their times differ by what their probes compute.
fn iterated(mut scheme: Scheme, table: RoyTable) -> Scheme {
    let settings = &mut scheme.settings;
    let unlimited = Some(u64::MAX);
    (settings.table, settings.array_limit, settings.path_limit) = match table {
        RoyTable::AsInPaper => (None, Some(ARRAY_LIMIT), Some(PATH_LIMIT)),
        RoyTable::Arrays => (Some(TableKind::Array), None, unlimited),
        RoyTable::HashTables => (Some(TableKind::Hash), None, unlimited),
    };
    scheme
}

fn sampled(mut scheme: Scheme, burst: u64, gap: Gap) -> Scheme {
    scheme.settings.sample = Some(Sampling { burst: length(burst), gap });
    scheme
}

fn length(paths: u64) -> NonZeroU64 {
    paths.try_into().expect("bursts and gaps have paths")
}
