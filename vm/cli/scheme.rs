//! A scheme with the options that were written for it.
//!
//! In: a scheme and [`SchemeOptions`]. Out: the scheme with its settings, or why it has no such option. Invariant: the registry
//! says which options a scheme takes; nothing here knows a scheme by name.

use super::args::SchemeOptions;
use crate::config::CutChoice;
use holloway_profiler::scheme::{Gap, SCHEMES, Scheme, Setting};

/// The scheme with its options; an option of another scheme is refused with a line that says whose it is.
pub(crate) fn chosen(scheme: Scheme, options: &SchemeOptions) -> Result<Scheme, String> {
    for (option, setting) in options.written() {
        if !scheme.row().takes.contains(&setting) {
            return Err(format!("{option} goes with --scheme {}, not with {}", taken_by(setting), scheme.name()));
        }
    }
    let mut scheme = match options.each_k() {
        // Where single loops have a k, the others have acyclic paths.
        None if options.is_auto() || options.loops().next().is_some() => {
            scheme.with_k(1).map_err(|error| error.to_string())?
        }
        None => scheme,
        Some(k) => scheme.with_k(u64::from(k)).map_err(|error| error.to_string())?,
    };
    let settings = &mut scheme.settings;
    settings.table = options.table.map(Into::into);
    settings.base = options.base.map(Into::into).unwrap_or(settings.base);
    if let Some(CutChoice::Strategy(strategy)) = options.cut {
        settings.cut = strategy;
    }
    settings.array_limit = options.array_limit;
    settings.path_limit = options.path_limit;
    // A limit above what this machine can address is none.
    settings.forest_limit = options.forest_limit.and_then(|limit| usize::try_from(limit.get()).ok());
    settings.sample = options.sample;
    if settings.forest_limit.is_some() && settings.sample.is_some_and(|sampling| sampling.gap == Gap::Ticks) {
        return Err("--forest-limit goes with --sample BURST/GAP, not with bursts at ticks".to_owned());
    }
    settings.numbering = options.numbering.map(Into::into).unwrap_or_default();
    settings.frequencies = options.frequency_counting();
    Ok(scheme)
}

/// The names of the schemes that take a setting.
fn taken_by(setting: Setting) -> String {
    let names = SCHEMES.iter().filter(|row| row.takes.contains(&setting)).map(|row| row.name);
    names.collect::<Vec<_>>().join(" or ")
}
