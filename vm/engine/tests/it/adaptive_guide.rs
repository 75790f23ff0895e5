//! The figures in `docs/adaptive.md` are those that decisions are made on.
//!
//! In: the page, the embedded calibration, the settings. Out: a failure that names the row which is not in the page.

use std::fs;
use std::path::Path;

use holloway_aos::calibration::{Origin, TierFigures};
use holloway_aos::settings::LEAST_SAVING;
use holloway_aos::{Calibration, Settings};

#[test]
fn the_guide_shows_what_is_decided_on() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/adaptive.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let table = Calibration::embedded();
    let row = |name: &str, figures: &TierFigures| {
        let TierFigures { speed, instructions_per_ms, function_us, origin } = figures;
        let origin = match origin {
            Origin::Measured => "measured",
            Origin::Derived => "derived",
        };
        format!("| {name} | {speed:.2} | {instructions_per_ms:.1} | {function_us:.1} | {origin} |")
    };
    let settings = Settings::on_two_cores();
    let percent = |part: f64| format!("{:.0}%", part * 100.0);
    let rows = [
        row("baseline", &table.baseline),
        row("optimized", &table.optimized),
        row("profiled", &table.profiled),
        row("specialized", &table.specialized),
        format!("to be profiled | {} |", percent(settings.loop_share)),
        format!("finds nothing | {} |", percent(LEAST_SAVING)),
        format!("must save | {} |", percent(LEAST_SAVING)),
        format!("first profile | {} |", settings.k),
        format!("times K | {} |", settings.executions(1)),
        format!("of a first profile | {} ms |", settings.profile_time().0 / 1000),
        format!("looks at guards | {} |", settings.guard_ticks),
        format!("guards count | {} |", settings.guard_iterations()),
        format!("in general iterations | {} |", settings.guard_penalty),
        format!("how often K doubles | {} |", settings.doublings),
        format!("that did not pay | {} ms |", settings.rest.0 / 1000),
        format!("({}, {},", table.provenance.machine, table.provenance.date),
    ];
    let missing: Vec<&String> = rows.iter().filter(|row| !page.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "docs/adaptive.md does not say: {missing:#?}");
}
