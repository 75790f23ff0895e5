//! The path-event stream: events are read as they were written, with buffers of any size, and invalid words are
//! rejected.

use cranelift_entity::EntityRef;
use holloway_profiler::event::{BadWord, Event, FunctionId, Streams, decode, encode};
use holloway_profiler::graph::Node;
use holloway_profiler::machine::Sink;
use holloway_profiler::plan::BitRegister;
use proptest::prelude::*;

/// A call of a sink.
#[derive(Clone, Debug, PartialEq)]
enum Told {
    Enter,
    Path(u64),
    Prefix(Node, u64),
    Leave,
    Lone(u64),
    Leaf(u64),
    Last(u64),
    LonePrefix(Node, u64),
    Folds(BitRegister, Vec<u64>, u64),
    PrefixAt(Node, u32, u64),
}

#[derive(Clone, Debug, Default)]
struct Log(Vec<Told>);

impl Sink for Log {
    fn path(&mut self, id: u64) {
        self.0.push(Told::Path(id));
    }
    fn prefix(&mut self, block: Node, id: u64) {
        self.0.push(Told::Prefix(block, id));
    }
    fn lone(&mut self, id: u64) {
        self.0.push(Told::Lone(id));
    }
    fn lone_prefix(&mut self, block: Node, id: u64) {
        self.0.push(Told::LonePrefix(block, id));
    }
    fn enter(&mut self) {
        self.0.push(Told::Enter);
    }
    fn leave(&mut self) {
        self.0.push(Told::Leave);
    }
    fn folds(&mut self, register: BitRegister, bits: &[u64], count: u64) {
        self.0.push(Told::Folds(register, bits.to_vec(), count));
    }
    fn prefix_at(&mut self, block: Node, at: u32, id: u64) {
        self.0.push(Told::PrefixAt(block, at, id));
    }
}

const MOST_IDS: u64 = 1 << 63;

fn told() -> impl Strategy<Value = Told> {
    let node = || (0..encode::MOST_BLOCKS as u32).prop_map(Node::from_u32);
    let register = (0..encode::MOST_REGISTERS as u32).prop_map(BitRegister::from_u32);
    let bits = prop::collection::vec(any::<u64>(), 1..5);
    prop_oneof![
        2 => Just(Told::Enter),
        6 => (0..MOST_IDS).prop_map(Told::Path),
        1 => (node(), 0..MOST_IDS).prop_map(|(block, id)| Told::Prefix(block, id)),
        2 => Just(Told::Leave),
        2 => (0..encode::MOST_LONE_PATHS).prop_map(Told::Lone),
        2 => (0..encode::MOST_LEAF_WORD).prop_map(Told::Leaf),
        2 => (0..encode::MOST_LAST_WORD).prop_map(Told::Last),
        1 => (node(), 0..MOST_IDS).prop_map(|(block, id)| Told::LonePrefix(block, id)),
        1 => (register, bits, 1..u64::MAX).prop_map(|(register, bits, count)| Told::Folds(register, bits, count)),
        1 => (node(), any::<u32>(), any::<u64>()).prop_map(|(block, at, id)| Told::PrefixAt(block, at, id)),
    ]
}

fn event(function: FunctionId, told: &Told) -> Event<'_> {
    match *told {
        Told::Enter => Event::Enter(function),
        Told::Path(id) => Event::Path(id),
        Told::Prefix(block, id) => Event::Prefix { block, id },
        Told::Leave => Event::Leave,
        Told::Lone(id) => Event::Lone { function, id },
        Told::Leaf(word) => Event::Leaf { function, word },
        Told::Last(word) => Event::Last { word },
        Told::LonePrefix(block, id) => Event::LonePrefix { function, block, id },
        Told::Folds(register, ref bits, count) => Event::Fold { function, register, count, bits },
        Told::PrefixAt(block, at, id) => Event::PrefixAt { function, block, at, id },
    }
}

/// Functions of the stream: the first has a sink, the last has the greatest possible id.
fn functions() -> [FunctionId; 3] {
    [0, 7, encode::MOST_FUNCTIONS as u32 - 1].map(FunctionId::from_u32)
}

