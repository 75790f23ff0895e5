//! Text of a `k-bl` profile: sequences of paths.
//!
//! In: a profile with forests. Out: the hottest sequences of each function, with their paths as letters, and each
//! letter's source lines.
//!
//! A sequence is at least as hot as its extensions, so a list by count would show single paths only. Shown are
//! sequences with an end: those of `k` paths, and those that mostly no single path follows.

use crate::report::settings::FOLLOWED;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::forest::trie::TrieNode;

use super::super::edges::name;
use super::super::text::{grouped, plural, share};
use super::excerpt::{self, Excerpts};
use crate::report::Shown;
use holloway::internals::FunctionResults;
use holloway::{Engine, FunctionPaths};
use holloway_profiler::scheme::{PathId, Results};

/// One sequence, with the counts that it is compared with.
struct Sequence {
    ids: Vec<u64>,
    count: u64,
    /// Count of the sequence without its last path, and of its first path alone.
    parent: u64,
    root: u64,
}

impl Sequence {
    /// Number of paths in all its occurrences, which may overlap: its heat.
    fn covers(&self) -> u64 {
        self.count.saturating_mul(self.ids.len() as u64)
    }
}

/// The sequences of the program that are shown, by function.
pub(super) fn sequences(engine: &Engine, rows: &[FunctionResults<'_>], k: u64, shown: Shown, width: usize) -> String {
    let mut all: Vec<(usize, Sequence)> = Vec::new();
    for (index, (_, rows)) in rows.iter().enumerate() {
        all.extend(rows.sequences.iter().flat_map(|found| ended(&found.k_ipf)).map(|sequence| (index, sequence)));
    }
    all.sort_by(|(f, a), (g, b)| shown.order(a.covers(), b.covers()).then_with(|| (f, &a.ids).cmp(&(g, &b.ids))));
    let shown = shown.top.map_or(all.len(), |top| top.get().min(all.len()));
    let mut out = String::new();
    let mut functions: Vec<usize> = Vec::new();
    for (function, _) in &all[..shown] {
        if !functions.contains(function) {
            functions.push(*function);
        }
    }
    for index in functions {
        let of_function: Vec<&Sequence> = all[..shown].iter().filter(|(f, _)| *f == index).map(|(_, s)| s).collect();
        let (function, rows) = &rows[index];
        one_function(engine, function, rows, &of_function, width, &mut out);
    }
    if all.len() > shown {
        writeln!(out, "and {} more; --top 0 shows all", grouped(all.len() - shown)).expect("strings take all text");
    }
    summary(rows, k, &mut out);
    out
}

fn one_function(
    engine: &Engine,
    function: &FunctionPaths,
    rows: &Results,
    sequences: &[&Sequence],
    width: usize,
    out: &mut String,
) {
    let mut letters: BTreeMap<u64, String> = BTreeMap::new();
    for id in sequences.iter().flat_map(|sequence| &sequence.ids) {
        let next = letter(letters.len());
        letters.entry(*id).or_insert(next);
    }
    writeln!(out, "{}\n", name(engine, function.func)).expect("strings take all text");
    writeln!(out, "     count  of parent  of first  sequence").expect("strings take all text");
    for sequence in sequences {
        let spelled = spell(&sequence.ids, &letters);
        let (of_parent, of_first) = match sequence.ids.len() {
            1 => Default::default(),
            _ => (share(sequence.count, sequence.parent), share(sequence.count, sequence.root)),
        };
        writeln!(out, "{:>10}  {of_parent:>9}  {of_first:>8}  {spelled}", grouped(sequence.count as usize))
            .expect("strings take all text");
    }
    out.push('\n');
    let taken: u64 = rows.paths.iter().map(|row| row.count).sum();
    let mut named: Vec<(&u64, &String)> = letters.iter().collect();
    named.sort_by_key(|(_, letter)| (letter.len(), (*letter).clone()));
    for (id, letter) in named {
        let row = rows.paths.iter().find(|row| row.id == PathId::Number(*id));
        let (Some(row), Ok(plan)) = (row, &function.plan) else { continue };
        let course = excerpt::course(engine, function.func, plan, &row.path);
        writeln!(out, "{letter:>6}   {course}, {} of the function's paths", share(row.count, taken))
            .expect("strings take all text");
        excerpt::lines(Excerpts { engine, func: function.func, graph: &plan.graph, width }, &row.path.blocks, out);
        out.push('\n');
    }
}

fn summary(rows: &[FunctionResults<'_>], k: u64, out: &mut String) {
    let taken: u64 = rows.iter().flat_map(|(_, rows)| &rows.paths).map(|row| row.count).sum();
    let all = || rows.iter().filter_map(|(_, rows)| rows.sequences.as_deref());
    let sequences: usize = all().map(|found| found.k_ipf.node_count()).sum();
    let (taken, sequences) = (plural(taken as usize, "path"), plural(sequences, "sequence"));
    write!(out, "{taken} taken, {sequences} of up to {k}").expect("strings take all text");
    let slabs = || all().filter_map(|found| found.forest.bounded());
    if slabs().next().is_some() {
        let nodes = plural(slabs().map(SlabForest::node_count).sum(), "node");
        let bytes = grouped(slabs().map(SlabForest::bytes).sum());
        write!(out, "; forests of {nodes}, {bytes} bytes").expect("strings take all text");
    }
    out.push('\n');
}

/// The sequences of which no extension has most occurrences.
fn ended(forest: &PathForest) -> Vec<Sequence> {
    let trie = forest.trie();
    let mut found = Vec::new();
    // Each entry: a node, the length of its parent's sequence, and the counts of its parent and its root.
    let mut work: Vec<(TrieNode, usize, u64, u64)> =
        trie.roots().into_iter().map(|root| (root, 0, trie.count(root), trie.count(root))).collect();
    let mut ids: Vec<u64> = Vec::new();
    while let Some((node, before, parent, root)) = work.pop() {
        ids.truncate(before);
        ids.push(trie.label(node));
        let count = trie.count(node);
        let likeliest = forest.likeliest_child(node).map_or(0, |child| trie.count(child));
        if (likeliest as f64) < FOLLOWED * count as f64 || likeliest == 0 {
            found.push(Sequence { ids: ids.clone(), count, parent, root });
        }
        work.extend(trie.children(node).map(|child| (child, before + 1, count, root)));
    }
    found
}

/// The letter of a path: `A`, `B`, ..., `Z`, `AA`, ...
fn letter(mut index: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(b'A' + (index % 26) as u8);
        match (index / 26).checked_sub(1) {
            Some(rest) => index = rest,
            None => break,
        }
    }
    letters.iter().rev().map(|&letter| char::from(letter)).collect()
}

/// Letters of a sequence: `A B A B`, with runs of at least four as `A x 12`.
fn spell(ids: &[u64], letters: &BTreeMap<u64, String>) -> String {
    let runs = ids.chunk_by(|a, b| a == b).map(|run| {
        let letter = &letters[&run[0]];
        if run.len() < 4 { vec![letter.as_str(); run.len()].join(" ") } else { format!("{letter} x {}", run.len()) }
    });
    runs.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!([0, 25, 26, 701, 702].map(letter), ["A", "Z", "AA", "ZZ", "AAA"]);
    }

    #[test]
    fn runs_are_short() {
        let letters = BTreeMap::from([(3, "A".to_owned()), (5, "B".to_owned())]);
        assert_eq!(spell(&[3, 3, 5, 5, 5, 5, 5, 3], &letters), "A A B x 5 A");
    }
}
