//! Results of schemes in names of blocks.
//!
//! In: a scheme's counts and a procedure's names. Out: rows of a [`FunctionResult`].
//!
//! Invariant: nothing is counted here; every id was reported by a plan of the same numbering.

use super::procedure::Named;
use super::result::{FunctionResult, IterationValues, PathRow, RegionRow, StaticPath, WindowRow};
use crate::persistence::{Findings, Persistence, RegionPlace};
use crate::scheme::{self, Decoder, EdgeValues};

/// Values of each edge.
pub(super) fn values(result: &mut FunctionResult, named: &Named, decoder: &dyn Decoder) {
    for (id, edge) in named.graph.edges() {
        let (from, to) = (named.name(edge.from), named.name(edge.to));
        match decoder.values(&named.graph, id) {
            EdgeValues::None => {}
            EdgeValues::One(val) => result.values.push((from, to, u128::from(val))),
            EdgeValues::PerIteration(values) => result.iteration_values.push(IterationValues { from, to, values }),
        }
    }
}

/// Every static path, where there are few.
pub(super) fn static_paths(named: &Named, decoder: &dyn Decoder, max: u64) -> Option<Vec<StaticPath>> {
    let paths = decoder.num_paths().filter(|paths| *paths <= max)?;
    let path = |id| decoder.path(&named.graph, id).expect("the id is below num_paths");
    let listed = |id| StaticPath { id: u128::from(id), blocks: named.names(&path(id).blocks), ..StaticPath::default() };
    Some((0..paths).map(listed).collect())
}

/// Paths with their counts.
pub(super) fn path_rows(named: &Named, rows: &[scheme::PathRow]) -> Vec<PathRow> {
    let row = |row: &scheme::PathRow| PathRow {
        id: row.id.text(|node| named.name(node)),
        blocks: named.names(&row.path.blocks),
        count: row.count,
        ..PathRow::default()
    };
    rows.iter().map(row).collect()
}

/// Rows of regions.
pub(super) fn region_rows(named: &Named, mut persistence: Persistence) -> Vec<RegionRow> {
    let finished = persistence.take_finished();
    let regions = persistence.regions();
    let mut rows = Vec::new();
    for (register, region) in regions.iter() {
        let bits = region.places.len();
        let windows = finished.iter().filter(|f| f.register == register);
        let rest = persistence.current(register);
        rows.push(RegionRow {
            header: region.around.map(|id| named.name(regions.nest().get(id).header)),
            places: places(named, &region.places),
            windows: windows.map(|f| window_row(named, f, bits)).collect(),
            rest: (rest.executions > 0).then(|| window_row(named, &rest, bits)),
        });
    }
    rows
}

fn window_row(named: &Named, findings: &Findings, bits: usize) -> WindowRow {
    let text = |words: &[u64]| -> String {
        let bit = |bit: usize| if words[bit / 64] >> (bit % 64) & 1 == 1 { '1' } else { '0' };
        (0..bits).rev().map(bit).collect()
    };
    WindowRow {
        executions: findings.executions,
        persistent: findings.is_persistent(),
        and: text(&findings.and),
        or: text(&findings.or),
        path: findings.path.as_deref().map(|path| places(named, path)),
        untaken: places(named, &findings.untaken),
        segments: findings.segments.iter().map(|s| places(named, s)).collect(),
        edges: findings
            .edges
            .iter()
            .map(|&(id, taken)| {
                let edge = named.graph.edge(id);
                (named.name(edge.from), named.name(edge.to), taken)
            })
            .collect(),
        least: findings.least,
        greatest: findings.greatest,
    }
}

fn places(named: &Named, places: &[RegionPlace]) -> Vec<String> {
    let node = |place: &RegionPlace| match *place {
        RegionPlace::Block(node) | RegionPlace::Loop(node) => node,
    };
    places.iter().map(|place| named.name(node(place))).collect()
}
