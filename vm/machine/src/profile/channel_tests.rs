//! The channel hands over what was written, in order, wherever it is consumed.

use holloway_profiler::event::Event;
use holloway_profiler::graph::{ExitKind, Graph};

use super::super::consumer::function_id;
use super::super::settings::BUFFER_WORDS;
use super::*;
use holloway_profiler::scheme::{Framing, Scheme, Stream};

/// A loop with two ways through it.
fn plan() -> Arc<FunctionPlan> {
    let pairs = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)];
    let graph = Graph::from_pairs(6, &pairs, 0, 5, ExitKind::Synthetic).expect("a graph");
    let mut scheme = Scheme::named("k-bl").expect("the registry has it").with_k(2).expect("it joins paths");
    scheme.settings.forest_limit = Some(usize::MAX);
    let plan = scheme.plan(graph, None).expect("it counts paths");
    Arc::new(plan.expect("every graph has acyclic paths"))
}

fn sequences(consumer: &Consumer, func: FuncRef) -> Vec<(Vec<u64>, u64)> {
    let collected = consumer.collected(func).expect("it is attached");
    collected.results(&plan().graph).sequences.expect("the scheme joins paths").k_ipf.sequences()
}

#[test]
fn every_placement_reads_the_same() {
    let func = FuncRef::from_u32(1);
    let mut words = Vec::new();
    Event::Enter(function_id(func)).write(&mut words);
    (0..50_000).for_each(|i: u64| Event::Path(i * i % 5 % 4).write(&mut words));
    Event::Leave.write(&mut words);
    let mut expected = Consumer::default();
    assert_eq!(plan().stream, Stream::Events(Framing::Activations(None)));
    expected.attach(func, &plan());
    expected.consume(&words).expect("these are events");
    for placement in [Placement::Auto, Placement::Thread, Placement::Inline] {
        let mut channel = Channel::new(placement, BUFFER_WORDS);
        channel.attach(func, &plan());
        let mut end = channel.space().start;
        for piece in words.chunks(701) {
            end = channel.append(end, piece).start;
        }
        let found = channel.finish(end);
        assert_eq!(sequences(&found, func), sequences(&expected, func), "{placement:?}");
    }
}

#[test]
fn questions_are_answered_in_order() {
    let func = FuncRef::from_u32(0);
    for placement in [Placement::Thread, Placement::Inline] {
        let mut channel = Channel::new(placement, BUFFER_WORDS);
        channel.attach(func, &plan());
        let mut words = Vec::new();
        Event::Lone { function: function_id(func), id: 3 }.write(&mut words);
        let start = channel.space().start;
        let end = channel.append(start, &words).start;
        let start = channel.swap(end).start;
        assert_eq!(channel.ask(move |consumer| sequences(consumer, func)), [(vec![3], 1)]);
        channel.detach(func);
        assert!(channel.finish(start).collected(func).is_none());
    }
}
