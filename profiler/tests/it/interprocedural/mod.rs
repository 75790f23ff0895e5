//! Interprocedural paths against brute force: on random supergraphs, with and without recursion, loops and cut call sites.
//!
//! In: random supergraphs and executions. Out: numbers compared with the paper's graph searched path by path, and with Ball
//! and Larus's numbers of Figure 6; counts compared with naive ones.

mod labelled;
mod naive;
mod pow;
mod supergraphs;

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use holloway_profiler::number::ball_larus;
use holloway_profiler::number::interprocedural::encode::{Encoder, InterCounts};
use holloway_profiler::number::interprocedural::hybrid::cut_coldest;
use holloway_profiler::number::interprocedural::{AtCut, Base, InterNumbering, InterPath};
use holloway_profiler::path_id::{PathEnd, path_of};
use holloway_profiler::supergraph::call_graph::CallGraph;
use holloway_profiler::supergraph::{SiteId, Supergraph};
use proptest::prelude::*;

use super::common::cases;

use labelled::Labelled;
use supergraphs::{Event, Program, programs};

/// Most paths of a supergraph that is searched.
const MOST: usize = 2000;

fn kinds() -> impl Strategy<Value = (Base, AtCut)> {
    (
        prop_oneof![Just(Base::Context), Just(Base::Piecewise)],
        prop_oneof![2 => Just(AtCut::Aside), 1 => Just(AtCut::Split)],
    )
}

/// The call sites that the bits of `choice` select.
fn cut_sites(supergraph: &Supergraph, choice: u8) -> Vec<SiteId> {
    let sites = supergraph.procedures().flat_map(|p| supergraph.sites(p).to_vec());
    (0..8).zip(sites).filter(|(bit, _)| choice >> bit & 1 == 1).map(|(_, site)| site).collect()
}

fn encode(supergraph: &Supergraph, numbering: &InterNumbering, executions: &[Vec<Event>]) -> InterCounts {
    let mut counts = InterCounts::default();
    for events in executions {
        let mut encoder = Encoder::new(supergraph, numbering, &mut counts);
        for &event in events {
            match event {
                Event::Call(site) => encoder.call(site),
                Event::Take(edge) => encoder.take(edge),
                Event::Leave => encoder.leave(),
                Event::Fail => encoder.fail(),
                Event::Resume(edge) => encoder.resume(edge),
                Event::Abort => {
                    encoder.abort();
                    break;
                }
            }
        }
    }
    counts
}

/// The executions of a program with a failure in place of each so many-th return to a caller, and its graph with paths that start there.
fn with_failures(program: &Program, each: usize) -> (Vec<Vec<Event>>, Supergraph) {
    let mut graph = program.supergraph.clone();
    let mut returns = 0;
    let mut failing = Vec::new();
    for events in &program.executions {
        let (mut stack, mut changed) = (vec![graph.main()], events.clone());
        for at in 0..events.len() {
            match events[at] {
                Event::Call(site) => stack.push(graph.site(site).callee),
                Event::Leave => {
                    stack.pop();
                    if let (Some(Event::Take(edge)), Some(caller)) = (events.get(at + 1), stack.last()) {
                        returns += 1;
                        if returns % each == 0 {
                            graph.resume(*caller, *edge);
                            (changed[at], changed[at + 1]) = (Event::Fail, Event::Resume(*edge));
                        }
                    }
                }
                Event::Take(_) | Event::Abort | Event::Fail | Event::Resume(_) => {}
            }
        }
        failing.push(changed);
    }
    (failing, graph)
}

