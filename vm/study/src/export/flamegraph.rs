//! A flame graph as SVG, coloured by tiers.
//!
//! In: a [`Run`]. Out: what `inferno` draws of its folded stacks. Invariant: a place has the colour of its code's tier, in every run.

use super::folded;
use super::stacks::{Names, Place};
use crate::run::Run;
use inferno::flamegraph::color::{BackgroundColor, Color, PaletteMap};
use inferno::flamegraph::{Options, from_lines};
use std::io;

/// The picture of a run.
pub(super) fn bytes(run: &Run) -> io::Result<Vec<u8>> {
    let folded = folded::text(run);
    let mut colors = colors(run);
    let mut options = Options::default();
    options.title = run.head.program.clone();
    options.subtitle =
        Some("CPU time of the program's thread; sand: baseline, blue: profiled, green: optimized, purple: specialized, orange: runtime".to_owned());
    options.count_name = "µs".to_owned();
    options.bgcolors = Some(BackgroundColor::Flat(Color { r: 255, g: 255, b: 255 }));
    options.deterministic = true;
    options.palette_map = Some(&mut colors);
    let mut svg = Vec::new();
    from_lines(&mut options, folded.lines(), &mut svg)?;
    Ok(svg)
}

fn colors(run: &Run) -> PaletteMap {
    let names = Names::of(run);
    let mut colors = PaletteMap::default();
    let code = (0..run.frames.len()).map(|frame| Place::Code(frame as u32));
    for place in code.chain([Place::LeftOut, Place::Runtime, Place::Outside]) {
        let tier = place.frame(run).map(|frame| run.versions[frame.version as usize].tier.as_str());
        colors.insert(folded::name(run, &names, place), color(place, tier));
    }
    // What all stacks stand on has no name.
    colors.insert("", grey());
    colors.insert("all", grey());
    colors
}

fn color(place: Place, tier: Option<&str>) -> Color {
    let (r, g, b) = match (place, tier) {
        (Place::Runtime, _) => (236, 142, 76),
        (_, Some("baseline")) => (226, 201, 142),
        (_, Some("profiled")) => (133, 182, 222),
        (_, Some("optimized")) => (140, 198, 133),
        (_, Some("specialized")) => (190, 156, 216),
        _ => return grey(),
    };
    Color { r, g, b }
}

fn grey() -> Color {
    Color { r: 200, g: 200, b: 200 }
}