/// Words for events of the functions, and the expected calls of the first function's sink.
fn written(items: &[(usize, Told)]) -> (Vec<u64>, Vec<Told>) {
    let mut words = Vec::new();
    let mut expected = Vec::new();
    let mut active = Vec::new();
    for (chosen, told) in items {
        let function = match told {
            Told::Enter => {
                active.push(*chosen);
                *chosen
            }
            Told::Path(_) | Told::Prefix(..) => match active.last() {
                Some(&function) => function,
                None => continue,
            },
            Told::Leave | Told::Last(_) => match active.pop() {
                Some(function) => function,
                None => continue,
            },
            _ => *chosen,
        };
        event(functions()[function], told).write(&mut words);
        if function == 0 {
            match told {
                Told::Leaf(word) => expected.extend([Told::Enter, Told::Path(*word), Told::Leave]),
                Told::Last(word) => expected.extend([Told::Path(*word), Told::Leave]),
                told => expected.push(told.clone()),
            }
        }
    }
    (words, expected)
}

proptest! {
    #[test]
    fn what_is_written_is_read(items in prop::collection::vec((0..3_usize, told()), 0..40), cut in any::<prop::sample::Index>()) {
        let (words, expected) = written(&items);
        let cut = cut.index(words.len() + 1);
        for split in [vec![words.len()], vec![cut], (0..=words.len()).collect()] {
            let mut streams: Streams<Log> = Streams::default();
            streams.attach(functions()[0], Log::default());
            let mut from = 0;
            for to in split.into_iter().chain([words.len()]) {
                streams.read(&words[from..to]).unwrap();
                from = to;
            }
            prop_assert!(!streams.is_cut());
            prop_assert_eq!(&streams.sink(functions()[0]).unwrap().0, &expected);
        }
    }

    #[test]
    fn every_event_survives_on_its_own(chosen in 0..3_usize, told in told()) {
        let event = event(functions()[chosen], &told);
        let mut words = Vec::new();
        event.write(&mut words);
        prop_assert_eq!(decode(&words).unwrap(), Some((event, words.len())));
        for length in 0..words.len() {
            prop_assert_eq!(decode(&words[..length]).unwrap(), None);
        }
    }

    #[test]
    fn no_words_cause_a_panic(words in prop::collection::vec(any::<u64>(), 0..40)) {
        let mut streams: Streams<Log> = Streams::default();
        streams.attach(FunctionId::from_u32(0), Log::default());
        let _ = streams.read(&words);
    }
}

#[test]
fn the_empty_run_that_code_announces_first_is_no_execution() {
    let f = FunctionId::from_u32(1);
    let mut streams = Streams::<Log>::default();
    streams.attach(f, Log::default());
    assert_eq!(streams.read(&[encode::fold(f, BitRegister::new(0), 1), 0, 1]), Ok(()));
    assert!(streams.sink(f).is_some_and(|log| log.0.is_empty()));
}

#[test]
fn words_that_no_probe_writes_are_errors() {
    let (f, block) = (FunctionId::from_u32(1), Node::new(1));
    let bad = |words: &[u64], word: u64| {
        let read = Streams::<Log>::default().read(words);
        assert_eq!(read, Err(BadWord(word)), "{words:x?}");
    };
    let unknown = 0b10_1111 << 58;
    bad(&[5], 5);
    bad(&[encode::leave()], encode::leave());
    bad(&[unknown], unknown);
    bad(&[encode::enter(f) + 1], encode::enter(f) + 1);
    let enter = encode::enter(f);
    bad(&[enter, encode::prefix(block), enter], enter);
    bad(&[encode::lone_prefix(f, block), enter], enter);
    bad(&[encode::prefix_at(f, block), u64::MAX, 1], u64::MAX);
    let nothing = encode::fold(f, BitRegister::new(0), 0);
    bad(&[nothing, 1], nothing);
}

#[test]
fn lone_paths_are_activations_of_their_own() {
    #[derive(Default)]
    struct Plain(Vec<&'static str>);
    impl Sink for Plain {
        fn path(&mut self, _: u64) {
            self.0.push("path");
        }
        fn prefix(&mut self, _: Node, _: u64) {
            self.0.push("prefix");
        }
        fn enter(&mut self) {
            self.0.push("enter");
        }
        fn leave(&mut self) {
            self.0.push("leave");
        }
    }
    let f = FunctionId::from_u32(3);
    let mut words = Vec::new();
    Event::Lone { function: f, id: 4 }.write(&mut words);
    Event::LonePrefix { function: f, block: Node::new(2), id: 4 }.write(&mut words);
    let mut streams = Streams::default();
    streams.attach(f, Plain::default());
    streams.read(&words).unwrap();
    assert_eq!(streams.detach(f).unwrap().0, ["enter", "path", "leave", "enter", "prefix", "leave"]);
    assert_eq!(streams.read(&words), Ok(()), "without a sink events are passed over");
}
