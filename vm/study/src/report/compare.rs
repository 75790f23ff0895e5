//! `profile --compare`: what several schemes tell of one loop, side by side.
//!
//! In: the profiles of one program by several schemes, as JSON, and a loop. Out: for each scheme what it saw of the loop's iterations, in the same
//! letters: a letter is one way through the loop. Invariant: shares are of what that scheme counted in the loop; a scheme that cannot see the
//! order in which ways follow each other, as its K is smaller than their period, is told so.

use super::text::{one_line, percent};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The profile of one scheme.
#[derive(Clone, Debug)]
pub struct OfScheme {
    /// Its name.
    pub scheme: String,
    /// Its K.
    pub k: Option<u64>,
    /// The function of the loop in its JSON.
    pub function: Value,
}

/// Ways through a loop in a row, and their count.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    ways: Vec<String>,
    count: u64,
}

/// The profiles of a loop by several schemes.
pub struct Comparison<'a> {
    /// The loop, in words.
    pub place: &'a str,
    /// The block of its header.
    pub header: u32,
    /// The line and the column at which a block begins.
    pub place_of: &'a dyn Fn(u32) -> (u32, u32),
    /// The profiles, in the order in which they were asked for.
    pub schemes: &'a [OfScheme],
    /// A profile by k-bl with a large K, by which the period is found.
    pub long: &'a OfScheme,
    /// Rows of each scheme.
    pub top: usize,
}

impl Comparison<'_> {
    /// The text.
    pub fn text(&self) -> String {
        let mut letters = Letters::new(self.header);
        let long = rows(self.long, &mut letters);
        let period = period(&long);
        let all: Vec<Vec<Row>> = self.schemes.iter().map(|scheme| rows(scheme, &mut letters)).collect();
        let mut text = format!("{}\n", one_line(self.place));
        let ways: Vec<(&str, &[u32])> = letters.known().collect();
        for (letter, blocks) in &ways {
            let lines = self.lines_of(blocks, false);
            let is_alone = ways.iter().filter(|(_, other)| self.lines_of(other, false) == lines).count() == 1;
            // Ways over the same lines differ by columns.
            let lines = if is_alone { lines } else { self.lines_of(blocks, true) };
            writeln!(text, "  {letter}  lines {lines}").expect("strings take all text");
        }
        if let Some((period, share)) = &period {
            let shown = period.join(" ");
            let part = percent(*share);
            writeln!(text, "  {part} of the sequences repeat with period {}: {shown}", period.len())
                .expect("strings take all text");
        }
        for (scheme, rows) in self.schemes.iter().zip(&all) {
            text.push('\n');
            let k = scheme.k.map(|k| format!(" --k {k}")).unwrap_or_default();
            writeln!(text, "{}{k}", scheme.scheme).expect("strings take all text");
            self.rows(scheme, rows, &mut text);
            if let Some(note) = period.as_ref().and_then(|(period, _)| note(scheme, period.len())) {
                writeln!(text, "  note: {note}").expect("strings take all text");
            }
        }
        text
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let mut letters = Letters::new(self.header);
        let long = rows(self.long, &mut letters);
        let period = period(&long);
        let schemes: Vec<Value> = self
            .schemes
            .iter()
            .map(|scheme| {
                let rows: Vec<Value> = rows(scheme, &mut letters)
                    .into_iter()
                    .map(|row| json!({ "ways": row.ways, "count": row.count }))
                    .collect();
                let note = period.as_ref().and_then(|(period, _)| note(scheme, period.len()));
                json!({ "scheme": scheme.scheme, "k": scheme.k, "rows": rows, "note": note })
            })
            .collect();
        let ways: Vec<Value> =
            letters.known().map(|(letter, blocks)| json!({ "way": letter, "blocks": blocks })).collect();
        let period = period.map(|(period, share)| json!({ "ways": period, "share": share }));
        json!({ "loop": self.place, "header": self.header, "ways": ways, "period": period, "schemes": schemes })
    }

    fn rows(&self, scheme: &OfScheme, rows: &[Row], text: &mut String) {
        let total: u64 = rows.iter().map(|row| row.count).sum();
        if rows.is_empty() {
            let told = if scheme.function["regions"].is_array() { "nothing persisted" } else { "it saw nothing" };
            writeln!(text, "  {told}").expect("strings take all text");
        }
        for row in rows.iter().take(self.top) {
            let part = percent(row.count as f64 / total.max(1) as f64);
            writeln!(text, "  {part:>6}  {:>10}  {}", row.count, row.ways.join(" ")).expect("strings take all text");
        }
        if rows.len() > self.top {
            writeln!(text, "  and {} more", rows.len() - self.top).expect("strings take all text");
        }
    }

    fn lines_of(&self, blocks: &[u32], with_columns: bool) -> String {
        let mut lines: Vec<String> = Vec::new();
        for block in blocks {
            let (line, column) = (self.place_of)(*block);
            let place = if with_columns { format!("{line}:{column}") } else { line.to_string() };
            if lines.last() != Some(&place) {
                lines.push(place);
            }
        }
        lines.join(" ")
    }
}

