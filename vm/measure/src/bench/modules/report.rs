//! The modules of a folder as tables for people.
//!
//! In: [`Modules`]. Out: text. A contestant with a fault is shown as `FAILED`; [`Modules::faults`] describes it.

use super::contestant::{COMPARISONS, Comparison, Contestant};
use super::results::{Measured, Modules};
use super::sample::Sample;
use crate::provenance;
use holloway_study::report::columns::{NOTHING, Table};
use holloway_study::report::text::plural;

const FAILED: &str = "FAILED";

/// The meaning of the columns.
const MEANING: &str = "\
x/y: CPU time of all threads, from the module's bytes to its end; wasmtime compiles everything first
elapsed, ready, memory: auto to wasmtime: elapsed time, CPU time until the first instruction, peak memory of the process
node memory: auto to node; without: --tier auto --without traces
";

/// The times of each contestant, and their ratios.
pub fn text(modules: &Modules) -> String {
    let absent = modules.absent.iter().map(|contestant| contestant.name()).collect::<Vec<_>>();
    let missing = if absent.is_empty() { String::new() } else { format!("\nNot installed: {}\n", absent.join(", ")) };
    format!(
        "{}\nModules at size {}: least values of {} in turn; the start of a process counts for nobody\n\n{}\n{}{MEANING}{missing}",
        provenance::told(),
        modules.size.name(),
        plural(modules.rounds.get() as usize, "run"),
        times(modules),
        ratios(modules),
    )
}

fn times(modules: &Modules) -> String {
    let head = ["module", "size"].map(str::to_owned).into_iter();
    let names = modules.contestants.iter().map(|contestant| contestant.name().to_owned());
    let mut table =
        Table::new(head.chain(names).chain(modules.contestants.iter().map(|of| format!("{} ready", of.name()))));
    for module in &modules.modules {
        let cells = |of: fn(&Sample) -> f64| modules.contestants.iter().map(move |by| seconds(module, *by, of));
        let first = [module.name.clone(), module.size.to_string()].into_iter();
        table.row(first.chain(cells(|sample| sample.cpu)).chain(cells(|sample| sample.ready)));
    }
    table.render()
}

fn seconds(module: &Measured, contestant: Contestant, of: fn(&Sample) -> f64) -> String {
    match module.least(contestant, of) {
        Some(seconds) => format!("{seconds:.3} s"),
        None => FAILED.to_owned(),
    }
}

fn ratios(modules: &Modules) -> String {
    let shown: Vec<Comparison> = COMPARISONS.into_iter().filter(|comparison| are_there(modules, *comparison)).collect();
    let mut table = Table::new(["module"].into_iter().chain(shown.iter().map(|comparison| comparison.name)));
    for module in &modules.modules {
        let cell = |comparison: &Comparison| {
            let (one, other) = comparison.sides;
            match module.ratio(*comparison) {
                Some(ratio) => format!("{ratio:.3}"),
                None if module.fault(one).or(module.fault(other)).is_some() => FAILED.to_owned(),
                None => NOTHING.to_owned(),
            }
        };
        table.row([module.name.clone()].into_iter().chain(shown.iter().map(cell)));
    }
    table.rule();
    let mut summary = |name: &str, cell: &dyn Fn(Comparison) -> Option<String>| {
        let cells = shown.iter().map(|comparison| cell(*comparison).unwrap_or_else(|| NOTHING.to_owned()));
        table.row([name.to_owned()].into_iter().chain(cells));
    };
    summary("geometric mean", &|comparison| modules.mean(comparison).map(|mean| format!("{mean:.3}")));
    summary("worst", &|comparison| modules.worst(comparison).map(|(_, ratio)| format!("{ratio:.3}")));
    summary("  of", &|comparison| modules.worst(comparison).map(|(name, _)| name.to_owned()));
    table.render()
}

fn are_there(modules: &Modules, comparison: Comparison) -> bool {
    let (one, other) = comparison.sides;
    modules.contestants.contains(&one) && modules.contestants.contains(&other)
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::modules;
    use super::*;

    #[test]
    fn tables() {
        let text = text(&modules());
        let (_, text) = text.split_once('\n').unwrap();
        insta::assert_snapshot!(text);
    }
}
