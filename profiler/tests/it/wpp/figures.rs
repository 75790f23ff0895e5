//! The worked example of the paper [ZG01 Figures 1 to 7].

use cranelift_entity::EntityRef;
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::{Dictionary, Series, TimestampedTrace};

use crate::common::conformance;

fn nodes(ids: &[usize]) -> Vec<Node> {
    ids.iter().map(|&id| Node::new(id)).collect()
}

/// A trace of one loop: `1`, the body so often, `last`.
fn looping(body: &[usize], count: usize, last: usize) -> Vec<Node> {
    nodes(&[&[1], body.repeat(count).as_slice(), &[last]].concat())
}

#[test]
fn the_traces_compact_as_in_figures_4_to_7() {
    let example = conformance("twpp-figs1-7");
    let main = looping(&[2, 3, 4, 5], 5, 6);
    let dictionary = Dictionary::of(main.iter().copied());
    assert_eq!(dictionary.chains(), [nodes(&[2, 3, 4, 5])]);
    let compacted: Vec<Node> = dictionary.compact(main).collect();
    let ids: Vec<usize> = serde_json::from_value(example["trace_after_dbb"].clone()).unwrap();
    assert_eq!(compacted, nodes(&ids));
    let trace = TimestampedTrace::of(compacted);
    assert_eq!(trace.len(), ids.len() as u64);
    for (id, series) in trace.series() {
        let id = id.index().to_string();
        assert_eq!(serde_json::json!(series.iter().collect::<Vec<_>>()), example["timestamps"][&id]);
        assert_eq!(serde_json::json!(series.words().collect::<Vec<_>>()), example["compacted"][&id]);
    }
    assert_eq!(trace.series().len(), example["compacted"].as_object().unwrap().len());
}

#[test]
fn two_traces_of_f_have_one_compacted_trace_and_two_dictionaries() {
    let traces = [looping(&[2, 7, 8, 9, 6], 3, 10), looping(&[2, 3, 4, 5, 6], 3, 10)];
    let [a, b] = traces.clone().map(Dictionary::of);
    assert_ne!(a, b);
    let [first, second] = traces;
    assert!(a.compact(first).eq(b.compact(second)));
}

#[test]
fn entries_have_the_three_forms() {
    let words = |at: &[u64]| Series::from_iter(at.iter().copied()).words().collect::<Vec<_>>();
    assert_eq!(words(&[7]), [-7]);
    assert_eq!(words(&[3, 4, 5]), [3, -5]);
    assert_eq!(words(&[3, 6, 9]), [3, 9, -3]);
}