/// The reason for which a scheme does not show a period.
fn note(scheme: &OfScheme, period: usize) -> Option<String> {
    if period < 2 {
        return None;
    }
    match (scheme.function["regions"].is_array(), scheme.k) {
        (true, _) => Some(format!("ways that persist one by one: none does where {period} take turns")),
        (false, None) => Some(format!("acyclic paths have no order: they do not tell that {period} take turns")),
        (false, Some(k)) if (k as usize) < period => {
            Some(format!("K = {k} is too small for the period of {period}; --k {period} shows it whole"))
        }
        (false, Some(_)) => None,
    }
}

/// The letters of ways through the loop, in the order in which they are met.
struct Letters {
    header: u32,
    letters: HashMap<Vec<u32>, String>,
    order: Vec<Vec<u32>>,
}

impl Letters {
    fn new(header: u32) -> Letters {
        Letters { header, letters: HashMap::new(), order: Vec::new() }
    }

    fn of(&mut self, way: &[u32]) -> String {
        let (letters, order) = (&mut self.letters, &mut self.order);
        let name = || {
            let nth = order.len();
            order.push(way.to_vec());
            let letter = char::from(b'A' + (nth % 26) as u8);
            if nth < 26 { letter.to_string() } else { format!("{letter}{}", nth / 26) }
        };
        letters.entry(way.to_vec()).or_insert_with(name).clone()
    }

    fn known(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.order.iter().map(|way| (self.letters[way].as_str(), way.as_slice()))
    }

    /// The ways through the loop that blocks pass, from its header on; `None` if they do not begin there.
    fn ways(&mut self, blocks: &[u32]) -> Option<Vec<String>> {
        let header = self.header;
        let is_of_loop = blocks.first() == Some(&header);
        is_of_loop.then(|| blocks.chunk_by(|_, next| *next != header).map(|way| self.of(way)).collect())
    }
}