/// Decoded counts, each path once.
fn decoded(counts: impl Iterator<Item = (Option<InterPath>, u64)>) -> Result<BTreeMap<InterPath, u64>, TestCaseError> {
    let mut paths = BTreeMap::new();
    for (path, count) in counts {
        let path = path.ok_or_else(|| TestCaseError::fail("a recorded number has no path"))?;
        prop_assert_eq!(paths.insert(path, count), None, "two numbers have one path");
    }
    Ok(paths)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1000)))]

    /// The search finds the paths in the order of their numbers: they are dense, unique, and decoded into these paths.
    #[test]
    fn numbers_are_those_of_an_exhaustive_search(program in programs(), (base, at_cut) in kinds(), cut in any::<u8>()) {
        let graph = &program.supergraph;
        for cut in [Vec::new(), cut_sites(graph, cut)] {
            let numbering = InterNumbering::new(graph, base, at_cut, &cut).unwrap();
            let Some(searched) = Labelled::new(graph, base, at_cut, &cut).paths(MOST) else { continue };
            prop_assert_eq!(numbering.num_paths(), searched.len() as u128);
            let distinct: BTreeSet<&InterPath> = searched.iter().collect();
            prop_assert_eq!(distinct.len(), searched.len());
            for (number, path) in (0..).zip(&searched) {
                prop_assert_eq!(&numbering.path_of(graph, number, usize::MAX).unwrap(), path);
                for procedure in graph.procedures() {
                    let enters = path.vertices.iter().filter(|v| v.procedure == procedure && v.is_entered());
                    prop_assert!(enters.count() as u128 <= numbering.calls().max_enters(procedure));
                }
            }
            prop_assert_eq!(numbering.path_of(graph, numbering.num_paths(), usize::MAX), None);
        }
    }

    /// Ball and Larus's numbers of the graph with procedures duplicated are the interprocedural numbers.
    #[test]
    fn numbers_are_those_of_figure_6(program in programs(), (base, at_cut) in kinds(), cut in any::<u8>()) {
        let graph = &program.supergraph;
        let cut = cut_sites(graph, cut);
        let labelled = Labelled::new(graph, base, at_cut, &cut);
        let Some((duplicated, vertices)) = labelled.duplicated(4 * MOST) else { return Ok(()) };
        let numbering = InterNumbering::new(graph, base, at_cut, &cut).unwrap();
        // A vertex GEntry without surrogates is a dead end of the duplicated graph, which Ball and Larus count.
        let numbers = ball_larus::number(&duplicated);
        if numbers.num_paths() > 4 * MOST as u64 {
            return Ok(());
        }
        let mut number = 0;
        for id in 0..numbers.num_paths() {
            let path = path_of(&duplicated, &numbers, id).unwrap();
            if path.end == PathEnd::DeadEnd {
                continue;
            }
            let listed: Vec<_> = path.blocks[1..].iter().map(|node| vertices[node]).collect();
            prop_assert_eq!(numbering.path_of(graph, number, usize::MAX), Some(labelled.listed(&listed)));
            number += 1;
        }
        prop_assert_eq!(numbering.num_paths(), number);
    }

    /// Counts along random executions equal naive ones, and so do prefixes.
    #[test]
    fn counts_are_naive_counts(program in programs(), (base, at_cut) in kinds(), cut in any::<u8>()) {
        let Program { supergraph: graph, executions } = &program;
        for cut in [Vec::new(), cut_sites(graph, cut)] {
            let numbering = InterNumbering::new(graph, base, at_cut, &cut).unwrap();
            let counts = encode(graph, &numbering, executions);
            let naive = naive::count(graph, (base, at_cut), &cut, executions);
            let paths = counts.paths.iter().map(|(&n, &count)| (numbering.path_of(graph, n, usize::MAX), count));
            prop_assert_eq!(decoded(paths)?, naive.paths);
            let prefixes = counts.prefixes.iter();
            let prefixes = prefixes.map(|(&(n, vertices), &count)| (numbering.prefix_of(graph, n, vertices), count));
            prop_assert_eq!(decoded(prefixes)?, naive.prefixes);
        }
    }

    /// So it is where failures are caught behind calls: at every second or third return of a run an activation fails instead.
    #[test]
    fn caught_failures_are_counted_naively(program in programs(), (base, at_cut) in kinds(), cut in any::<u8>(), each in 1..4_usize) {
        let (failing, graph) = with_failures(&program, each);
        for cut in [Vec::new(), cut_sites(&graph, cut)] {
            let numbering = InterNumbering::new(&graph, base, at_cut, &cut).unwrap();
            let counts = encode(&graph, &numbering, &failing);
            let naive = naive::count(&graph, (base, at_cut), &cut, &failing);
            let paths = counts.paths.iter().map(|(&n, &count)| (numbering.path_of(&graph, n, usize::MAX), count));
            prop_assert_eq!(decoded(paths)?, naive.paths);
            let prefixes = counts.prefixes.iter();
            let prefixes = prefixes.map(|(&(n, vertices), &count)| (numbering.prefix_of(&graph, n, vertices), count));
            prop_assert_eq!(decoded(prefixes)?, naive.prefixes);
        }
    }

    /// The cut sites are the coldest, and one less would be too few.
    #[test]
    fn the_coldest_sites_are_cut(program in programs(), (base, at_cut) in kinds(), counts in prop::collection::vec(0..4_u64, 24)) {
        let graph = &program.supergraph;
        let mut executions: SecondaryMap<SiteId, u64> = SecondaryMap::new();
        let recursive = CallGraph::new(graph, &[]);
        let mut sites: Vec<SiteId> = recursive.topological().iter().flat_map(|&p| graph.sites(p).to_vec()).collect();
        sites.retain(|&site| !recursive.is_cut(site));
        for (&site, count) in sites.iter().zip(counts) {
            executions[site] = count;
        }
        let uncut = InterNumbering::new(graph, base, at_cut, &[]).unwrap();
        let Some(bits) = uncut.bits().checked_sub(1) else { return Ok(()) };
        if let Ok(numbering) = cut_coldest(graph, (base, at_cut), &[], &executions, bits) {
            prop_assert!(numbering.bits() <= bits);
            let is_cut = |site: &&SiteId| numbering.calls().is_cut(**site);
            let hottest = sites.iter().filter(is_cut).map(|&site| (executions[site], site)).max();
            let coldest = sites.iter().filter(|site| !is_cut(site)).map(|&site| (executions[site], site)).min();
            prop_assert!(hottest.is_some() && coldest.is_none_or(|coldest| hottest < Some(coldest)));
            let fewer: Vec<SiteId> = sites.iter().filter(is_cut).copied().filter(|s| Some(*s) != hottest.map(|h| h.1)).collect();
            prop_assert!(InterNumbering::new(graph, base, at_cut, &fewer).unwrap().bits() > bits);
        }
    }
}