/// The counts of a scheme in the loop, most first.
fn rows(scheme: &OfScheme, letters: &mut Letters) -> Vec<Row> {
    let blocks = |row: &Value| -> Vec<u32> {
        let numbers = row["blocks"].as_array().map(Vec::as_slice).unwrap_or_default();
        numbers.iter().filter_map(|block| block.as_u64()).map(|block| block as u32).collect()
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let listed: HashMap<String, Vec<u32>> =
        list(&scheme.function["path_list"]).iter().map(|path| (path["id"].to_string(), blocks(path))).collect();
    let longest = list(&scheme.function["paths"]).iter().map(|row| list(&row["ids"]).len()).max().unwrap_or(0);
    let regions = list(&scheme.function["regions"]);
    let region = regions.iter().find(|region| region["header"].as_u64() == Some(u64::from(letters.header)));
    let persistent = region.map(|region| list(&region["persistent_paths"])).unwrap_or_default();
    let mut found: Vec<(Vec<u32>, u64)> = Vec::new();
    for row in list(&scheme.function["paths"]) {
        let ids = list(&row["ids"]);
        // Of sequences the longest ones tell what the others do.
        if ids.len() < longest {
            continue;
        }
        let passed = match ids.is_empty() {
            true => blocks(&row),
            false => ids.iter().flat_map(|id| listed.get(&id.to_string()).cloned().unwrap_or_default()).collect(),
        };
        found.push((passed, row["count"].as_u64().unwrap_or(0)));
    }
    found.extend(persistent.iter().map(|row| (blocks(row), row["executions"].as_u64().unwrap_or(0))));
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rows = found.into_iter().filter_map(|(blocks, count)| Some(Row { ways: letters.ways(&blocks)?, count }));
    rows.filter(|row| row.count > 0).collect()
}

/// The period of the sequences that are taken most, turned so that all its turns count together; and their share.
fn period(rows: &[Row]) -> Option<(Vec<String>, f64)> {
    let total: u64 = rows.iter().map(|row| row.count).sum();
    let mut counts: Vec<(Vec<String>, u64)> = Vec::new();
    for row in rows {
        let is_period = |period: &usize| row.ways.iter().zip(&row.ways[*period..]).all(|(a, b)| a == b);
        // It is seen twice at least.
        let Some(period) = (1..=row.ways.len() / 2).find(is_period) else { continue };
        let cycle = &row.ways[..period];
        let turned = |by: usize| [&cycle[by..], &cycle[..by]].concat();
        let least = (0..period).map(turned).min().expect("a period is 1 at least");
        match counts.iter_mut().find(|(known, _)| *known == least) {
            Some((_, count)) => *count += row.count,
            None => counts.push((least, row.count)),
        }
    }
    let (period, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let share = count as f64 / total.max(1) as f64;
    (share >= super::settings::FOLLOWED).then_some((period, share))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop with header 1 whose ways take turns: twice over block 2, once over block 3.
    fn sequences(k: u64) -> OfScheme {
        let listed =
            json!([{ "id": "0", "blocks": [1, 2] }, { "id": "1", "blocks": [1, 3] }, { "id": "2", "blocks": [1, 9] }]);
        let turn = ["0", "0", "1"];
        let paths: Vec<Value> = (0..3)
            .map(|by| {
                let ids: Vec<&str> = (0..k as usize).map(|at| turn[(at + by) % 3]).collect();
                json!({ "ids": ids, "count": 102 - by })
            })
            .chain([json!({ "ids": ["2"], "count": 1 })])
            .collect();
        OfScheme { scheme: "k-bl".to_owned(), k: Some(k), function: json!({ "path_list": listed, "paths": paths }) }
    }

    fn acyclic() -> OfScheme {
        let paths = json!([{ "id": "1", "blocks": [1, 3], "count": 100 }, { "id": "0", "blocks": [1, 2], "count": 200 }, { "id": "3", "blocks": [0, 1, 2], "count": 1 }]);
        OfScheme { scheme: "bl".to_owned(), k: None, function: json!({ "paths": paths }) }
    }

    fn comparison<'a>(schemes: &'a [OfScheme], long: &'a OfScheme) -> Comparison<'a> {
        Comparison { place: "walk.hw:3", header: 1, place_of: &|block| (10 + block, 1), schemes, long, top: 2 }
    }

    #[test]
    fn a_period_is_found_whatever_it_begins_with() {
        let mut letters = Letters::new(1);
        let (period, share) = period(&rows(&sequences(8), &mut letters)).expect("it repeats");
        assert_eq!((period, share), (vec!["A".to_owned(), "A".to_owned(), "B".to_owned()], 1.0));
    }

    #[test]
    fn schemes_that_cannot_see_the_period_are_told() {
        let (schemes, long) = ([acyclic(), sequences(2), sequences(4)], sequences(8));
        let text = comparison(&schemes, &long).text();
        for told in [
            "A  lines 11 12",
            "100.0% of the sequences repeat with period 3: A A B",
            "acyclic paths have no order: they do not tell that 3 take turns",
            "K = 2 is too small for the period of 3; --k 3 shows it whole",
            "66.7%         200  A\n",
            "and 1 more",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        assert!(!text.contains("K = 4"), "{text}");
        assert_eq!(comparison(&schemes, &long).json()["schemes"][2]["note"], Value::Null);
    }

    #[test]
    fn ways_over_the_same_lines_are_told_apart_by_columns() {
        let (schemes, long) = ([acyclic()], sequences(8));
        let on_a_line = Comparison { place_of: &|block| (7, 10 + block), ..comparison(&schemes, &long) };
        let text = on_a_line.text();
        assert!(text.contains("A  lines 7:11 7:12\n") && text.contains("B  lines 7:11 7:13\n"), "{text}");
    }

    #[test]
    fn what_persists_is_told_and_nothing_that_is_not_there() {
        let region = json!([{ "header": 1, "persistent_paths": [{ "blocks": [1, 2], "executions": 24 }] }]);
        let persistent =
            OfScheme { scheme: "tfp".to_owned(), k: Some(8), function: json!({ "paths": [], "regions": region }) };
        let none = OfScheme { function: json!({ "paths": [], "regions": [] }), ..persistent.clone() };
        let text = comparison(&[persistent, none.clone()], &none).text();
        assert!(text.contains("100.0%          24  A") && text.contains("nothing persisted"), "{text}");
    }
}
